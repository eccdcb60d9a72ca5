//! Which key path marks which type of pages, whatever method found the types.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::reading::contents;
use super::{KeyPaths, identity};
use crate::site::Site;

/// Pages of a type that are looked at, evenly spread.
const LOOKED_AT: usize = 200;

/// Contents shown of one path.
const EXAMPLES: usize = 3;

/// Characters of one content.
const EXAMPLE_LENGTH: usize = 120;

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
    /// For each type the key path that most of its pages and fewest others have; `None` for a type without any.
    /// `type_of` holds a type below `count` for every page of the site.
    pub fn marks(&self, site: &Site, type_of: &[usize], count: usize) -> Vec<Option<TypeMark>> {
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (page, &page_type) in type_of.iter().enumerate().take(site.pages.len()) {
            members[page_type].push(page);
        }
        let place: FxHashMap<u64, usize> =
            self.paths.iter().enumerate().map(|(at, key)| (key.hash, at)).collect();
        let shares: Vec<Vec<f64>> = members
            .par_iter()
            .map(|pages| {
                let looked = spread(pages);
                let mut shares = vec![0.0; self.paths.len()];
                for &page in &looked {
                    for found in self.identities(&site.pages[page].tree) {
                        if let Some(&at) = place.get(&found) {
                            shares[at] += 1.0;
                        }
                    }
                }
                shares.iter_mut().for_each(|share| *share /= looked.len().max(1) as f64);
                shares
            })
            .collect();
        let weights: Vec<f64> = members.iter().map(|pages| pages.len() as f64).collect();
        (0..count)
            .map(|page_type| {
                let (at, share, elsewhere) = (0..self.paths.len())
                    .map(|at| (at, shares[page_type][at], elsewhere(&shares, &weights, page_type, at)))
                    .filter(|&(_, share, elsewhere)| share > elsewhere)
                    .max_by(|a, b| (a.1 - a.2).total_cmp(&(b.1 - b.2)).then(b.0.cmp(&a.0)))?;
                let examples = self.examples(site, &members[page_type], at);
                Some(TypeMark { path: self.paths[at].path.clone(), share, elsewhere, examples })
            })
            .collect()
    }

    /// Different contents of a key path on pages of one type.
    fn examples(&self, site: &Site, pages: &[usize], at: usize) -> Vec<String> {
        let mut examples: Vec<String> = Vec::new();
        for page in spread(pages) {
            let tree = &site.pages[page].tree;
            let found = contents(tree, &self.names)
                .into_iter()
                .find(|found| identity(found.path, found.content, &self.tabs) == self.paths[at].hash);
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

/// The share of pages of all other types that have a path.
fn elsewhere(shares: &[Vec<f64>], weights: &[f64], own: usize, at: usize) -> f64 {
    let others = (0..shares.len()).filter(|&other| other != own);
    let (with, all) = others.fold((0.0, 0.0), |(with, all), other| {
        (with + weights[other] * shares[other][at], all + weights[other])
    });
    if all > 0.0 { with / all } else { 0.0 }
}

fn spread(pages: &[usize]) -> Vec<usize> {
    pages.iter().copied().step_by(pages.len().div_ceil(LOOKED_AT).max(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_types::Options;
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
}
