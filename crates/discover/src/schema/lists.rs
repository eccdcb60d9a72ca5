//! What a list is: things seen through a view, parts of the thing whose page it stands on, values of one of its facts, or part of
//! the layout.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{ValueType, Wrapper};

use super::dependencies::hide_what_follows;
use super::facts::{About, Fate, facts};
use super::sheets::{Sheets, is_address};
use super::things::{Targets, Thing};

/// Rows lead to things when this share of them do: the rest have lost their link.
pub(super) const LEAD: f64 = 0.8;
/// Each row leads to a thing of its own: this share of the links of a page are different.
const ITS_OWN: f64 = 0.85;
/// A list tells another again when this share of its rows do.
const AGAIN: f64 = 0.6;
/// Values that tell a row from others have this many letters, on the mean: years and numbers recur by chance.
const TELLING: usize = 8;
/// Lines of which a site that shows things has no table.
const FEW_ROWS: usize = 9;
/// A column tells rows apart nearly as well as the best one when it has this share of its values.
const NEARLY: f64 = 0.8;
/// Pages without which what recurs shows nothing.
pub(super) const FEWEST: usize = 4;

/// The thing that rows lead to, and the columns through which they do.
type Leading = (usize, Vec<usize>);

/// For each row of a sheet, the address of the thing that it leads to.
type Keys = Vec<Option<String>>;

/// What a list is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// Each row is a thing that it leads to, through one of these columns.
    Things { thing: usize, links: Vec<usize> },
    /// Its rows belong to the thing of their page.
    Parts { thing: usize },
    /// One row a page: its columns are facts of the thing of its page.
    Facts { thing: usize },
    /// Its rows are the values of one fact, in this column, of the thing of their page.
    Values { thing: usize, column: usize },
    /// Its rows are things without a page.
    Alone,
    /// It is kept out of sight: a view of what is told elsewhere, and why.
    View(String),
    /// It is part of the layout, and why.
    Template(String),
}

/// A list with what it is.
pub(super) struct List {
    pub(super) table: usize,
    pub(super) kind: Kind,
    /// What its columns are.
    pub(super) fates: Vec<Fate>,
    /// For each row of the sheet, the address that it leads to as a thing.
    pub(super) leads_to: Vec<Option<String>>,
}

/// What lists are judged by.
pub(super) struct Surroundings<'s> {
    pub(super) sheets: &'s Sheets,
    pub(super) wrapper: &'s Wrapper,
    pub(super) targets: &'s Targets,
    pub(super) things: &'s [Thing],
    /// For each thing, what its columns are.
    pub(super) facts: Vec<Vec<Fate>>,
    /// Columns that say what pages of all kinds say, by table.
    pub(super) everywhere: &'s FxHashSet<(usize, usize)>,
    pub(super) address: &'s dyn Fn(&str) -> String,
}

impl Surroundings<'_> {
    pub(super) fn thing_of_table(&self, table: usize) -> Option<usize> {
        self.things.iter().position(|thing| thing.table == table)
    }

    /// The thing that an address belongs to: a page that was seen, or one that the column is known to lead to.
    pub(super) fn thing_at(&self, key: &str, references: Option<usize>) -> Option<usize> {
        self.thing_of_table(self.targets.expected(key).or(references)?)
    }

    /// Does a column of addresses lead to things of another kind than its pages show, or out of the site? Pages that were not read
    /// are what a list was made for: where only lists are at hand, the addresses are all that is known of its things.
    pub(super) fn leads(&self, table: usize, column: usize) -> bool {
        let sheet = &self.sheets.tables[table];
        let references = self.wrapper.schema.tables[table].columns[column].references;
        let is_list = self.wrapper.schema.tables[table].is_list();
        if self.wrapper.schema.tables[table].columns[column].value_type == ValueType::Image {
            return true;
        }
        let (mut all, mut outside, mut others) = (0usize, 0usize, 0usize);
        for (row, _) in sheet.column(column) {
            let page = &self.sheets.pages[sheet.rows[row].0];
            let Some(url) = self.sheets.text(table, row, column) else { continue };
            all += 1;
            let key = (self.address)(url);
            if host(url) != host(&page.url)
                || is_list && self.targets.table(&key).is_none() && key != page.key
            {
                outside += 1;
            } else if let Some(thing) = self.thing_at(&key, references) {
                let own = self.wrapper.types[page.page_type].page_table;
                others += usize::from(Some(self.things[thing].table) != own);
            }
        }
        2 * (outside + others) > all
    }

    /// The columns of a table that say what pages of all kinds say.
    pub(super) fn frame_of(&self, table: usize) -> FxHashSet<usize> {
        self.everywhere.iter().filter(|(of, _)| *of == table).map(|(_, column)| *column).collect()
    }

    /// Judges a list.
    pub(super) fn list(&self, table: usize) -> List {
        let info = &self.wrapper.schema.tables[table];
        let sheet = &self.sheets.tables[table];
        let rows: Vec<usize> = (0..sheet.rows.len()).collect();
        let frame = self.frame_of(table);
        let about = About {
            table,
            columns: &info.columns,
            rows: &rows,
            title: None,
            is_list: true,
            frame: &frame,
            leads: &|column| self.leads(table, column),
        };
        let mut fates = facts(self.sheets, &about);
        hide_what_follows(self, table, &mut fates);
        let (links, leads_to) = self.leading(table);
        let kind = self.kind(table, &fates, links, &leads_to);
        List { table, kind, fates, leads_to }
    }

    fn kind(
        &self,
        table: usize,
        fates: &[Fate],
        leading: Option<Leading>,
        leads_to: &[Option<String>],
    ) -> Kind {
        let info = &self.wrapper.schema.tables[table];
        let sheet = &self.sheets.tables[table];
        if sheet.rows.is_empty() {
            return Kind::Template("seen nowhere".into());
        }
        if self.leads_to_its_own_page(table) {
            return Kind::Template("leads to other parts of its page".into());
        }
        if self.is_the_same_on_most_pages(table) {
            return Kind::Template("the same on most pages".into());
        }
        let facts: Vec<usize> = (0..fates.len()).filter(|&column| fates[column] == Fate::Fact).collect();
        let told: Vec<usize> =
            facts.iter().copied().filter(|&column| !is_address(info.columns[column].value_type)).collect();
        // Where the site shows things, a handful of lines is no other kind of them.
        let fewest = if self.things.is_empty() { FEWEST } else { FEW_ROWS };
        let home = self.home(table);
        if home.is_some_and(|home| told.iter().any(|&column| self.is_trail(table, column, home))) {
            return Kind::View("the way to the page".into());
        }
        if let (Some((thing, _)), Some(home), [column]) = (&leading, home, &told[..])
            && *thing != home
            && self.things[*thing].lists
            && !self.things[home].lists
        {
            // Tags, groups: what a thing is filed under, told by nothing but its name.
            return Kind::Values { thing: home, column: *column };
        }
        if let Some((thing, links)) = leading.filter(|_| self.says_what_things_are(table, fates, leads_to)) {
            return Kind::Things { thing, links };
        }
        if told.is_empty() {
            return Kind::Template("says nothing of its own".into());
        }
        if home.is_some_and(|thing| self.is_on_few(table, thing)) {
            return Kind::View("stands on one or two pages of their kind".into());
        }
        match home {
            Some(thing)
                if !self.things[thing].lists
                    && info.parent.is_none_or(|above| self.is_page(above))
                    && self.is_one_a_page(table) =>
            {
                Kind::Facts { thing }
            }
            Some(thing)
                if info.parent.is_none_or(|above| self.is_page(above)) && self.is_a_sheet(table, &told) =>
            {
                Kind::Facts { thing }
            }
            Some(thing) if told.len() == 1 && self.things[thing].lists => {
                Kind::View("one word each, on pages that list other things".into())
            }
            Some(thing) if told.len() == 1 => Kind::Values { thing, column: told[0] },
            Some(thing) if self.things[thing].lists => {
                Kind::View("stands on pages that list other things".into())
            }
            Some(thing) => Kind::Parts { thing },
            None if self.is_the_sites_own(table) => {
                Kind::View("stands on a page or two, as help and terms do".into())
            }
            None if self.is_an_index(table) => {
                Kind::View("leads to pages of the site from one or two".into())
            }
            None if self.is_mixed(table) => Kind::View("leads to things of several kinds".into()),
            None if told.len() > 1 && sheet.rows.len() > fewest && !self.is_on_things(table) => Kind::Alone,
            None => Kind::View("stands on pages of several kinds".into()),
        }
    }

    /// The kind of thing that most of its rows lead to, one each, and by which columns.
    fn leading(&self, table: usize) -> (Option<Leading>, Keys) {
        let info = &self.wrapper.schema.tables[table];
        let sheet = &self.sheets.tables[table];
        let mut by_thing: FxHashMap<usize, Vec<(usize, Keys)>> = FxHashMap::default();
        for (column, about) in info.columns.iter().enumerate() {
            if about.value_type != ValueType::Url {
                continue;
            }
            let mut keys: FxHashMap<usize, Vec<Option<String>>> = FxHashMap::default();
            for (row, _) in sheet.column(column) {
                let Some(url) = self.sheets.text(table, row, column) else { continue };
                let key = (self.address)(url);
                if key == self.sheets.pages[sheet.rows[row].0].key {
                    continue;
                }
                if let Some(thing) = self.thing_at(&key, about.references) {
                    keys.entry(thing).or_insert_with(|| vec![None; sheet.rows.len()])[row] = Some(key);
                }
            }
            for (thing, keys) in keys {
                by_thing.entry(thing).or_default().push((column, keys));
            }
        }
        let mut best: Option<(f64, Leading, Keys)> = None;
        let mut things: Vec<usize> = by_thing.keys().copied().collect();
        things.sort_unstable();
        for thing in things {
            let mut columns = by_thing.remove(&thing).unwrap_or_default();
            columns.retain(|(_, keys)| self.is_its_own(table, keys));
            columns.sort_by_key(|(column, keys)| (std::cmp::Reverse(keys.iter().flatten().count()), *column));
            let Some((first, mut keys)) = columns.first().cloned() else { continue };
            let mut links = vec![first];
            for (column, others) in &columns[1..] {
                let adds =
                    keys.iter().zip(others).filter(|(key, other)| key.is_none() && other.is_some()).count();
                if adds > 0 {
                    links.push(*column);
                    keys.iter_mut()
                        .zip(others)
                        .filter(|(key, _)| key.is_none())
                        .for_each(|(key, other)| key.clone_from(other));
                }
            }
            let Some(share) = self.share_that_leads(table, &keys).filter(|share| *share >= LEAD) else {
                continue;
            };
            let score = share + self.named(table, thing, &keys) - self.place(table, first) / 100.0;
            if best.as_ref().is_none_or(|(most, ..)| score > *most) {
                best = Some((score, (thing, links), keys));
            }
        }
        match best {
            Some((_, leading, keys)) => (Some(leading), keys),
            None => (None, vec![None; sheet.rows.len()]),
        }
    }

    /// The share of rows that lead to things, on the kinds of pages where most do: lists that are built alike are one, and on other
    /// pages lead elsewhere. Most rows stand where they do.
    fn share_that_leads(&self, table: usize, keys: &Keys) -> Option<f64> {
        let rows = &self.sheets.tables[table].rows;
        let mut on: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (&(page, _), key) in rows.iter().zip(keys) {
            let seen = on.entry(self.sheets.pages[page].page_type).or_default();
            *seen = (seen.0 + 1, seen.1 + usize::from(key.is_some()));
        }
        let (all, lead) = on
            .values()
            .filter(|(rows, lead)| 2 * lead >= *rows)
            .fold((0, 0), |sum, seen| (sum.0 + seen.0, sum.1 + seen.1));
        (2 * all > rows.len()).then(|| lead as f64 / all as f64)
    }

    /// Do rows that lead to the same thing say the same? A post that leads to its author says more of its own than of the author.
    fn says_what_things_are(&self, table: usize, fates: &[Fate], leads_to: &[Option<String>]) -> bool {
        let sheet = &self.sheets.tables[table];
        let columns = &self.wrapper.schema.tables[table].columns;
        let facts = (0..fates.len())
            .filter(|&column| fates[column] == Fate::Fact && !is_address(columns[column].value_type));
        let (mut follow, mut differ) = (0, 0);
        for column in facts {
            let mut first: FxHashMap<&str, u64> = FxHashMap::default();
            let (mut again, mut same) = (0usize, 0usize);
            for (row, value) in sheet.column(column) {
                let Some(key) = leads_to[row].as_deref() else { continue };
                if let Some(known) = first.insert(key, value) {
                    again += 1;
                    same += usize::from(known == value);
                }
            }
            if again >= FEWEST {
                follow += usize::from(2 * same > again);
                differ += usize::from(2 * same <= again);
            }
        }
        follow >= differ
    }

    /// Do the rows of a page lead to different things?
    fn is_its_own(&self, table: usize, keys: &[Option<String>]) -> bool {
        let sheet = &self.sheets.tables[table];
        let mut seen: FxHashSet<(usize, &str)> = FxHashSet::default();
        let mut all = 0;
        for (row, key) in keys.iter().enumerate() {
            if let Some(key) = key {
                all += 1;
                seen.insert((sheet.rows[row].0, key));
            }
        }
        seen.len() as f64 >= ITS_OWN * all as f64 && all > 0
    }

    /// The share of rows that call the thing they lead to by its name.
    fn named(&self, table: usize, thing: usize, keys: &[Option<String>]) -> f64 {
        let names = self.names(thing);
        let sheet = &self.sheets.tables[table];
        let (mut known, mut said) = (0usize, 0usize);
        for (row, key) in keys.iter().enumerate() {
            if let Some(name) = key.as_deref().and_then(|key| names.get(key)) {
                known += 1;
                said += usize::from((0..sheet.columns).any(|column| sheet.value(row, column) == *name));
            }
        }
        if known == 0 { 0.0 } else { said as f64 / known as f64 }
    }

    /// The rows of a thing's sheet by the addresses of its things, the first part of each.
    pub(super) fn rows_by_key(&self, thing: usize) -> FxHashMap<&str, usize> {
        let sheet = &self.sheets.tables[self.things[thing].table];
        let mut rows: FxHashMap<&str, usize> = FxHashMap::default();
        for first in [true, false] {
            for (row, &(page, _)) in sheet.rows.iter().enumerate() {
                if self.things[thing].is_first[row] == first {
                    rows.entry(self.sheets.pages[page].key.as_str()).or_insert(row);
                }
            }
        }
        rows
    }

    /// What things are called, by their addresses.
    pub(super) fn names(&self, thing: usize) -> FxHashMap<&str, u64> {
        let Thing { table, title, .. } = self.things[thing];
        let sheet = &self.sheets.tables[table];
        let named = sheet
            .column(title)
            .map(|(row, value)| (self.sheets.pages[sheet.rows[row].0].key.as_str(), value));
        let mut names = FxHashMap::default();
        named.for_each(|(key, value)| {
            names.entry(key).or_insert(value);
        });
        names
    }

    /// Where in its row a column stands, on the mean.
    fn place(&self, table: usize, column: usize) -> f64 {
        let sheet = &self.sheets.tables[table];
        let (mut sum, mut count) = (0, 0);
        for row in 0..sheet.rows.len().min(50) {
            if let Some(at) = self.sheets.row(table, row).cells.iter().position(|cell| cell.column == column)
            {
                (sum, count) = (sum + at, count + 1);
            }
        }
        sum as f64 / f64::from(count.max(1))
    }

    /// Lists whose rows another list or the things themselves tell too, by what tells their rows apart.
    pub(super) fn find_views(&self, lists: &mut [List]) {
        let mut telling: Vec<Vec<FxHashSet<u64>>> = Vec::new();
        for list in lists.iter() {
            let values = |column: usize| -> FxHashSet<u64> {
                self.sheets.tables[list.table].column(column).map(|(_, value)| value).collect()
            };
            telling.push(self.telling(list).into_iter().map(values).collect());
        }
        let all = |table: usize| -> FxHashSet<u64> {
            let sheet = &self.sheets.tables[table];
            (0..sheet.columns).flat_map(|column| sheet.column(column)).map(|(_, value)| value).collect()
        };
        let things: Vec<FxHashSet<u64>> = self.things.iter().map(|thing| all(thing.table)).collect();
        let is_open = |kind: &Kind| matches!(kind, Kind::Parts { .. } | Kind::Alone | Kind::Values { .. });
        let mut order: Vec<usize> = (0..lists.len()).filter(|&at| is_open(&lists[at].kind)).collect();
        order.sort_by_key(|&at| {
            std::cmp::Reverse((self.sheets.tables[lists[at].table].rows.len(), lists[at].table))
        });
        let mut told: Vec<(usize, FxHashSet<u64>)> = Vec::new();
        for at in order {
            if telling[at].is_empty() {
                continue;
            }
            let table = lists[at].table;
            let covered = |by: &FxHashSet<u64>| {
                telling[at].iter().any(|values| {
                    let known = values.iter().filter(|value| by.contains(value)).count();
                    known as f64 >= AGAIN * values.len() as f64
                })
            };
            let home = self.home(table);
            let name = |table: usize| self.wrapper.schema.tables[table].name.clone();
            let by_thing = (0..things.len()).find(|&thing| Some(thing) != home && covered(&things[thing]));
            let by_list = told.iter().find(|(_, by)| covered(by)).map(|(list, _)| *list);
            if let Some(thing) = by_thing.filter(|_| !matches!(lists[at].kind, Kind::Values { .. })) {
                lists[at].kind = Kind::View(format!("tells {} again", name(self.things[thing].table)));
            } else if let Some(list) = by_list {
                lists[at].kind = Kind::View(format!("tells {} again", name(list)));
            } else if !matches!(lists[at].kind, Kind::Values { .. }) {
                told.push((table, all(table)));
            }
        }
    }

    /// The columns whose values tell the rows of a list apart: the one that does most, and those that do nearly as well.
    fn telling(&self, list: &List) -> Vec<usize> {
        let sheet = &self.sheets.tables[list.table];
        let facts = (0..list.fates.len()).filter(|&column| list.fates[column] == Fate::Fact);
        let mut found = Vec::new();
        for column in facts {
            // A thing that many lists lead to is told apart by its name on each of them.
            let on_pages: FxHashSet<(usize, u64)> =
                sheet.column(column).map(|(row, value)| (sheet.rows[row].0, value)).collect();
            let filled = sheet.column(column).count();
            let counts = sheet.counts(column);
            let letters: usize = (0..sheet.rows.len().min(50))
                .filter_map(|row| self.sheets.text(list.table, row, column))
                .map(|text| text.chars().count())
                .sum();
            let is_telling = letters >= TELLING * sheet.rows.len().min(50)
                && 2 * on_pages.len() > filled
                && 2 * filled > sheet.rows.len();
            if is_telling {
                found.push((counts.len(), column));
            }
        }
        let most = found.iter().map(|found| found.0).max().unwrap_or(0);
        let nearly = |found: &(usize, usize)| found.0 as f64 >= NEARLY * most as f64;
        found.into_iter().filter(nearly).map(|(_, column)| column).collect()
    }
}

pub(super) fn host(url: &str) -> &str {
    let rest = url.split_once("//").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}
