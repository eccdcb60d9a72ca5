//! Trains the data experts on gold sites and writes the model.
//!
//! `cargo run --release -p unsite-eval --example data_experts -- OUTPUT.json GOLD...` where GOLD are gold sites and
//! folders of them. Prints what each expert's highest and lowest scores are worth.
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs, clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use unsite_dom::{Limits, RawPage, Tree};
use unsite_learn::measures::text_match::norm;
use unsite_methods::data::{DATA_PAGES, DataCounts, labelled_pairs};

type Pairs = Vec<(Vec<Option<f64>>, bool)>;

/// The labelled pairs of one site, over a few pages of each type.
fn pairs(path: &Path) -> Result<Pairs, Box<dyn Error>> {
    let gold = unsite_eval::GoldSite::load(path)?;
    let file = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    let mut kinds: BTreeMap<&str, Vec<&unsite_eval::GoldPage>> = BTreeMap::new();
    for page in gold.pages.iter().filter(|page| page.fields.iter().next().is_some()) {
        kinds.entry(page.kind()).or_default().push(page);
    }
    let mut wanted: BTreeMap<String, (usize, &unsite_eval::GoldPage)> = BTreeMap::new();
    for (kind, pages) in kinds.values().enumerate() {
        let count = pages.len().min(DATA_PAGES);
        for at in 0..count {
            let page = pages[at * pages.len() / count];
            wanted.insert(file(&page.file), (kind, page));
        }
    }
    let source = unsite_acquire::Source::open(&path.to_string_lossy(), &Default::default())?;
    let mut stream = source.pages()?;
    let mut read: BTreeMap<usize, Vec<(Tree, &unsite_eval::GoldPage)>> = BTreeMap::new();
    while let Some(page) = stream.next_page() {
        let Ok(RawPage { reference, bytes, charset, .. }) = page else { continue };
        if let Some((kind, gold)) = wanted.get(&file(&reference)) {
            let (tree, _) = Tree::parse(&bytes, charset.as_deref(), &Limits::default());
            read.entry(*kind).or_default().push((tree, gold));
        }
    }
    let mut all = Vec::new();
    for pages in read.values() {
        let trees: Vec<&Tree> = pages.iter().map(|page| &page.0).collect();
        let labels: Vec<BTreeMap<String, &str>> = pages
            .iter()
            .map(|(_, gold)| {
                let fields = gold.fields.iter();
                fields
                    .flat_map(|(name, values)| values.iter().map(move |value| (norm(value.as_str()), name)))
                    .collect()
            })
            .collect();
        all.extend(labelled_pairs(&trees, |page, text| labels[page].get(&norm(text)).copied()));
    }
    Ok(all)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let output = arguments.next().ok_or("give OUTPUT.json and gold sites")?;
    let gold: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let mut counts = DataCounts::default();
    let mut sites = 0;
    for path in unsite_eval::gold_paths(&gold)? {
        let pairs = pairs(&path)?;
        let same = pairs.iter().filter(|pair| pair.1).count();
        eprintln!("{}: {} pairs, {same} of one field", path.display(), pairs.len());
        if same > 0 {
            sites += 1;
            counts.add_site(pairs);
        }
    }
    let model = counts.train(&format!("{sites} labelled sites, up to {DATA_PAGES} pages of each type"));
    for (name, histograms) in model.experts.iter().zip(&model.histograms) {
        println!("{name:14} {:6.2} {:6.2}", histograms.log_odds(Some(0.0)), histograms.log_odds(Some(1.0)));
    }
    std::fs::write(output, serde_json::to_string(&model)? + "\n")?;
    Ok(())
}
