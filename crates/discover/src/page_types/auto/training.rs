//! Learning what scores mean from sites whose page types are known.

use unsite_dom::Tree;
use unsite_learn::rng::Rng;

use super::links::in_links;
use super::readings::Readings;
use super::sample::prototypes;
use crate::evidence::{LabelledPair, Model};
use crate::experts::EXPERTS;
use crate::site::Site;
use crate::vocabulary::class_map;

/// Pairs drawn from each site, half of them within types.
const PAIRS: usize = 600;

/// Draws tried for each pair wanted: types may be so rare that pairs within them hardly come.
const DRAWS: usize = 60;

/// A site whose page types are known, as pairs.
#[derive(Debug, Clone)]
pub struct GoldTypes {
    /// Its name.
    pub name: String,
    /// Sites of one group are one site: the same data under other themes.
    pub group: String,
    /// Labelled pairs of its pages.
    pub pairs: Vec<LabelledPair>,
}

/// Draws labelled pairs from a site. `types` holds each page's type, `None` where it is not known; the experts named in
/// `without` do not learn from this site, because its labels were made from what they look at.
pub fn training_pairs(site: &Site, types: &[Option<String>], without: &[&str]) -> Vec<LabelledPair> {
    let trees: Vec<&Tree> = site.pages.iter().map(|page| &page.tree).collect();
    let classes = class_map(&trees);
    let links = in_links(site, &classes, None);
    let on: Vec<bool> = EXPERTS.iter().map(|expert| !without.contains(&expert.name)).collect();
    let sample = prototypes(site);
    let readings = Readings::of(site, &sample, &classes, &links, &on);
    // The seed is arbitrary; it is fixed so that a model can be made again.
    let mut rng = Rng::new(7);
    let (mut within, mut between) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS * DRAWS {
        if sample.len() < 2 || within.len().min(between.len()) >= PAIRS / 2 {
            break;
        }
        let (a, b) = (rng.below(sample.len()), rng.below(sample.len()));
        let (Some(left), Some(right)) = (&types[sample[a]], &types[sample[b]]) else { continue };
        let same = left == right;
        let pairs = if same { &mut within } else { &mut between };
        if a != b && pairs.len() < PAIRS / 2 {
            let scores = readings.scores(&readings.pages[a], &readings.pages[b], |expert| on[expert]);
            pairs.push(LabelledPair { scores, same });
        }
    }
    within.append(&mut between);
    within
}

/// Learns a model from all sites but those of one group; for leave-one-site-out, a site is judged by the model that
/// left its group out.
pub fn train(sites: &[GoldTypes], left_out: Option<&str>) -> Model {
    let used: Vec<&GoldTypes> = sites.iter().filter(|site| Some(site.group.as_str()) != left_out).collect();
    let names: Vec<&str> = used.iter().map(|site| site.name.as_str()).collect();
    let pairs: Vec<&[LabelledPair]> = used.iter().map(|site| site.pairs.as_slice()).collect();
    let provenance = format!("{} pairs each of {} sites: {}", PAIRS, used.len(), names.join(" "));
    Model::train(&pairs, &provenance)
}
