//! Is anything lost, and is anything told twice? A measure that needs no labels, so that any pages will do.
//!
//! # What it does
//! Of the visible texts of the pages those count that vary: that do not stand on nearly all pages of their type. By letters,
//! it says which share lies in a cell, and which in exactly one. A text lies in a cell that was read where the text stands,
//! or above, and that says it; of a text of which cells say parts, the parts count. Names of columns are told by being names.
//! # Assumes
//! Pages of one type share what is template. Of a type with fewer than three pages all pages of the site have to.
//! # When it fails
//! Addresses and other attributes are not looked at; a text of a page's template that is translated or counts something
//! (`3 comments`) varies and counts.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::Tree;
use unsite_wrapper::inline_label;

use crate::EvalError;

/// What stands on this share of the pages is their template.
const NEARLY_ALL: f64 = 0.9;

/// On fewer pages nothing can be seen to be constant.
const ENOUGH_PAGES: usize = 3;

/// Letters of varying texts, and where they are told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Completeness {
    /// All of them.
    pub letters: u64,
    /// Those that lie in a cell.
    pub told: u64,
    /// Those that lie in exactly one.
    pub told_once: u64,
}

impl Completeness {
    /// The share that lies in a cell; 1 where nothing varies.
    pub fn in_a_cell(&self) -> f64 {
        share(self.told, self.letters)
    }

    /// The share that lies in exactly one cell.
    pub fn in_one_cell(&self) -> f64 {
        share(self.told_once, self.letters)
    }
}

fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 1.0 } else { part as f64 / all as f64 }
}

/// A value, and the path of the element that it was read from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToldValue {
    /// The path of the element.
    pub path: String,
    /// The value.
    pub value: String,
}

/// What a run left in its database, as far as completeness needs it.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// For each page by its name in the source: its type, and its values.
    pub pages: FxHashMap<String, (String, Vec<ToldValue>)>,
    /// What the pages call columns, without colons.
    pub names: FxHashSet<String>,
}

impl Told {
    /// Reads `_pages`, `_cells` and `_columns`.
    pub fn from_database(path: &Path) -> Result<Self, EvalError> {
        let read = || -> rusqlite::Result<Told> {
            let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            let mut told = Told::default();
            let mut pages = db.prepare("select ref, coalesce(page_type, '') from _pages")?;
            let mut rows = pages.query([])?;
            while let Some(row) = rows.next()? {
                told.pages.insert(row.get(0)?, (row.get(1)?, Vec::new()));
            }
            let mut cells = db.prepare(
                "select ref, coalesce(path, ''), cast(value as text) from _cells where value is not null",
            )?;
            let mut rows = cells.query([])?;
            while let Some(row) = rows.next()? {
                let page: String = row.get(0)?;
                if let Some((_, values)) = told.pages.get_mut(&page) {
                    values.push(ToldValue { path: row.get(1)?, value: row.get(2)? });
                }
            }
            let mut labels = db.prepare("select label from _columns where label is not null")?;
            let mut rows = labels.query([])?;
            while let Some(row) = rows.next()? {
                let label: String = row.get(0)?;
                told.names.insert(without_colon(&label).to_owned());
            }
            Ok(told)
        };
        read().map_err(|source| EvalError::Database { path: path.to_path_buf(), source })
    }
}

fn without_colon(label: &str) -> &str {
    label.trim_end_matches([':', '：', ' '])
}

/// The texts of the pages, collected page by page.
#[derive(Debug, Default)]
pub struct PageTexts {
    /// By page: its name, its type, and path and text of all it shows.
    pages: Vec<(String, String, Vec<(String, String)>)>,
    /// On how many pages of each type a text stands, and on how many pages at all.
    by_type: FxHashMap<(String, String), usize>,
    anywhere: FxHashMap<String, usize>,
    types: FxHashMap<String, usize>,
}

impl PageTexts {
    /// Takes note of a page.
    pub fn add(&mut self, name: &str, page_type: &str, tree: &Tree) {
        let mut paths = tree.indexed_paths();
        let texts: Vec<(String, String)> =
            tree.visible_texts().map(|(node, text)| (paths.of(node), text.into_owned())).collect();
        *self.types.entry(page_type.to_owned()).or_default() += 1;
        let distinct: FxHashSet<&String> = texts.iter().map(|(_, text)| text).collect();
        for text in distinct {
            *self.by_type.entry((page_type.to_owned(), text.clone())).or_default() += 1;
            *self.anywhere.entry(text.clone()).or_default() += 1;
        }
        self.pages.push((name.to_owned(), page_type.to_owned(), texts));
    }

    /// How much of what varies is told.
    pub fn completeness(&self, told: &Told) -> Completeness {
        let mut sum = Completeness::default();
        for (name, page_type, texts) in &self.pages {
            let values = told.pages.get(name).map_or(&[][..], |(_, values)| values);
            let mut at_path: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
            for told in values.iter().filter(|told| !told.path.is_empty()) {
                at_path.entry(&told.path).or_default().push(&told.value);
            }
            for (path, text) in texts {
                if self.is_template(page_type, text) || told.names.contains(without_colon(text)) {
                    continue;
                }
                add(&mut sum, text, &values_over(&at_path, path));
            }
        }
        sum
    }

    fn is_template(&self, page_type: &str, text: &str) -> bool {
        let pages = self.types.get(page_type).copied().unwrap_or(0);
        let (on, all) = if pages >= ENOUGH_PAGES {
            let of_type = self.by_type.get(&(page_type.to_owned(), text.to_owned()));
            (of_type.copied().unwrap_or(0), pages)
        } else {
            (self.anywhere.get(text).copied().unwrap_or(0), self.pages.len())
        };
        all >= ENOUGH_PAGES && on as f64 >= NEARLY_ALL * all as f64
    }
}

/// The values that were read at the element of a path, or at one around it.
fn values_over<'v>(at_path: &FxHashMap<&str, Vec<&'v str>>, path: &str) -> Vec<&'v str> {
    let mut found = Vec::new();
    let mut above = Some(path);
    while let Some(path) = above {
        found.extend(at_path.get(path).into_iter().flatten());
        above = path.rsplit_once('/').map(|(above, _)| above);
    }
    found
}

/// Counts a text with the values that may say it.
fn add(sum: &mut Completeness, text: &str, values: &[&str]) {
    let all = letters(text);
    match values.iter().filter(|value| value.contains(text)).count() {
        // Only parts of it, or nothing.
        0 => {
            let parts: Vec<&&str> = values.iter().filter(|value| text.contains(**value)).collect();
            let said = parts.iter().map(|part| letters(part)).sum::<u64>();
            let label = if parts.is_empty() { 0 } else { inline_label(text).map_or(0, letters) };
            let all = all - label;
            sum.letters += all;
            sum.told += said.min(all);
            sum.told_once += if said <= all { said } else { 0 };
        }
        whole => {
            let is_part = |value: &&&str| value.len() < text.len() && text.contains(**value);
            let again = values.iter().filter(is_part).map(|part| letters(part)).sum::<u64>();
            sum.letters += all;
            sum.told += all;
            sum.told_once += if whole == 1 { all - again.min(all) } else { 0 };
        }
    }
}

fn letters(text: &str) -> u64 {
    text.chars().filter(|c| c.is_alphanumeric()).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    /// What is told of three pages, by path and value.
    fn measured(tell: impl Fn(usize) -> Vec<(&'static str, String)>) -> Completeness {
        let mut texts = PageTexts::default();
        let mut told = Told::default();
        told.names.insert("Stock".to_owned());
        for at in 0..3 {
            let html =
                format!("<h1>Shop</h1><p>Lamp{at}</p><b>Stock:</b><i>{at}{at}</i><em>Brand: X{at}</em>");
            let (tree, _) = Tree::parse(html.as_bytes(), None, &Limits::default());
            texts.add(&at.to_string(), "page", &tree);
            let value = |(path, value): (&str, String)| ToldValue { path: path.to_owned(), value };
            told.pages.insert(at.to_string(), ("page".to_owned(), tell(at).into_iter().map(value).collect()));
        }
        texts.completeness(&told)
    }

    #[test]
    fn what_varies_is_counted_where_it_is_told() {
        let all = measured(|at| {
            vec![
                ("html/body/p", format!("Lamp{at}")),
                ("html/body/i", format!("{at}{at}")),
                ("html/body/em", format!("X{at}")),
            ]
        });
        assert_eq!(all, Completeness { letters: 27, told: 27, told_once: 27 });
        let lost =
            measured(|at| vec![("html/body/i", format!("{at}{at}")), ("html/body/em", format!("X{at}"))]);
        assert_eq!(lost, Completeness { letters: 27, told: 12, told_once: 12 });
    }

    #[test]
    fn what_is_told_twice_is_not_told_once() {
        let twice = measured(|at| {
            vec![
                ("html/body/p", format!("Lamp{at}")),
                ("html/body", format!("Lamp{at} and more")),
                ("html/body/i", format!("{at}{at}")),
                ("html/body/em", format!("X{at}")),
            ]
        });
        assert_eq!((twice.letters, twice.told, twice.told_once), (27, 27, 12));
        assert!(twice.in_a_cell() > twice.in_one_cell());
    }
}
