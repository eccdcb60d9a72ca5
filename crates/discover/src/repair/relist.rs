//! Where index pages list articles after a redesign.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::PathStyle;
use unsite_wrapper::{KNOWN_ROWS, ListIndex, SavedWrapper, TableInfo, Wrapper};

use crate::site::Site;

/// The paths of links are those of lists when this share of their links are known: as when the lists were learned.
const KNOWN_LINKS: f64 = 0.8;

/// The columns of a table of lists: the article's address, the list's, the link's text.
const ARTICLE: usize = 0;
const TEXT: usize = 2;

/// Links that are known, by page: the article's address and the link's text.
type KnownLinks<'o> = BTreeMap<&'o str, Vec<(&'o str, Option<&'o str>)>>;

/// Finds the paths on which known links stand now, and makes sure that there is a table for what they lead to. Links that
/// say what they said come first; where there are none, links that lead where they led. With `keeps_old`, the old paths stay
/// beside them where no page speaks against them: some pages have not changed, or were not looked at.
pub(super) fn relist(
    site: &Site,
    old: &SavedWrapper,
    learned: &mut Wrapper,
    old_of: &[Option<usize>],
    keeps_old: bool,
) {
    let Some(lists) = &old.wrapper.lists else { return };
    let info = &old.wrapper.schema.tables[lists.table];
    let known = known_links(old, info);
    let said = listed(&link_counts(site, &known, &learned.frame, true));
    let mut paths =
        if said.is_empty() { listed(&link_counts(site, &known, &learned.frame, false)) } else { said };
    if paths.is_empty() {
        return;
    }
    if keeps_old {
        let led = link_counts(site, &known, &learned.frame, false);
        for (at, &path) in lists.link_paths.iter().enumerate() {
            let fits = led.get(&path).is_none_or(|(known, all, _)| is_list(*known, *all));
            if fits && paths.iter().all(|(other, _)| *other != path) {
                paths.push((path, lists.written.get(at).cloned().unwrap_or_default()));
            }
        }
    }
    let table = learned.lists.as_ref().map(|lists| lists.table).unwrap_or_else(|| {
        let page_type = old_of.iter().position(|old| *old == Some(info.page_type)).unwrap_or_default();
        let columns = info.columns.iter().take(TEXT + 1).cloned();
        let columns =
            columns.map(|column| unsite_wrapper::ColumnInfo { references: None, ..column }).collect();
        learned.schema.tables.push(TableInfo { page_type, columns, ..TableInfo::default() });
        learned.schema.tables.len() - 1
    });
    learned.lists = Some(ListIndex::new(table, paths));
}

fn known_links<'o>(old: &'o SavedWrapper, info: &TableInfo) -> KnownLinks<'o> {
    let mut known = KnownLinks::new();
    let value = |row: &'o unsite_wrapper::KnownRow, column: usize| -> Option<&'o str> {
        Some(row.get(&info.columns.get(column)?.name)?.first()?.as_str())
    };
    for page in &old.known {
        for row in page.rows.get(&info.name).into_iter().flatten() {
            if let Some(article) = value(row, ARTICLE) {
                known.entry(page.url.as_str()).or_default().push((article, value(row, TEXT)));
            }
        }
    }
    known
}

/// By the hash of a path of tags: how many of its links are known, how many there are, and the path.
type LinkCounts = FxHashMap<u64, (usize, usize, String)>;

/// The paths most of whose links are known.
fn listed(counts: &LinkCounts) -> Vec<(u64, String)> {
    let listed = counts.iter().filter(|(_, (known, all, _))| is_list(*known, *all));
    listed.map(|(path, (.., written))| (*path, written.clone())).collect()
}

fn is_list(known: usize, all: usize) -> bool {
    known > 0 && known as f64 >= KNOWN_LINKS * all as f64
}

/// Counts the links on each path; known are those with what they say, or whatever they say.
fn link_counts(site: &Site, known: &KnownLinks<'_>, frame: &[u64], as_said: bool) -> LinkCounts {
    let mut counts = LinkCounts::default();
    for page in &site.pages {
        let Some(links) = known.get(page.raw.url.as_str()) else { continue };
        // Of long lists the beginning is known: what is not, may be the rest of them.
        let all_known = links.len() < KNOWN_ROWS;
        let pairs: FxHashSet<(&str, Option<&str>)> = links.iter().copied().collect();
        let articles: FxHashSet<&str> = links.iter().map(|(article, _)| *article).collect();
        let paths = page.tree.path_hashes(PathStyle::Tags);
        let mut seen: FxHashSet<(u64, String)> = FxHashSet::default();
        for link in page.tree.links(&page.raw.url).into_iter().filter(|link| link.web && !link.same_page) {
            let Some(mut target) = link.url else { continue };
            target.set_fragment(None);
            if frame.binary_search(&unsite_wrapper::address_key(&target)).is_ok() {
                continue;
            }
            // Of several links to one article the first is read.
            let path = paths[link.node.index()];
            if !seen.insert((path, target.as_str().to_owned())) {
                continue;
            }
            let led = articles.contains(target.as_str());
            let text = unsite_wrapper::cut(&link.text);
            let is_known = match as_said {
                true => pairs.contains(&(target.as_str(), Some(text).filter(|text| !text.is_empty()))),
                false => led,
            };
            if is_known || led || all_known {
                let written = || (0, 0, page.tree.path(link.node, PathStyle::Tags));
                let (known, all, _) = counts.entry(path).or_insert_with(written);
                *known += usize::from(is_known);
                *all += 1;
            }
        }
    }
    counts
}
