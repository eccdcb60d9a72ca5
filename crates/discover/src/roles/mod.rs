//! Which pages lead to others, and which are what one came for? Every published ranking under its own name, and the
//! default.

mod asked;
mod blocks;
mod links;
mod listing;
mod methods;

use rayon::prelude::*;
use unsite_dom::Terms;
use unsite_wrapper::{LAMIS_WEIGHT, PageLinks, PageTraits, Surroundings, is_error, page_logit, sigmoid};

pub(crate) use blocks::blocks;
pub use links::{Counted, PageLink, REDUNDANT, SiteLinks};
pub use methods::{METHODS, Method, method};

use crate::site::{Site, SitePage};
use links::Found;
use listing::listing;

/// A target that this share of the pages links to belongs to the frame of the site.
const FRAME_SHARE: f64 = 0.3;

/// Fewer pages with a link make no frame, however small the site is.
const FRAME_LEAST: usize = 3;

/// What [`listing()`] counts in the log-odds of an index page. Set by hand: .25 and .5 measure the same on all labelled sites,
/// with 1 one of them loses a little.
const LISTING_WEIGHT: f64 = 0.5;

/// What the pages of a type are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Leads to other pages.
    Index,
    /// What one came for: an article, a product, a profile.
    Article,
    /// The answer to a search.
    Search,
    /// The answer to a search that found nothing.
    NoMatch,
    /// Says that something went wrong.
    Error,
    /// None of these.
    Other,
}

impl Role {
    /// The word that stands for it in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Role::Index => "index",
            Role::Article => "article",
            Role::Search => "search",
            Role::NoMatch => "no-match",
            Role::Error => "error",
            Role::Other => "other",
        }
    }
}

/// The roles of a site's page types, and what is needed to judge further pages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Roles {
    /// Keys of the link targets that belong to the frame, sorted.
    pub frame: Vec<u64>,
    /// The names of text fields of forms, sorted.
    pub search_fields: Vec<String>,
    /// One for each page type.
    pub types: Vec<TypeRole>,
}

/// The role of one page type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TypeRole {
    /// What its pages are for.
    pub role: Role,
    /// How sure the role is, 0 to 1: for answers and errors the share of the type's pages that are such.
    pub score: f64,
    /// How surely they are index pages: log-odds above those of the site's average page.
    pub index_logit: f64,
}

/// Finds the role of every page type: the default method.
///
/// # What it does
/// The frame is what many pages link to. Outside it each page shows traits of its role (how many pages it leads to and how
/// many of them from one path, headings that are links, running text, page numbers, its address; see
/// [`unsite_wrapper::TRAIT_NAMES`]). Their weighted sum is the log-odds of an index page; a type has the mean of its pages,
/// plus the mean rank of its pages by `lamis-ln-cb-hr-tw`, plus how many more pages of another type they list than list them. Types above the site's average page are indexes. A type whose pages answer the search that stands in their address
/// has the role `search`.
/// # Assumes
/// Types are mostly pure, and a site has both indexes and articles.
/// # When it fails
/// Details that consist of little but links (a member's profile, an issue's history), lists that print whole articles.
/// # Paper
/// LAMIS for the rank; the rest is ours.
pub fn learn(site: &Site, type_of: &[usize], count: usize) -> Roles {
    let SitePages { frame, search_fields, traits, ranks, links } = SitePages::of(site);
    let mut sums = vec![Sums::default(); count];
    for (sum, listed) in sums.iter_mut().zip(listing(links.iter(), &frame, type_of, count)) {
        sum.listed = listed;
    }
    for (((page, is_error), &page_type), rank) in traits.iter().zip(type_of).zip(&ranks) {
        let sum = &mut sums[page_type];
        sum.pages += 1.0;
        sum.logit += page_logit(page);
        sum.rank += rank;
        sum.searches += f64::from(u8::from(page.answers_search));
        sum.empty += f64::from(u8::from(page.finds_nothing));
        sum.errors += f64::from(u8::from(*is_error));
        sum.text += f64::from(u8::from(page.values[4] > 0.0));
    }
    let usual = usual_logit(&sums);
    let types = sums.iter().map(|sum| sum.role(usual)).collect();
    Roles { frame, search_fields, types }
}

/// What the traits of a site's pages are, in page order, with the rank by LAMIS from -1 to 1; to train and to explain.
pub fn traits(site: &Site) -> Vec<(PageTraits, f64)> {
    let pages = SitePages::of(site);
    pages.traits.into_iter().map(|(traits, _)| traits).zip(pages.ranks).collect()
}

/// What the pages of a site show, each link of each page made out once.
struct SitePages {
    /// See [`Roles`].
    frame: Vec<u64>,
    search_fields: Vec<String>,
    /// With the traits whether it is an error.
    traits: Vec<(PageTraits, bool)>,
    /// The rank of each page by LAMIS, see [`places`].
    ranks: Vec<f64>,
    links: Vec<PageLinks>,
}

/// The links of a page, and the names of its text fields.
type Read<'t> = (PageLinks, Vec<&'t str>);

fn read(page: &SitePage) -> (Found, Read<'_>) {
    let (found, links) = Found::on(&page.tree, &page.raw.url, Terms::shared(), Counted::Anchors);
    (found, (links, page.tree.text_field_names()))
}

impl SitePages {
    fn of(site: &Site) -> Self {
        let (found, links): (Vec<Found>, Vec<Read>) = site.pages.par_iter().map(read).unzip();
        let judge = || {
            let (frame, search_fields) = surroundings(site, &links);
            let known = Surroundings { frame: &frame, search_fields: &search_fields };
            let judge = |(page, (links, _)): (&SitePage, &Read)| {
                (PageTraits::with_links(&page.tree, links, known), is_error(&page.tree, page.raw.status))
            };
            let traits = site.pages.par_iter().zip(&links).map(judge).collect();
            (frame, search_fields, traits)
        };
        let rank = || places(&METHODS[METHODS.len() - 1].rank(&SiteLinks::joined(&found)));
        let (ranks, (frame, search_fields, traits)) = rayon::join(rank, judge);
        let links = links.into_iter().map(|(links, _)| links).collect();
        SitePages { frame, search_fields, traits, ranks, links }
    }
}

#[derive(Debug, Clone, Default)]
struct Sums {
    pages: f64,
    logit: f64,
    rank: f64,
    searches: f64,
    empty: f64,
    errors: f64,
    text: f64,
    /// See [`listing`].
    listed: f64,
}

impl Sums {
    fn mean_logit(&self) -> f64 {
        let listed = LISTING_WEIGHT * self.listed;
        (self.logit + LAMIS_WEIGHT * self.rank) / self.pages.max(1.0) + listed
    }

    fn is_search(&self) -> bool {
        self.searches > 0.5 * self.pages
    }

    fn role(&self, usual: f64) -> TypeRole {
        let index_logit = self.mean_logit() - usual;
        let role = if self.errors > 0.5 * self.pages {
            Role::Error
        } else if self.empty > 0.5 * self.pages {
            Role::NoMatch
        } else if self.is_search() {
            Role::Search
        } else if index_logit > 0.0 {
            Role::Index
        } else if self.pages > 1.0 || self.text > 0.0 {
            Role::Article
        } else {
            Role::Other
        };
        let share = |count: f64| count / self.pages.max(1.0);
        let score = match role {
            Role::Index => sigmoid(index_logit),
            Role::Article | Role::Other => 1.0 - sigmoid(index_logit),
            Role::Search => share(self.searches),
            Role::NoMatch => share(self.empty),
            Role::Error => share(self.errors),
        };
        TypeRole { role, score, index_logit }
    }
}

/// The mean log-odds of the site's pages, answers to searches aside: where index pages begin.
///
/// How link-laden pages are differs more between sites than between the roles of one site, so the line cannot be the same
/// everywhere. Of the lines that were tried (none, means over pages and types, the middle, the largest gap, the largest type;
/// each also shrunk and shifted) this one was right most often, with weights fitted without the site in question.
fn usual_logit(sums: &[Sums]) -> f64 {
    let lists = sums.iter().filter(|sum| !sum.is_search());
    let (logits, pages) =
        lists.fold((0.0, 0.0), |all, sum| (all.0 + sum.mean_logit() * sum.pages, all.1 + sum.pages));
    if pages > 0.0 { logits / pages } else { 0.0 }
}

/// What all pages of a site share: the frame, and how searches are asked.
fn surroundings(site: &Site, links: &[Read]) -> (Vec<u64>, Vec<String>) {
    let mut targets: Vec<u64> = links.iter().flat_map(|(links, _)| links.targets()).copied().collect();
    targets.sort_unstable();
    let mut names: Vec<&str> = links.iter().flat_map(|(_, names)| names).copied().collect();
    names.sort_unstable();
    names.dedup();
    let mut fields: Vec<String> = names.into_iter().map(str::to_owned).collect();
    fields.extend(asked::parameters(site, &targets));
    fields.sort_unstable();
    fields.dedup();
    let least = ((FRAME_SHARE * site.pages.len() as f64).ceil() as usize).max(FRAME_LEAST);
    let frame = targets.chunk_by(|a, b| a == b).filter(|same| same.len() >= least).map(|same| same[0]);
    (frame.collect(), fields)
}

/// The place of each value among all, from -1 (lowest) to 1 (highest); equal values share a place.
fn places(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let last = values.len().saturating_sub(1).max(1) as f64;
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for same in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let place = start as f64 + (same.len() - 1) as f64 / 2.0;
        same.iter().for_each(|&page| ranks[page] = 2.0 * place / last - 1.0);
        start += same.len();
    }
    ranks
}

#[cfg(test)]
mod tests;
