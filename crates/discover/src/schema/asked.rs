//! Who leads to things: their own things, menus, or a single page.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{ValueType, Wrapper};

use super::sheets::Sheets;

/// Links lead to the same from everywhere when each stands on this share of the pages: on its own page it may be none.
const EVERYWHERE: f64 = 0.8;
/// On fewer pages nothing is seen to be everywhere.
const FEW: usize = 10;

/// The columns of links that lead to the same pages from everywhere: what they lead to is asked for by nobody.
pub(super) fn menus(
    sheets: &Sheets,
    wrapper: &Wrapper,
    address: impl Fn(&str) -> String,
) -> FxHashSet<(usize, usize)> {
    type Seen = (FxHashSet<usize>, FxHashSet<String>, FxHashSet<(usize, String)>);
    let mut seen: FxHashMap<(usize, usize), Seen> = FxHashMap::default();
    for (at, page) in sheets.pages.iter().enumerate() {
        for row in &page.rows {
            let columns = &wrapper.schema.tables[row.table].columns;
            for link in row.cells.iter().filter(|cell| columns[cell.column].value_type == ValueType::Url) {
                let (pages, targets, links) = seen.entry((row.table, link.column)).or_default();
                let key = address(&link.value);
                pages.insert(at);
                targets.insert(key.clone());
                links.insert((at, key));
            }
        }
    }
    let is_menu = |(pages, targets, links): &Seen| {
        pages.len() >= FEW && links.len() as f64 >= EVERYWHERE * (pages.len() * targets.len()) as f64
    };
    seen.into_iter().filter(|(_, seen)| is_menu(seen)).map(|(column, _)| column).collect()
}

/// Do pages say, each for itself, which of these it belongs to: one link on each, in its own row or in a trail?
pub(super) fn is_referred_to(
    sheets: &Sheets,
    wrapper: &Wrapper,
    keys: &FxHashSet<&str>,
    address: &dyn Fn(&str) -> String,
) -> bool {
    (0..sheets.tables.len()).any(|table| {
        let columns = &wrapper.schema.tables[table].columns;
        let mut links = (0..columns.len()).filter(|&column| columns[column].value_type == ValueType::Url);
        links.any(|column| {
            let sheet = &sheets.tables[table];
            let mut on: FxHashMap<usize, FxHashSet<String>> = FxHashMap::default();
            for (row, _) in sheet.column(column) {
                let page = sheet.rows[row].0;
                let key = sheets.text(table, row, column).map(address);
                let led_to = on.entry(page).or_default();
                led_to
                    .extend(key.filter(|key| keys.contains(key.as_str()) && *key != sheets.pages[page].key));
            }
            let one = on.values().filter(|led_to| led_to.len() == 1);
            let different: FxHashSet<&String> = one.clone().flatten().collect();
            on.len() >= FEW
                && different.len() == keys.len()
                && one.count() as f64 >= EVERYWHERE * on.len() as f64
        })
    })
}

/// Do links to some pages stand on no more than one other page?
pub(super) fn is_asked_by_one_page(
    sheets: &Sheets,
    wrapper: &Wrapper,
    keys: &FxHashSet<&str>,
    address: &dyn Fn(&str) -> String,
) -> bool {
    let leads = |row: &unsite_wrapper::Row| {
        let columns = &wrapper.schema.tables[row.table].columns;
        let mut links = row.cells.iter().filter(|cell| columns[cell.column].value_type == ValueType::Url);
        links.any(|cell| keys.contains(address(&cell.value).as_str()))
    };
    let others = sheets.pages.iter().filter(|page| !keys.contains(page.key.as_str()));
    others.filter(|page| page.rows.iter().any(leads)).take(2).count() < 2
}
