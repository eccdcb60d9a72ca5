//! The eleven published ways to rank pages as indexes.

use unsite_learn::graph::{Graph, HITS_ROUNDS, Ranks, anchor_length_weight, hybrid_rank};

use super::links::SiteLinks;

/// One published variant: which of LAMIS's parts it has.
///
/// # What it does
/// Ranks every page by how surely it is an index (a table of contents). `out-links` counts links. `hits` takes the hub value
/// of Kleinberg's HITS; `lamis` weighs each link by `1 - E`, the mean entropy of its anchor's terms over the site. `ln` normalises
/// links (SALSA), `cb` makes blocks instead of pages the hubs (a page has the value of its best block), `hr` takes `hub - n *
/// authority` with `n = log2(links / 1000)`, at least 0, and `tw` multiplies weights by `1 + log10(terms of the anchor)`.
/// # Assumes
/// The whole link graph of a site. Pages that are linked to and were not read count as targets.
/// # When it fails
/// On samples of a site, on sites whose articles link much to each other, and where anchors are pictures without a text.
/// Without `ln` the most tightly knit part of the site takes everything.
/// # Paper
/// Kao, Lin, Ho, Chen: Mining Web informative structures and contents based on entropy analysis (LAMIS).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method {
    /// The name it was published under.
    pub name: &'static str,
    hubs: Hubs,
    entropy: bool,
    blocks: bool,
    hybrid: bool,
    anchor_length: bool,
}

/// Where hub values come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hubs {
    Count,
    Hits,
    Salsa,
}

/// All published variants.
pub const METHODS: [Method; 11] = [
    variant("out-links", Hubs::Count, false, false),
    variant("hits", Hubs::Hits, false, false),
    variant("hits-ln", Hubs::Salsa, false, false),
    variant("lamis", Hubs::Hits, true, false),
    variant("lamis-ln", Hubs::Salsa, true, false),
    variant("cb-hits", Hubs::Hits, false, true),
    variant("cb-hits-ln", Hubs::Salsa, false, true),
    variant("lamis-cb", Hubs::Hits, true, true),
    variant("lamis-ln-cb", Hubs::Salsa, true, true),
    Method { hybrid: true, ..variant("lamis-ln-cb-hr", Hubs::Salsa, true, true) },
    Method { hybrid: true, anchor_length: true, ..variant("lamis-ln-cb-hr-tw", Hubs::Salsa, true, true) },
];

const fn variant(name: &'static str, hubs: Hubs, entropy: bool, blocks: bool) -> Method {
    Method { name, hubs, entropy, blocks, hybrid: false, anchor_length: false }
}

/// The variant of a name.
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

impl Method {
    /// A value for each page that was read; higher is more surely an index. Linear in the links.
    pub fn rank(&self, site: &SiteLinks) -> Vec<f64> {
        let ranks = self.ranks(site);
        let mut hub = vec![0.0f64; site.pages];
        if self.blocks {
            for (value, &page) in ranks.hub.iter().zip(&site.block_page) {
                hub[page as usize] = hub[page as usize].max(*value);
            }
        } else {
            hub.clone_from_slice(&ranks.hub[..site.pages]);
        }
        if self.hybrid {
            let links = site.links.len();
            hub.iter_mut().zip(&ranks.authority).for_each(|(h, a)| *h = hybrid_rank(*h, *a, links));
        }
        hub
    }

    /// Hub values of pages or blocks, and authority values of pages, those not read included.
    pub fn ranks(&self, site: &SiteLinks) -> Ranks {
        let weighed = site.links.iter().map(|link| {
            let alpha = if self.entropy { 1.0 - link.entropy } else { 1.0 };
            let weight = if self.anchor_length { anchor_length_weight(alpha, link.terms) } else { alpha };
            (if self.blocks { link.block } else { link.from }, link.to, weight)
        });
        let sources = if self.blocks { site.block_page.len() } else { site.pages };
        let graph = Graph::bipartite(sources, site.targets, weighed);
        match self.hubs {
            Hubs::Hits => graph.hits(HITS_ROUNDS),
            Hubs::Salsa => graph.salsa(),
            Hubs::Count => Ranks {
                hub: (0..sources).map(|source| graph.links_of(source).len() as f64).collect(),
                authority: vec![0.0; site.targets],
            },
        }
    }
}
