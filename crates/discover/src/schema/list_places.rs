//! Where lists stand and where they lead: on pages of one thing, on a page of their own, on all pages alike.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::ValueType;

use super::lists::{FEWEST, LEAD, List, Surroundings, host};

/// A list belongs to the things on whose pages this share of its rows stand.
const AT_HOME: f64 = 0.8;
/// A list on fewer pages than this, of more than twice as many, is a list of those pages alone.
const FEW_PAGES: usize = 3;
/// A table on one page that is more than a summary has so many lines.
const FEW_LINES: usize = 50;
/// A list has one row a page when this share of its pages have: the others have a row cut in two.
const ONE_ROW: f64 = 0.95;
/// And when it stands on so many: things that have several of something show it on one in twenty.
const ONE_EACH: usize = 20;

impl Surroundings<'_> {
    /// The thing on whose pages most rows stand.
    pub(super) fn home(&self, table: usize) -> Option<usize> {
        self.home_among(table, |_| true)
    }

    pub(super) fn home_among(&self, table: usize, counts: impl Fn(usize) -> bool) -> Option<usize> {
        let sheet = &self.sheets.tables[table];
        let mut on: FxHashMap<usize, usize> = FxHashMap::default();
        let counted =
            || sheet.rows.iter().enumerate().filter(|(row, _)| counts(*row)).map(|(_, place)| *place);
        for (page, _) in counted() {
            let own = self.wrapper.types[self.sheets.pages[page].page_type].page_table;
            if let Some(thing) = own.and_then(|own| self.thing_of_table(own)) {
                *on.entry(thing).or_default() += 1;
            }
        }
        let (thing, rows) = on.into_iter().max_by_key(|&(thing, rows)| (rows, std::cmp::Reverse(thing)))?;
        (rows as f64 >= AT_HOME * counted().count() as f64).then_some(thing)
    }

    /// Where lists lead to things, a handful of rows on a page or two that are no things is text of the site itself.
    pub(super) fn is_the_sites_own(&self, table: usize) -> bool {
        let rows = &self.sheets.tables[table].rows;
        let pages: FxHashSet<usize> = rows.iter().map(|row| row.0).collect();
        let most = self.things.iter().filter(|thing| thing.asked > 0).map(|thing| thing.count).max();
        pages.len() < FEW_PAGES && most.is_some_and(|most| rows.len() < most)
    }

    /// The thing that most rows of a list lead to.
    pub(super) fn thing_led_to(&self, list: &List) -> Option<usize> {
        let mut led_to: BTreeMap<usize, usize> = BTreeMap::new();
        for key in list.leads_to.iter().flatten() {
            if let Some(thing) = self.targets.expected(key).and_then(|table| self.thing_of_table(table)) {
                *led_to.entry(thing).or_default() += 1;
            }
        }
        let (thing, rows) =
            led_to.into_iter().max_by_key(|&(thing, rows)| (rows, std::cmp::Reverse(thing)))?;
        (2 * rows > list.leads_to.len()).then_some(thing)
    }

    /// The thing on whose pages most rows stand that lead to things.
    pub(super) fn home_of(&self, list: &List) -> Option<usize> {
        self.home_among(list.table, |row| list.leads_to[row].is_some())
    }

    /// The page types on which most rows of a list of things lead to none of them.
    pub(super) fn leads_elsewhere_on(&self, list: &List) -> Vec<usize> {
        let mut on: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (row, &(page, _)) in self.sheets.tables[list.table].rows.iter().enumerate() {
            let seen = on.entry(self.sheets.pages[page].page_type).or_default();
            *seen = (seen.0 + 1, seen.1 + usize::from(list.leads_to[row].is_some()));
        }
        on.into_iter().filter(|(_, (rows, lead))| 2 * lead < *rows).map(|(at, _)| at).collect()
    }

    /// Do all its rows stand on pages of one kind?
    pub(super) fn is_on_one_kind(&self, table: usize) -> bool {
        let rows = self.sheets.tables[table].rows.iter();
        let kinds = rows.map(|row| self.wrapper.types[self.sheets.pages[row.0].page_type].page_table);
        kinds.collect::<FxHashSet<_>>().len() == 1
    }

    /// Does half of it stand on pages of things, of whichever kind?
    pub(super) fn is_on_things(&self, table: usize) -> bool {
        let rows = &self.sheets.tables[table].rows;
        let page_table = |page: usize| self.wrapper.types[self.sheets.pages[page].page_type].page_table;
        let on =
            rows.iter().filter(|row| page_table(row.0).is_some_and(|own| self.thing_of_table(own).is_some()));
        2 * on.count() > rows.len()
    }

    /// Does it end with the name of the thing of its page, on nearly all pages?
    pub(super) fn is_trail(&self, table: usize, column: usize, home: usize) -> bool {
        let names = self.names(home);
        let sheet = &self.sheets.tables[table];
        // The last row of each page.
        let mut last: FxHashMap<usize, u64> = FxHashMap::default();
        let mut several = 0usize;
        for (row, value) in sheet.column(column) {
            several += usize::from(last.insert(sheet.rows[row].0, value).is_some());
        }
        let is_name = |(page, value): &(&usize, &u64)| {
            names.get(self.sheets.pages[**page].key.as_str()).is_some_and(|name| name == *value)
        };
        last.len() >= FEWEST
            && several > 0
            && last.iter().filter(is_name).count() as f64 >= LEAD * last.len() as f64
    }

    /// Where the site shows things, is it a list of links or of a few lines on one or two pages: a home page, a map of the site?
    pub(super) fn is_an_index(&self, table: usize) -> bool {
        let sheet = &self.sheets.tables[table];
        let pages = sheet.rows.iter().map(|row| row.0).collect::<FxHashSet<_>>().len();
        let columns = &self.wrapper.schema.tables[table].columns;
        let leads_inside = |link: usize| {
            let inside = sheet.column(link).filter(|&(row, _)| {
                let page = &self.sheets.pages[sheet.rows[row].0];
                self.sheets.text(table, row, link).is_some_and(|url| host(url) == host(&page.url))
            });
            inside.count() as f64 >= LEAD * sheet.rows.len() as f64
        };
        let mut links = (0..columns.len()).filter(|&column| columns[column].value_type == ValueType::Url);
        !self.things.is_empty()
            && pages < FEW_PAGES
            && (sheet.rows.len() < FEW_LINES || links.any(leads_inside))
    }

    /// Does one of its columns lead from most rows to things, but to things of several kinds: what was found, what is new?
    pub(super) fn is_mixed(&self, table: usize) -> bool {
        let columns = &self.wrapper.schema.tables[table].columns;
        let sheet = &self.sheets.tables[table];
        let links = (0..columns.len()).filter(|&column| columns[column].value_type == ValueType::Url);
        let mut of_row: Vec<Option<usize>> = vec![None; sheet.rows.len()];
        for link in links {
            for (row, _) in sheet.column(link) {
                if of_row[row].is_none() {
                    let key = self.sheets.text(table, row, link).map(|url| (self.address)(url));
                    of_row[row] = key.and_then(|key| self.thing_at(&key, columns[link].references));
                }
            }
        }
        let mut kinds: FxHashMap<usize, usize> = FxHashMap::default();
        of_row.iter().flatten().for_each(|&thing| *kinds.entry(thing).or_default() += 1);
        let several = kinds.values().filter(|&&rows| 10 * rows >= sheet.rows.len()).count() > 1;
        let all: usize = kinds.values().sum();
        several && all as f64 >= LEAD * sheet.rows.len() as f64
    }

    pub(super) fn is_page(&self, table: usize) -> bool {
        self.wrapper.types.iter().any(|model| model.page_table == Some(table))
    }

    /// Does it stand on a page or two of many? What one page says in a list is part of its text.
    pub(super) fn is_on_few(&self, table: usize, thing: usize) -> bool {
        let rows = &self.sheets.tables[table].rows;
        let pages = rows.iter().map(|row| row.0).collect::<FxHashSet<_>>().len();
        pages < FEW_PAGES && 2 * pages < self.things[thing].count
    }

    /// Does nearly every page that has it have one row of it?
    pub(super) fn is_one_a_page(&self, table: usize) -> bool {
        let mut rows_of: FxHashMap<usize, usize> = FxHashMap::default();
        for row in &self.sheets.tables[table].rows {
            *rows_of.entry(row.0).or_default() += 1;
        }
        let one = rows_of.values().filter(|&&rows| rows == 1).count();
        rows_of.len() >= ONE_EACH && one as f64 >= ONE_ROW * rows_of.len() as f64
    }

    /// Does no page have more than one row of it, and has everything in it a label: a table of names and values?
    pub(super) fn is_a_sheet(&self, table: usize, told: &[usize]) -> bool {
        let columns = &self.wrapper.schema.tables[table].columns;
        let rows = &self.sheets.tables[table].rows;
        let pages = rows.iter().map(|row| row.0).collect::<FxHashSet<_>>().len();
        pages == rows.len()
            && pages >= FEW_PAGES
            && told.iter().all(|&column| columns[column].label.is_some())
    }

    pub(super) fn leads_to_its_own_page(&self, table: usize) -> bool {
        let sheet = &self.sheets.tables[table];
        let columns = &self.wrapper.schema.tables[table].columns;
        let (mut linked, mut own) = (0usize, 0usize);
        for (row, &(page, _)) in sheet.rows.iter().enumerate() {
            let page = &self.sheets.pages[page];
            let links = self.sheets.row(table, row).cells.iter();
            let mut links = links.filter(|cell| columns[cell.column].value_type == ValueType::Url).peekable();
            if links.peek().is_some() {
                linked += 1;
                // A place on the same page is no other part.
                own += usize::from(
                    links.all(|cell| !cell.value.contains('#') && (self.address)(&cell.value) == page.key),
                );
            }
        }
        2 * own > sheet.rows.len() && linked > 0
    }

    pub(super) fn is_the_same_on_most_pages(&self, table: usize) -> bool {
        let sheet = &self.sheets.tables[table];
        let content = |row: usize| {
            let values = (0..sheet.columns).map(|column| sheet.value(row, column));
            values.fold(0u64, |all, value| all.rotate_left(5) ^ value)
        };
        let mut on: FxHashMap<u64, FxHashSet<usize>> = FxHashMap::default();
        let mut pages: FxHashSet<usize> = FxHashSet::default();
        for (row, &(page, _)) in sheet.rows.iter().enumerate() {
            on.entry(content(row)).or_default().insert(page);
            pages.insert(page);
        }
        let recurring =
            (0..sheet.rows.len()).filter(|&row| 2 * on[&content(row)].len() > pages.len()).count();
        pages.len() >= FEWEST && 2 * recurring > sheet.rows.len()
    }
}
