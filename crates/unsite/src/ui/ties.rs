//! How tables hang together, in words: `has many review, belongs to category`.

use unsite_store::TableSummary;
use unsite_wrapper::{Schema, TableKind};

/// The tables in the order in which people look for them: things first, those that hold most before the others, then what
/// relates them, then what is kept out of sight.
pub(crate) fn in_order<'t>(tables: &'t [TableSummary], stored: &Schema) -> Vec<&'t TableSummary> {
    let mut order: Vec<&TableSummary> = tables.iter().collect();
    order.sort_by_key(|table| {
        let rank = match kind(table, stored) {
            TableKind::Entity => 0,
            TableKind::Relation => 1,
            TableKind::View => 2,
            TableKind::Template => 3,
        };
        let columns = table.columns.len() as u64;
        // A single column is mostly paragraphs.
        (rank, std::cmp::Reverse((columns > 1, table.rows * columns)))
    });
    order
}

/// What a table of a summary is.
pub(crate) fn kind(table: &TableSummary, stored: &Schema) -> TableKind {
    stored.tables.get(table.at).map_or(TableKind::Entity, |info| info.kind)
}

/// What a table has many of and belongs to; nothing for one that stands alone.
pub(crate) fn ties(table: &TableSummary, tables: &[TableSummary], stored: &Schema) -> String {
    let near = |one: &TableSummary| -> Vec<usize> {
        let Some(info) = stored.tables.get(one.at) else { return Vec::new() };
        let links = one.places.iter().filter_map(|&place| info.columns.get(place)?.references);
        info.parent.into_iter().chain(links).filter(|&to| to != one.at).collect()
    };
    let name = |at: usize| tables.iter().find(|table| table.at == at).map(|table| table.name.as_str());
    let mut ends = Vec::new();
    for to in near(table) {
        push(&mut ends, name(to));
    }
    if kind(table, stored) == TableKind::Relation {
        return if ends.is_empty() { String::new() } else { format!("relates {}", ends.join(" and ")) };
    }
    let mut many = Vec::new();
    for other in tables.iter().filter(|other| other.at != table.at) {
        let refers = near(other);
        if !refers.contains(&table.at) {
            continue;
        }
        let others: Vec<usize> = refers.into_iter().filter(|&to| to != table.at).collect();
        if kind(other, stored) == TableKind::Relation && !others.is_empty() {
            others.into_iter().for_each(|to| push(&mut many, name(to)));
        } else {
            push(&mut many, Some(&other.name));
        }
    }
    let said = [("has many", many), ("belongs to", ends)].into_iter().filter(|(_, names)| !names.is_empty());
    said.map(|(what, names)| format!("{what} {}", names.join(", "))).collect::<Vec<_>>().join(", ")
}

fn push<'n>(names: &mut Vec<&'n str>, name: Option<&'n str>) {
    names.extend(name.filter(|name| !names.contains(name)));
}

#[cfg(test)]
mod tests {
    use unsite_wrapper::{ColumnInfo, TableInfo};

    use super::*;

    #[test]
    fn things_first_and_how_they_hang_together() {
        let link = |to| ColumnInfo { references: Some(to), ..ColumnInfo::default() };
        let info = |parent, columns, kind| TableInfo { parent, columns, kind, ..TableInfo::default() };
        let stored = Schema {
            tables: vec![
                info(None, vec![], TableKind::Entity),
                info(None, vec![link(3)], TableKind::Entity),
                info(Some(0), vec![link(1)], TableKind::Relation),
                info(None, vec![], TableKind::Entity),
                info(Some(1), vec![], TableKind::Entity),
            ],
            ..Schema::default()
        };
        let tables: Vec<TableSummary> =
            [("category", 3), ("book", 20), ("listed", 90), ("author", 4), ("review", 9)]
                .iter()
                .enumerate()
                .map(|(at, (name, rows))| TableSummary {
                    at,
                    name: (*name).into(),
                    rows: *rows,
                    columns: vec!["x".into(); stored.tables[at].columns.len()],
                    places: (0..stored.tables[at].columns.len()).collect(),
                    ..TableSummary::default()
                })
                .collect();
        let order: Vec<&str> = in_order(&tables, &stored).iter().map(|table| table.name.as_str()).collect();
        assert_eq!((order[0], order[4]), ("book", "listed"));
        let said: Vec<String> = tables.iter().map(|table| ties(table, &tables, &stored)).collect();
        assert_eq!(
            said,
            [
                "has many book",
                "has many category, review, belongs to author",
                "relates category and book",
                "has many book",
                "belongs to book"
            ]
        );
    }
}
