//! The database that people get of a generated site against the tables the site was made from: those tables, under their names,
//! with their rows and columns, and no others.

use std::collections::{BTreeMap, BTreeSet};

use unsite_discover::{Site, induce, page_types};
use unsite_dom::{Limits, RawPage};
use unsite_sample::{Family, GoldTable, Knobs, Language};
use unsite_wrapper::{Database, TableKind, ValueType};

/// The tables of things: what the site calls them, and the known table.
const THINGS: [(&str, &str); 3] = [("author", "authors"), ("book", "books"), ("category", "categories")];
/// The relations of two things: the known table and its two columns.
const PAIRS: [(&str, &str, &str); 2] =
    [("book_authors", "book_url", "author_url"), ("related", "book_url", "related_url")];
/// What the relation of books and authors is called; that of books and books is called as the site calls it.
const NAMED: (&str, &str) = ("book_authors", "book_author");
/// Families whose class names or schema.org types say what a list is.
const SPEAKING: [Family; 2] = [Family::Modern, Family::Semantic];

/// How a database differs from the tables behind its site.
#[derive(Debug, Default)]
pub(crate) struct Differences {
    /// Tables that are missing, have another name, or have no business there.
    pub tables: Vec<String>,
    /// Rows that are missing or too many.
    pub rows: Vec<String>,
    /// Columns that are missing, or tell what no known column tells.
    pub columns: Vec<String>,
    /// Names of columns that only a number tells apart.
    pub numbered: Vec<String>,
}

impl Differences {
    /// The tables are those the site was made from, with their rows.
    pub(crate) fn is_exact(&self) -> bool {
        self.tables.is_empty() && self.rows.is_empty()
    }

    /// Nothing differs at all.
    pub(crate) fn is_nothing(&self) -> bool {
        self.is_exact() && self.columns.is_empty() && self.numbered.is_empty()
    }
}

/// Generates a site, makes its database and compares.
pub(crate) fn differences(knobs: &Knobs) -> Differences {
    let sample = unsite_sample::Site::generate(knobs);
    let pages = sample.pages.iter().map(|page| (page.url.clone(), page.html.clone()));
    compare(&sample, &Shown::of(pages, &page_types::Options::default()))
}

/// A table as people see it.
struct Table {
    kind: TableKind,
    parent: Option<String>,
    /// By column and row, the texts as they stand on the pages.
    columns: BTreeMap<String, BTreeMap<usize, String>>,
    /// By row, the address that the row or the one it belongs to is known by.
    keys: BTreeMap<usize, String>,
    /// Columns of addresses.
    links: BTreeSet<String>,
}

/// The tables of a database that people see.
pub(crate) struct Shown {
    tables: BTreeMap<String, Table>,
}

impl Shown {
    /// Learns pages, address and document, and reads them.
    pub(crate) fn of(pages: impl Iterator<Item = (String, String)>, options: &page_types::Options) -> Shown {
        let raw = pages.map(|(url, html)| RawPage { url, bytes: html.into_bytes(), ..RawPage::default() });
        let site = Site::parse(raw.collect(), &Limits::default());
        let wrapper = induce(&site, page_types::cluster(&site, options));
        let database = wrapper.database.as_ref().expect("was learned");
        let mut shown = Shown::empty(database);
        for page in &site.pages {
            let page_type = wrapper.classify(&page.raw, &page.tree);
            let record = wrapper.read(&page.raw, &page.tree, &page.cuts, page_type);
            shown.add(database, &database.rows(&record), &record.url);
        }
        shown
    }

    fn empty(database: &Database) -> Shown {
        let of = |table: &unsite_wrapper::TableInfo| Table {
            kind: table.kind,
            parent: table.parent.map(|parent| database.tables[parent].name.clone()),
            columns: table.shown().iter().map(|column| (column.name.clone(), BTreeMap::new())).collect(),
            keys: BTreeMap::new(),
            links: table
                .shown()
                .iter()
                .filter(|column| column.value_type == ValueType::Url)
                .map(|column| column.name.clone())
                .collect(),
        };
        let shown = database.tables.iter().filter(|table| table.is_shown());
        Shown { tables: shown.map(|table| (table.name.clone(), of(table))).collect() }
    }

    /// Adds the rows of a page: those that are known by an address go together.
    fn add(&mut self, database: &Database, rows: &[unsite_wrapper::Row], page: &str) {
        let key_of = |row: &unsite_wrapper::Row| row.key.clone();
        for row in rows {
            let info = &database.tables[row.table];
            let Some(table) = self.tables.get_mut(&info.name) else { continue };
            let key =
                key_of(row).or_else(|| key_of(rows.get(row.parent?)?)).unwrap_or_else(|| page.to_owned());
            let known = row.key.as_ref().and_then(|key| table.keys.iter().find(|(_, known)| *known == key));
            let at = known.map_or(table.keys.len(), |(at, _)| *at);
            table.keys.insert(at, key);
            for cell in row.cells.iter().filter(|cell| !cell.is_copy) {
                if let Some(values) = table.columns.get_mut(&info.columns[cell.column].name) {
                    values.entry(at).or_insert_with(|| plain(&cell.value));
                }
            }
        }
    }

    /// The names of all tables and columns.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let columns = |(name, table): (&String, &Table)| -> Vec<String> {
            table.columns.keys().map(|column| format!("{name}.{column}")).chain([name.clone()]).collect()
        };
        self.tables.iter().flat_map(columns).collect()
    }
}

/// White space says nothing.
fn plain(text: &str) -> String {
    text.split_whitespace().collect()
}

/// What a table of reviews may be called: `review` where the markup says so, else the heading over them, or its end.
fn names_a_review(name: &str, knobs: &Knobs) -> bool {
    if SPEAKING.contains(&knobs.family) {
        return name == "review";
    }
    let headings: &[&str] = match knobs.language {
        Language::En => &["review", "customer_review"],
        Language::De => &["kundenmeinung", "kundenmeinungen", "meinung"],
        Language::Zh => &["读者评论", "评论"],
    };
    headings.contains(&name.strip_prefix("book_").unwrap_or(name))
}

type Values<'a> = BTreeSet<(&'a str, String)>;

fn compare(site: &unsite_sample::Site, shown: &Shown) -> Differences {
    let mut found = Differences::default();
    let mut explained: BTreeSet<&str> = BTreeSet::new();
    let known = |name: &str| site.table(name).expect("is a table of the sample");
    for (name, table) in THINGS {
        match shown.tables.get_key_value(name) {
            Some((name, there)) if there.kind == TableKind::Entity && there.parent.is_none() => {
                explained.insert(name);
                compare_rows(name, known(table), there, &mut found);
                compare_columns(name, known(table), there, site, &mut found);
            }
            _ => found.tables.push(format!("no {name}")),
        }
    }
    let reviews = known("reviews");
    let of_book = |table: &Table| table.kind == TableKind::Entity && table.parent.as_deref() == Some("book");
    if !reviews.rows.is_empty() {
        match shown.tables.iter().find(|(name, table)| of_book(table) && names_a_review(name, &site.knobs)) {
            Some((name, there)) => {
                explained.insert(name);
                compare_rows(name, reviews, there, &mut found);
                compare_columns(name, reviews, there, site, &mut found);
            }
            None => found.tables.push("no review".into()),
        }
    }
    for (table, from, to) in PAIRS {
        let wanted = pairs(known(table), from, to);
        let best =
            shown.tables.iter().filter(|(_, table)| table.kind == TableKind::Relation).find(|(_, table)| {
                let there = related(table);
                there == wanted || there.intersection(&wanted).count() * 2 > wanted.len().max(there.len())
            });
        // Where every thing has one of the other, a key says it.
        let key = || {
            let has = |(_, values): &(&String, &BTreeMap<usize, String>)| {
                let book = &shown.tables["book"];
                let there: BTreeSet<(&str, &str)> = values
                    .iter()
                    .filter_map(|(row, value)| Some((book.keys.get(row)?.as_str(), value.as_str())))
                    .collect();
                there == wanted
            };
            shown.tables.get("book").is_some_and(|book| book.columns.iter().any(|column| has(&column)))
        };
        match best {
            Some((name, there)) => {
                explained.insert(name);
                if table == NAMED.0 && name != NAMED.1 {
                    found.tables.push(format!("{} is called {name}", NAMED.1));
                }
                let there = related(there);
                if there != wanted {
                    let (missing, more) =
                        (wanted.difference(&there).count(), there.difference(&wanted).count());
                    found.rows.push(format!("{name}: {missing} pairs missing, {more} too many"));
                }
            }
            None if key() || wanted.is_empty() => {}
            None => found.tables.push(format!("no relation for {table}")),
        }
    }
    for (name, table) in &shown.tables {
        if !explained.contains(name.as_str()) {
            let columns: Vec<&str> = table.columns.keys().map(String::as_str).collect();
            found.tables.push(format!("{} {name}({})", table.kind.name(), columns.join(", ")));
        }
        let numbered =
            |name: &&String| name.rsplit_once('_').is_some_and(|(_, number)| number.parse::<u32>().is_ok());
        found.numbered.extend(table.columns.keys().filter(numbered).map(|column| format!("{name}.{column}")));
    }
    found
}

fn pairs<'a>(table: &'a GoldTable, from: &str, to: &str) -> BTreeSet<(&'a str, &'a str)> {
    let at = |name: &str| table.columns.iter().position(|column| column == name).expect("is a column");
    let (from, to) = (at(from), at(to));
    table.rows.iter().filter_map(|row| Some((row[from].as_deref()?, row[to].as_deref()?))).collect()
}

/// The pairs of addresses that a relation holds.
fn related(table: &Table) -> BTreeSet<(&str, &str)> {
    let links = table.columns.iter().filter(|(name, _)| table.links.contains(*name));
    let pairs = links.flat_map(|(_, values)| values);
    pairs.filter_map(|(row, value)| Some((table.keys.get(row)?.as_str(), value.as_str()))).collect()
}

/// Every row once: things by their address, reviews as many as a book has.
fn compare_rows(name: &str, known: &GoldTable, there: &Table, found: &mut Differences) {
    let mut wanted: Vec<&str> = known.rows.iter().filter_map(|row| row[0].as_deref()).collect();
    let mut shown: Vec<&str> = there.keys.values().map(String::as_str).collect();
    wanted.sort_unstable();
    shown.sort_unstable();
    if wanted != shown {
        let (wanted, shown) = (wanted.len(), shown.len());
        found.rows.push(format!("{name}: {shown} rows for {wanted}, or other ones"));
    }
}

fn compare_columns(
    name: &str,
    known: &GoldTable,
    there: &Table,
    site: &unsite_sample::Site,
    found: &mut Differences,
) {
    let of = |values: &BTreeMap<usize, String>| -> Vec<(String, String)> {
        values.iter().filter_map(|(row, value)| Some((there.keys.get(row)?.clone(), value.clone()))).collect()
    };
    let shown: BTreeMap<&str, Vec<(String, String)>> =
        there.columns.iter().map(|(name, values)| (name.as_str(), of(values))).collect();
    let mut wanted: Vec<(String, Values<'_>)> = Vec::new();
    for (at, column) in known.columns.iter().enumerate().skip(1).filter(|(_, name)| *name != "position") {
        let values =
            known.rows.iter().filter_map(|row| Some((row[0].as_deref()?, plain(row[at].as_deref()?))));
        wanted.push((column.clone(), values.collect()));
    }
    let mut explained: BTreeSet<&str> = BTreeSet::from(["url"]);
    for (column, values) in &wanted {
        let different = values.iter().map(|value| &value.1).collect::<BTreeSet<_>>().len();
        let serves = |there: &[(String, String)]| tells(values, there);
        match shown.iter().find(|(_, there)| serves(there)) {
            Some((served_by, _)) => {
                explained.insert(served_by);
            }
            // What is said once, or of all alike, cannot be told from the layout.
            None if different < 2 => {}
            None => {
                let most = shown.iter().map(|(name, there)| {
                    let there: Values<'_> =
                        there.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
                    (values.intersection(&there).count(), *name)
                });
                let most = most.max().filter(|most| most.0 > 0);
                let most = most.map_or(String::new(), |(same, name)| {
                    format!(", best is {name} with {same} of {}", values.len())
                });
                if let Some((_, name)) = shown
                    .iter()
                    .map(|(name, there)| {
                        (
                            there.iter().filter(|v| values.contains(&(v.0.as_str(), v.1.clone()))).count(),
                            *name,
                        )
                    })
                    .max()
                    .filter(|most| most.0 > 0)
                {
                    explained.insert(name);
                }
                found.columns.push(format!("no {name}.{column}{most}"));
            }
        }
    }
    // A key may stand with the name of what it leads to.
    let categories = site.table("categories").expect("is a table of the sample");
    for (column, there) in &shown {
        let names_the_category = |value: &(String, String)| {
            categories.rows.iter().any(|row| row[1].as_deref().map(plain).as_ref() == Some(&value.1))
        };
        if !(explained.contains(column) || name == "book" && there.iter().all(names_the_category)) {
            found.columns.push(format!("{name}.{column} is no column of {}", known.name));
        }
    }
}

/// Does a column tell what a known one does: the same texts, or in each the part of it that varies?
fn tells(wanted: &Values<'_>, there: &[(String, String)]) -> bool {
    let there: Values<'_> = there.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    if *wanted == there {
        return true;
    }
    // As many texts for as many: `4` for `4 out of 5`, each at the same end.
    let mut keys: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    wanted.iter().for_each(|(key, _)| keys.entry(key).or_default().0 += 1);
    there.iter().for_each(|(key, _)| keys.entry(key).or_default().1 += 1);
    let all: BTreeSet<&str> = wanted.iter().map(|(_, value)| value.as_str()).collect();
    let parts: BTreeSet<&str> = there.iter().map(|(_, value)| value.as_str()).collect();
    let is_part = |whole: &str, part: &str, at_end: bool| {
        let rest = if at_end { whole.strip_suffix(part) } else { whole.strip_prefix(part) };
        let beside = |rest: &str| if at_end { rest.chars().next_back() } else { rest.chars().next() };
        rest.is_some_and(|rest| !beside(rest).is_some_and(char::is_numeric))
    };
    let each_its_own = |at_end: bool| {
        let whole_of = |part: &&str| {
            let mut wholes = all.iter().filter(|whole| is_part(whole, part, at_end));
            wholes.next().filter(|_| wholes.next().is_none())
        };
        parts.iter().filter_map(whole_of).collect::<BTreeSet<_>>().len() == all.len()
    };
    parts.len() == all.len()
        && (each_its_own(false) || each_its_own(true))
        && keys.values().all(|(wanted, there)| wanted == there)
}
