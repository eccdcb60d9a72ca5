//! Which pages a list leads to: rows that say so.

use serde::{Deserialize, Serialize};
use unsite_dom::{PathStyle, Tree};

use crate::output::{Cell, Row, Typed};
use crate::page_links::address_key;
use crate::traits::Surroundings;

/// Where index pages list the articles of a site.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ListIndex {
    /// The table with a row for each link: the article's address, the list's address, the link's text.
    pub table: usize,
    /// The paths of tags, as hashes, on which links lead to articles; sorted.
    pub link_paths: Vec<u64>,
    /// The same written out, for people and for exports: `html/body/main/h2/a`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<String>,
}

impl ListIndex {
    /// Of some paths, each with its hash.
    pub fn new(table: usize, mut paths: Vec<(u64, String)>) -> Self {
        paths.sort_unstable();
        let (link_paths, written) = paths.into_iter().unzip();
        ListIndex { table, link_paths, written }
    }

    /// One row for each article that a list page leads to, the first link counts.
    pub(crate) fn rows(&self, tree: &Tree, url: &str, site: Surroundings<'_>) -> Vec<Row> {
        let paths = tree.path_hashes(PathStyle::Tags);
        let mut indexed = tree.indexed_paths();
        let mut seen: Vec<u64> = Vec::new();
        let mut rows: Vec<Row> = Vec::new();
        for link in tree.links(url).into_iter().filter(|link| link.web && !link.same_page) {
            let Some(mut target) = link.url else { continue };
            if self.link_paths.binary_search(&paths[link.node.index()]).is_err() {
                continue;
            }
            target.set_fragment(None);
            let key = address_key(&target);
            let Err(place) = seen.binary_search(&key) else { continue };
            if site.frame.binary_search(&key).is_ok() {
                continue;
            }
            seen.insert(place, key);
            let path = indexed.of(link.node);
            let values = [String::from(target), url.to_owned(), link.text.to_string()];
            let cell = |(column, value): (usize, String)| Cell {
                column,
                typed: Typed::AsItStands,
                value,
                path: path.clone(),
                ..Cell::default()
            };
            let cells =
                values.into_iter().enumerate().filter(|(_, value)| !value.is_empty()).map(cell).collect();
            rows.push(Row { table: self.table, cells, ..Row::default() });
        }
        rows
    }
}
