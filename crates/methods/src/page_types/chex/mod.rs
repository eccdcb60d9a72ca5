//! CHEX: experts give hints that two things belong together, and the clustering that makes the hints most probable wins.

mod hints;
mod search;

use rayon::prelude::*;
use unsite_dom::{NodeId, Tree};
use unsite_learn::rng::Rng;

use super::sample::{nearest, sample};
use crate::templates::Indexed;
use hints::{Read, Samples};
use search::{NOISE, Place, Tally};
use unsite_discover::Site;
use unsite_discover::page_types::Options;

/// Pages that are clustered jointly with their texts. The thesis had sites of a few dozen pages; hints grow with the
/// square of the pages.
const JOINT_PAGES: usize = 60;

/// Pages of a cluster that a page outside the sample is compared with.
const REPRESENTATIVES: usize = 2;

/// Groups pages and their texts together, by hints.
///
/// # What it does
/// Experts propose pairs: URLs whose template covers 80 % of them (pages), texts in the same slot of the template of two
/// pages, texts of one list, texts in one column (texts). A hint is explained by a cluster that holds both ends, the
/// better the fewer clusters there are and the smaller that one is, or by noise. Leader-follower over the pages in a seeded
/// random order: each page is tried in every page cluster, where its texts in turn join the text clusters of that page cluster or open new
/// ones; the place with the highest probability of all hints on placed things wins. A page joins a cluster only if some
/// hint connects it (ours). Texts share a cluster only if their pages do. At most 60 pages with 60 texts each take part; every other page joins the cluster whose pages share most of
/// a template with it.
/// # Assumes
/// Wrong hints are rare and do not agree with each other.
/// # When it fails
/// The order of pages matters, and an early mistake stays. In the order of URLs a whole type comes first, and then no
/// page can afford to open the second cluster: all hints so far would lose half of their probability. Correlated experts are counted as often as they speak. The
/// layout expert needs a browser; here it is the path of tags without indices.
/// # Paper
/// Gazen, CMU-CS-08-154 (2008), CHEX. Noise 0.01, the URL threshold and the templates are our reading; items are whole
/// text nodes instead of the union of all experts' boundaries.
pub(super) fn cluster(site: &Site, options: &Options) -> Vec<usize> {
    let mut chosen = sample(site.pages.len(), JOINT_PAGES, options.seed);
    Rng::new(options.seed).fork(1).shuffle(&mut chosen);
    let read: Vec<Read> = chosen.par_iter().map(|&page| Read::new(&site.pages[page].tree)).collect();
    let labels = joint(&Samples::new(site, &chosen, &read));
    let mut label_of: Vec<Option<usize>> = vec![None; site.pages.len()];
    chosen.iter().zip(&labels).for_each(|(&page, &label)| label_of[page] = Some(label));
    if chosen.len() == site.pages.len() {
        return label_of.into_iter().flatten().collect();
    }
    let mut first: Vec<Vec<(usize, Indexed)>> = Vec::new();
    for (at, &label) in labels.iter().enumerate() {
        first.resize_with(first.len().max(label + 1), Vec::new);
        if first[label].len() < REPRESENTATIVES {
            first[label].push((at, read[at].indexed()));
        }
    }
    let nearest_to = |page: usize| {
        let own = Read::new(&site.pages[page].tree);
        let shared = |members: &Vec<(usize, Indexed)>| {
            members.iter().map(|(at, index)| own.coverage(index, &read[*at])).fold(0.0, f64::max)
        };
        nearest(first.iter().map(|members| -shared(members)))
    };
    label_of.par_iter().enumerate().map(|(page, label)| label.unwrap_or_else(|| nearest_to(page))).collect()
}

/// The texts of pages that are all of one type, clustered by the hints on texts alone: page, node and cluster, in
/// document order. Texts without a hint are left out.
pub(crate) fn texts(trees: &[&Tree]) -> Vec<(usize, NodeId, usize)> {
    let read: Vec<Read> = trees.par_iter().map(|tree| Read::new(tree)).collect();
    let (hints, texts) = hints::of_texts(trees, &read);
    let mut tally = Tally::new(texts.len(), NOISE);
    let mut labels: Vec<Option<usize>> = vec![None; texts.len()];
    for text in 0..texts.len() {
        let (count, candidates) = hints.of(text, &labels);
        let (place, _) = tally.best_place(&candidates, count);
        labels[text] = Some(tally.place(place, count));
    }
    texts.into_iter().zip(labels).filter_map(|((page, node), label)| Some((page, node, label?))).collect()
}

/// Leader-follower over pages, each with its texts.
fn joint(samples: &Samples) -> Vec<usize> {
    let texts = samples.texts.last().map_or(0, |range| range.end);
    let mut pages = Tally::new(samples.texts.len(), NOISE);
    let mut page_labels: Vec<Option<usize>> = vec![None; samples.texts.len()];
    let mut state =
        TextState { tally: Tally::new(texts, NOISE), labels: vec![None; texts], page_of: Vec::new() };
    for page in 0..samples.texts.len() {
        let (count, candidates) = samples.pages.of(page, &page_labels);
        let inside = |cluster: usize| candidates.iter().find(|c| c.0 == cluster).map_or(0, |c| c.1);
        let clusters = page_labels.iter().flatten().max().map_or(0, |&label| label + 1);
        let mut places: Vec<Place> =
            (0..clusters).map(|cluster| Place::In(cluster, inside(cluster))).collect();
        places.push(Place::New);
        let tried: Vec<(f64, TextState)> = places
            .par_iter()
            .map(|&place| {
                let cluster = match place {
                    Place::In(cluster, _) => cluster,
                    Place::New => clusters,
                };
                let (reached, joined, after) = state.with_page(samples, page, cluster);
                // Without a single hint a page would join whatever cluster costs least.
                let connected = joined || !matches!(place, Place::In(_, 0));
                let value = if connected {
                    pages.log_probability_with(place, count) + reached
                } else {
                    f64::NEG_INFINITY
                };
                (value, after)
            })
            .collect();
        // A new cluster is the last and wins among equals: a page has to gain by joining one.
        let mut best = places.len() - 1;
        for (at, attempt) in tried.iter().enumerate() {
            if attempt.0 > tried[best].0 + 1e-9 {
                best = at;
            }
        }
        page_labels[page] = Some(pages.place(places[best], count));
        if let Some((_, after)) = tried.into_iter().nth(best) {
            state = after;
        }
    }
    page_labels.into_iter().flatten().collect()
}

/// Where the texts of the placed pages are.
#[derive(Clone)]
struct TextState {
    tally: Tally,
    labels: Vec<Option<usize>>,
    /// The page cluster of each text cluster.
    page_of: Vec<usize>,
}

impl TextState {
    /// Places the texts of a page inside a page cluster: the logarithm of the probability reached, and whether one of
    /// them joined a text of an earlier page.
    fn with_page(&self, samples: &Samples, page: usize, cluster: usize) -> (f64, bool, TextState) {
        let mut state = self.clone();
        let mut joined = false;
        let mut reached = state.tally.log_probability_with(Place::New, 0);
        for text in samples.texts[page].clone() {
            let (count, mut candidates) = samples.text_hints.of(text, &state.labels);
            candidates.retain(|c| state.page_of[c.0] == cluster);
            let (place, value) = state.tally.best_place(&candidates, count);
            reached = value;
            joined |= matches!(place, Place::In(at, _) if at < self.page_of.len());
            let label = state.tally.place(place, count);
            if label == state.page_of.len() {
                state.page_of.push(cluster);
            }
            state.labels[text] = Some(label);
        }
        (reached, joined, state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, RawPage};

    #[test]
    fn pages_of_two_templates_come_apart() {
        let book = |i: usize| {
            RawPage {
            url: format!("http://a.example/book/title-{i}"),
            bytes: format!(
                "<h1>Book {i}</h1><dl><dt>Price</dt><dd>{}.50</dd><dt>Pages</dt><dd>{}</dd></dl><p>About name{i}</p>",
                i + 3,
                i * 7 + 100
            )
            .into_bytes(),
            ..RawPage::default()
        }
        };
        let author = |i: usize| {
            RawPage {
            url: format!("http://a.example/people?id={i}"),
            bytes: format!("<h2>Person{i}</h2><table><tr><th>Born</th><td>19{:02}</td></tr></table><div>Lives in town{i}</div>", i * 3)
                .into_bytes(),
            ..RawPage::default()
        }
        };
        let pages = (0..10).map(book).chain((0..10).map(author)).collect();
        let site = Site::parse(pages, &Limits::default());
        let labels = cluster(&site, &Options::default());
        let kinds: Vec<bool> = site.pages.iter().map(|page| page.raw.url.contains("book")).collect();
        assert_eq!(unsite_learn::measures::clustering::adjusted_rand(&labels, &kinds), 1.0, "{labels:?}");
    }
}
