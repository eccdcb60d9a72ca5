//! What the benchmarks share; each uses a part of it.
#![allow(dead_code)]

use std::fs;
use std::time::Instant;

use rayon::prelude::*;
use unsite_dom::{Limits, RawPage, Tree};
use unsite_sample::{Knobs, Site};

/// About a thousand pages of a generated shop, with a few hundred more in some: each seed is another shop with the same
/// templates.
pub(crate) fn shop(seed: u64) -> Site {
    Site::generate(&Knobs { seed, books: 640, authors: 220, queries: 30, ..Knobs::default() })
}

/// A generated page as it would be read.
pub(crate) fn raw(seed: u64, page: &unsite_sample::SamplePage) -> RawPage {
    RawPage {
        url: page.url.clone(),
        reference: format!("{seed}/{}", page.url),
        bytes: page.html.clone().into_bytes(),
        ..RawPage::default()
    }
}

/// The seconds that html5ever takes to parse pages on all cores: the baseline, which does not move when our own parser does.
pub(crate) fn bare_parsing(pages: &[RawPage]) -> f64 {
    let start = Instant::now();
    let limits = Limits::default();
    // The trees are kept, as those of a site are.
    let tree = |page: &RawPage| Tree::parse_with_html5ever(&page.bytes, None, &limits).0;
    let trees: Vec<Tree> = pages.par_iter().map(tree).collect();
    let seconds = start.elapsed().as_secs_f64();
    drop(trees);
    seconds
}

/// Memory of this process in bytes, where the system says so: now, and the most so far.
pub(crate) fn memory() -> Option<(f64, f64)> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? * 1024.0)
    };
    Some((field("VmRSS:")?, field("VmHWM:")?))
}
