//! Which page types show things, and what names a thing.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{Cell, ValueType, Wrapper};

use super::asked::{is_asked_by_one_page, is_referred_to, menus};
use super::facts::without;
use super::sheets::{Sheets, is_address, told};
use crate::roles::Role;

/// A column names the things when this share of them has a name of their own in it.
const NAMES: f64 = 0.5;
/// Things that share their names have a name for so many of them: a subject and its answers, not a group and its members.
const SUBJECTS: f64 = 0.1;
/// A name is no longer than this, in letters, on the mean.
const LONGEST_NAME: usize = 160;
/// A kind of page that nothing leads to is one of things when there are more than this share of those of the largest kind.
const OWN_PAGES: f64 = 0.1;
/// What the longest of names loses against the shortest: less than standing in the head.
const LONG: f64 = 0.15;
/// A kind of page shows the things of another again when this share of its pages do.
const AGAIN: f64 = 0.8;
/// Different words that lead from the address of a thing to those of its other pages.
const FEW_WORDS: usize = 3;
/// Addresses of one shape lead to pages of one kind when this share of those that were seen do.
const ONE_KIND: f64 = 0.95;
/// Of fewer things than this each has a name of its own.
const FEW: usize = 10;
/// Fewer pages of a kind show no rule: a form to log in and one to register are no things.
const FEWEST: usize = 3;

/// A kind of thing: what the pages of one table show.
pub(super) struct Thing {
    /// The table with a row for each page.
    pub(super) table: usize,
    /// How many different things were seen.
    pub(super) count: usize,
    /// The column that names them.
    pub(super) title: usize,
    /// Its pages list other things, and say little of their own.
    pub(super) lists: bool,
    /// How many of them pages of other kinds lead to.
    pub(super) asked: usize,
    /// For each of its rows in the sheet, is it on the first part of the thing's page?
    pub(super) is_first: Vec<bool>,
}

/// Where links lead.
pub(super) struct Targets {
    /// By address: its table.
    table_of: FxHashMap<String, usize>,
    /// By the shape of an address: the table of the pages that have such ones.
    by_shape: FxHashMap<String, usize>,
}

impl Targets {
    pub(super) fn of(sheets: &Sheets, wrapper: &Wrapper) -> Targets {
        let mut table_of: FxHashMap<String, usize> = FxHashMap::default();
        let mut shapes: FxHashMap<String, FxHashMap<Option<usize>, usize>> = FxHashMap::default();
        for page in &sheets.pages {
            let table = wrapper.types[page.page_type].page_table;
            if let Some(table) = table {
                table_of.entry(page.key.clone()).or_insert(table);
            }
            if let Some(shape) = shape(&page.key) {
                *shapes.entry(shape).or_default().entry(table).or_default() += 1;
            }
        }
        let by_shape = shapes.into_iter().filter_map(|(shape, tables)| {
            let all: usize = tables.values().sum();
            let (table, most) = tables.into_iter().max_by_key(|&(table, count)| (count, table))?;
            (all >= FEWEST && most as f64 >= ONE_KIND * all as f64).then_some((shape, table?))
        });
        Targets { by_shape: by_shape.collect(), table_of }
    }

    /// The table that a page at an address would be read into, seen or not: most sites are larger than what was read of them.
    pub(super) fn expected(&self, key: &str) -> Option<usize> {
        self.table(key).or_else(|| self.by_shape.get(&shape(key)?).copied())
    }

    /// The table of the page at an address.
    pub(super) fn table(&self, key: &str) -> Option<usize> {
        self.table_of.get(key).copied()
    }
}

/// An address without what tells the pages of one kind apart: numbers, and the last step of its path.
fn shape(url: &str) -> Option<String> {
    let (site, rest) = url.split_once("//")?;
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut steps: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    // A single step is whatever the site likes.
    if steps.len() < 3 && query.is_empty() {
        return None;
    }
    if query.is_empty() {
        steps.pop();
    }
    let has_number = |step: &str| step.bytes().any(|b| b.is_ascii_digit());
    let steps: Vec<&str> = steps
        .iter()
        .enumerate()
        .map(|(at, step)| if at > 0 && has_number(step) { "#" } else { *step })
        .collect();
    let mut names: Vec<&str> = query.split(['&', ';']).filter_map(|pair| pair.split('=').next()).collect();
    names.sort_unstable();
    Some(format!("{site}//{}?{}", steps.join("/"), names.join("&")))
}

/// What links to things say, by the address they lead to.
pub(super) type Called = FxHashMap<String, Links>;

/// The links to a thing.
#[derive(Default)]
pub(super) struct Links {
    /// What they say.
    texts: Vec<String>,
    /// Is one of them on a page of another kind?
    from_others: bool,
}

/// Different texts of links to one thing that are kept.
const TEXTS: usize = 8;
/// Letters that a link may have beside the name: a count, a mark.
const BESIDE: usize = 8;

/// Finds the things.
pub(super) fn things(
    sheets: &Sheets,
    wrapper: &Wrapper,
    called: &Called,
    targets: &Targets,
    address: &dyn Fn(&str) -> String,
) -> Vec<Thing> {
    let mut tables: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, model) in wrapper.types.iter().enumerate() {
        if let Some(table) = model.page_table {
            tables.entry(table).or_default().push(at);
        }
    }
    let listing = listing(sheets, wrapper, targets, address);
    let found = tables.iter().filter_map(|(&table, types)| {
        thing(sheets, wrapper, called, (table, types), (listing.contains(&table), address))
    });
    let mut found: Vec<Thing> = found.collect();
    let views: FxHashSet<usize> = views_of_others(sheets, targets, &found);
    found.retain(|thing| !views.contains(&thing.table));
    // Where lists lead to things, a handful of pages that nothing leads to are the site's own: forms, terms, help.
    let most = found.iter().map(|thing| thing.count).max().unwrap_or(0);
    if found.iter().any(|thing| thing.asked > 0) {
        found.retain(|thing| thing.asked > 0 || thing.count as f64 > OWN_PAGES * most as f64);
    }
    found
}

/// The tables whose pages show the things of another one again: what happened to them, an earlier version, what is said of them. Their
/// addresses are those of the things with a word behind it, or their names are the names of the things.
fn views_of_others(sheets: &Sheets, targets: &Targets, things: &[Thing]) -> FxHashSet<usize> {
    let names: Vec<FxHashSet<u64>> = things
        .iter()
        .map(|thing| sheets.tables[thing.table].column(thing.title).map(|(_, name)| name).collect())
        .collect();
    let is_view = |at: usize| {
        let thing = &things[at];
        let pages = || sheets.tables[thing.table].rows.iter().map(|row| sheets.pages[row.0].key.as_str());
        let mut led_to: FxHashSet<&str> = FxHashSet::default();
        let mut words: FxHashSet<String> = FxHashSet::default();
        let mut around = 0;
        for key in pages() {
            let Some((whole, word)) = above(key) else { continue };
            let other = targets.table(whole).filter(|&table| table != thing.table);
            if other.is_some_and(|table| things.iter().any(|thing| thing.table == table)) {
                around += 1;
                led_to.insert(whole);
                words.insert(word);
            }
        }
        let is_below = led_to.len() >= FEWEST
            && words.len() <= FEW_WORDS
            && around as f64 >= AGAIN * pages().count() as f64;
        let is_named_so = (0..things.len()).any(|other| {
            let both = names[at].intersection(&names[other]).count();
            other != at
                && (things[other].count, other) > (thing.count, at)
                && names[at].len() >= FEWEST
                && both as f64 >= AGAIN * names[at].len() as f64
        });
        is_below || is_named_so
    };
    (0..things.len()).filter(|&at| is_view(at)).map(|at| things[at].table).collect()
}

/// The address above one, and the word that leads from there to it; the numbers of a query are no words.
fn above(url: &str) -> Option<(&str, String)> {
    if let Some((path, query)) = url.split_once('?') {
        return Some((path, query.chars().filter(|c| !c.is_ascii_digit()).collect()));
    }
    let path = url.trim_end_matches('/');
    let (above, word) = path.rsplit_once('/')?;
    // `/x/reviews/` is below `/x/`, `/x/reviews` below `/x`.
    let above = if url.len() > path.len() { &url[..=above.len()] } else { above };
    Some((above, word.to_owned()))
}

fn thing(
    sheets: &Sheets,
    wrapper: &Wrapper,
    called: &Called,
    (table, types): (usize, &[usize]),
    (leads_to_more, address): (bool, &dyn Fn(&str) -> String),
) -> Option<Thing> {
    let answers = [Role::Search, Role::NoMatch, Role::Error].map(Role::name);
    let role = |at: &usize| wrapper.schema.page_types[*at].role.as_str();
    if types.iter().all(|at| answers.contains(&role(at))) {
        return None;
    }
    let sheet = &sheets.tables[table];
    let key = |row: usize| sheets.pages[sheet.rows[row].0].key.as_str();
    let count = (0..sheet.rows.len()).map(key).collect::<FxHashSet<_>>().len();
    let keys: FxHashSet<&str> = (0..sheet.rows.len()).map(key).collect();
    if count < FEWEST && (count < 2 || !is_referred_to(sheets, wrapper, &keys, address)) {
        return None;
    }
    let is_first: Vec<bool> = sheet
        .rows
        .iter()
        .map(|&(page, _)| without_fragment(&sheets.pages[page].url) == sheets.pages[page].key)
        .collect();
    let pages = |at: &usize| wrapper.schema.page_types[*at].pages;
    let listing: usize = types.iter().filter(|at| role(at) == Role::Index.name()).map(pages).sum();
    let all: usize = types.iter().map(pages).sum();
    let Named { title, asked, others, agreement } = title(sheets, wrapper, called, table, count)?;
    let lists = 2 * listing > all && leads_to_more;
    // A page that lists other things is about one where links to it say its name.
    let is_named = asked >= FEWEST.min(count) && agreement >= NAMES;
    // A handful that a single page leads to are parts of the site: its menu, as one page has it.
    let is_part = count < FEW && lists && is_asked_by_one_page(sheets, wrapper, &keys, address);
    (is_named && !is_part || !lists).then_some(Thing { table, count, title, lists, asked: others, is_first })
}

/// What names the things of a table.
struct Named {
    title: usize,
    /// How many of the things are led to.
    asked: usize,
    /// How many of them from pages of other kinds.
    others: usize,
    /// The share of those whose links say the name.
    agreement: f64,
}

/// The tables whose pages list things of another kind of which there are more than of their own.
fn listing(
    sheets: &Sheets,
    wrapper: &Wrapper,
    targets: &Targets,
    address: &dyn Fn(&str) -> String,
) -> FxHashSet<usize> {
    let mut own: FxHashMap<usize, FxHashSet<&str>> = FxHashMap::default();
    let mut led_to: FxHashMap<(usize, usize), FxHashSet<String>> = FxHashMap::default();
    for page in &sheets.pages {
        let Some(table) = wrapper.types[page.page_type].page_table else { continue };
        own.entry(table).or_default().insert(&page.key);
        for row in page.rows.iter().filter(|row| wrapper.schema.tables[row.table].is_list()) {
            let columns = &wrapper.schema.tables[row.table].columns;
            for link in row.cells.iter().filter(|cell| columns[cell.column].value_type == ValueType::Url) {
                let key = address(&link.value);
                if let Some(other) = targets.table(&key).filter(|&other| other != table) {
                    led_to.entry((table, other)).or_default().insert(key);
                }
            }
        }
    }
    led_to
        .iter()
        .filter(|((table, _), keys)| keys.len() > own[table].len())
        .map(|((table, _), _)| *table)
        .collect()
}

/// The column that names things: what links to them say, what every one has and no other.
fn title(sheets: &Sheets, wrapper: &Wrapper, called: &Called, table: usize, count: usize) -> Option<Named> {
    let (sheet, info) = (&sheets.tables[table], &wrapper.schema.tables[table]);
    let mut best: Option<(f64, Named)> = None;
    for (column, about) in info.columns.iter().enumerate() {
        if is_address(about.value_type) || about.value_type.is_date() || about.value_type == ValueType::Money
        {
            continue;
        }
        let mut name_of: FxHashMap<&str, u64> = FxHashMap::default();
        let (mut letters, mut worded, mut agreed, mut asked, mut others) =
            (0, 0usize, 0usize, 0usize, 0usize);
        for (row, value) in sheet.column(column) {
            let key = sheets.pages[sheet.rows[row].0].key.as_str();
            if name_of.insert(key, value).is_none() {
                let text = sheets.text(table, row, column).unwrap_or_default();
                letters += text.chars().count();
                worded += usize::from(is_worded(text));
                if let Some(links) = called.get(key) {
                    asked += 1;
                    others += usize::from(links.from_others);
                    agreed += usize::from(links.texts.iter().any(|said| says_name(said, text)));
                }
            }
        }
        let different = name_of.values().collect::<FxHashSet<_>>().len();
        let share = different as f64 / count as f64;
        let agreement = if asked == 0 { 0.0 } else { agreed as f64 / asked as f64 };
        // Letters that answer each other have one subject, and are called by it all the same.
        let is_called_so = different >= FEW && share >= SUBJECTS && 2 * asked >= count && agreement >= NAMES;
        let is_few = count < FEW && different < count;
        // A number is a name where links say so.
        if 2 * worded <= name_of.len() && agreement < NAMES {
            continue;
        }
        if share < NAMES && !is_called_so || is_few || letters > LONGEST_NAME * name_of.len() {
            continue;
        }
        let is_head = about.name.starts_with("meta_") || about.name.starts_with("page_title");
        let has_words = about.value_type == ValueType::Text && 2 * worded > name_of.len();
        // A trail of names is longer than the last of them.
        let length = letters as f64 / (name_of.len().max(1) * LONGEST_NAME) as f64;
        // What links say counts most; what stands in the head is told for machines.
        let score =
            2.0 * agreement + share + if is_head { 0.0 } else { 0.2 } + if has_words { 0.3 } else { 0.0 }
                - LONG * length;
        if best.as_ref().is_none_or(|(most, _)| score > most + 1e-9) {
            best = Some((score, Named { title: column, asked, others, agreement }));
        }
    }
    best.map(|(_, named)| named)
}

/// Has it as many letters as other signs, so that it is no price and no number?
fn is_worded(text: &str) -> bool {
    let signs = text.chars().filter(|c| !c.is_whitespace()).count();
    2 * text.chars().filter(|c| c.is_alphabetic()).count() >= signs
}

/// Is a text of a link the name, with hardly anything beside it?
fn says_name(said: &str, name: &str) -> bool {
    told(said) == told(name)
        || said.chars().count() <= name.chars().count() + BESIDE && without(said, name).is_some()
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}

/// Collects what links say: the texts in them, or around them where they hold none.
pub(super) fn called(
    sheets: &Sheets,
    wrapper: &Wrapper,
    targets: &Targets,
    address: impl Fn(&str) -> String,
) -> Called {
    let mut called = Called::default();
    let menus = menus(sheets, wrapper, &address);
    for page in &sheets.pages {
        let own = wrapper.types[page.page_type].page_table;
        for row in &page.rows {
            let columns = &wrapper.schema.tables[row.table].columns;
            for link in row.cells.iter().filter(|cell| columns[cell.column].value_type == ValueType::Url) {
                let key = address(&link.value);
                if key == page.key || menus.contains(&(row.table, link.column)) {
                    continue;
                }
                let is_text = |cell: &&Cell| !is_address(columns[cell.column].value_type);
                let is_its =
                    |text: &&Cell| text.path.starts_with(&link.path) || link.path.starts_with(&text.path);
                let mut texts: Vec<&str> =
                    row.cells.iter().filter(is_text).filter(is_its).map(|text| text.value.as_str()).collect();
                // A card that is one link, or whose link holds a picture, says its name beside it.
                if texts.is_empty() && wrapper.schema.tables[row.table].is_list() {
                    let is_words = |cell: &&Cell| columns[cell.column].value_type == ValueType::Text;
                    texts.extend(row.cells.iter().filter(is_words).map(|text| text.value.as_str()));
                }
                let from_others = targets.table(&key) != own;
                let said = called.entry(key).or_default();
                said.from_others |= from_others;
                for text in texts {
                    if said.texts.len() < TEXTS && !said.texts.iter().any(|known| known == text) {
                        said.texts.push(text.to_owned());
                    }
                }
            }
        }
    }
    called
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_kind_have_one_shape() {
        let same = |a: &str, b: &str| shape(a) == shape(b);
        assert!(same("http://a.example/db/taxon/37", "http://a.example/db/taxon/rosa-canina"));
        assert!(same("http://a.example/2024/05/one", "http://a.example/2023/11/two"));
        assert!(same("http://a.example/t?id=1&v=2", "http://a.example/t?v=8&id=9"));
        assert!(!same("http://a.example/db/taxon/37", "http://a.example/db/loan/37"));
        assert_eq!(shape("http://a.example/about"), None);
    }

    #[test]
    fn other_pages_of_a_thing_stand_below_it() {
        assert_eq!(above("http://a.example/x/reviews/"), Some(("http://a.example/x/", "reviews".into())));
        assert_eq!(above("http://a.example/x/log"), Some(("http://a.example/x", "log".into())));
        let history = above("http://a.example/x?action=diff&version=12");
        assert_eq!(history, Some(("http://a.example/x", "action=diff&version=".into())));
    }

    #[test]
    fn prices_are_no_words() {
        assert!(is_worded("Oak table 2"));
        assert!(!is_worded("$1,200.00"));
        assert!(!is_worded("#12"));
    }
}
