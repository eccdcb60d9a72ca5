//! What finding page types adds to parsing, for sites from 1,000 pages up.
//!
//! `cargo bench -p unsite-discover --bench page_types -- [PAGES] [small]` prints for each size the time of clustering over
//! the time in which html5ever parses the same pages in the same run, both per page, and by how much memory grew; PAGES is the largest
//! size, 50,000 unless given. Pages have about 25 KB, as those of the live sites do on average, most of it a frame; `small`
//! leaves the frame away, which makes what a site costs once weigh five times as much. Only ratios mean something on a
//! busy machine.
#![allow(missing_docs, clippy::print_stdout, clippy::disallowed_types, clippy::disallowed_methods)]

mod support;

use std::time::Instant;

use support::{bare_parsing, memory, raw, shop};
use unsite_discover::Site;
use unsite_discover::page_types::Options;
use unsite_discover::page_types::auto::Typing;
use unsite_dom::{Limits, RawPage};

const SIZES: [usize; 6] = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000];
/// Rounds for small sizes; the best time counts, which is the one least disturbed.
const ROUNDS: usize = 5;

fn main() {
    // `cargo bench` hands on a flag of its own.
    let is_small = std::env::args().any(|word| word == "small");
    let most = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(SIZES[SIZES.len() - 1]);
    println!(
        "{:>7} {:>12} {:>10} {:>10} {:>7} {:>11} {:>6}",
        "pages", "html5ever us", "parse us", "types us", "ratio", "bytes/page", "types"
    );
    let mut first: Option<f64> = None;
    for size in SIZES.into_iter().filter(|&size| size <= most) {
        let pages = pages(size, is_small);
        let (mut bare, mut parse, mut cluster) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        let (mut bytes, mut types) = (None, 0);
        let rounds = if size <= 5_000 { ROUNDS } else { 1 };
        for _ in 0..rounds {
            bare = bare.min(bare_parsing(&pages));
            let copy = pages.clone();
            let start = Instant::now();
            let site = Site::parse(copy, &Limits::default());
            parse = parse.min(start.elapsed().as_secs_f64());
            let before = memory();
            let start = Instant::now();
            let typing = Typing::of(&site, &Options::default());
            cluster = cluster.min(start.elapsed().as_secs_f64());
            types = typing.types.len();
            // What was needed at most, above what parsing had needed; the first round, before anything is used again.
            if let (None, Some((now, most)), Some((_, after))) = (bytes, before, memory()) {
                bytes = Some((after - now.max(most)).max(0.0) / size as f64);
            }
        }
        let per_page = |seconds: f64| seconds * 1e6 / size as f64;
        let total = per_page(parse + cluster);
        let flat = total / *first.get_or_insert(total);
        println!(
            "{size:>7} {:>12.0} {:>10.0} {:>10.0} {:>7.2} {:>11} {types:>6}   parse and types per page, over the smallest size: {flat:.2}",
            per_page(bare),
            per_page(parse),
            per_page(cluster),
            cluster / bare,
            bytes.map_or("?".into(), |bytes| format!("{bytes:.0}")),
        );
    }
}

fn pages(size: usize, is_small: bool) -> Vec<RawPage> {
    let frame = if is_small { String::new() } else { frame() };
    let framed = |mut page: RawPage| {
        page.bytes.extend_from_slice(frame.as_bytes());
        page
    };
    let mut pages = Vec::with_capacity(size);
    for seed in 1.. {
        let site = shop(seed);
        let framed = site.pages.iter().map(|page| framed(raw(seed, page)));
        pages.extend(framed.take(size - pages.len()));
        if pages.len() == size {
            break;
        }
    }
    pages
}

/// What real pages carry beside what they say: styles, and a menu of the whole site. Behind the end of the body, where
/// parsers take it for a part of it.
fn frame() -> String {
    let rule =
        |at: usize| format!(".block-{at} {{ margin: 0 {at}px; padding: {at}px 0; color: #{at:03}; }}\n");
    let entry = |at: usize| {
        format!("<li class=\"menu-item\"><a href=\"/theme/{at}\">Books about subject {at}</a></li>\n")
    };
    let (styles, menu) = ((0..90).map(rule).collect::<String>(), (0..160).map(entry).collect::<String>());
    format!("<style>{styles}</style><nav class=\"all-themes\"><ul>{menu}</ul></nav>")
}
