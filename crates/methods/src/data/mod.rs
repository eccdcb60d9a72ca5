//! The published frameworks on data: from the texts of the pages of a type to columns and tables, as the papers do it.
//!
//! The default ([`unsite_discover::induce`]) weighs evidence between places of a template; here every text is a sample of its
//! own, which costs the square of the texts and is done on a few pages of each type. That is what the default is held
//! against.

mod assemble;
mod chex;
mod confhex;
mod experts;
mod model;
mod sample;
mod shape;

pub use experts::{DATA_EXPERTS, DataExpert, PUBLISHED};
pub use model::{DataCounts, DataModel};

use rayon::prelude::*;
use unsite_dom::{NodeId, Tree};
use unsite_wrapper::{PageRecord, PageTypeInfo, Schema};

use unsite_discover::Site;
use unsite_discover::naming::slug;
use unsite_discover::page_types::PageTypes;

/// Pages of each type whose texts are clustered.
pub const DATA_PAGES: usize = 8;

/// Texts of one page that take part.
const MOST_TEXTS: usize = 300;

/// One way to cluster texts.
pub struct DataMethod {
    /// What `--data-method` calls it.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    cluster: fn(&[&Tree]) -> Vec<Clustered>,
}

/// All ways.
pub const DATA_METHODS: [DataMethod; 3] = [
    DataMethod { name: "chex", about: "CHEX: hints on texts, leader-follower", cluster: chex::cluster },
    DataMethod {
        name: "confhex",
        about: "CONFHEX: the seven experts of the thesis, trained, greedy over all pairs of texts",
        cluster: confhex::published,
    },
    DataMethod {
        name: "confhex-all",
        about: "the same with our experts: label, name-value list, header cell, microdata, value type, ...",
        cluster: confhex::all,
    },
];

/// The method of this name.
pub fn data_method(name: &str) -> Option<&'static DataMethod> {
    DATA_METHODS.iter().find(|method| method.name == name)
}

/// A text and its cluster.
pub(crate) struct Clustered {
    /// The page, by its place among those that were given.
    pub(crate) page: usize,
    pub(crate) node: NodeId,
    pub(crate) text: String,
    /// Whether it stands on most pages: a constant of the template.
    pub(crate) is_constant: bool,
    pub(crate) cluster: usize,
}

/// For each text of pages of one type: the page, the node, and its cluster under a method.
pub fn cluster_texts(method: &DataMethod, trees: &[&Tree]) -> Vec<(usize, NodeId, usize)> {
    (method.cluster)(trees).into_iter().map(|text| (text.page, text.node, text.cluster)).collect()
}

/// The scores of all experts on pairs of texts of pages of one type: what a [`DataModel`] is trained on.
/// `label` says which field a text (page, text) is a value of, if any. A text without a label is taken for another
/// thing than any with one; pairs without any label are left out.
pub fn labelled_pairs<L: PartialEq>(
    trees: &[&Tree],
    label: impl Fn(usize, &str) -> Option<L>,
) -> Vec<(Vec<Option<f64>>, bool)> {
    let found = sample::samples(trees, MOST_TEXTS);
    let labels: Vec<Option<L>> = found.iter().map(|sample| label(sample.page, &sample.text)).collect();
    let mut pairs = Vec::new();
    for a in 0..found.len() {
        for b in a + 1..found.len() {
            if labels[a].is_some() || labels[b].is_some() {
                pairs.push((experts::scores(&found[a], &found[b]).to_vec(), labels[a] == labels[b]));
            }
        }
    }
    pairs
}

/// Reads the tables of a site with a published method: up to [`DATA_PAGES`] pages of each type, evenly spread. Pages
/// that took no part have no rows.
pub fn read(site: &Site, types: &PageTypes, method: &DataMethod) -> (Schema, Vec<PageRecord>) {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); types.count];
    for (page, &page_type) in types.type_of.iter().enumerate() {
        members[page_type].push(page);
    }
    let read: Vec<(Vec<usize>, assemble::Tables)> = members
        .par_iter()
        .zip(&types.names)
        .map(|(pages, name)| {
            let count = pages.len().min(DATA_PAGES);
            let chosen: Vec<usize> = (0..count).map(|at| pages[at * pages.len() / count]).collect();
            let trees: Vec<&Tree> = chosen.iter().map(|&page| &site.pages[page].tree).collect();
            let name = slug(name).unwrap_or_else(|| "page".into());
            (chosen, assemble::tables(&trees, &(method.cluster)(&trees), &name))
        })
        .collect();
    let mut schema = Schema::default();
    let mut records: Vec<PageRecord> = site
        .pages
        .iter()
        .zip(&types.type_of)
        .map(|(page, &page_type)| PageRecord {
            url: page.raw.url.clone(),
            reference: page.raw.reference.clone(),
            fingerprint: unsite_wrapper::fingerprint(&page.raw.bytes),
            page_type: Some(page_type),
            role: "other".into(),
            ..PageRecord::default()
        })
        .collect();
    for (page_type, (chosen, tables)) in read.into_iter().enumerate() {
        schema.page_types.push(PageTypeInfo {
            name: types.names[page_type].clone(),
            pages: members[page_type].len(),
            role: "other".into(),
            url_pattern: types.patterns[page_type].clone(),
            confidence: 1.0,
        });
        let first = schema.tables.len();
        for mut table in tables.tables {
            table.page_type = page_type;
            table.parent = table.parent.map(|parent| parent + first);
            schema.tables.push(table);
        }
        for (page, mut rows) in chosen.into_iter().zip(tables.rows) {
            rows.iter_mut().for_each(|row| row.table += first);
            records[page].rows = rows;
        }
    }
    (schema, records)
}
