//! Fits the weights of the default page roles, and measures them on sites that the fit has not seen.
//!
//! `cargo run --release -p unsite-eval --example roles_weights -- TRAITS...` where TRAITS were written by
//! `--example roles -- --dump TRAITS GOLD...`. Designs of one site are left out together. For each site it prints R-precision,
//! and the share of the labelled pages that are on the right side of the site's mean page, answers to searches aside.
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs, clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::error::Error;

use unsite_wrapper::LEADS_NOWHERE;

/// How much the type counts against the page; the best of .5, .7, .8 and .9 on the left-out sites, with the shipped figures in view.
const TYPE_SHARE: f64 = 0.9;

/// The ridge on standardised traits; the best of .015, .025 and .04 on the left-out sites, with the shipped figures in view.
const RIDGE: f64 = 0.015;

/// How much of a site's mean is taken off its pages: how link-laden pages are differs more between sites than between the
/// roles of one site. The best of 0, .3, .5, .7, .85 and 1 on the left-out sites, with the shipped figures in view.
const CENTRED: f64 = 0.3;

/// Whether a trait speaks for an index page or against it, in the order of the traits and then the rank by LAMIS. A trait to
/// which a fit gives the other sign is left out of it: few sites make traits that go together take each other's place.
const SPEAKS: [f64; 14] = [1., 1., 1., 1., -1., -1., 1., 1., 1., -1., -1., -1., 1., 1.];

struct Page {
    site: String,
    group: String,
    kind: String,
    index: Option<bool>,
    answers_search: bool,
    traits: Vec<f64>,
    /// Leads to no page outside the frame.
    leads_nowhere: f64,
    weight: f64,
}

/// Weights, the bias last.
type Weights = Vec<f64>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut pages = Vec::new();
    for path in std::env::args().skip(1) {
        for line in std::fs::read_to_string(path)?.lines() {
            pages.extend(page(line));
        }
    }
    mix_and_weigh(&mut pages);
    let means = centre(&mut pages);
    let (labelled, all) = (pages.iter().filter(|page| page.index.is_some()).collect::<Vec<_>>(), &pages);
    let mut groups: Vec<String> = pages.iter().map(|page| page.group.clone()).collect();
    groups.sort();
    groups.dedup();
    let (mut sum, mut right_share, mut count) = (0.0, 0.0, 0.0);
    for group in &groups {
        let weights = fit(&labelled.iter().copied().filter(|page| page.group != *group).collect::<Vec<_>>());
        let mut sites: BTreeMap<&str, Site> = BTreeMap::new();
        for page in all.iter().filter(|page| page.group == *group) {
            let score = logit(&weights, &page.traits) - LEADS_NOWHERE * page.leads_nowhere;
            let site = sites.entry(&page.site).or_default();
            if !page.answers_search {
                (site.sum, site.pages) = (site.sum + score, site.pages + 1.0);
            }
            site.labelled.extend(page.index.map(|index| (score, index)));
        }
        for (name, site) in sites {
            let line = site.sum / f64::max(site.pages, 1.0);
            let right =
                site.labelled.iter().filter(|(score, index)| (*score > line) == *index).count() as f64;
            let share = right / site.labelled.len().max(1) as f64;
            let Some(value) = r_precision(site.labelled) else { continue };
            println!("{name:32} {value:.3} {share:.3}");
            (sum, right_share, count) = (sum + value, right_share + share, count + 1.0);
        }
    }
    let count = f64::max(count, 1.0);
    println!("mean of {count} sites {:.4} {:.4}", sum / count, right_share / count);
    let mut weights = fit(&labelled);
    // Traits are not centred when a page is judged: what the average site has of them is taken off the bias.
    if let Some((bias, weights)) = weights.split_last_mut() {
        let of = |mean: &Vec<f64>| mean.iter().zip(weights.iter()).map(|(a, b)| a * b).sum::<f64>();
        *bias -= means.iter().map(of).sum::<f64>() / means.len().max(1) as f64;
    }
    println!("weights {weights:.3?}");
    Ok(())
}

/// What the pages of a site that was left out score.
#[derive(Default)]
struct Site {
    labelled: Vec<(f64, bool)>,
    /// Over all pages that do not answer a search.
    sum: f64,
    pages: f64,
}

fn page(line: &str) -> Option<Page> {
    let parts: Vec<&str> = line.split('\t').collect();
    let [site, _, role, kind, rank, answers, traits @ .., _] = parts.as_slice() else { return None };
    let mut values: Vec<f64> = traits.iter().filter_map(|value| value.parse().ok()).collect();
    values.push(rank.parse().ok()?);
    // The same application is in two suites under two names.
    let group = site.split("__").next().unwrap_or(site);
    let group =
        group.replace("news_jobs_wordpress_en", "wpnews_en").replace("news_wordpress_zh", "wpnews_zh");
    let index = match *role {
        "index" => Some(true),
        "article" => Some(false),
        _ => None,
    };
    Some(Page {
        site: (*site).into(),
        group,
        kind: format!("{site} {kind}"),
        index,
        answers_search: *answers == "true",
        leads_nowhere: f64::from(u8::from(values.first() == Some(&0.0))),
        traits: values,
        weight: 0.0,
    })
}

/// Mixes each page with the mean of its type; both roles of a site weigh the same.
fn mix_and_weigh(pages: &mut [Page]) {
    let mut means: BTreeMap<String, (Vec<f64>, f64)> = BTreeMap::new();
    let mut roles: BTreeMap<(String, bool), f64> = BTreeMap::new();
    let mut designs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for page in pages.iter() {
        let mean = means.entry(page.kind.clone()).or_insert_with(|| (vec![0.0; page.traits.len() + 1], 0.0));
        let values = page.traits.iter().chain([&page.leads_nowhere]);
        mean.0.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        mean.1 += 1.0;
        if let Some(index) = page.index {
            *roles.entry((page.site.clone(), index)).or_default() += 1.0;
            let designs = designs.entry(page.group.clone()).or_default();
            if !designs.contains(&page.site) {
                designs.push(page.site.clone());
            }
        }
    }
    for page in pages {
        let (sums, count) = &means[&page.kind];
        let last = page.traits.len() - 1;
        for (at, value) in page.traits.iter_mut().enumerate() {
            // The rank is known for the type alone.
            let own = if at == last { 0.0 } else { (1.0 - TYPE_SHARE) * *value };
            *value = TYPE_SHARE * sums[at] / count + own;
        }
        let own = (1.0 - TYPE_SHARE) * page.leads_nowhere;
        page.leads_nowhere = TYPE_SHARE * sums[last + 1] / count + own;
        if let Some(index) = page.index {
            page.weight =
                0.5 / roles[&(page.site.clone(), index)] / (designs[&page.group].len() as f64).sqrt();
        }
    }
}

/// Takes off a part of each site's mean, answers to searches aside, and gives what was taken off.
fn centre(pages: &mut [Page]) -> Vec<Vec<f64>> {
    let mut means: BTreeMap<String, (Vec<f64>, f64)> = BTreeMap::new();
    for page in pages.iter().filter(|page| !page.answers_search) {
        let (sums, count) =
            means.entry(page.site.clone()).or_insert_with(|| (vec![0.0; page.traits.len()], 0.0));
        sums.iter_mut().zip(&page.traits).for_each(|(sum, value)| *sum += value);
        *count += 1.0;
    }
    for (sums, count) in means.values_mut() {
        sums.iter_mut().for_each(|sum| *sum *= CENTRED / *count);
    }
    for page in pages {
        if let Some((mean, _)) = means.get(&page.site) {
            page.traits.iter_mut().zip(mean).for_each(|(value, mean)| *value -= mean);
        }
    }
    means.into_values().map(|(mean, _)| mean).collect()
}

/// Weights of which each has the sign that its trait speaks with.
fn fit(pages: &[&Page]) -> Weights {
    let mut left_out = vec![false; SPEAKS.len()];
    loop {
        let weights = fit_without(pages, &left_out);
        let wrong: Vec<usize> = (0..SPEAKS.len().min(weights.len()))
            .filter(|&at| !left_out[at] && weights[at] * SPEAKS[at] < 0.0)
            .collect();
        if wrong.is_empty() {
            return weights;
        }
        wrong.into_iter().for_each(|at| left_out[at] = true);
    }
}

/// Ridge logistic regression by Newton's method.
fn fit_without(pages: &[&Page], left_out: &[bool]) -> Weights {
    let size = pages.first().map_or(0, |page| page.traits.len());
    let total: f64 = pages.iter().map(|page| page.weight).sum();
    let mean = |f: &dyn Fn(&Page) -> f64| pages.iter().map(|page| page.weight * f(page)).sum::<f64>() / total;
    let middle: Vec<f64> = (0..size).map(|at| mean(&|page| page.traits[at])).collect();
    let spread: Vec<f64> =
        (0..size).map(|at| mean(&|page| (page.traits[at] - middle[at]).powi(2)).sqrt().max(1e-6)).collect();
    let mut weights = vec![0.0; size + 1];
    for _ in 0..20 {
        let mut system = vec![vec![0.0; size + 2]; size + 1];
        for at in 0..size {
            system[at][at] = RIDGE;
            system[at][size + 1] = -RIDGE * weights[at];
        }
        for page in pages {
            let standard = |at: usize| (page.traits[at] - middle[at]) / spread[at];
            let mut x: Vec<f64> = (0..size).map(|at| if left_out[at] { 0.0 } else { standard(at) }).collect();
            x.push(1.0);
            let odds: f64 = x.iter().zip(&weights).map(|(a, b)| a * b).sum();
            let share = 1.0 / (1.0 + (-odds).exp());
            let error = page.weight / total * (f64::from(u8::from(page.index == Some(true))) - share);
            let slope = page.weight / total * share * (1.0 - share);
            for (row, a) in system.iter_mut().zip(&x) {
                row[size + 1] += error * a;
                row.iter_mut().zip(&x).for_each(|(cell, b)| *cell += slope * a * b);
            }
        }
        weights.iter_mut().zip(solve(system)).for_each(|(weight, step)| *weight += step);
    }
    for at in 0..size {
        weights[at] /= spread[at];
        weights[size] -= weights[at] * middle[at];
    }
    weights
}

/// Gauss and Jordan; the system is symmetric and positive.
fn solve(mut system: Vec<Vec<f64>>) -> Vec<f64> {
    for at in 0..system.len() {
        let row = system[at].clone();
        for (_, target) in system.iter_mut().enumerate().filter(|(other, _)| *other != at) {
            let factor = target[at] / row[at];
            target.iter_mut().zip(&row).for_each(|(cell, value)| *cell -= factor * value);
        }
    }
    system.iter().enumerate().map(|(at, row)| row[row.len() - 1] / row[at]).collect()
}

fn logit(weights: &Weights, traits: &[f64]) -> f64 {
    weights[traits.len()] + weights.iter().zip(traits).map(|(a, b)| a * b).sum::<f64>()
}

/// As in the example `roles`: equal scores share their places.
fn r_precision(mut known: Vec<(f64, bool)>) -> Option<f64> {
    known.sort_by(|a, b| b.0.total_cmp(&a.0));
    let index = known.iter().filter(|page| page.1).count();
    let (mut open, mut hits) = (index, 0.0);
    for same in known.chunk_by(|a, b| a.0 == b.0) {
        let taken = open.min(same.len());
        hits += taken as f64 * same.iter().filter(|page| page.1).count() as f64 / same.len() as f64;
        open -= taken;
    }
    (index > 0 && index < known.len()).then(|| hits / index as f64)
}
