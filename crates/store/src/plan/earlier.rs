//! What earlier runs left in a database: which columns are whose, and under which names this run goes on with them.

use std::collections::{BTreeMap, HashSet};

use unsite_wrapper::ValueType;

use super::layout::{Layout, Table, link_key};
use super::names::Names;
use super::relations::Relation;

/// The tables of earlier runs by their names.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    pub(crate) tables: BTreeMap<String, EarlierTable>,
}

/// One table of earlier runs as it stands now.
#[derive(Debug, Default)]
pub(crate) struct EarlierTable {
    /// Every column, whoever made it.
    pub(crate) columns: Vec<String>,
    /// Those that were discovered.
    pub(crate) described: Vec<Described>,
    /// Columns that become NULL with the row they refer to, and the table of that row.
    pub(crate) keys: Vec<(String, String)>,
}

/// What `_columns` says of a column.
#[derive(Debug)]
pub(crate) struct Described {
    pub(crate) name: String,
    /// The name of its type.
    pub(crate) value_type: String,
    pub(crate) label: Option<String>,
}

impl Earlier {
    /// The tables that a run does not have any more. Some that are known may be gone: anybody can drop a table.
    pub(crate) fn others(&self, relations: &[Relation]) -> impl Iterator<Item = &str> {
        let there = self.tables.iter().filter(|(_, table)| !table.columns.is_empty());
        let names = there.map(|(name, _)| name.as_str());
        names.filter(|name| relations.iter().all(|relation| !same(&relation.name, name)))
    }
}

impl EarlierTable {
    /// The columns of ours that a run does not have any more: discovered ones, and what stood beside them. Columns
    /// that somebody else put to the table are none of them.
    pub(crate) fn gone(&self, relation: &Relation) -> Vec<&str> {
        let is_new = |name: &str| relation.fields.iter().any(|field| same(&field.name, name));
        let is_described = |name: &str| self.described.iter().any(|old| same(&old.name, name));
        let is_beside = |name: &str| {
            self.described.iter().any(|old| {
                let value_type = ValueType::ALL.into_iter().find(|one| one.name() == old.value_type);
                let word = value_type.and_then(ValueType::beside);
                word.is_some_and(|(word, _)| same(unnumbered(name), &format!("{}_{word}", old.name)))
            })
        };
        let is_key = |name: &str| {
            let keys = self.keys.iter().filter(|(key, _)| key == name);
            keys.into_iter().any(|(key, target)| {
                self.described.iter().any(|old| same(unnumbered(key), &link_key(&old.name, target)))
            })
        };
        let names = self.columns.iter().map(String::as_str).filter(|name| !is_new(name));
        names.filter(|name| is_described(name) || is_beside(name) || is_key(name)).collect()
    }
}

impl Layout {
    /// Gives each column the name under which the database holds it already. Names are numbered where several labels
    /// differ in case alone, so that the same name may stand for another label when one of them is missing: a column
    /// goes where its label is, and one whose name is taken by another label gets a new name.
    pub(crate) fn follow(&mut self, earlier: &Earlier) {
        let tables: Vec<String> = self.tables.iter().map(|table| table.name().to_owned()).collect();
        for at in 0..self.tables.len() {
            let is_below_shown =
                self.tables[at].parent.as_ref().is_none_or(|(parent, _)| self.tables[*parent].is_shown);
            let table = &mut self.tables[at];
            let there: Vec<&EarlierTable> =
                table.parts.iter().filter_map(|part| earlier.tables.get(&part.name)).collect();
            if !there.is_empty() {
                follow(table, &there, &tables);
                stay_in_sight(table, &there, is_below_shown);
            }
        }
    }
}

/// What people were shown before goes on being filled.
fn stay_in_sight(table: &mut Table, there: &[&EarlierTable], is_below_shown: bool) {
    let has = |name: &str| there.iter().flat_map(|table| &table.columns).any(|column| same(column, name));
    table.is_shown |= is_below_shown && has("page_id");
    for column in &mut table.columns {
        column.is_shown |= has(&column.name);
    }
}

fn follow(table: &mut Table, there: &[&EarlierTable], tables: &[String]) {
    // The column of a fact is told of the table whose fact it is.
    let first = table.columns.first().filter(|_| table.is_fact);
    let told: Vec<Described> = first
        .filter(|first| there.iter().flat_map(|table| &table.columns).any(|name| same(name, &first.name)))
        .map(|first| Described {
            name: first.name.clone(),
            value_type: first.value_type.name().to_owned(),
            label: first.label.clone(),
        })
        .into_iter()
        .collect();
    let old: Vec<&Described> = there.iter().flat_map(|table| &table.described).chain(&told).collect();
    let mut used: HashSet<String> = ["id", "page_id"].map(str::to_owned).into();
    used.extend(table.parent.iter().map(|(_, key)| key.to_lowercase()));
    let mut names: Vec<Option<String>> = vec![None; table.columns.len()];
    // The surest first: name and label, then the label, then the name of a column that has no label to differ in.
    let rules: [fn(&str, &str, &Described) -> bool; 3] = [
        |name, label, old| same(name, &old.name) && label == old.label(),
        |name, label, old| {
            !label.is_empty() && label == old.label() && same(unnumbered(name), unnumbered(&old.name))
        },
        |name, label, old| same(name, &old.name) && (label.is_empty() || old.label().is_empty()),
    ];
    for matches in rules {
        for (column, found) in table.columns.iter().zip(&mut names).filter(|(_, found)| found.is_none()) {
            let label = bare(column.label.as_deref());
            let known = old
                .iter()
                .find(|old| matches(&column.name, label, old) && !used.contains(&old.name.to_lowercase()));
            if let Some(known) = known {
                used.insert(known.name.to_lowercase());
                *found = Some(known.name.clone());
            }
        }
    }
    let mut all = Names::default();
    used.iter().for_each(|name| all.take(name));
    there.iter().flat_map(|table| &table.columns).for_each(|name| all.take(name));
    for (column, found) in table.columns.iter().zip(&mut names).filter(|(_, found)| found.is_none()) {
        *found = Some(all.claim(&column.name));
    }
    let mut beside = Names::default();
    used.iter().chain(names.iter().flatten()).for_each(|name| beside.take(name));
    for (column, name) in table.columns.iter_mut().zip(names.into_iter().flatten()) {
        let is_renamed = name != column.name;
        column.name = name;
        if let Some((key, target)) = &mut column.key {
            let wanted = if is_renamed { link_key(&column.name, &tables[*target]) } else { key.clone() };
            *key = beside.claim(&wanted);
        }
        if let (Some((second, _)), Some((word, _))) = (&mut column.beside, column.value_type.beside()) {
            let wanted = if is_renamed { format!("{}_{word}", column.name) } else { second.clone() };
            *second = beside.claim(&wanted);
        }
    }
}

impl Described {
    fn label(&self) -> &str {
        bare(self.label.as_deref())
    }
}

/// A label without what punctuation may stand behind it.
fn bare(label: Option<&str>) -> &str {
    label.unwrap_or_default().trim().trim_end_matches([':', ' '])
}

/// SQLite does not tell names apart that differ in case alone.
fn same(a: &str, b: &str) -> bool {
    a == b || a.to_lowercase() == b.to_lowercase()
}

/// `price` for `price_2`.
fn unnumbered(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((stem, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use unsite_wrapper::{ColumnInfo, Schema, TableInfo};

    use super::super::layout::COLUMNS_OF_A_FILE;
    use super::*;

    fn layout(columns: &[(&str, &str)]) -> Layout {
        let column = |(name, label): &(&str, &str)| ColumnInfo {
            name: (*name).into(),
            label: Some((*label).into()),
            ..Default::default()
        };
        let columns = columns.iter().map(column).collect();
        let table = TableInfo { name: "thing".into(), columns, ..Default::default() };
        Layout::new(&Schema { tables: vec![table], ..Default::default() }, COLUMNS_OF_A_FILE, false).unwrap()
    }

    fn followed(old: &[(&str, &str)], others: &[&str], new: &[(&str, &str)]) -> Vec<String> {
        let described = |(name, label): &(&str, &str)| Described {
            name: (*name).into(),
            value_type: "text".into(),
            label: Some((*label).into()),
        };
        let table = EarlierTable {
            columns: old.iter().map(|(name, _)| name).chain(others).map(|name| (*name).to_owned()).collect(),
            described: old.iter().map(described).collect(),
            keys: Vec::new(),
        };
        let mut layout = layout(new);
        layout.follow(&Earlier { tables: [("thing".to_owned(), table)].into() });
        layout.tables.remove(0).columns.into_iter().map(|column| column.name).collect()
    }

    #[test]
    fn columns_go_where_their_label_is() {
        let old = [("price", "Price"), ("price_2", "price"), ("price_3", "PRICE:")];
        assert_eq!(followed(&old, &[], &old), ["price", "price_2", "price_3"]);
        let fewer = [("price", "price"), ("price_2", "PRICE")];
        assert_eq!(followed(&old, &[], &fewer), ["price_2", "price_3"]);
        assert_eq!(followed(&old[1..], &[], &old), ["price", "price_2", "price_3"]);
        assert_eq!(followed(&old, &[], &[("price", "Cost")]), ["price_4"], "the label is new");
        assert_eq!(followed(&old, &[], &[("price", "")]), ["price"], "no label to differ in");
    }

    #[test]
    fn a_column_of_somebody_else_is_not_written_to() {
        assert_eq!(
            followed(&[("title", "")], &["note"], &[("Title", ""), ("note", "Note")]),
            ["title", "note_2"]
        );
    }
}
