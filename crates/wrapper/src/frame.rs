//! Links of the frame of a site: the same on every page, so each is made out once.
//!
//! # What it does
//! Remembers, on each thread, which links were found to lead into the frame or to no web page at all. What is remembered
//! follows from the link, what it is joined to and the frame, so it is the same whichever page came first.
//!
//! # When it fails
//! A link that was forgotten, because another took its place, is made out again.

use std::cell::RefCell;

use unsite_dom::Url;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// How many links each thread remembers: those of some dozens of menus, in a table that fits into the cache of a core.
const REMEMBERED: usize = 4096;

thread_local! {
    static MEMORY: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// The links of one page that need not be made out.
pub(crate) struct FrameLinks {
    /// The hashes of what links are joined to: the host, and the folder.
    host: u64,
    folder: u64,
}

impl FrameLinks {
    /// For a page whose links are joined to `base`; `None` where that is no address of the web.
    pub(crate) fn new(frame: &[u64], base: &Url) -> Option<Self> {
        if !matches!(base.scheme(), "http" | "https") {
            return None;
        }
        let folder = base.path().rfind('/').map_or("", |end| &base.path()[..=end]);
        // A frame is a list of hashes: its length and some of them tell it from others.
        let seed = [frame.len() / 2, frame.len().wrapping_sub(1), 0]
            .iter()
            .fold(frame.len() as u64, |seed, &at| seed.rotate_left(21) ^ frame.get(at).copied().unwrap_or(0));
        let host = xxh3_64_with_seed(base[..url::Position::BeforePath].as_bytes(), seed);
        Some(FrameLinks { host, folder: xxh3_64_with_seed(folder.as_bytes(), host) })
    }

    /// Under which number a link is remembered; `None` for one that says something else on each page.
    fn number(&self, href: &str) -> Option<u64> {
        let seed = match href.as_bytes() {
            [] | [b'?' | b'#', ..] => return None,
            [b'/', ..] => self.host,
            _ if href.starts_with("http://") || href.starts_with("https://") => self.host,
            _ => self.folder,
        };
        // Never 0, which is a place that is free.
        Some(xxh3_64_with_seed(href.as_bytes(), seed) | 1)
    }

    /// Whether a link was found to lead into the frame.
    pub(crate) fn knows(&self, href: &str) -> bool {
        let known = |number: u64| MEMORY.with_borrow(|memory| memory.get(place(number)) == Some(&number));
        self.number(href).is_some_and(known)
    }

    /// Keeps in mind that a link leads into the frame, or to no web page.
    pub(crate) fn remember(&self, href: &str) {
        if let Some(number) = self.number(href) {
            MEMORY.with_borrow_mut(|memory| {
                memory.resize(REMEMBERED, 0);
                memory[place(number)] = number;
            });
        }
    }
}

fn place(number: u64) -> usize {
    (number >> 1) as usize % REMEMBERED
}
