//! Small sites in, rows out.

use std::collections::BTreeMap;

use unsite_discover::page_types;
use unsite_discover::{Site, SitePage, induce};
use unsite_dom::{Limits, RawPage};
use unsite_wrapper::{PageRecord, Wrapper};

/// A page type of a small site: its name, the pattern of its addresses, and its pages with their addresses.
pub(crate) type Pages<'a> = (&'a str, &'a str, Vec<(String, String)>);

/// Learns pages whose types are known, and reads them: each page's rows in the order of the pages.
pub(crate) fn learn(types: Vec<Pages<'_>>) -> (Wrapper, Vec<PageRecord>) {
    let mut raw = Vec::new();
    let mut type_at: BTreeMap<String, usize> = BTreeMap::new();
    for (at, (_, _, pages)) in types.iter().enumerate() {
        for (url, body) in pages {
            raw.push(RawPage {
                url: url.clone(),
                reference: format!("{:03}", raw.len()),
                bytes: format!("<html><body>{body}</body></html>").into_bytes(),
                ..RawPage::default()
            });
            type_at.insert(url.clone(), at);
        }
    }
    // A site has an order of its own.
    let site = Site::parse(raw, &Limits::default());
    let mut found = page_types::cluster(&site, &page_types::Options::default());
    found.type_of = site.pages.iter().map(|page| type_at[&page.raw.url]).collect();
    found.count = types.len();
    found.template_of = (0..types.len()).collect();
    found.names = types.iter().map(|(name, ..)| (*name).to_owned()).collect();
    found.patterns = types.iter().map(|(_, pattern, _)| (*pattern).to_owned()).collect();
    let wrapper = induce(&site, found);
    let read = |page: &SitePage| {
        wrapper.read(&page.raw, &page.tree, &page.cuts, type_at.get(&page.raw.url).copied())
    };
    let mut records: Vec<PageRecord> = site.pages.iter().map(read).collect();
    records.sort_by(|a, b| a.reference.cmp(&b.reference));
    (wrapper, records)
}

/// All pages as one type.
pub(crate) fn learn_one_type(name: &str, pages: &[String]) -> (Wrapper, Vec<PageRecord>) {
    let address = |at: usize| format!("http://site.test/{name}/{at:03}");
    let pages = pages.iter().enumerate().map(|(at, body)| (address(at), body.clone())).collect();
    learn(vec![(name, &format!("/{name}/*"), pages)])
}
