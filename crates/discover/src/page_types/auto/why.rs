//! Why a page is of its type.

use unsite_dom::Tree;

use super::readings::{Reading, read_page};
use super::{Answers, FITS_NOTHING, Typing};
use crate::experts::{EXPERTS, PageView};
use crate::site::Site;

/// What speaks for a page's type, and for the next best.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// The page's type; `None` for a page that fits nothing, and then the first of the two is the nearest type.
    pub page_type: Option<usize>,
    /// The type that the page is compared with first: its own, or the nearest.
    pub nearest: usize,
    /// The type it would be of otherwise, if there is another.
    pub runner_up: Option<usize>,
    /// How many answers to a search the page gives, where its type answers one: types that differ in nothing else are
    /// told apart by it, and not by the experts.
    pub answers: Option<Answers>,
    /// Log-odds that every pair starts with.
    pub bias: f64,
    /// Log-odds for its type, the mean over the type's exemplars; the experts' parts and the bias add up to it.
    pub own: f64,
    /// Log-odds for the runner-up.
    pub other: Option<f64>,
    /// What each expert says, in the order of the registry.
    pub opinions: Vec<Opinion>,
}

/// One expert's part.
#[derive(Debug, Clone, PartialEq)]
pub struct Opinion {
    /// The expert.
    pub expert: &'static str,
    /// How alike it finds the page and its type's exemplars, 0 to 1; `None` for no opinion.
    pub own: Option<f64>,
    /// What that adds to the log-odds.
    pub own_odds: f64,
    /// The same for the runner-up.
    pub other: Option<f64>,
    /// What that adds to the log-odds.
    pub other_odds: f64,
}

impl Typing {
    /// Why a page of the site is of its type: each expert's score against the exemplars of the type and of the
    /// runner-up.
    pub fn why(&self, site: &Site, page: usize) -> Option<Why> {
        let &page_type = self.type_of.get(page)?;
        let reading = self.read(site, page);
        let mut why = self.reasons(&reading, Some(page_type))?;
        let page = &site.pages[page];
        why.answers = self.answers(page_type, &page.raw.url, &page.tree);
        Some(why)
    }

    /// The same for a page that was not there when the types were found; of no type where it fits nothing.
    pub fn why_further(&self, url: &str, tree: &Tree) -> Option<Why> {
        let view = PageView::new(url, tree, &self.classes, &[]);
        let mut why = self.reasons(&self.readings.settled(read_page(&view, &self.on)), None)?;
        if why.own > FITS_NOTHING {
            why.page_type = Some(self.by_answers(why.nearest, url, tree));
            why.answers = self.answers(why.nearest, url, tree);
        }
        Some(why)
    }

    fn reasons(&self, reading: &Reading, page_type: Option<usize>) -> Option<Why> {
        let mut near: Vec<(usize, Against)> = (0..self.types.len())
            .filter(|&other| !self.exemplars[other].is_empty())
            .map(|other| (other, self.against(reading, other)))
            .collect();
        near.sort_by(|a, b| b.1.total.total_cmp(&a.1.total).then(a.0.cmp(&b.0)));
        let own = match page_type {
            Some(page_type) => match near.iter().position(|(other, _)| *other == page_type) {
                Some(at) => near.remove(at),
                // A type of pages that fit nothing has no exemplars.
                None => (page_type, Against::nothing()),
            },
            None if near.is_empty() => return None,
            None => near.remove(0),
        };
        let nothing = Against::nothing();
        let next = near.first().map_or(&nothing, |(_, against)| against);
        let opinions = EXPERTS
            .iter()
            .enumerate()
            .filter(|(at, _)| self.on[*at])
            .map(|(at, expert)| Opinion {
                expert: expert.name,
                own: own.1.parts[at].0,
                own_odds: own.1.parts[at].1,
                other: next.parts[at].0,
                other_odds: next.parts[at].1,
            })
            .collect();
        Some(Why {
            page_type,
            nearest: own.0,
            runner_up: near.first().map(|(other, _)| *other),
            answers: None,
            bias: self.model.bias(),
            own: own.1.total,
            other: near.first().map(|(_, against)| against.total),
            opinions,
        })
    }

    fn against(&self, reading: &Reading, page_type: usize) -> Against {
        let mut parts = vec![(None, 0.0); EXPERTS.len()];
        let mut total = 0.0;
        let exemplars = &self.exemplars[page_type];
        for &at in exemplars {
            let scores = self.readings.scores(reading, &self.readings.pages[at], |expert| self.on[expert]);
            total += self.model.log_odds(&scores) / exemplars.len() as f64;
            for (expert, score) in scores.into_iter().enumerate() {
                let part: &mut (Option<(f64, f64)>, f64) = &mut parts[expert];
                part.1 += self.model.share_of(expert, score) / exemplars.len() as f64;
                if let Some(score) = score {
                    let (sum, count) = part.0.unwrap_or((0.0, 0.0));
                    part.0 = Some((sum + score, count + 1.0));
                }
            }
        }
        let mean = |(mean, odds): (Option<(f64, f64)>, f64)| (mean.map(|(sum, count)| sum / count), odds);
        Against { total, parts: parts.into_iter().map(mean).collect() }
    }
}

/// A page against the exemplars of one type: the log-odds, and each expert's mean score and part of them.
struct Against {
    total: f64,
    parts: Vec<(Option<f64>, f64)>,
}

impl Against {
    fn nothing() -> Self {
        Against { total: 0.0, parts: vec![(None, 0.0); EXPERTS.len()] }
    }
}
