//! Which things belong together: what lists say beyond what the things say themselves.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{ColumnInfo, Pairs, TableInfo, TableKind, ValueType};

use super::compose::Composer;
use super::facts::{is_data, without};
use super::lists::{Kind, List};
use super::sheets::is_address;

/// Every page of a kind says it: all but a few strays.
const EVERY: f64 = 0.9;
/// Fewer rows show no rule.
const FEWEST: usize = 3;

impl Composer<'_> {
    /// The relation between the things of the pages and those that their lists lead to.
    pub(super) fn pairs(&mut self, home: usize, thing: usize) -> Pairs {
        let (parent, other) = (self.made[home].table, self.made[thing].table);
        let (parent_name, other_name) =
            (self.draft.tables[parent].name.clone(), self.draft.tables[other].name.clone());
        let name = format!("{parent_name}_{other_name}");
        let there =
            self.draft.tables.iter().position(|table| table.name == name && table.parent == Some(parent));
        let table = there.unwrap_or_else(|| {
            let name = self.names.unique(&name);
            let page_type = self.draft.tables[parent].page_type;
            let why = format!("which {other_name} stands in the list of which {parent_name}");
            self.draft.table(TableInfo {
                name,
                page_type,
                parent: Some(parent),
                kind: TableKind::Relation,
                why,
                columns: vec![ColumnInfo {
                    name: format!("{other_name}_url"),
                    value_type: ValueType::Url,
                    confidence: 1.0,
                    coverage: 1.0,
                    references: Some(other),
                    ..ColumnInfo::default()
                }],
                ..TableInfo::default()
            })
        });
        Pairs { table, column: 0 }
    }

    /// The relation between things of one kind, called as their list is.
    pub(super) fn pairs_of_one_kind(&mut self, thing: usize, list: &TableInfo) -> Pairs {
        let parent = self.made[thing].table;
        let own = self.draft.tables[parent].name.clone();
        let name = self.names.unique(&format!("{own}_{}", self.own_name(list, &own, Some(thing))));
        let table = self.draft.table(TableInfo {
            name,
            page_type: self.draft.tables[parent].page_type,
            parent: Some(parent),
            kind: TableKind::Relation,
            why: format!("which {own} stands beside which {own}"),
            columns: vec![ColumnInfo {
                name: format!("{}_url", self.own_name(list, &own, Some(thing))),
                value_type: ValueType::Url,
                confidence: 1.0,
                coverage: 1.0,
                references: Some(parent),
                ..ColumnInfo::default()
            }],
            ..TableInfo::default()
        });
        Pairs { table, column: 0 }
    }

    /// Does the page of a thing itself say which other things it belongs to? Where both have lists of each other, those of which
    /// there are more say it.
    pub(super) fn says_already(&self, thing: usize, other: usize) -> bool {
        let things = self.around.things;
        let (own, target) = (things[thing].table, things[other].table);
        let leads = |column: &ColumnInfo| column.references == Some(target);
        let has_list = || {
            let tables = &self.around.wrapper.schema.tables;
            tables.iter().any(|table| table.parent == Some(own) && table.columns.iter().any(leads))
        };
        let are_more = (things[thing].count, other) > (things[other].count, thing);
        self.info(own).columns.iter().any(leads) || are_more && has_list()
    }

    /// Data for machines that names what a relation leads to tells nothing more.
    pub(super) fn hide_told_by_relation(&mut self, list: &List) {
        let Kind::Things { thing, .. } = list.kind else { return };
        let pairs = self.readings[list.table].as_ref().is_some_and(|reading| reading.pairs.is_some());
        let Some(home) = self.around.home(list.table).filter(|_| pairs) else { return };
        let sheets = self.around.sheets;
        let names = self.around.names(thing);
        let mut told: FxHashSet<(usize, u64)> = FxHashSet::default();
        for (row, key) in list.leads_to.iter().enumerate() {
            let name = key.as_deref().and_then(|key| names.get(key));
            told.extend(name.map(|name| (sheets.tables[list.table].rows[row].0, *name)));
        }
        let read = self.around.things[home].table;
        let sheet = &sheets.tables[read];
        let columns = &self.info(read).columns;
        let data: Vec<usize> = (0..columns.len()).filter(|&at| is_data(&columns[at])).collect();
        for place in data {
            let at = self.made[home].places[place].column;
            let values: Vec<(usize, u64)> =
                sheet.column(place).map(|(row, value)| (sheet.rows[row].0, value)).collect();
            let same = values.iter().filter(|value| told.contains(value)).count();
            let column = &mut self.draft.tables[self.made[home].table].columns[at];
            if values.len() >= FEWEST && same as f64 >= EVERY * values.len() as f64 && !column.is_hidden {
                column.is_hidden = true;
                column.note = "tells which things its list leads to".into();
            }
        }
    }

    /// Hides the columns of a thing that only string the values of one of its facts together: a trail beside its steps.
    pub(super) fn told_by_values(&mut self, list: &List, thing: usize, column: usize, fact: &str) {
        let sheets = self.around.sheets;
        let mut values: FxHashMap<usize, Vec<&str>> = FxHashMap::default();
        for (row, _) in sheets.tables[list.table].column(column) {
            let page = sheets.tables[list.table].rows[row].0;
            values.entry(page).or_default().extend(sheets.text(list.table, row, column));
        }
        let (read, title) = (self.around.things[thing].table, self.around.things[thing].title);
        let sheet = &sheets.tables[read];
        for place in 0..self.info(read).columns.len() {
            let at = self.made[thing].places[place].column;
            let shown = &self.draft.tables[self.made[thing].table].columns[at];
            if shown.is_hidden || place == title || is_address(shown.value_type) {
                continue;
            }
            let is_labelled = shown.label.is_some();
            let (mut both, mut told, mut strung) = (0usize, 0usize, 0usize);
            for (row, _) in sheet.column(place) {
                let Some(values) = values.get(&sheet.rows[row].0) else { continue };
                both += 1;
                let whole = sheets.text(read, row, place).unwrap_or_default();
                let mut parts = 0;
                let rest = values.iter().fold(whole.to_owned(), |rest, value| {
                    without(&rest, value).inspect(|_| parts += 1).unwrap_or(rest)
                });
                strung += usize::from(parts > 1);
                told += usize::from(!rest.chars().any(char::is_alphanumeric));
            }
            // One value behind a label of its own is another fact, which the list repeats.
            let is_own = is_labelled && strung == 0;
            if both >= FEWEST && !is_own && told as f64 >= EVERY * both as f64 {
                let column = &mut self.draft.tables[self.made[thing].table].columns[at];
                column.is_hidden = true;
                column.note = format!("tells {fact}");
            }
        }
    }
}
