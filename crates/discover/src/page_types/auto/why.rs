//! Why a page is of its type.

use super::Typing;
use crate::experts::EXPERTS;
use crate::site::Site;

/// What speaks for a page's type, and for the next best.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// The page's type.
    pub page_type: usize,
    /// The type it would be of otherwise, if there is another.
    pub runner_up: Option<usize>,
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
        let against = |page_type: usize| -> Against {
            let mut parts = vec![(None, 0.0); EXPERTS.len()];
            let mut total = 0.0;
            let exemplars = &self.exemplars[page_type];
            for &at in exemplars {
                let scores =
                    self.readings.scores(&reading, &self.readings.pages[at], |expert| self.on[expert]);
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
            let parts =
                parts.into_iter().map(|(mean, odds)| (mean.map(|(sum, count)| sum / count), odds)).collect();
            Against { total, parts }
        };
        let own = against(page_type);
        let runner_up = (0..self.types.len())
            .filter(|&other| other != page_type && !self.exemplars[other].is_empty())
            .map(|other| (other, against(other)))
            .max_by(|a, b| a.1.total.total_cmp(&b.1.total).then(b.0.cmp(&a.0)));
        let nothing = Against { total: 0.0, parts: vec![(None, 0.0); EXPERTS.len()] };
        let next = runner_up.as_ref().map_or(&nothing, |(_, against)| against);
        let opinions = EXPERTS
            .iter()
            .enumerate()
            .filter(|(at, _)| self.on[*at])
            .map(|(at, expert)| Opinion {
                expert: expert.name,
                own: own.parts[at].0,
                own_odds: own.parts[at].1,
                other: next.parts[at].0,
                other_odds: next.parts[at].1,
            })
            .collect();
        Some(Why {
            page_type,
            runner_up: runner_up.as_ref().map(|(other, _)| *other),
            bias: self.model.bias(),
            own: own.total,
            other: runner_up.as_ref().map(|(_, against)| against.total),
            opinions,
        })
    }
}

/// A page against the exemplars of one type: the log-odds, and each expert's mean score and part of them.
struct Against {
    total: f64,
    parts: Vec<(Option<f64>, f64)>,
}
