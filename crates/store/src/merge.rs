//! The statements that put new rows to those that a database holds, in the SQL that SQLite and PostgreSQL share.
//!
//! New rows stand in tables of the same names on another side (an attached database, temporary tables) and have the
//! ids that [`identity`](crate::identity) gave them: what is there already is updated, what is not is added, and rows
//! of a page that was read again and does not have them any more are removed. Pages that were not read stay.

use crate::plan::{Field, Kind, Layout, Relation, Table, quoted};

/// How many rows of the discovered tables came, changed and went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Merged {
    /// Rows that were not there before.
    pub added: u64,
    /// Rows of which some value changed.
    pub changed: u64,
    /// Rows that their pages do not have any more.
    pub removed: u64,
    /// Pages that fit no page type any more: what was read off them before stays.
    pub set_aside: u64,
}

/// What stands before the names of the tables of either side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sides<'a> {
    pub(crate) new: &'a str,
    pub(crate) old: &'a str,
    /// Where the values of the old side stand, if not in its own table.
    pub(crate) values: Option<&'a str>,
    /// How a value `v.value` that was kept out of sight is read as one of its kind, if it can be.
    pub(crate) reads: fn(Kind) -> Option<&'static str>,
}

/// What was made in a table that is there already.
#[derive(Debug, Default)]
pub(crate) struct Grown {
    /// Whether the table was not there.
    pub(crate) is_new: bool,
    /// The columns that were not there.
    pub(crate) columns: Vec<String>,
}

impl Sides<'_> {
    pub(crate) fn old_values(&self) -> String {
        self.values.map_or_else(|| format!("{}_values", self.old), str::to_owned)
    }

    /// Takes pages out of the new side that fit no page type now and did before: nothing was read off them, which is no
    /// reason to lose what was.
    pub(crate) fn leave_set_aside(&self) -> String {
        let Sides { new, old, .. } = self;
        format!(
            "DELETE FROM {new}_pages WHERE page_type IS NULL
             AND id IN (SELECT id FROM {old}_pages WHERE page_type IS NOT NULL)"
        )
    }

    /// Removes the rows of pages that were read again and do not have them any more. `is_new` says whether the table
    /// also stands on the new side.
    pub(crate) fn remove(&self, table: &str, is_new: bool) -> String {
        let Sides { new, old, .. } = self;
        let table = quoted(table);
        let kept =
            if is_new { format!(" AND id NOT IN (SELECT id FROM {new}{table})") } else { String::new() };
        format!("DELETE FROM {old}{table} WHERE page_id IN (SELECT id FROM {new}_pages){kept}")
    }

    /// The same for a table of this run: a row that pages tell of which were not read again stays.
    pub(crate) fn remove_from(&self, layout: &Layout, relation: &Relation) -> String {
        let sql = self.remove(&relation.name, true);
        match part_of(layout, &relation.name) {
            Some(table) if table.is_seen_anywhere() => {
                let told = self.told_elsewhere(table, &relation.name);
                format!("{sql} AND NOT EXISTS (SELECT 1 {told})")
            }
            _ => sql,
        }
    }

    /// `FROM` and `WHERE` of what pages tell of a row that were not read again.
    fn told_elsewhere(&self, table: &Table, part: &str) -> String {
        let Sides { new, old, .. } = self;
        let values = self.old_values();
        let parts: Vec<String> = table.parts.iter().map(|part| text(&part.name)).collect();
        format!(
            "FROM {old}_columns c JOIN {values} v ON v.column_id = c.id
             WHERE c.table_name IN ({}) AND v.row_id = {}.id AND v.page_id NOT IN (SELECT id FROM {new}_pages)",
            parts.join(", "),
            quoted(part)
        )
    }

    /// Rows that stay although their page was read again and does not have them any more are from then on those of the first
    /// page that does.
    pub(crate) fn move_on(&self, table: &Table) -> Vec<String> {
        let Sides { new, old, .. } = self;
        let parts = table.parts.iter().map(|part| {
            let told = self.told_elsewhere(table, &part.name);
            let name = quoted(&part.name);
            format!(
                "UPDATE {old}{name} SET page_id = coalesce((SELECT min(v.page_id) {told}), page_id)
                 WHERE page_id IN (SELECT id FROM {new}_pages) AND id NOT IN (SELECT id FROM {new}{name})"
            )
        });
        parts.collect()
    }

    /// Completes the new side's rows with what is known of them from pages that were not read again. A row has what its own
    /// page says, and what that does not say from the page that said so first: as long as that page was not read again, others
    /// do not change it.
    pub(crate) fn keep_elsewhere(&self, table: &Table) -> Vec<String> {
        let Sides { new, old, .. } = self;
        let all_values = self.old_values();
        let mut all = Vec::new();
        let main = quoted(table.name());
        let again = format!("(SELECT id FROM {new}_pages)");
        let own = table.key_column().filter(|key| key.part == 0).map_or("false".to_owned(), |key| {
            let key = quoted(&key.name);
            format!(
                "EXISTS (SELECT 1 FROM {new}{main} k JOIN {new}_pages p ON p.id = k.page_id WHERE k.id = n.id
                 AND (p.url = k.{key} OR substr(p.url, 1, length(k.{key}) + 1) = k.{key} || '#'))"
            )
        });
        // The first part last: whether a row is of its own page is seen there.
        for part in table.parts.iter().rev() {
            let name = quoted(&part.name);
            let both = format!("FROM {old}{name} AS o WHERE o.id = n.id");
            for (_, column) in table.columns_of(part) {
                let values = format!(
                    "FROM {all_values} v WHERE v.row_id = o.id AND v.column_id =
                         (SELECT id FROM {old}_columns WHERE table_name = {} AND column_name = {})",
                    text(&part.name),
                    text(&column.name)
                );
                let told = format!("EXISTS (SELECT 1 {values} AND v.page_id NOT IN {again})");
                let first = format!(
                    "coalesce((SELECT v.page_id NOT IN {again} {values}
                         ORDER BY v.page_id = o.page_id DESC, v.page_id, v.id LIMIT 1), false)"
                );
                let column_name = quoted(&column.name);
                let beside = column.beside.iter().map(|(name, _)| quoted(name));
                let set: Vec<String> = std::iter::once(column_name.clone())
                    .chain(beside)
                    .map(|name| format!("{name} = o.{name}"))
                    .collect();
                all.push(format!(
                    "UPDATE {new}{name} AS n SET {} {both} AND o.{column_name} IS NOT NULL
                     AND (n.{column_name} IS NULL AND {told} OR NOT {own} AND {first})",
                    set.join(", ")
                ));
            }
            if let Some((_, key)) = table.parent.as_ref().filter(|_| part.at == 0) {
                let key = quoted(key);
                all.push(format!("UPDATE {new}{name} AS n SET {key} = o.{key} {both} AND n.{key} IS NULL"));
            }
            all.push(format!(
                "UPDATE {new}{name} AS n SET page_id = o.page_id {both} AND NOT {own} AND o.page_id NOT IN {again}"
            ));
        }
        all
    }

    /// Fills tables and columns that earlier runs kept out of sight with what they read.
    pub(crate) fn come_to_sight(&self, relation: &Relation, grown: &Grown) -> Vec<String> {
        let (old, values) = (self.old, self.old_values());
        let table = quoted(&relation.name);
        let mut all = Vec::new();
        if grown.is_new {
            all.push(format!(
                "INSERT INTO {old}{table}(id, page_id) SELECT v.row_id, min(v.page_id)
                 FROM {old}_columns c JOIN {values} v ON v.column_id = c.id
                 WHERE c.table_name = {} AND v.row_id IS NOT NULL GROUP BY v.row_id",
                text(&relation.name)
            ));
        }
        let is_new = |field: &&Field| field.original.is_some() && grown.columns.contains(&field.name);
        for field in relation.fields.iter().filter(is_new) {
            let Some(read) = (self.reads)(field.kind) else { continue };
            all.push(format!(
                "UPDATE {old}{table} SET {} = (SELECT {read} FROM {values} v WHERE v.row_id = {table}.id
                     AND v.column_id = (SELECT id FROM {old}_columns WHERE table_name = {} AND column_name = {})
                     ORDER BY v.copy, v.page_id, v.id LIMIT 1)",
                quoted(&field.name),
                text(&relation.name),
                text(&field.name)
            ));
        }
        all
    }

    /// Counts the rows that are not there yet.
    pub(crate) fn count_added(&self, table: &str) -> String {
        let (Sides { new, old, .. }, table) = (self, quoted(table));
        format!("SELECT count(*) FROM {new}{table} WHERE id NOT IN (SELECT id FROM {old}{table})")
    }

    /// Adds rows and updates those that changed. Keys beside links are left to be found anew. `read` is how a field
    /// is read on the new side; `gone` are columns that only earlier runs had, and of whose values in these rows
    /// nothing is left.
    pub(crate) fn upsert(
        &self,
        relation: &Relation,
        gone: &[&str],
        read: impl Fn(&Field) -> String,
    ) -> String {
        let (Sides { new, old, .. }, table) = (self, quoted(&relation.name));
        let fields: Vec<&Field> = relation.fields.iter().filter(|field| !is_link_key(field)).collect();
        let names: Vec<String> = fields.iter().map(|field| quoted(&field.name)).collect();
        let values: Vec<String> = fields.iter().map(|field| read(field)).collect();
        let (key, rest) = names.split_first().map_or(("id", &[][..]), |(key, rest)| (key.as_str(), rest));
        let (names, values) = (names.join(", "), values.join(", "));
        let mut set: Vec<String> = rest.iter().map(|name| format!("{name} = excluded.{name}")).collect();
        let mut differs: Vec<String> =
            rest.iter().map(|name| format!("o.{name} IS DISTINCT FROM excluded.{name}")).collect();
        set.extend(gone.iter().map(|name| format!("{} = NULL", quoted(name))));
        differs.extend(gone.iter().map(|name| format!("o.{} IS NOT NULL", quoted(name))));
        let action = match set.is_empty() {
            true => "NOTHING".to_owned(),
            false => format!("UPDATE SET {} WHERE {}", set.join(", "), any_of(&differs)),
        };
        format!(
            "INSERT INTO {old}{table} AS o ({names}) SELECT {values} FROM {new}{table} WHERE true
             ON CONFLICT ({key}) DO {action}"
        )
    }

    /// The same for a table of this run: what earlier runs had of rows that may be seen anywhere stays.
    pub(crate) fn upsert_of(
        &self,
        layout: &Layout,
        relation: &Relation,
        gone: &[&str],
        read: impl Fn(&Field) -> String,
    ) -> String {
        let stays = part_of(layout, &relation.name).is_some_and(Table::is_seen_anywhere);
        self.upsert(relation, if stays { &[] } else { gone }, read)
    }

    /// What is said about columns, and the paths of values.
    pub(crate) fn columns_and_paths(&self) -> [String; 2] {
        let Sides { new, old, .. } = self;
        let after = |table: &str| format!("(SELECT coalesce(max(id), 0) FROM {old}{table})");
        let described = "type, selector, label, confidence, coverage, original_name, hidden, note";
        let set: Vec<String> =
            described.split(", ").map(|name| format!("{name} = excluded.{name}")).collect();
        [
            format!(
                "INSERT INTO {old}_columns (id, table_name, column_name, {described})
                 SELECT {} + id, table_name, column_name, {described} FROM {new}_columns WHERE true
                 ON CONFLICT (table_name, column_name) DO UPDATE SET {}",
                after("_columns"),
                set.join(", ")
            ),
            format!(
                "INSERT INTO {old}_paths SELECT {} + id, path FROM {new}_paths n
                 WHERE NOT EXISTS (SELECT 1 FROM {old}_paths o WHERE o.path = n.path)",
                after("_paths")
            ),
        ]
    }

    /// The values, where they stand in a table.
    #[cfg(feature = "postgres")]
    pub(crate) fn values(&self) -> [String; 3] {
        let Sides { new, old, .. } = self;
        [
            format!("DELETE FROM {old}_values WHERE page_id IN (SELECT id FROM {new}_pages)"),
            format!(
                "INSERT INTO {old}_values
                 SELECT (SELECT coalesce(max(id), 0) FROM {old}_values) + v.id, v.page_id, oc.id, v.row_id, op.id, v.value, v.copy
                 FROM {new}_values v
                 JOIN {new}_columns nc ON nc.id = v.column_id
                 JOIN {old}_columns oc ON oc.table_name = nc.table_name AND oc.column_name = nc.column_name
                 LEFT JOIN {new}_paths np ON np.id = v.path_id LEFT JOIN {old}_paths op ON op.path = np.path
                 ORDER BY v.id"
            ),
            format!("DELETE FROM {old}_paths WHERE id NOT IN (SELECT path_id FROM {old}_values)"),
        ]
    }

    /// Main texts of this run, in the place of those that earlier runs had of the same pages.
    pub(crate) fn main_texts(&self) -> [String; 2] {
        let Sides { new, old, .. } = self;
        [
            format!("DELETE FROM {old}_main_text WHERE page_id IN (SELECT id FROM {new}_pages)"),
            format!("INSERT INTO {old}_main_text SELECT * FROM {new}_main_text"),
        ]
    }

    /// Problems of this run, in the place of those that earlier runs had with the same pages.
    pub(crate) fn problems(&self) -> [String; 2] {
        let Sides { new, old, .. } = self;
        [
            format!(
                "DELETE FROM {old}_problems WHERE url IN (SELECT url FROM {new}_pages)
                 OR ref IN (SELECT ref FROM {new}_pages)
                 OR (kind, ref, message) IN (SELECT kind, ref, message FROM {new}_problems)"
            ),
            format!("INSERT INTO {old}_problems SELECT * FROM {new}_problems"),
        ]
    }

    /// Counts the pages of each type anew.
    pub(crate) fn recount(&self) -> String {
        let old = self.old;
        format!(
            "UPDATE {old}_page_types SET pages = coalesce((SELECT c.n FROM
                 (SELECT page_type, count(*) AS n FROM {old}_pages WHERE latest IS DISTINCT FROM 0 GROUP BY page_type) c
                 WHERE c.page_type = _page_types.name), 0)"
        )
    }
}

/// Whether a field is the key beside a link, which is found anew after every merge.
pub(crate) fn is_link_key(field: &Field) -> bool {
    field.reference.as_ref().is_some_and(|to| to.on_delete == "SET NULL")
}

/// A balanced tree of alternatives: SQLite bounds how deep an expression may be, and `a OR b OR c` is as deep as long.
fn any_of(conditions: &[String]) -> String {
    match conditions {
        [] => "false".to_owned(),
        [one] => one.clone(),
        many => {
            let (left, right) = many.split_at(many.len() / 2);
            format!("({} OR {})", any_of(left), any_of(right))
        }
    }
}

/// A text as SQL has it.
pub(crate) fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The table that an SQL table holds rows of.
fn part_of<'l>(layout: &'l Layout, name: &str) -> Option<&'l Table> {
    layout.parts().find(|(_, part)| part.name == name).map(|(table, _)| table)
}
