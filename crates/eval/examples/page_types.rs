//! Measures the default page clustering on gold sites, leave one site out, and writes the model that comes with the program.
//!
//! `cargo run --release -p unsite-eval --example page_types -- DATA [--train FILE] [--only A,B] [--without A,B]
//! [--methods A,B] [--details SITE] [--experts] [--mix] [--answers] SUITE...` where DATA holds the suites of gold sites.
//! `--mix` throws the pages of eight sites of `swde` together, `--answers` clusters the pages that answer a search alone.
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs, clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use unsite_discover::Site;
use unsite_discover::evidence::Model;
use unsite_discover::experts::EXPERTS;
use unsite_discover::page_types::Options;
use unsite_discover::page_types::auto::{GoldTypes, Typing, train, training_pairs};
use unsite_dom::{Limits, RawPage};
use unsite_learn::measures::clustering::{PairCounts, clustering_entropy};
use unsite_methods::page_types as methods;

struct Loaded {
    suite: String,
    name: String,
    group: String,
    site: Site,
    types: Vec<Option<String>>,
    parsed_in: f64,
}

/// Labels of these sites were made from addresses.
const LABELS_FROM_URLS: [&str; 3] = ["asp", "questions", "users"];

fn load(path: &Path) -> Result<Loaded, Box<dyn Error>> {
    let gold = unsite_eval::GoldSite::load(path)?;
    let file = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    let kinds: BTreeMap<String, Option<String>> = gold
        .pages
        .iter()
        .map(|page| (file(&page.file), page.page_type.clone().filter(|kind| kind != "unknown")))
        .collect();
    let source = unsite_acquire::Source::open(&path.to_string_lossy(), &Default::default())?;
    let mut pages: Vec<RawPage> = Vec::new();
    let mut stream = source.pages()?;
    while let Some(page) = stream.next_page() {
        pages.extend(page.ok());
    }
    let start = Instant::now();
    let site = Site::parse(pages, &Limits::default());
    let parsed_in = start.elapsed().as_secs_f64();
    let types =
        site.pages.iter().map(|page| kinds.get(&file(&page.raw.reference)).cloned().flatten()).collect();
    // The same host is the same site, whatever the set is called; so are versions of one documentation.
    let host = site.urls().first().and_then(|url| url.split('/').nth(2)).unwrap_or_default().to_owned();
    let group = if gold.meta.name.starts_with("apidoc_rustdoc") { "apidoc_rustdoc".to_owned() } else { host };
    let suite = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    Ok(Loaded { suite: suite.unwrap_or_default(), name: gold.meta.name, group, site, types, parsed_in })
}

struct Score {
    f1: f64,
    precision: f64,
    recall: f64,
    ari: f64,
    entropy: f64,
    found: usize,
    kinds: usize,
}

fn score(labels: &[usize], types: &[Option<String>]) -> Score {
    let known: Vec<(usize, &String)> =
        labels.iter().zip(types).filter_map(|(&label, kind)| Some((label, kind.as_ref()?))).collect();
    let (found, gold): (Vec<usize>, Vec<&String>) = known.into_iter().unzip();
    let counts = PairCounts::of(&found, &gold);
    let prf = counts.prf();
    let distinct = |n: &mut Vec<usize>| {
        n.sort_unstable();
        n.dedup();
        n.len()
    };
    let mut kinds = gold.clone();
    kinds.sort_unstable();
    kinds.dedup();
    Score {
        f1: prf.f1,
        precision: prf.precision,
        recall: prf.recall,
        ari: counts.adjusted_rand(),
        entropy: clustering_entropy(&found, &gold),
        found: distinct(&mut found.clone()),
        kinds: kinds.len(),
    }
}

fn list(text: Option<String>) -> Vec<String> {
    text.map(|text| text.split(',').map(str::to_owned).collect()).unwrap_or_default()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (mut data, mut suites) = (None, Vec::new());
    let (mut output, mut only, mut without, mut details, mut names) = (None, None, None, None, None);
    let (mut each_expert, mut mix, mut answers) = (false, false, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--train" => output = arguments.next(),
            "--only" => only = arguments.next(),
            "--without" => without = arguments.next(),
            "--details" => details = arguments.next(),
            "--methods" => names = arguments.next(),
            "--experts" => each_expert = true,
            "--mix" => mix = true,
            "--answers" => answers = true,
            _ if data.is_none() => data = Some(PathBuf::from(argument)),
            _ => suites.push(argument),
        }
    }
    let data = data.ok_or("where are the gold sites?")?;
    let mut paths = Vec::new();
    for suite in &suites {
        paths.extend(unsite_eval::gold_paths(&[data.join(suite)])?);
    }
    let (only, without) = (list(only), list(without));
    let mut sites = Vec::new();
    let mut gold: Vec<GoldTypes> = Vec::new();
    for path in &paths {
        let loaded = load(path)?;
        let urls: &[&str] = &["url"];
        let blind = if LABELS_FROM_URLS.contains(&loaded.name.as_str()) { urls } else { &[] };
        let pairs = training_pairs(&loaded.site, &loaded.types, blind);
        gold.push(GoldTypes { name: loaded.name.clone(), group: loaded.group.clone(), pairs });
        sites.push(loaded);
    }
    eprintln!(
        "{} sites parsed in {:.1} s",
        sites.len(),
        sites.iter().map(|site| site.parsed_in).sum::<f64>()
    );
    if let Some(output) = output {
        std::fs::write(output, serde_json::to_string(&train(&gold, None))?)?;
    }
    let mut runs: Vec<(String, Vec<String>, Option<&'static methods::Method>)> = Vec::new();
    match (&names, each_expert) {
        (Some(_), _) => {
            runs.extend(list(names).iter().map(|name| (name.clone(), Vec::new(), methods::method(name))))
        }
        (None, true) => {
            runs.push(("all".into(), Vec::new(), None));
            runs.extend(EXPERTS.iter().map(|expert| (expert.name.into(), vec![expert.name.into()], None)));
        }
        (None, false) => runs.push(("auto".into(), only.clone(), None)),
    }
    let summary = runs.len() > 1;
    let models: BTreeMap<&str, Arc<Model>> = sites
        .iter()
        .map(|site| site.group.as_str())
        .map(|group| (group, Arc::new(train(&gold, Some(group)))))
        .collect();
    for (name, only, method) in runs {
        let mut sums: BTreeMap<&str, [f64; 3]> = BTreeMap::new();
        let (mut whole, mut one_type, mut time) = (0, 0, 0.0);
        for loaded in &sites {
            let mut without = without.clone();
            if LABELS_FROM_URLS.contains(&loaded.name.as_str()) {
                without.push("url".into());
            }
            let model = models.get(loaded.group.as_str()).filter(|_| method.is_none()).cloned();
            let options = Options { seed: 42, only: only.clone(), without, model, ..Options::default() };
            let start = Instant::now();
            let (labels, typing) = match method {
                Some(method) => ((method.cluster)(&loaded.site, &options), None),
                None => {
                    let typing = Typing::of(&loaded.site, &options);
                    (typing.type_of.clone(), Some(typing))
                }
            };
            let seconds = start.elapsed().as_secs_f64();
            time += seconds;
            let score = score(&labels, &loaded.types);
            let sum = sums.entry(loaded.suite.as_str()).or_default();
            for (sum, value) in sum.iter_mut().zip([score.f1, score.ari, 1.0]) {
                *sum += value;
            }
            if score.kinds == 1 {
                one_type += 1;
                whole += usize::from(score.found == 1);
            }
            if !summary {
                println!(
                    "{:11} {:29} n {:4} k {:2}/{:2} P {:.3} R {:.3} F1 {:.3} ARI {:.3} H {:.3}  {:.2} s, parsed {:.2} s",
                    loaded.suite,
                    loaded.name,
                    labels.len(),
                    score.found,
                    score.kinds,
                    score.precision,
                    score.recall,
                    score.f1,
                    score.ari,
                    score.entropy,
                    seconds,
                    loaded.parsed_in
                );
            }
            if let Some(typing) =
                typing.filter(|_| details.as_deref().is_some_and(|name| loaded.name.contains(name)))
            {
                show(loaded, &typing);
            }
        }
        println!(
            "{name}: {}",
            sums.iter()
                .map(|(suite, s)| format!("{suite} F1 {:.4} ARI {:.4}", s[0] / s[2], s[1] / s[2]))
                .collect::<Vec<_>>()
                .join("; ")
        );
        let typed = sums
            .iter()
            .filter(|(suite, _)| **suite != "swde")
            .fold([0.0; 3], |all, (_, s)| [all[0] + s[0], all[1] + s[1], all[2] + s[2]]);
        println!(
            "{name}: mean without swde F1 {:.4} ARI {:.4}; {whole} of {one_type} one-type sites whole; {time:.1} s",
            typed[0] / typed[2],
            typed[1] / typed[2]
        );
    }
    if answers {
        answer_pages(&sites, &models);
    }
    if mix {
        mixed(&data, &gold)?;
    }
    Ok(())
}

/// THOR's experiment: the pages that answer a search, clustered by themselves.
fn answer_pages(sites: &[Loaded], models: &BTreeMap<&str, Arc<Model>>) {
    let kinds = ["results", "single", "none"];
    let is_answer = |kind: &Option<String>| {
        kind.as_ref()
            .is_some_and(|kind| kind.contains("search_") && kinds.iter().any(|end| kind.ends_with(end)))
    };
    let mut sums: BTreeMap<&str, [f64; 4]> = BTreeMap::new();
    for loaded in sites {
        let chosen: Vec<usize> = (0..loaded.types.len()).filter(|&at| is_answer(&loaded.types[at])).collect();
        if chosen.is_empty() {
            continue;
        }
        let model = models.get(loaded.group.as_str()).cloned();
        let options = Options { model, ..Options::default() };
        let among_all = Typing::of(&loaded.site, &options).type_of;
        let types: Vec<Option<String>> = chosen.iter().map(|&at| loaded.types[at].clone()).collect();
        let among_all = score(&chosen.iter().map(|&at| among_all[at]).collect::<Vec<_>>(), &types);
        let pages = chosen.iter().map(|&at| loaded.site.pages[at].raw.clone()).collect();
        let site = Site::parse(pages, &Limits::default());
        let typing = Typing::of(&site, &options);
        let alone = score(&typing.type_of, &types);
        // THOR's classes: whatever was searched for, there are many answers, one or none.
        let class =
            |kind: &Option<String>| kind.as_ref().and_then(|kind| kind.rsplit('_').next()).map(str::to_owned);
        let of_three = score(&typing.type_of, &types.iter().map(class).collect::<Vec<_>>());
        println!(
            "answers of {:29} n {:3} k {}/{} entropy {:.4} (of three classes {:.4}) ARI {:.3}; among all pages: k {} entropy {:.4}",
            loaded.name,
            chosen.len(),
            alone.found,
            alone.kinds,
            alone.entropy,
            of_three.entropy,
            alone.ari,
            among_all.found,
            among_all.entropy
        );
        print_types(&typing, &types);
        let here = [alone.entropy, of_three.entropy, among_all.entropy, 1.0];
        sums.entry(&loaded.suite).or_default().iter_mut().zip(here).for_each(|(sum, here)| *sum += here);
    }
    for (suite, [alone, of_three, among_all, count]) in sums {
        println!(
            "answers of {suite}: mean entropy {:.4} (of three classes {:.4}), among all pages {:.4}, over {count} sites",
            alone / count,
            of_three / count,
            among_all / count
        );
    }
}

/// Pages of eight sites of `swde` thrown together, one of each vertical, and each site alone: its pages are one type.
fn mixed(data: &Path, gold: &[GoldTypes]) -> Result<(), Box<dyn Error>> {
    let paths = unsite_eval::gold_paths(&[data.join("swde")])?;
    let model = Some(Arc::new(train(gold, None)));
    let settings: [&[&str]; 2] = [&[], &["url"]];
    let options = settings.map(|without| {
        let without = without.iter().map(|&name| name.to_owned()).collect();
        Options { model: model.clone(), without, ..Options::default() }
    });
    let mut whole = [0, 0];
    for first in 0..5 {
        let (mut pages, mut labels) = (Vec::new(), BTreeMap::new());
        for (at, path) in paths.iter().skip(first).step_by(5).take(8).enumerate() {
            let loaded = load(path)?;
            for (options, whole) in options.iter().zip(&mut whole) {
                let typing = Typing::of(&loaded.site, options);
                *whole += usize::from(typing.types.len() == 1);
                if typing.types.len() > 1 {
                    println!("{} alone without {:?}:", loaded.name, options.without);
                    typing.types.iter().for_each(|kind| println!("    {kind:?}"));
                }
            }
            for page in loaded.site.pages {
                labels.insert(format!("{at}/{}", page.raw.reference), loaded.name.clone());
                pages.push(RawPage { reference: format!("{at}/{}", page.raw.reference), ..page.raw });
            }
        }
        let site = Site::parse(pages, &Limits::default());
        let types: Vec<Option<String>> =
            site.pages.iter().map(|page| labels.get(&page.raw.reference).cloned()).collect();
        for options in &options {
            let typing = Typing::of(&site, options);
            let found = score(&typing.type_of, &types);
            println!(
                "mix {first} without {:?}: k {}/{} P {:.4} R {:.4} ARI {:.4}",
                options.without, found.found, found.kinds, found.precision, found.recall, found.ari
            );
            if found.ari < 1.0 {
                print_types(&typing, &types);
            }
        }
    }
    println!("{} of {} sites alone are one type, {} without addresses", whole[0], paths.len(), whole[1]);
    Ok(())
}

/// What is in each type.
fn print_types(typing: &Typing, gold: &[Option<String>]) {
    for (at, kind) in typing.types.iter().enumerate() {
        let mut held: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, gold) in typing.type_of.iter().zip(gold).filter(|(found, _)| **found == at) {
            *held.entry(gold.as_deref().unwrap_or("?")).or_default() += 1;
        }
        println!("    {:20} {:40} {:.2} {held:?}", kind.name, kind.url_pattern, kind.confidence);
    }
}

fn show(loaded: &Loaded, typing: &Typing) {
    print_types(typing, &loaded.types);
    if let Some(why) = typing.types.last().and_then(|kind| typing.why(&loaded.site, *kind.typical.first()?)) {
        println!("    why: own {:.2} other {:?}", why.own, why.other);
        for opinion in why.opinions {
            println!(
                "      {:14} {:?} {:+.2} | {:?} {:+.2}",
                opinion.expert, opinion.own, opinion.own_odds, opinion.other, opinion.other_odds
            );
        }
    }
}
