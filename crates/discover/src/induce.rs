//! The whole of discovery: pages in, wrapper out.

use rayon::prelude::*;
use unsite_dom::Tree;
use unsite_wrapper::{PageTypeInfo, Prototype, Schema, TypeModel, Wrapper};

use crate::fields;
use crate::naming::slug;
use crate::page_types::PageTypes;
use crate::roles;
use crate::site::Site;
use crate::tables;

/// Pages of one type that its fields are learned from. More add time and no knowledge.
const FIELD_SAMPLE: usize = 400;

/// Learns everything about a site from a sample of its pages, whose types are known.
pub fn induce(site: &Site, types: PageTypes) -> Wrapper {
    let members = members(&types);
    let urls = site.urls();
    let table_names: Vec<String> =
        types.names.iter().map(|name| slug(name).unwrap_or_else(|| "page".into())).collect();
    let learned: Vec<fields::TypeFields> = members
        .par_iter()
        .enumerate()
        .map(|(at, pages)| {
            let sample = spread(pages, FIELD_SAMPLE);
            let trees: Vec<&Tree> = sample.iter().map(|&page| &site.pages[page].tree).collect();
            let addresses: Vec<&str> = sample.iter().map(|&page| urls[page]).collect();
            fields::learn(&trees, &addresses, &table_names[at], at)
        })
        .collect();
    let found = roles::learn(site, &types.type_of, types.count);
    let mut wrapper = Wrapper { classes: types.classes, frame: found.frame, ..Wrapper::default() };
    let mut schema = Schema::default();
    for (at, fields) in learned.into_iter().enumerate() {
        let pages: Vec<&[u64]> = members[at].iter().map(|&page| types.path_sets[page].as_slice()).collect();
        let prototype = Prototype::learn(&pages);
        schema.page_types.push(PageTypeInfo {
            name: types.names[at].clone(),
            pages: members[at].len(),
            role: found.types[at].role.name().into(),
            url_pattern: types.patterns[at].clone(),
            confidence: prototype.least,
        });
        let (template, page_table) = fields.place(&mut schema.tables);
        wrapper.types.push(TypeModel {
            prototype,
            template,
            page_table,
            index_logit: found.types[at].index_logit,
        });
    }
    wrapper.schema = schema;
    tables::refer(site, &types.type_of, &mut wrapper);
    wrapper
}

/// The pages of each type, in order.
fn members(types: &PageTypes) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); types.count];
    for (page, &page_type) in types.type_of.iter().enumerate() {
        members[page_type].push(page);
    }
    members
}

/// At most `most` of the pages, evenly spread.
fn spread(pages: &[usize], most: usize) -> Vec<usize> {
    if pages.len() <= most {
        return pages.to_vec();
    }
    (0..most).map(|at| pages[at * pages.len() / most]).collect()
}
