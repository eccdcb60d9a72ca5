//! Every page clustering method on labelled sites: mean pairwise F1, adjusted Rand, entropy and time by suite.
//!
//! `cargo run --release -p unsite-eval --example page_methods -- ../shared/data/page-types ../shared/data/live`
//!
//! `--only thor,keyclus` runs some methods, `--sites` prints one line a site, `--train` prints the histograms that
//! `confhex` ships. `confhex` is measured leave-one-site-out, and without its URL experts where the labels were made from
//! URLs (the suite `page-types`). Rows named "sample" score the pages that its experts judge: each expert alone, and the
//! shipped model, which has seen the site.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use unsite_acquire::{Source, SourceOptions};
use unsite_discover::Site;
use unsite_discover::page_types::Options;
use unsite_dom::Limits;
use unsite_eval::{GoldSite, gold_paths, leave_one_out};
use unsite_learn::measures::clustering::{PairCounts, clustering_entropy, dense_labels};
use unsite_methods::page_types::METHODS;
use unsite_methods::page_types::confhex::{Counts, EXPERTS, Judged, Model, cluster_judged};

/// Sums over the sites of a suite.
#[derive(Default, Clone, Copy)]
struct Sum {
    sites: f64,
    f1: f64,
    rand: f64,
    entropy: f64,
    types: f64,
    seconds: f64,
}

/// What random choices start from.
const SEED: u64 = 42;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (mut only, mut paths, mut each, mut train) = (Vec::new(), Vec::new(), false, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--only" => only = arguments.next().unwrap_or_default().split(',').map(str::to_owned).collect(),
            "--sites" => each = true,
            "--train" => train = true,
            path => paths.push(PathBuf::from(path)),
        }
    }
    let wanted = |name: &str| only.is_empty() || only.iter().any(|one| one == name);
    let mut table = Table { each, ..Table::default() };
    let mut judged = Vec::new();
    for path in gold_paths(&paths)? {
        let (site, gold) = load(&path)?;
        let classes = classes(&site, &gold);
        for method in METHODS.iter().filter(|method| method.name != "confhex" && wanted(method.name)) {
            table.measure(method.name, &gold, &classes, || {
                (method.cluster)(&site, &Options { seed: SEED, ..Options::default() })
            });
        }
        if train || wanted("confhex") {
            let started = Instant::now();
            let scores = Judged::new(&site, SEED);
            table.judging += started.elapsed().as_secs_f64();
            let classes = classes.iter().map(|class| (*class).to_owned()).collect();
            judged.push(Known { path, gold: gold.clone(), scores, classes });
        }
    }
    if train {
        print_shares(&judged);
    }
    if wanted("confhex") {
        confhex(&judged, &mut table)?;
    }
    table.print();
    Ok(())
}

/// A site that the experts of CONFHEX have judged.
struct Known {
    path: PathBuf,
    gold: GoldSite,
    scores: Judged,
    /// The class of each page; empty where nobody knows it.
    classes: Vec<String>,
}

impl Known {
    fn count(&self, counts: &mut Counts) {
        counts.add(&self.scores, |page| Some(&self.classes[page]).filter(|class| !class.is_empty()));
    }
}

/// CONFHEX trained on all other sites; each of its experts alone, on the sample that they judge.
fn confhex(judged: &[Known], table: &mut Table) -> Result<(), Box<dyn Error>> {
    for fold in leave_one_out(judged.iter().map(|known| &known.gold.meta)) {
        let mut counts = Counts::default();
        fold.training.iter().for_each(|&at| judged[at].count(&mut counts));
        let model = counts.train();
        for &at in &fold.held_out {
            let Known { path, gold, scores, classes } = &judged[at];
            let (site, _) = load(path)?;
            let classes: Vec<&str> = classes.iter().map(String::as_str).collect();
            let off: &[&str] = if gold.meta.suite == "page-types" { &["url", "base-url"] } else { &[] };
            table.measure("confhex", gold, &classes, || cluster_judged(&site, scores, &model, off));
            let sampled: Vec<&str> = scores.pages.iter().map(|&page| classes[page]).collect();
            let label = |labels: Vec<u32>| labels.into_iter().map(|label| label as usize).collect();
            table.measure("confhex, sample", gold, &sampled, || label(scores.cluster(&model, off)));
            for name in EXPERTS {
                let others: Vec<&str> = EXPERTS.into_iter().filter(|expert| *expert != name).collect();
                let alone = format!("confhex, sample, {name} alone");
                table.measure(&alone, gold, &sampled, || label(scores.cluster(&model, &others)));
            }
            let shipped = Model::shipped();
            table
                .measure("confhex, sample, shipped", gold, &sampled, || label(scores.cluster(&shipped, off)));
        }
    }
    Ok(())
}

fn print_shares(judged: &[Known]) {
    let mut counts = Counts::default();
    judged.iter().for_each(|known| known.count(&mut counts));
    for (name, shares) in EXPERTS.iter().zip(counts.shares()) {
        println!("    // {name}");
        println!("    [");
        for side in shares {
            println!("        [{}],", side.map(|share| format!("{share:.3}")).join(", "));
        }
        println!("    ],");
    }
}

fn load(path: &std::path::Path) -> Result<(Site, GoldSite), Box<dyn Error>> {
    let gold = GoldSite::load(path)?;
    let source = Source::open(&path.display().to_string(), &SourceOptions::default())?;
    let mut stream = source.pages()?;
    let mut pages = Vec::new();
    while let Some(page) = stream.next_page() {
        pages.extend(page.ok());
    }
    Ok((Site::parse(pages, &Limits::default()), gold))
}

fn file_name(file: &str) -> String {
    file.rsplit('/').next().unwrap_or(file).to_owned()
}

/// The known classes by file.
fn class_of(gold: &GoldSite) -> BTreeMap<String, &str> {
    let known = gold.pages.iter().filter(|page| !matches!(page.kind(), "" | "unknown"));
    known.map(|page| (file_name(&page.file), page.kind())).collect()
}

/// The class of each page of the site; empty for pages whose class nobody knows.
fn classes<'a>(site: &Site, gold: &'a GoldSite) -> Vec<&'a str> {
    let known = class_of(gold);
    site.pages.iter().map(|page| known.get(&file_name(&page.raw.reference)).copied().unwrap_or("")).collect()
}

/// Methods in the order in which they were first measured, and their sums by suite.
#[derive(Default)]
struct Table {
    each: bool,
    judging: f64,
    methods: Vec<String>,
    sums: BTreeMap<(String, usize), Sum>,
}

impl Table {
    fn measure(
        &mut self,
        name: &str,
        gold: &GoldSite,
        classes: &[&str],
        cluster: impl FnOnce() -> Vec<usize>,
    ) {
        let started = Instant::now();
        let labels = cluster();
        let seconds = started.elapsed().as_secs_f64();
        let known = labels.iter().zip(classes).filter(|(_, class)| !class.is_empty());
        let (labels, classes): (Vec<usize>, Vec<&str>) = known.map(|(label, class)| (*label, *class)).unzip();
        let counts = PairCounts::of(&labels, &classes);
        let (f1, rand) = (counts.prf().f1, counts.adjusted_rand());
        let entropy = clustering_entropy(&labels, &classes);
        let (types, kinds) = (dense_labels(&labels).1, dense_labels(&classes).1);
        if self.each {
            let site = &gold.meta.name;
            println!(
                "{site:<32} {name:<20} F1 {f1:.3} ARI {rand:.3} H {entropy:.3} k {types}/{kinds} {seconds:.2} s"
            );
        }
        let number = self.methods.iter().position(|known| known == name).unwrap_or(self.methods.len());
        if number == self.methods.len() {
            self.methods.push(name.to_owned());
        }
        // "~" sorts behind the names of suites.
        for suite in [gold.meta.suite.clone(), "~all".to_owned()] {
            let sum = self.sums.entry((suite, number)).or_default();
            sum.sites += 1.0;
            sum.f1 += f1;
            sum.rand += rand;
            sum.entropy += entropy;
            sum.types += types as f64;
            sum.seconds += seconds;
        }
    }

    fn print(&self) {
        let mut suites: Vec<&String> = self.sums.keys().map(|key| &key.0).collect();
        suites.dedup();
        print!("| method |");
        suites
            .iter()
            .for_each(|suite| print!(" {} F1 | ARI | H | types | s |", suite.trim_start_matches('~')));
        println!("\n|---|{}", "---|".repeat(5 * suites.len()));
        for (number, name) in self.methods.iter().enumerate() {
            print!("| {name} |");
            for suite in &suites {
                let sum = self.sums.get(&((*suite).clone(), number)).copied().unwrap_or_default();
                let mean = |x: f64| x / sum.sites;
                let (f1, rand, entropy) = (mean(sum.f1), mean(sum.rand), mean(sum.entropy));
                let (types, seconds) = (mean(sum.types), mean(sum.seconds));
                print!(" {f1:.3} | {rand:.3} | {entropy:.3} | {types:.1} | {seconds:.2} |");
            }
            println!();
        }
        if self.judging > 0.0 {
            println!("\nThe experts of confhex took {:.1} s for all sites on top.", self.judging);
        }
    }
}
