//! Routing of unseen and of foreign pages.

use std::collections::BTreeMap;
use std::path::Path;

use unsite_discover::Site;
use unsite_discover::page_types::neighbours;
use unsite_dom::{Limits, RawPage, Tree};
use unsite_wrapper::Wrapper;

use super::{Outcome, learn, load, sites};

/// What each learned type is, by the labels of its training pages.
fn majority(site: &Site, wrapper: &Wrapper, label: &BTreeMap<String, String>) -> Vec<String> {
    let mut counts: Vec<BTreeMap<&str, usize>> = vec![BTreeMap::new(); wrapper.types.len()];
    for page in &site.pages {
        if let (Some(at), Some(label)) =
            (wrapper.classify(&page.raw, &page.tree), label.get(&page.raw.reference))
        {
            *counts[at].entry(label).or_default() += 1;
        }
    }
    let most = |counts: &BTreeMap<&str, usize>| {
        counts
            .iter()
            .max_by_key(|(_, count)| **count)
            .map(|(label, _)| (*label).to_owned())
            .unwrap_or_default()
    };
    counts.iter().map(most).collect()
}

#[derive(Default)]
struct Routing {
    right: usize,
    wrong: usize,
    refused: usize,
}

impl Routing {
    fn note(&mut self, routed: Option<&str>, label: &str) {
        match routed {
            None => self.refused += 1,
            Some(routed) if routed == label => self.right += 1,
            Some(_) => self.wrong += 1,
        }
    }

    fn all(&self) -> usize {
        self.right + self.wrong + self.refused
    }
}

/// Routes pages by the default classifier, with and without addresses, and by the Fourier distance.
struct Router<'w> {
    wrapper: &'w Wrapper,
    names: Vec<String>,
    fourier: neighbours::Neighbours,
    known: [Routing; 3],
    /// Of these, pages whose label is that of some learned type: the others were no known type.
    learned: Routing,
    foreign: [Routing; 3],
}

impl<'w> Router<'w> {
    fn new(site: &Site, wrapper: &'w Wrapper, labels: &BTreeMap<String, String>) -> Self {
        let type_of: Vec<usize> = site
            .pages
            .iter()
            .map(|page| wrapper.classify(&page.raw, &page.tree).unwrap_or_default())
            .collect();
        let spectra = neighbours::spectra(site, &type_of, wrapper.types.len());
        let fourier = neighbours::Neighbours::new(&spectra);
        Router {
            wrapper,
            names: majority(site, wrapper, labels),
            fourier,
            known: Default::default(),
            learned: Routing::default(),
            foreign: Default::default(),
        }
    }

    fn route(&self, page: &RawPage) -> [Option<usize>; 3] {
        let (tree, _) = Tree::parse(&page.bytes, page.charset.as_deref(), &Limits::default());
        let default = self.wrapper.recognise(&tree, &page.url).map(|found| found.page_type);
        let blind = self.wrapper.recognise(&tree, "").map(|found| found.page_type);
        [default, blind, self.fourier.classify(&tree)]
    }

    fn known(&mut self, page: &RawPage, label: &str, verbose: bool) {
        let routed = self.route(page);
        for (at, routed) in routed.iter().enumerate() {
            let name = routed.map(|at| self.names[at].as_str());
            self.known[at].note(name, label);
            if at == 0 && self.names.iter().any(|name| name == label) {
                self.learned.note(name, label);
            }
            if at == 0 && verbose && name != Some(label) {
                let info = routed.map(|at| self.wrapper.schema.page_types[at].name.as_str());
                println!("    {label:16} -> {:16} {:?} {}", name.unwrap_or("refused"), info, page.url);
            }
        }
    }

    fn foreign(&mut self, page: &RawPage) {
        let routed = self.route(page);
        for (at, routed) in routed.iter().enumerate() {
            self.foreign[at].note(routed.map(|_| ""), "");
        }
    }

    fn print(&self, name: &str) {
        let learned = self.learned.right as f64 / self.learned.all().max(1) as f64;
        println!("{name:26} of known types {learned:.4} of {}", self.learned.all());
        for (at, how) in ["default", "no address", "fourier"].iter().enumerate() {
            let (known, foreign) = (&self.known[at], &self.foreign[at]);
            println!(
                "{name:26} {how:10} types {:3} unseen {:5} right {:.4} wrong {:.4} refused {:.4} | foreign {:5} refused {:.4}",
                self.names.len(),
                known.all(),
                known.right as f64 / known.all().max(1) as f64,
                known.wrong as f64 / known.all().max(1) as f64,
                known.refused as f64 / known.all().max(1) as f64,
                foreign.all(),
                foreign.refused as f64 / foreign.all().max(1) as f64,
            );
        }
    }
}

/// Pages learned of each site of `swde`.
const LEARNED: usize = 50;

pub(super) fn mixed(data: &Path) -> Outcome {
    let (mut training, mut rest, mut labels) = (Vec::new(), Vec::new(), BTreeMap::new());
    for path in sites(data, &["swde"], "")? {
        let gold = load(&path)?;
        let every = gold.pages.len() / LEARNED;
        for (at, (mut page, _)) in gold.pages.into_iter().enumerate() {
            page.reference = format!("{}/{}", gold.name, page.reference);
            if at % every == 0 && at / every < LEARNED {
                labels.insert(page.reference.clone(), gold.name.clone());
                training.push(page);
            } else {
                rest.push((page, gold.name.clone()));
            }
        }
    }
    let (site, wrapper) = learn(training);
    let mut router = Router::new(&site, &wrapper, &labels);
    for (page, label) in &rest {
        router.known(page, label, true);
    }
    for path in sites(data, &["live"], "")? {
        for (page, _) in load(&path)?.pages.iter().step_by(10) {
            router.foreign(page);
        }
    }
    router.print("swde");
    Ok(())
}

pub(super) fn route(data: &Path, filter: &str) -> Outcome {
    let mut foreign = Vec::new();
    for path in sites(data, &["live", "swde"], "")? {
        let gold = load(&path)?;
        let step = gold.pages.len() / 20;
        foreign
            .extend(gold.pages.into_iter().step_by(step.max(1)).map(|(page, _)| (gold.name.clone(), page)));
    }
    let mut all = [Routing::default(), Routing::default(), Routing::default()];
    for path in sites(data, &["live"], filter)? {
        let gold = load(&path)?;
        let labels: BTreeMap<String, String> = gold
            .pages
            .iter()
            .filter_map(|(page, kind)| Some((page.reference.clone(), kind.clone()?)))
            .collect();
        let training: Vec<RawPage> = gold.pages.iter().step_by(2).map(|(page, _)| page.clone()).collect();
        let (site, wrapper) = learn(training);
        let mut router = Router::new(&site, &wrapper, &labels);
        for (page, kind) in gold.pages.iter().skip(1).step_by(2) {
            if let Some(kind) = kind {
                router.known(page, kind, !filter.is_empty());
            }
        }
        for (_, page) in foreign.iter().filter(|(name, _)| *name != gold.name) {
            router.foreign(page);
        }
        router.print(&gold.name);
        for (sum, one) in all.iter_mut().zip([&router.known[0], &router.foreign[0], &router.learned]) {
            sum.right += one.right;
            sum.wrong += one.wrong;
            sum.refused += one.refused;
        }
    }
    println!(
        "all: right {:.4} of {}, foreign refused {:.4} of {}",
        all[0].right as f64 / all[0].all() as f64,
        all[0].all(),
        all[1].refused as f64 / all[1].all() as f64,
        all[1].all()
    );
    println!("all: of known types {:.4} of {}", all[2].right as f64 / all[2].all() as f64, all[2].all());
    Ok(())
}
