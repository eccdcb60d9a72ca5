//! Page types that are answers of one program: one path, asked with different values.

use std::collections::{BTreeMap, BTreeSet};

use crate::site::Site;

/// A parameter is what is asked for when this share of the pages ask for something of their own.
const OWN_VALUES: f64 = 0.5;

/// From this many pages on, a parameter that never changes on the pages of a type is what makes them that type.
const SURE: usize = 3;

/// The addresses of one page type.
#[derive(Default)]
struct Addresses<'a> {
    pages: usize,
    paths: BTreeSet<&'a str>,
    /// The values of each parameter, and on how many pages it is.
    parameters: BTreeMap<&'a str, (usize, BTreeSet<&'a str>)>,
}

impl<'a> Addresses<'a> {
    fn see(&mut self, url: &'a str) {
        let url = url.split('#').next().unwrap_or(url);
        let (address, query) = url.split_once('?').unwrap_or((url, ""));
        let host_and_path = address.split_once("://").map_or(address, |(_, rest)| rest);
        self.pages += 1;
        self.paths.insert(host_and_path.find('/').map_or("/", |at| &host_and_path[at..]));
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let seen = self.parameters.entry(name).or_default();
            seen.0 += 1;
            seen.1.insert(value);
        }
    }

    /// The parameters that every page has with a value of its own.
    fn asked(&self) -> BTreeSet<&'a str> {
        let own = |(pages, values): &(usize, BTreeSet<&str>)| {
            *pages == self.pages && values.len() as f64 >= OWN_VALUES * self.pages as f64
        };
        self.parameters.iter().filter(|(_, seen)| own(seen)).map(|(name, _)| *name).collect()
    }

    /// Does a parameter tell the two types apart?
    fn told_from(&self, other: &Addresses<'_>) -> bool {
        self.pages >= SURE
            && other.pages >= SURE
            && self.parameters.iter().any(|(name, (pages, values))| {
                let constant = *pages == self.pages && values.len() == 1;
                constant
                    && other.parameters.get(name).is_some_and(|(pages, others)| {
                        *pages == other.pages && others.len() == 1 && others != values
                    })
            })
    }
}

/// Groups of page types under one path that are asked with the same parameter: a search program answers in several
/// layouts. Types that a parameter selects (`?page=article`, `?page=user`) stay apart.
pub(super) fn answers_of_one_program(site: &Site, type_of: &[usize], types: usize) -> Vec<Vec<usize>> {
    let mut addresses: Vec<Addresses<'_>> = (0..types).map(|_| Addresses::default()).collect();
    for (page, &at) in site.pages.iter().zip(type_of) {
        addresses[at].see(&page.raw.url);
    }
    let mut families: Vec<(usize, BTreeSet<&str>, Vec<usize>)> = Vec::new();
    for (at, here) in addresses.iter().enumerate().filter(|(_, here)| here.paths.len() == 1) {
        let asked = here.asked();
        let family = families.iter_mut().find(|(first, shared, _)| {
            let first = &addresses[*first];
            first.paths == here.paths && !shared.is_disjoint(&asked) && !first.told_from(here)
        });
        match family {
            Some((_, shared, members)) => {
                shared.retain(|name| asked.contains(name));
                members.push(at);
            }
            None if !asked.is_empty() => families.push((at, asked, vec![at])),
            None => {}
        }
    }
    families.into_iter().map(|(.., members)| members).collect()
}
