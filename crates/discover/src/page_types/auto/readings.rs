//! What the experts remember of pages.

use rayon::prelude::*;
use unsite_wrapper::ClassMap;

use crate::evidence::Calibrated;
use crate::experts::{EXPERTS, Features, InLink, PageView, Weights};
use crate::site::Site;

/// One page as the experts remember it; the order is that of the registry.
pub(super) type Reading = Vec<Features>;

/// Pages read by the experts, and what they say about each feature of the site.
pub(super) struct Readings {
    pub(super) pages: Vec<Reading>,
    pub(super) weights: Vec<Weights>,
}

impl Readings {
    /// Reads some pages of a site. Experts that are switched off read nothing.
    pub(super) fn of(
        site: &Site,
        pages: &[usize],
        classes: &ClassMap,
        links: &[Vec<InLink>],
        on: &[bool],
    ) -> Self {
        let mut pages: Vec<Reading> =
            pages.par_iter().map(|&page| read(site, page, classes, links, on)).collect();
        let weights: Vec<Weights> = EXPERTS
            .par_iter()
            .enumerate()
            .map(|(at, expert)| {
                let all: Vec<&Features> = pages.iter().map(|page| &page[at]).collect();
                (expert.weigh)(&all)
            })
            .collect();
        pages.par_iter_mut().for_each(|page| settle(&weights, page));
        Readings { pages, weights }
    }

    /// Makes the reading of a further page comparable.
    pub(super) fn settled(&self, mut reading: Reading) -> Reading {
        settle(&self.weights, &mut reading);
        reading
    }

    /// Each expert's score of two readings.
    pub(super) fn scores(&self, a: &Reading, b: &Reading, heard: impl Fn(usize) -> bool) -> Vec<Option<f64>> {
        EXPERTS
            .iter()
            .enumerate()
            .map(|(at, expert)| {
                if !heard(at) {
                    return None;
                }
                (expert.score)(&self.weights[at], &a[at], &b[at]).map(|score| score.clamp(0.0, 1.0))
            })
            .collect()
    }

    /// The log-odds that two readings are of one type.
    pub(super) fn log_odds(&self, model: &Calibrated, a: &Reading, b: &Reading) -> f64 {
        self.log_odds_by(model, a, b, |_| true)
    }

    /// The same by some of the experts.
    pub(super) fn log_odds_by(
        &self,
        model: &Calibrated,
        a: &Reading,
        b: &Reading,
        asked: impl Fn(usize) -> bool,
    ) -> f64 {
        model.log_odds(&self.scores(a, b, |expert| model.hears(expert) && asked(expert)))
    }
}

/// Gives the features of a reading their weights on this site.
fn settle(weights: &[Weights], reading: &mut Reading) {
    for ((expert, weights), features) in EXPERTS.iter().zip(weights).zip(reading) {
        features.settle(|feature| (expert.weight)(weights, feature));
    }
}

/// Reads one page.
pub(super) fn read(
    site: &Site,
    page: usize,
    classes: &ClassMap,
    links: &[Vec<InLink>],
    on: &[bool],
) -> Reading {
    let in_links = links.get(page).map_or(&[][..], Vec::as_slice);
    let page = &site.pages[page];
    let view = PageView::new(&page.raw.url, &page.tree, classes, in_links);
    read_page(&view.with_layout(page.raw.layout.as_ref()), on)
}

/// Reads one page that was prepared.
pub(super) fn read_page(view: &PageView<'_>, on: &[bool]) -> Reading {
    EXPERTS
        .iter()
        .zip(on)
        .map(|(expert, &on)| if on { (expert.read)(view) } else { Features::default() })
        .collect()
}
