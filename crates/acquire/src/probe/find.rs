//! Looking for the search form, from a page on.

use std::collections::{BTreeSet, VecDeque};

use url::Url;

use super::ProbeError;
use super::form::{Found, choose};
use super::session::{Page, Session};
use crate::fetch::Request;
use crate::search_form::speaks_of_searching;

/// Pages that are looked at. A search is on most pages of a site or behind a link that says so.
const MAX_PAGES: usize = 20;

/// Finds the form: on the page itself, or on pages it links to, those first whose links speak of searching.
pub(super) fn find_form(
    session: &mut Session<'_>,
    start: &Url,
    wanted: Option<&str>,
) -> Result<(Found, Page), ProbeError> {
    let page = session.ask(Request::get(start.clone()), &[])?;
    if let Some(wanted) = wanted {
        let (url, form) = (page.url.to_string(), wanted.to_owned());
        return match choose(&page.tree, &page.url, Some(wanted)) {
            Ok(Some(found)) => Ok((found, page)),
            Ok(None) => {
                let there = page.tree.forms(page.url.as_str()).len();
                let there = if there == 1 { "1 form".to_owned() } else { format!("{there} forms") };
                Err(ProbeError::NoSuchForm { page: url, form, there })
            }
            Err(why) => Err(ProbeError::Refused { page: url, form, why }),
        };
    }
    let mut known: BTreeSet<String> = [start.as_str(), page.url.as_str()].map(plain).into();
    let (mut likely, mut others) = (VecDeque::new(), VecDeque::new());
    let mut next = Some(page);
    let mut looked_at = 0;
    loop {
        if let Some(page) = next.take() {
            looked_at += 1;
            if let Ok(Some(found)) = choose(&page.tree, &page.url, None) {
                return Ok((found, page));
            }
            for link in page.tree.links(page.url.as_str()) {
                let Some(url) = link.url.filter(|url| link.web && url.host_str() == start.host_str()) else {
                    continue;
                };
                if known.insert(plain(url.as_str())) {
                    let speaks = speaks_of_searching(&link.text) || speaks_of_searching(url.as_str());
                    if speaks { likely.push_back(url) } else { others.push_back(url) }
                }
            }
        }
        let url = match likely.pop_front().or_else(|| others.pop_front()) {
            Some(url) if looked_at < MAX_PAGES => url,
            _ => return Err(ProbeError::NoForm { start: start.to_string(), looked_at }),
        };
        // A page on the way that cannot be had is not the end of the way.
        next = match session.ask(Request::get(url), &[]) {
            Ok(page) => Some(page),
            Err(ProbeError::Fetch(crate::fetch::FetchError::Stopped)) => {
                return Err(ProbeError::Fetch(crate::fetch::FetchError::Stopped));
            }
            Err(ProbeError::Write(error)) => return Err(ProbeError::Write(error)),
            Err(_) => {
                looked_at += 1;
                None
            }
        };
    }
}

/// An address without its fragment.
fn plain(url: &str) -> String {
    url.split('#').next().unwrap_or_default().to_owned()
}
