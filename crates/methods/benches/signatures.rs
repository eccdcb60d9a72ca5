//! THOR's synthetic experiment: very many tag signatures drawn from the classes' distributions.
//!
//! `cargo bench -p unsite-methods --bench signatures -- [SIGNATURES]` learns page types from a sample and assigns
//! 55,000, 550,000 and 5,500,000 signatures (or up to the number given), each drawn when its turn comes. The drawing is
//! timed apart, and so is the learning, which costs the same for every size. A signature takes a class of a generated shop, as often as its pages come, and for every tag the count
//! of some page of the class, each tag from another page: the class distributions, as if tags were independent.
#![allow(missing_docs, clippy::print_stdout, clippy::disallowed_types, clippy::disallowed_methods)]

#[path = "../../discover/benches/support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

use support::{memory, raw, shop};
use unsite_discover::Site;
use unsite_discover::page_types::Options;
use unsite_dom::Limits;
use unsite_learn::entropy::shannon;
use unsite_learn::rng::Rng;
use unsite_learn::tfidf::SparseVec;
use unsite_methods::page_types::thor::{SignatureTypes, tag_counts};

const SIZES: [usize; 3] = [55_000, 550_000, 5_500_000];
/// Signatures that the centres are learnt from, as in the method `thor`.
const LEARNT: usize = 2_000;

fn main() {
    let most = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(SIZES[SIZES.len() - 1]);
    let classes = Classes::of_shop();
    println!(
        "{} classes of {} pages",
        classes.pages.len(),
        classes.pages.iter().map(Vec::len).sum::<usize>()
    );
    println!("{:>9} {:>8} {:>8} {:>8} {:>6}", "signat.", "ns each", "entropy", "MiB", "types");
    let mut first: Option<f64> = None;
    for size in SIZES.into_iter().filter(|&size| size <= most) {
        let mut rng = Rng::new(42);
        let start = Instant::now();
        let sample: Vec<SparseVec> = (0..LEARNT).map(|_| classes.draw(&mut rng).1).collect();
        let types = SignatureTypes::learn(&sample, &Options { seed: 42, ..Options::default() });
        let learning = start.elapsed().as_secs_f64();
        // The same numbers are drawn twice: once to know what drawing costs, once to assign.
        let start = Instant::now();
        let mut rng = Rng::new(7);
        (0..size).for_each(|_| _ = black_box(classes.draw(&mut rng)));
        let drawing = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let mut rng = Rng::new(7);
        let mut table: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for _ in 0..size {
            let (class, signature) = classes.draw(&mut rng);
            let row = table.entry(types.assign(&signature)).or_insert_with(|| vec![0.0; classes.pages.len()]);
            row[class] += 1.0;
        }
        let assigning = start.elapsed().as_secs_f64() - drawing;
        let each = assigning * 1e9 / size as f64;
        let flat = each / *first.get_or_insert(each);
        let mib = memory().map_or("?".into(), |(_, most)| format!("{:.0}", most / 1048576.0));
        let entropy = entropy(&table, classes.pages.len());
        println!(
            "{size:>9} {each:>8.0} {entropy:>8.4} {mib:>8} {:>6}   time each, over the smallest: {flat:.2}; learning once: {:.0} ms",
            table.len(),
            learning * 1e3
        );
    }
}

/// THOR's `H(C)`: the entropy of the classes in each type, weighted by the type's size.
fn entropy(table: &BTreeMap<usize, Vec<f64>>, classes: usize) -> f64 {
    let total: f64 = table.values().flatten().sum();
    table
        .values()
        .map(|row| row.iter().sum::<f64>() / total * shannon(row.iter().copied(), classes as f64))
        .sum()
}

/// The signatures of pages by class.
struct Classes {
    pages: Vec<Vec<SparseVec>>,
    /// The tags of each class.
    tags: Vec<Vec<u32>>,
    total: usize,
}

impl Classes {
    fn of_shop() -> Classes {
        let shop = shop(1);
        let site = Site::parse(shop.pages.iter().map(|page| raw(1, page)).collect(), &Limits::default());
        let mut by_route: BTreeMap<String, Vec<SparseVec>> = BTreeMap::new();
        for (page, counts) in site.pages.iter().zip(tag_counts(&site)) {
            let route = page.raw.url.split(['/', '?']).nth(3).unwrap_or_default().to_owned();
            by_route.entry(route).or_default().push(counts);
        }
        let pages: Vec<Vec<SparseVec>> = by_route.into_values().collect();
        let tags = pages.iter().map(|pages| {
            let mut tags: Vec<u32> =
                pages.iter().flat_map(|page| page.entries().iter().map(|tag| tag.0)).collect();
            tags.sort_unstable();
            tags.dedup();
            tags
        });
        Classes { tags: tags.collect(), total: pages.iter().map(Vec::len).sum(), pages }
    }

    fn draw(&self, rng: &mut Rng) -> (usize, SparseVec) {
        let mut at = rng.below(self.total);
        let mut class = 0;
        while at >= self.pages[class].len() {
            at -= self.pages[class].len();
            class += 1;
        }
        let pages = &self.pages[class];
        let count = |&tag: &u32| {
            let page = &pages[rng.below(pages.len())];
            let found = page.entries().binary_search_by_key(&tag, |entry| entry.0).ok()?;
            Some(page.entries()[found])
        };
        (class, SparseVec::new(self.tags[class].iter().filter_map(count).collect()))
    }
}
