//! Places without end: calendars, sessions, facets.
//!
//! # What it does
//! Pages are grouped by the shape of their address: path segments with digits, or very long ones, stand for any other.
//! A page is stale when no line of its text is new to the site. When the last pages of a group were all stale, the
//! group is a trap, and its other addresses are left alone.
//!
//! # Assumes
//! Text tells pages apart. Years, days and numbers of the page's own address do not count (see `ReadPage::lines`).
//!
//! # When it fails
//! A trap that writes fresh random words on every page is not recognised; limits on pages and depth are for that. Pages
//! that differ only in images or small numbers are taken for a trap after [`STALE_RUN`] of them.
//!
//! # Paper
//! Our own; Koppula et al., "Learning URL patterns for webpage de-duplication" (WSDM 2010) has the idea of shapes.

use rustc_hash::{FxHashMap, FxHashSet};
use url::Url;

use crate::fetch::host_key;

/// Stale pages of one shape in a row. A calendar has told the names of all months after twelve pages; twice that.
pub const STALE_RUN: u32 = 24;

/// Stale pages in a row below one first folder, whatever their shapes: facets written as paths. Wider, so later.
const STALE_RUN_OF_FOLDER: u32 = 120;

/// Groups that are watched; a site has dozens. Beyond it new ones are not.
const MOST_GROUPS: usize = 20_000;

/// Bits of the filter that knows the lines: 4 MiB, whatever the site. With three million lines on it one new line in a
/// hundred is taken for a known one.
const FILTER_BITS: u64 = 1 << 25;

/// A segment longer than this is a token.
const LONGEST_WORD: usize = 24;

/// Watches for traps.
pub struct Traps {
    lines: Vec<u64>,
    runs: FxHashMap<String, u32>,
    found: FxHashSet<String>,
}

impl Traps {
    /// Nothing seen yet, but for traps that are known from before.
    pub fn new(known: impl IntoIterator<Item = String>) -> Traps {
        let words = usize::try_from(FILTER_BITS / 64).unwrap_or_default();
        Traps { lines: vec![0; words], runs: FxHashMap::default(), found: known.into_iter().collect() }
    }

    /// Takes in a page; the shape of a trap if this page gives one away.
    pub fn saw(&mut self, url: &Url, lines: &[u64]) -> Option<String> {
        let mut is_new = false;
        for line in lines {
            is_new |= self.add(*line);
        }
        for (group, most) in [(shape(url), STALE_RUN), (folder(url), STALE_RUN_OF_FOLDER)] {
            if is_new {
                self.runs.remove(&group);
                continue;
            }
            if self.runs.len() >= MOST_GROUPS && !self.runs.contains_key(&group) {
                continue;
            }
            let run = self.runs.entry(group.clone()).or_default();
            *run += 1;
            if *run >= most && self.found.insert(group.clone()) {
                return Some(group);
            }
        }
        None
    }

    /// Whether the address is in a trap.
    pub fn holds(&self, url: &Url) -> bool {
        !self.found.is_empty() && (self.found.contains(&shape(url)) || self.found.contains(&folder(url)))
    }

    /// Puts a line on the filter (Bloom, four bits each); whether it was not on it.
    fn add(&mut self, line: u64) -> bool {
        let mut is_new = false;
        let step = (line >> 32) | 1;
        for at in 0..4u64 {
            let bit = line.wrapping_add(at.wrapping_mul(step)) % FILTER_BITS;
            let word = &mut self.lines[usize::try_from(bit / 64).unwrap_or_default()];
            is_new |= *word & 1 << (bit % 64) == 0;
            *word |= 1 << (bit % 64);
        }
        is_new
    }
}

/// The shape of an address, such as `a.test/calendar/*?*`.
fn shape(url: &Url) -> String {
    let mut out = host_key(url);
    for segment in url.path_segments().into_iter().flatten() {
        let is_any = segment.len() > LONGEST_WORD || segment.bytes().any(|byte| byte.is_ascii_digit());
        out.push('/');
        out.push_str(if is_any { "*" } else { segment });
    }
    out.push_str(if url.query().is_some() { "?*" } else { "" });
    out
}

fn folder(url: &Url) -> String {
    let first = url.path_segments().and_then(|mut segments| segments.next()).unwrap_or_default();
    format!("{}/{first}/**", host_key(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_calendar_is_a_trap_and_a_shop_is_not() {
        let mut traps = Traps::new([]);
        let mut found = None;
        for month in 0..100u64 {
            let page = url(&format!("http://a.test/calendar?m={month}"));
            assert!(
                traps.saw(&url(&format!("http://a.test/tea/{month}")), &[1, 2, 1000 + month * 7]).is_none()
            );
            if found.is_none() {
                found = traps.saw(&page, &[1, 2, month % 12]).map(|shape| (month, shape));
            }
        }
        let (month, shape) = found.unwrap();
        assert_eq!(shape, "a.test/calendar?*");
        assert!(month < 12 + u64::from(STALE_RUN));
        assert!(
            traps.holds(&url("http://a.test/calendar?m=777")) && !traps.holds(&url("http://a.test/tea/777"))
        );
        assert!(!traps.holds(&url("http://a.test/calendar")));
        assert!(Traps::new([shape]).holds(&url("http://a.test/calendar?x")));
    }

    #[test]
    fn facets_as_paths_are_found_by_their_folder() {
        let mut traps = Traps::new([]);
        let words = ["red", "blue", "green", "large", "small", "cotton", "wool", "sale", "new", "old"];
        let mut found = None;
        for n in 0..1000usize {
            let path: Vec<&str> = (0..3).map(|digit| words[n / 10usize.pow(digit) % 10]).collect();
            found = found.or(traps.saw(&url(&format!("http://a.test/shop/{}/", path.join("/"))), &[1, 2, 3]));
        }
        assert_eq!(found.as_deref(), Some("a.test/shop/**"));
    }

    #[test]
    fn the_filter_forgets_nothing() {
        let mut traps = Traps::new([]);
        let line = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let new = (0..100_000).filter(|n| traps.add(line(*n))).count();
        assert!(new > 99_900, "{new}");
        assert_eq!((0..100_000).filter(|n| traps.add(line(*n))).count(), 0);
    }
}
