//! What unsite tells from one page alone, for the sites that have labels for it.

use std::collections::BTreeMap;

use anyhow::Result;
use unsite_acquire::{Source, search_forms};
use unsite_discover::main_text;
use unsite_dom::{Limits, Tree};
use unsite_eval::{Meta, Observed};

/// The code of a search form and that of any other one, which is never looked at further.
const SEARCH: &str = "s";
const NO_SEARCH: &str = "o";

/// Adds the kinds of forms and the main texts to what a run found. Other sites' pages are not read a second time.
pub(crate) fn add_to(observed: &mut Observed, source: &Source, limits: &Limits, meta: &Meta) -> Result<()> {
    let labelled = |name: &str| meta.labels.iter().any(|label| label == name);
    if labelled("form_types") {
        let kinds = each_page(source, limits, |tree, url| {
            let kind = |searches: bool| if searches { SEARCH } else { NO_SEARCH };
            search_forms(tree, url).into_iter().map(|searches| kind(searches).to_owned()).collect()
        })?;
        observed.forms = Some(kinds);
    }
    if labelled("main_text") {
        observed.main_text = Some(each_page(source, limits, |tree, _| main_text(tree))?);
    }
    Ok(())
}

/// Something of every page that can be read, by the page's name in its source.
fn each_page<T>(
    source: &Source,
    limits: &Limits,
    read: impl Fn(&Tree, &str) -> T,
) -> Result<BTreeMap<String, T>> {
    let mut pages = source.pages()?;
    let mut all = BTreeMap::new();
    while let Some(item) = pages.next_page() {
        // The run before this one has already told of pages that cannot be read.
        let Ok(page) = item else { continue };
        let (tree, _) = Tree::parse(&page.bytes, page.charset.as_deref(), limits);
        all.insert(page.reference, read(&tree, &page.url));
    }
    Ok(all)
}
