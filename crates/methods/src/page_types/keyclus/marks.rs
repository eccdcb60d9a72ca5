//! Which key path marks which type of pages, whatever method found the types.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use unsite_dom::{NodeId, PathStyle};

use super::reading::{PathContent, contents};
use super::{KeyPaths, identity};
use unsite_discover::Site;

/// Pages of a type that are looked at, evenly spread.
const LOOKED_AT: usize = 200;

/// Contents shown of one path.
const EXAMPLES: usize = 3;

/// Characters of one content.
const EXAMPLE_LENGTH: usize = 120;

/// A key path marks a type when its share there is larger than elsewhere by this much; below, another path tells more.
/// Half: the type's pages have it more often than not, and others do not.
const MARKS: f64 = 0.5;

/// The key path that marks a type of pages.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeMark {
    /// The path with ids and classes.
    pub path: String,
    /// The share of the type's pages that have it.
    pub share: f64,
    /// The share of the pages of other types that have it.
    pub elsewhere: f64,
    /// What it holds on some pages of the type.
    pub examples: Vec<String>,
}

impl KeyPaths {
    /// For each type the key path that most of its pages and fewest others have. Where the key paths tell a type from others
    /// badly, any path may mark it: of those that do it best the one with the most different contents, then the
    /// shortest. `None` for a type without pages or paths. `type_of` holds a type below `count` for every page of
    /// the site.
    pub fn marks(&self, site: &Site, type_of: &[usize], count: usize) -> Vec<Option<TypeMark>> {
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (page, &page_type) in type_of.iter().enumerate().take(site.pages.len()) {
            members[page_type].push(page);
        }
        let held: Vec<FxHashMap<u64, Held>> =
            members.par_iter().map(|pages| self.held(site, &spread(pages))).collect();
        let weights: Vec<f64> = members.iter().map(|pages| pages.len() as f64).collect();
        let told = |page_type: usize, path: u64| {
            let shares: Vec<f64> =
                held.iter().map(|held| held.get(&path).map_or(0.0, |held| held.share)).collect();
            (shares[page_type], elsewhere(&shares, &weights, page_type))
        };
        (0..count)
            .into_par_iter()
            .map(|page_type| {
                let key = self
                    .paths
                    .iter()
                    .map(|key| (key.hash, told(page_type, key.hash)))
                    .filter(|(_, (share, elsewhere))| share - elsewhere >= MARKS)
                    .reduce(|best, next| if next.1.0 - next.1.1 > best.1.0 - best.1.1 { next } else { best });
                let any = || {
                    let best = held[page_type].iter().map(|(&path, held)| {
                        let (share, elsewhere) = told(page_type, path);
                        (share - elsewhere, held, path, (share, elsewhere))
                    });
                    let best =
                        best.filter(|(tells, held, _, _)| *tells > 0.0 && held.bytes > 0.0).max_by(|a, b| {
                            (a.0.total_cmp(&b.0))
                                .then(a.1.contents.len().cmp(&b.1.contents.len()))
                                .then(b.1.bytes.total_cmp(&a.1.bytes))
                                .then(b.2.cmp(&a.2))
                        });
                    best.map(|(_, _, path, told)| (path, told))
                };
                let (path, (share, elsewhere)) = key.or_else(any)?;
                let (page, node) = held[page_type].get(&path)?.first;
                let spelled = site.pages[page].tree.path(node, PathStyle::Attributes);
                let examples = self.examples(site, &members[page_type], path);
                Some(TypeMark { path: spelled, share, elsewhere, examples })
            })
            .collect()
    }

    /// The paths of some pages, and what they hold.
    fn held(&self, site: &Site, pages: &[usize]) -> FxHashMap<u64, Held> {
        let mut held: FxHashMap<u64, Held> = FxHashMap::default();
        for &page in pages {
            for PathContent { path, node, content, bytes, .. } in
                contents(&site.pages[page].tree, &self.names)
            {
                let here = held.entry(identity(path, content, &self.tabs)).or_insert_with(|| Held {
                    share: 0.0,
                    bytes: 0.0,
                    contents: FxHashSet::default(),
                    first: (page, node),
                });
                here.share += 1.0 / pages.len() as f64;
                here.bytes += bytes as f64;
                here.contents.insert(content);
            }
        }
        held
    }

    /// Different contents of a key path on pages of one type.
    fn examples(&self, site: &Site, pages: &[usize], path: u64) -> Vec<String> {
        let mut examples: Vec<String> = Vec::new();
        for page in spread(pages) {
            let tree = &site.pages[page].tree;
            let found = contents(tree, &self.names)
                .into_iter()
                .find(|found| identity(found.path, found.content, &self.tabs) == path);
            let Some(found) = found else { continue };
            let text: String = tree.visible_text(found.node).chars().take(EXAMPLE_LENGTH).collect();
            if !text.is_empty() && !examples.contains(&text) {
                examples.push(text);
            }
            if examples.len() == EXAMPLES {
                break;
            }
        }
        examples
    }
}

/// What the pages of one type hold at a path.
struct Held {
    /// The share of the pages that have it.
    share: f64,
    /// Bytes of text on all of them.
    bytes: f64,
    /// Different contents.
    contents: FxHashSet<u64>,
    /// A page and node, to spell it out.
    first: (usize, NodeId),
}

/// The share of pages of all other types that have a path.
fn elsewhere(shares: &[f64], weights: &[f64], own: usize) -> f64 {
    let others = (0..shares.len()).filter(|&other| other != own);
    let (with, all) = others
        .fold((0.0, 0.0), |(with, all), other| (with + weights[other] * shares[other], all + weights[other]));
    if all > 0.0 { with / all } else { 0.0 }
}

fn spread(pages: &[usize]) -> Vec<usize> {
    pages.iter().copied().step_by(pages.len().div_ceil(LOOKED_AT).max(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_discover::page_types::Options;
    use unsite_dom::{Limits, RawPage};

    #[test]
    fn every_type_is_marked_by_the_path_that_names_its_pages() {
        let page = |n: usize| {
            let (route, html) = match n % 2 {
                0 => ("tea", format!("<title>Tea {n} x</title><h1 class=tea>Tea {n} x</h1><p>warm</p>")),
                _ => ("cup", format!("<title>Cup {n} y</title><h2 class=cup>Cup {n} y</h2><p>cold</p>")),
            };
            RawPage {
                url: format!("http://a.example/{route}/{n}"),
                bytes: html.into_bytes(),
                ..RawPage::default()
            }
        };
        let site = Site::parse((0..24).map(page).collect(), &Limits::default());
        let type_of: Vec<usize> = site.urls().iter().map(|url| usize::from(url.contains("/tea/"))).collect();
        let marks = KeyPaths::learn(&site, &Options::default()).marks(&site, &type_of, 3);
        let (cup, tea) = (marks[0].as_ref().unwrap(), marks[1].as_ref().unwrap());
        assert!(cup.path.contains("h2") && tea.path.contains("h1"), "{marks:?}");
        assert_eq!((cup.share, cup.elsewhere), (1.0, 0.0));
        assert!(tea.examples.iter().all(|text| text.starts_with("Tea ")) && tea.examples.len() == 3);
        assert_eq!(marks[2], None);
    }

    #[test]
    fn a_type_that_nobody_searches_for_is_marked_too() {
        let page = |n: usize| {
            let html = match n % 2 {
                0 => format!("<title>Tea {n} x</title><h1 class=tea>Tea {n} x</h1>"),
                _ => format!("<div class=ledger><i>{}</i></div>", n * 37),
            };
            RawPage {
                url: format!("http://a.example/{}/{n}", n % 2),
                bytes: html.into_bytes(),
                ..RawPage::default()
            }
        };
        let site = Site::parse((0..24).map(page).collect(), &Limits::default());
        let type_of: Vec<usize> = site.urls().iter().map(|url| usize::from(url.contains("e/1/"))).collect();
        let marks = KeyPaths::learn(&site, &Options::default()).marks(&site, &type_of, 2);
        let ledger = marks[1].as_ref().unwrap();
        assert!(
            ledger.path.contains("ledger") && ledger.share == 1.0 && ledger.elsewhere == 0.0,
            "{marks:?}"
        );
        assert_eq!(ledger.examples.len(), 3);
    }
}
