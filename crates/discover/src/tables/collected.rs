//! Pages of one kind collected from many sites: threads of many forums, answers of many search engines.

use std::collections::{BTreeMap, BTreeSet};

use unsite_wrapper::{ColumnInfo, ValueType, Wrapper};

use super::lists::List;
use crate::naming::Namer;
use crate::site::Site;

/// With fewer sites, nothing says that they were collected for what they have in common.
const MANY_SITES: usize = 3;

/// The share of the sites whose pages are all of one type: somebody who collects takes what he looks for, a crawler
/// takes everything.
const ONE_TYPE_EACH: f64 = 0.8;

/// The share of the sites that show such a list.
const MOST_SITES: f64 = 2.0 / 3.0;

/// Letters of a text that somebody wrote rather than named something with: more than a line of print.
const WRITTEN: usize = 80;

/// The part of all that the rows say which is that text. Around it stand who wrote it and when, in some layouts often
/// enough to say as much as short texts do.
const MOSTLY: f64 = 0.4;

/// What most rows have besides: who wrote it, when, where it stands. A paragraph has nothing.
const ABOUT_IT: usize = 2;

/// Finds the lists that show records of one kind on pages collected from many sites, and says which of their columns
/// correspond.
///
/// # What it does
/// Where most sites show, as the main list of their pages, rows that consist mostly of a text (posts, comments,
/// reviews, answers with a snippet), all those lists are one table. Their texts are one column, and so are their dates
/// and their pictures where each row has one; other columns are one when they have the same name.
///
/// # Assumes
/// The pages of a site are of one type, whichever the site.
///
/// # When it fails
/// Lists of names and figures (cards of shops) stay apart: nothing but their names would say what they are.
///
/// # Paper
/// None; all the papers look at one site.
pub(super) fn records_of_one_kind(
    site: &Site,
    type_of: &[usize],
    lists: &[List],
    wrapper: &mut Wrapper,
) -> Vec<usize> {
    let site_of = |page: usize| host(&site.pages[page].raw.url);
    let mut types_of_site: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (page, &at) in type_of.iter().enumerate() {
        types_of_site.entry(site_of(page)).or_default().insert(at);
    }
    let sites = types_of_site.len();
    let with_one = types_of_site.values().filter(|types| types.len() == 1).count();
    if sites < MANY_SITES || (with_one as f64) < ONE_TYPE_EACH * sites as f64 {
        return Vec::new();
    }
    // By site: the list and its texts.
    let mut found: BTreeMap<&str, (&List, usize)> = BTreeMap::new();
    for list in lists {
        let Some(text) = written(list, &wrapper.schema.tables[list.table].columns) else { continue };
        for &page in &list.pages {
            let main = found.entry(site_of(page)).or_insert((list, text));
            if main.0.letters() < list.letters() {
                *main = (list, text);
            }
        }
    }
    if found.len() < MANY_SITES || (found.len() as f64) <= MOST_SITES * sites as f64 {
        return Vec::new();
    }
    let texts: BTreeMap<usize, (&List, usize)> =
        found.into_values().map(|(list, text)| (list.table, (list, text))).collect();
    for &(list, text) in texts.values() {
        name_alike(list, text, &mut wrapper.schema.tables[list.table].columns);
    }
    texts.into_keys().collect()
}

/// The column that says most in the rows of a list, where that is a text that somebody wrote.
fn written(list: &List, columns: &[ColumnInfo]) -> Option<usize> {
    let (column, said) = list.says.iter().enumerate().max_by_key(|(_, said)| said.letters)?;
    let long = said.letters >= WRITTEN * said.times && said.letters as f64 >= MOSTLY * list.letters() as f64;
    let about_it = list.says.iter().filter(|said| 2 * said.times > list.rows).count() > ABOUT_IT;
    (long && about_it && columns[column].value_type == ValueType::Text).then_some(column)
}

/// Calls the text, the date and the picture of a row the same in every list, whatever the site calls them.
fn name_alike(list: &List, text: usize, columns: &mut [ColumnInfo]) {
    let mut known: BTreeMap<usize, &str> = BTreeMap::from([(text, "text")]);
    for (value_type, name) in
        [(ValueType::DateTime, "date_time"), (ValueType::Date, "date"), (ValueType::Image, "image")]
    {
        let in_most = |column: &usize| {
            columns[*column].value_type == value_type && 2 * list.says[*column].times > list.rows
        };
        let mut of_type = (0..columns.len()).filter(in_most);
        if let (Some(column), None) = (of_type.next(), of_type.next()) {
            known.insert(column, name);
        }
    }
    let mut names = Namer::default();
    for name in known.values() {
        names.unique(name);
    }
    for (at, column) in columns.iter_mut().enumerate() {
        column.name = match known.get(&at) {
            Some(name) => (*name).to_owned(),
            None => names.unique(&column.name),
        };
    }
}

/// The host of an address, `www.` aside.
fn host(url: &str) -> &str {
    let address = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = address.split(['/', '?', '#']).next().unwrap_or(address);
    host.strip_prefix("www.").unwrap_or(host)
}
