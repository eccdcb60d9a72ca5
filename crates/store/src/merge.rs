//! The statements that put new rows to those that a database holds, in the SQL that SQLite and PostgreSQL share.
//!
//! New rows stand in tables of the same names on another side (an attached database, temporary tables) and have the
//! ids that [`identity`](crate::identity) gave them: what is there already is updated, what is not is added, and rows
//! of a page that was read again and does not have them any more are removed. Pages that were not read stay.

use crate::plan::{Field, Relation, quoted};

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
}

impl Sides<'_> {
    /// Takes pages out of the new side that fit no page type now and did before: nothing was read off them, which is no
    /// reason to lose what was.
    pub(crate) fn leave_set_aside(&self) -> String {
        let Sides { new, old } = self;
        format!(
            "DELETE FROM {new}_pages WHERE page_type IS NULL
             AND id IN (SELECT id FROM {old}_pages WHERE page_type IS NOT NULL)"
        )
    }

    /// Removes the rows of pages that were read again and do not have them any more. `is_new` says whether the table
    /// also stands on the new side.
    pub(crate) fn remove(&self, table: &str, is_new: bool) -> String {
        let Sides { new, old } = self;
        let table = quoted(table);
        let kept =
            if is_new { format!(" AND id NOT IN (SELECT id FROM {new}{table})") } else { String::new() };
        format!("DELETE FROM {old}{table} WHERE page_id IN (SELECT id FROM {new}_pages){kept}")
    }

    /// Counts the rows that are not there yet.
    pub(crate) fn count_added(&self, table: &str) -> String {
        let (Sides { new, old }, table) = (self, quoted(table));
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
        let (Sides { new, old }, table) = (self, quoted(&relation.name));
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

    /// What is said about columns, and the values with their paths.
    pub(crate) fn values(&self) -> Vec<String> {
        let Sides { new, old } = self;
        let after = |table: &str| format!("(SELECT coalesce(max(id), 0) FROM {old}{table})");
        let described = "type, selector, label, confidence, coverage, original_name";
        let set: Vec<String> =
            described.split(", ").map(|name| format!("{name} = excluded.{name}")).collect();
        vec![
            format!("DELETE FROM {old}_values WHERE page_id IN (SELECT id FROM {new}_pages)"),
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
            format!(
                "INSERT INTO {old}_values SELECT {} + v.id, v.page_id, oc.id, v.row_id, op.id, v.value
                 FROM {new}_values v
                 JOIN {new}_columns nc ON nc.id = v.column_id
                 JOIN {old}_columns oc ON oc.table_name = nc.table_name AND oc.column_name = nc.column_name
                 LEFT JOIN {new}_paths np ON np.id = v.path_id LEFT JOIN {old}_paths op ON op.path = np.path
                 ORDER BY v.id",
                after("_values")
            ),
            format!("DELETE FROM {old}_paths WHERE id NOT IN (SELECT path_id FROM {old}_values)"),
        ]
    }

    /// Main texts of this run, in the place of those that earlier runs had of the same pages.
    pub(crate) fn main_texts(&self) -> [String; 2] {
        let Sides { new, old } = self;
        [
            format!("DELETE FROM {old}_main_text WHERE page_id IN (SELECT id FROM {new}_pages)"),
            format!("INSERT INTO {old}_main_text SELECT * FROM {new}_main_text"),
        ]
    }

    /// Problems of this run, in the place of those that earlier runs had with the same pages.
    pub(crate) fn problems(&self) -> [String; 2] {
        let Sides { new, old } = self;
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
                 (SELECT page_type, count(*) AS n FROM {old}_pages GROUP BY page_type) c
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
