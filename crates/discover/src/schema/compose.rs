//! The tables behind the site, and the way of everything that is read to its place in them.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{
    Addresses, ColumnInfo, Database, Place, Reading, RowKey, TableInfo, TableKind, ValueType, Way,
};

use super::dependencies::hide_what_follows;
use super::draft::Draft;
use super::facts::Fate;
use super::lists::{Kind, List, Surroundings};
use super::names;
use super::views::{Seen, seen};
use crate::naming::{Namer, singular};

/// Lists agree on a fact when they say the same of this share of the things that both know.
const AGREE: f64 = 0.9;
/// A fact that lists tell is one when this share of all things have it.
const KNOWN_OF: f64 = 0.3;
/// What a list is called that the site has no name for.
const UNNAMED: &str = "item";

/// What is known of a thing's table while it is put together.
pub(super) struct Made {
    /// Its number in the draft.
    pub(super) table: usize,
    /// Where each column of the read table went.
    pub(super) places: Vec<Place>,
    /// What lists tell of it: the column, and the value for each thing.
    pub(super) told: Vec<(usize, FxHashMap<String, u64>)>,
    pub(super) namer: Namer,
}

pub(super) struct Composer<'s> {
    pub(super) around: &'s Surroundings<'s>,
    pub(super) draft: Draft,
    pub(super) made: Vec<Made>,
    /// For each read table: its table in the draft.
    pub(super) table_of: Vec<Option<usize>>,
    pub(super) readings: Vec<Option<Reading>>,
    pub(super) names: Namer,
    /// Names of lists that no other list and no thing has.
    pub(super) alone: FxHashSet<String>,
}

pub(super) fn compose(around: &Surroundings<'_>, lists: &[List], addresses: Addresses) -> Database {
    let count = around.wrapper.schema.tables.len();
    let mut composer = Composer {
        around,
        draft: Draft::default(),
        made: Vec::new(),
        table_of: vec![None; count],
        readings: vec![None; count],
        names: Namer::default(),
        alone: FxHashSet::default(),
    };
    composer.alone = composer.names_of_one(lists);
    composer.make_things();
    for list in lists {
        match &list.kind {
            Kind::Parts { thing } => composer.parts(list, Some(*thing)),
            Kind::Alone => composer.parts(list, None),
            Kind::Facts { thing } => composer.facts_of_the_page(list, *thing),
            Kind::Values { thing, column } => composer.values(list, *thing, *column),
            _ => {}
        }
    }
    for list in lists {
        if let Kind::Things { thing, links } = &list.kind {
            composer.view(list, *thing, links);
        }
    }
    for list in lists {
        match &list.kind {
            Kind::View(why) => composer.out_of_sight(list.table, TableKind::View, why),
            Kind::Template(why) => composer.out_of_sight(list.table, TableKind::Template, why),
            _ => {}
        }
    }
    for table in 0..count {
        if composer.readings[table].is_none() {
            composer.out_of_sight(table, TableKind::View, "its pages show other things");
        }
    }
    for list in lists {
        composer.hide_told_by_relation(list);
    }
    composer.refer();
    let readings = composer.readings.into_iter().map(Option::unwrap_or_default).collect();
    composer.draft.finish(readings, addresses)
}

impl Composer<'_> {
    pub(super) fn info(&self, table: usize) -> &TableInfo {
        &self.around.wrapper.schema.tables[table]
    }

    /// The things, those that say most of themselves first.
    fn make_things(&mut self) {
        let things = self.around.things;
        let mut order: Vec<usize> = (0..things.len()).collect();
        order.sort_by_key(|&at| (things[at].lists, std::cmp::Reverse(things[at].count), things[at].table));
        let mut made: Vec<Option<Made>> = things.iter().map(|_| None).collect();
        for at in order {
            made[at] = Some(self.make_thing(at));
        }
        self.made = made.into_iter().flatten().collect();
    }

    fn make_thing(&mut self, at: usize) -> Made {
        let thing = &self.around.things[at];
        let info = self.info(thing.table).clone();
        let mut fates = self.around.facts[at].clone();
        hide_what_follows(self.around, thing.table, &mut fates);
        let name = self.names.unique(&singular(&info.name));
        let table = self.draft.table(TableInfo {
            name,
            page_type: info.page_type,
            also_on: info.also_on.clone(),
            kind: TableKind::Entity,
            why: format!("{} pages, each about one", thing.count),
            ..TableInfo::default()
        });
        let mut namer = Namer::default();
        let url = ColumnInfo {
            name: namer.unique("url"),
            value_type: ValueType::Url,
            confidence: 1.0,
            coverage: 1.0,
            note: "the address that a row is known by".into(),
            ..ColumnInfo::default()
        };
        let key = self.draft.column(table, url);
        self.draft.tables[table].key = Some(key);
        let title = names::title(&info.columns[thing.title]);
        let title = ColumnInfo { name: namer.unique(title), ..info.columns[thing.title].clone() };
        let title = self.draft.column(table, title);
        let places = self.places(table, &mut namer, &info.columns, &fates, Some((thing.title, title)));
        self.table_of[thing.table] = Some(table);
        let way = Way { table, places: places.clone() };
        self.readings[thing.table] =
            Some(Reading { to: way.clone(), key: RowKey::Page, otherwise: way, ..Reading::default() });
        Made { table, places, told: Vec::new(), namer }
    }

    /// Makes the columns of a table and says where each read column goes. `title` is the column that names rows, already made.
    fn places(
        &mut self,
        table: usize,
        namer: &mut Namer,
        columns: &[ColumnInfo],
        fates: &[Fate],
        title: Option<(usize, usize)>,
    ) -> Vec<Place> {
        let mut places = vec![Place::default(); columns.len()];
        let own = self.draft.tables[table].name.clone();
        let around = self.around;
        let (table_of, tables) = (self.table_of.clone(), &self.draft.tables);
        let names: FxHashMap<usize, String> = (0..table_of.len())
            .filter_map(|read| Some((read, tables[table_of[read]?].name.clone())))
            .collect();
        let leads_to = |info: &ColumnInfo| {
            let to = info.references.or_else(|| {
                // The text of a link leads where the link does.
                let link = format!("{} @href", info.selector);
                columns.iter().find(|other| other.selector == link)?.references
            })?;
            let thing = around.thing_of_table(to)?;
            let read = around.things[thing].table;
            let name = || singular(&around.wrapper.schema.tables[read].name);
            Some(names.get(&read).cloned().unwrap_or_else(name))
        };
        let called = names::Called::new(&own, columns, fates, &leads_to);
        let is_title = |at: usize| title.is_some_and(|(read, _)| read == at);
        if let Some((read, made)) = title {
            places[read].column = made;
        }
        // What is kept out of sight takes no name from what is shown.
        for (at, info) in
            columns.iter().enumerate().filter(|(at, _)| fates[*at] == Fate::Fact && !is_title(*at))
        {
            let made = ColumnInfo { name: called.column(namer, at), ..info.clone() };
            places[at].column = self.draft.column(table, made);
        }
        for (at, info) in columns.iter().enumerate().filter(|(at, _)| !is_title(*at)) {
            if let Fate::Hidden(why) = &fates[at] {
                let name = namer.unique(&info.name);
                let made = ColumnInfo { name, is_hidden: true, note: why.clone(), ..info.clone() };
                places[at].column = self.draft.column(table, made);
            }
        }
        for at in 0..columns.len() {
            if let Fate::Continues(other) = fates[at] {
                places[at] = places[other];
            }
        }
        for (at, info) in columns.iter().enumerate() {
            if let Fate::CopyOf(other) = fates[at] {
                places[at] = Place { column: places[other].column, is_copy: true };
                let note = &mut self.draft.tables[table].columns[places[at].column].note;
                let also = if note.is_empty() { "also told by " } else { ", " };
                *note = format!("{note}{also}{}", info.name);
            }
        }
        places
    }

    /// A list whose rows belong to the thing of their page, or are things without pages.
    fn parts(&mut self, list: &List, thing: Option<usize>) {
        let info = self.info(list.table).clone();
        // Rows inside rows belong to those; else to the thing of the page.
        let above = std::iter::successors(info.parent, |&above| self.info(above).parent)
            .find_map(|above| self.table_of[above].filter(|&made| self.draft.tables[made].is_shown()));
        let parent = above.or(thing.map(|thing| self.made[thing].table));
        let name = match parent {
            Some(parent) => {
                let parent = self.draft.tables[parent].name.clone();
                let own = self.own_name(&info, &parent, thing);
                if self.alone.contains(&own) { own } else { format!("{parent}_{own}") }
            }
            None => singular(&info.name),
        };
        let name = self.names.unique(&name);
        let why = match parent {
            Some(parent) => format!("a list on the pages of {}", self.draft.tables[parent].name),
            None => "a list of things without pages".into(),
        };
        let table = self.draft.table(TableInfo {
            name,
            page_type: info.page_type,
            also_on: info.also_on.clone(),
            parent,
            kind: TableKind::Entity,
            why,
            ..TableInfo::default()
        });
        let mut namer = Namer::default();
        let places = self.places(table, &mut namer, &info.columns, &list.fates, None);
        self.table_of[list.table] = Some(table);
        let otherwise = self.hidden(list.table, TableKind::View, "on pages of other things");
        self.readings[list.table] =
            Some(Reading { to: Way { table, places }, key: RowKey::Place, otherwise, ..Reading::default() });
    }

    /// What lists are called that need no word of their page beside it.
    fn names_of_one(&self, lists: &[List]) -> FxHashSet<String> {
        let parts = lists.iter().filter(|list| matches!(list.kind, Kind::Parts { .. }));
        let own = parts.map(|list| {
            let info = self.info(list.table);
            let thing = if let Kind::Parts { thing } = list.kind { Some(thing) } else { None };
            self.own_name(info, "", thing)
        });
        let mut alone = names::alone(own);
        alone.remove(UNNAMED);
        for thing in self.around.things {
            alone.remove(&singular(&self.info(thing.table).name));
        }
        alone
    }

    /// A list with one row a page: its columns are the thing's own.
    fn facts_of_the_page(&mut self, list: &List, thing: usize) {
        let info = self.info(list.table).clone();
        let table = self.made[thing].table;
        let mut namer = std::mem::take(&mut self.made[thing].namer);
        let places = self.places(table, &mut namer, &info.columns, &list.fates, None);
        self.made[thing].namer = namer;
        self.table_of[list.table] = Some(table);
        let way = Way { table, places };
        self.readings[list.table] =
            Some(Reading { to: way.clone(), key: RowKey::Page, otherwise: way, ..Reading::default() });
    }

    /// The name of a list without that of the table it belongs to, as it was read or as it is called now.
    pub(super) fn own_name(&self, info: &TableInfo, parent: &str, thing: Option<usize>) -> String {
        let of_thing = thing.map(|thing| self.around.things[thing].table);
        let read = info.parent.into_iter().chain(of_thing).map(|above| self.info(above).name.as_str());
        let named = |above: &str| info.name.strip_prefix(above)?.strip_prefix('_');
        let own = read.chain([parent]).find_map(named).unwrap_or(&info.name);
        singular(own)
    }

    /// A list of the values of one fact.
    fn values(&mut self, list: &List, thing: usize, column: usize) {
        let info = self.info(list.table).clone();
        let parent = self.made[thing].table;
        // What leads to things is called as they are.
        let led_to = self
            .around
            .thing_led_to(list)
            .map(|other| self.draft.tables[self.made[other].table].name.clone());
        let own =
            led_to.unwrap_or_else(|| self.own_name(&info, &self.draft.tables[parent].name, Some(thing)));
        let fact = self.made[thing].namer.unique(&own);
        let name = self.names.unique(&format!("{}_{fact}", self.draft.tables[parent].name));
        let table = self.draft.table(TableInfo {
            name,
            page_type: info.page_type,
            also_on: info.also_on.clone(),
            parent: Some(parent),
            kind: TableKind::Relation,
            why: format!("a fact of {} that has several values", self.draft.tables[parent].name),
            is_fact: true,
            ..TableInfo::default()
        });
        let mut namer = Namer::default();
        let first = ColumnInfo { name: namer.unique(&fact), ..info.columns[column].clone() };
        let first = self.draft.column(table, first);
        let places = self.places(table, &mut namer, &info.columns, &list.fates, Some((column, first)));
        self.table_of[list.table] = Some(table);
        self.told_by_values(list, thing, column, &fact);
        let otherwise = self.hidden(list.table, TableKind::View, "on pages of other things");
        self.readings[list.table] =
            Some(Reading { to: Way { table, places }, key: RowKey::Place, otherwise, ..Reading::default() });
    }

    /// A list whose rows are things with pages of their own.
    fn view(&mut self, list: &List, thing: usize, links: &[usize]) {
        let around = self.around;
        let info = self.info(list.table).clone();
        let it = &around.things[thing];
        let own = around.rows_by_key(thing);
        let table = self.made[thing].table;
        let mut places = vec![Place::default(); info.columns.len()];
        for (at, column) in info.columns.iter().enumerate() {
            if let Fate::CopyOf(_) | Fate::Continues(_) = list.fates[at] {
                continue;
            }
            let found = match links.contains(&at) {
                true => Seen::Hidden("leads to the row".into()),
                false => seen(around, list, at, thing, &own),
            };
            places[at] = match found {
                Seen::Copy(other) => Place { is_copy: true, ..self.made[thing].places[other] },
                Seen::Fact(values) if values.len() as f64 >= KNOWN_OF * it.count as f64 => {
                    self.told_by_lists(thing, column, values)
                }
                Seen::Fact(_) => self.hidden_column(thing, column, "said of few"),
                Seen::Hidden(why) => self.hidden_column(thing, column, &why),
            };
        }
        for at in 0..info.columns.len() {
            match list.fates[at] {
                Fate::CopyOf(other) => places[at] = Place { is_copy: true, ..places[other] },
                Fate::Continues(other) => places[at] = places[other],
                _ => {}
            }
        }
        let home = around.home_of(list);
        let pairs = match home {
            Some(home) if home == thing => {
                // Beside things of its own kind it says which belong together, if it is theirs alone.
                around.is_on_one_kind(list.table).then(|| self.pairs_of_one_kind(thing, &info))
            }
            home => home.filter(|&home| !self.says_already(thing, home)).map(|home| self.pairs(home, thing)),
        };
        self.table_of[list.table] = Some(table);
        let not_on = around.leads_elsewhere_on(list);
        let otherwise = self.hidden(list.table, TableKind::View, "things beside the one of the page");
        self.readings[list.table] = Some(Reading {
            to: Way { table, places },
            key: RowKey::Links(links.to_vec()),
            otherwise,
            pairs,
            not_on,
        });
    }

    /// A fact of a thing that its own page does not tell: one column, whichever list tells it.
    fn told_by_lists(&mut self, thing: usize, info: &ColumnInfo, values: FxHashMap<String, u64>) -> Place {
        let made = &mut self.made[thing];
        let twin = made.told.iter_mut().find(|(column, known)| {
            let both = known.keys().filter(|key| values.contains_key(*key)).count();
            let same = known.iter().filter(|(key, value)| values.get(*key) == Some(value)).count();
            let is_called_alike = self.draft.tables[made.table].columns[*column].value_type
                == info.value_type
                && crate::naming::base_name(&self.draft.tables[made.table].columns[*column].name)
                    == crate::naming::base_name(&info.name);
            if both > 2 { same as f64 >= AGREE * both as f64 } else { is_called_alike }
        });
        if let Some((column, known)) = twin {
            known.extend(values);
            return Place { column: *column, is_copy: false };
        }
        let table = &self.draft.tables[made.table].name;
        let called = names::Called::new(table, std::slice::from_ref(info), &[Fate::Fact], &|_| None);
        let name = called.column(&mut made.namer, 0);
        let note = "told by the lists that lead to it".to_owned();
        let column = self.draft.column(made.table, ColumnInfo { name, note, ..info.clone() });
        made.told.push((column, values));
        Place { column, is_copy: false }
    }

    fn hidden_column(&mut self, thing: usize, info: &ColumnInfo, why: &str) -> Place {
        let made = &mut self.made[thing];
        let name = made.namer.unique(&info.name);
        let column = ColumnInfo { name, is_hidden: true, note: why.to_owned(), ..info.clone() };
        Place { column: self.draft.column(made.table, column), is_copy: true }
    }

    /// A table as it was read, kept out of sight.
    fn hidden(&mut self, table: usize, kind: TableKind, why: &str) -> Way {
        let info = self.info(table).clone();
        let columns: Vec<ColumnInfo> = info
            .columns
            .iter()
            .map(|column| ColumnInfo { is_hidden: true, references: None, ..column.clone() })
            .collect();
        let places = (0..columns.len()).map(|column| Place { column, is_copy: true }).collect();
        let name = self.names.unique(&format!("{}_view", info.name));
        let made = TableInfo { name, parent: None, columns, kind, why: why.to_owned(), ..info };
        Way { table: self.draft.table(made), places }
    }

    fn out_of_sight(&mut self, table: usize, kind: TableKind, why: &str) {
        let way = self.hidden(table, kind, why);
        self.readings[table] =
            Some(Reading { to: way.clone(), key: RowKey::Place, otherwise: way, ..Reading::default() });
    }

    /// Links refer to the tables that things became.
    fn refer(&mut self) {
        let pairs: Vec<usize> =
            self.readings.iter().flatten().filter_map(|reading| Some(reading.pairs?.table)).collect();
        for at in 0..self.draft.tables.len() {
            if pairs.contains(&at) {
                continue;
            }
            for column in 0..self.draft.tables[at].columns.len() {
                let to =
                    self.draft.tables[at].columns[column].references.and_then(|read| self.table_of[read]);
                let to = to.filter(|&to| self.draft.tables[to].key.is_some());
                self.draft.tables[at].columns[column].references = to;
            }
        }
    }
}
