//! How the time of roles grows with the links, and what roles and regions cost against parsing.
//!
//! Prints, for every ranking, the time on 1,000,000 links over eight times that on 125,000: 1 is linear. Then the time of roles,
//! informative blocks, main texts and answers on generated sites over the time in which html5ever parses the same pages, in the same run: each
//! by itself, and roles, informative blocks (which find the main texts of all pages but indexes) and answers together. All of it
//! uses as many cores as parsing does. Best of several rounds, which is the one least disturbed.
#![allow(missing_docs, clippy::print_stdout, clippy::disallowed_types, clippy::disallowed_methods)]

mod support;

use std::hint::black_box;
use std::time::Instant;

use rayon::prelude::*;
use support::bare_parsing;
use unsite_discover::Site;
use unsite_discover::regions::{pagelets, site_regions, type_texts};
use unsite_discover::roles::{self, METHODS, PageLink, Role, Roles, SiteLinks, TypeRole};
use unsite_dom::{Limits, RawPage, Terms, Tree};
use unsite_sample::{Knobs, Language, news_site};

const ROUNDS: usize = 20;
const RANKING_ROUNDS: usize = 3;
const LINKS: usize = 1_000_000;
const TYPES: usize = 7;

fn main() {
    let (small, large) = (graph(LINKS / 8), graph(LINKS));
    for method in METHODS {
        let time = |links: &SiteLinks| seconds(RANKING_ROUNDS, || method.rank(links).len());
        let ratio = time(&large) / (8.0 * time(&small));
        println!("{}: time on {LINKS} links over 8 times that on {}: {ratio:.2}", method.name, LINKS / 8);
    }
    let (news, _) = news_site(Language::En, 300, 1);
    against_parsing("news", news.into_iter().map(|page| (page.url, page.html)).collect());
    let shop = unsite_sample::Site::generate(&Knobs { books: 250, queries: 25, ..Knobs::default() });
    against_parsing("shop", shop.pages.into_iter().map(|page| (page.url, page.html)).collect());
}

/// Ten links a page, a fifth of them to a small frame; drawn by a multiplicative generator, so always the same.
fn graph(links: usize) -> SiteLinks {
    let pages = links / 10;
    let mut state = 1u64;
    let mut draw = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize % bound.max(1)) as u32
    };
    let links = (0..links).map(|at| {
        let from = (at / 10) as u32;
        let to = if at % 5 == 0 { draw(20) } else { draw(pages) };
        let entropy = f64::from(draw(1000)) / 1000.0;
        PageLink { from, block: 2 * from + at as u32 % 2, to, terms: 1 + at % 7, entropy }
    });
    let links: Vec<PageLink> = links.filter(|link| link.from != link.to).collect();
    SiteLinks {
        pages,
        targets: pages,
        block_page: (0..2 * pages as u32).map(|block| block / 2).collect(),
        links,
    }
}

/// The time of each stage on the pages over that of parsing them.
fn against_parsing(name: &str, pages: Vec<(String, String)>) {
    let raw: Vec<RawPage> = pages
        .into_iter()
        .map(|(url, html)| RawPage { url, bytes: html.into_bytes(), ..RawPage::default() })
        .collect();
    let parsing = (0..ROUNDS).map(|_| bare_parsing(&raw)).fold(f64::INFINITY, f64::min);
    let site = Site::parse(raw, &Limits::default());
    // Types by the first step of the address: the clustering is not what is measured here.
    let kind = |url: &str| {
        url.split('/').nth(3).map_or(0, |step| step.bytes().map(usize::from).sum::<usize>() % TYPES)
    };
    let type_of: Vec<usize> = site.urls().into_iter().map(kind).collect();
    let terms = Terms::new();
    let roles = || roles::learn(&site, &type_of, TYPES);
    let regions = |roles: &Roles| {
        let is_index = |found: &TypeRole| matches!(found.role, Role::Index | Role::Search);
        let is_index: Vec<bool> = roles.types.iter().map(is_index).collect();
        site_regions(&site, &type_of, &is_index).pages.len()
    };
    let main_texts = || -> usize {
        let texts = type_texts(&site, &type_of, TYPES);
        let pages = site.pages.par_iter().zip(&type_of);
        pages.map(|(page, &at)| texts[at].main_text(&page.tree, &terms).len()).sum()
    };
    let trees = |of: usize| -> Vec<&Tree> {
        let pages = site.pages.iter().zip(&type_of).filter(|(_, at)| **at == of);
        pages.map(|(page, _)| &page.tree).collect()
    };
    let answers = |of: usize| pagelets(&trees(of), &terms).pages.len();
    let found = roles();
    // Pages of answers, as `unsite regions --pagelets` takes them; where a site has none, those of its first page's type.
    let is_search = |at: &usize| matches!(found.types[*at].role, Role::Search | Role::NoMatch);
    let mut answered: Vec<usize> = (0..TYPES).filter(is_search).collect();
    if answered.is_empty() {
        answered.push(type_of[0]);
    }
    let stages: [(&str, &dyn Fn() -> usize); 5] = [
        ("roles", &|| roles().types.len()),
        ("informative blocks", &|| regions(&found)),
        ("main texts", &main_texts),
        ("answers", &|| answered.iter().map(|&at| answers(at)).sum()),
        ("roles, informative blocks with main texts, and answers together", &|| {
            let found = roles();
            regions(&found) + answered.iter().map(|&at| answers(at)).sum::<usize>()
        }),
    ];
    for (stage, run) in stages {
        println!("{name}: {stage} over parsing: {:.2}", seconds(ROUNDS, run) / parsing);
    }
}

fn seconds(rounds: usize, run: impl Fn() -> usize) -> f64 {
    let once = |_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..rounds).map(once).fold(f64::INFINITY, f64::min)
}
