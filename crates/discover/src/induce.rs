//! The whole of discovery: pages in, wrapper out.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::Tree;
use unsite_wrapper::{
    ClassMap, Family, PageMarks, PageTypeInfo, Recogniser, Schema, Training, TypeModel, Wrapper, mark_names,
};

use crate::fields;
use crate::naming::slug;
use crate::page_types::PageTypes;
use crate::regions::SharedBlocks;
use crate::roles;
use crate::routes::add_routes;
use crate::schema;
use crate::site::Site;
use crate::tables::{self, Unify};
use crate::thing_names::ThingNames;

/// Pages of one type that its fields are learned from, and their nodes. More add time and no knowledge.
const FIELD_SAMPLE: usize = 300;
const FIELD_NODES: usize = 250_000;

/// Learns everything about a site from a sample of its pages, whose types are known.
pub fn induce(site: &Site, types: PageTypes) -> Wrapper {
    induce_unified(site, types, Unify::AcrossTypes)
}

/// The same, lists of one kind made one table as far as is said.
pub(crate) fn induce_unified(site: &Site, types: PageTypes, how_far: Unify) -> Wrapper {
    let members = members(&types);
    let urls = site.urls();
    let table_names: Vec<String> =
        types.names.iter().map(|name| slug(name).unwrap_or_else(|| "page".into())).collect();
    let found = roles::learn(site, &types.type_of, types.count);
    // Lists by tag, by author, by month are often built alike; what stands above them differs, and where routes tell them
    // apart each keeps what is its own. Detail pages of one template are one table whatever their addresses say.
    let leads_on = |at: usize| types.addresses_tell && found.types[at].role == roles::Role::Index;
    let template_of = |at: usize| {
        let like = types.template_of.get(at).copied().filter(|&like| like < types.count).unwrap_or(at);
        if leads_on(at) || leads_on(like) { at } else { like }
    };
    let template_of_page: Vec<usize> = types.type_of.iter().map(|&at| template_of(at)).collect();
    let mut pages_by_template: Vec<Vec<usize>> = vec![Vec::new(); types.count];
    for (page, &template) in template_of_page.iter().enumerate() {
        pages_by_template[template].push(page);
    }
    let shared = SharedBlocks::learn(site, &template_of_page, types.count);
    let names = ThingNames::of(site);
    let learned: Vec<fields::TypeFields> = pages_by_template
        .par_iter()
        .enumerate()
        .map(|(at, pages)| {
            let sample = site.sample(pages, FIELD_SAMPLE, FIELD_NODES);
            let trees: Vec<&Tree> = sample.iter().map(|&page| &site.pages[page].tree).collect();
            let addresses: Vec<&str> = sample.iter().map(|&page| urls[page]).collect();
            fields::learn(&trees, &addresses, &table_names[at], at, (&shared, &names))
        })
        .collect();
    let recogniser = recogniser(site, &types);
    let mut wrapper = Wrapper {
        classes: types.classes,
        frame: found.frame,
        search_fields: found.search_fields,
        ..Wrapper::default()
    };
    let mut schema = Schema::default();
    for (at, fields) in learned.into_iter().enumerate() {
        schema.page_types.push(PageTypeInfo {
            name: types.names[at].clone(),
            pages: members[at].len(),
            role: found.types[at].role.name().into(),
            url_pattern: types.patterns[at].clone(),
            confidence: types.confidence.get(at).copied().unwrap_or(0.0),
        });
        let (template, page_table) = fields.place(&mut schema.tables);
        let index_logit = found.types[at].index_logit;
        wrapper.types.push(TypeModel { template, page_table, index_logit, ..TypeModel::default() });
    }
    for at in 0..wrapper.types.len() {
        let like = template_of(at);
        if like != at {
            wrapper.types[at].template = wrapper.types[like].template.clone();
            wrapper.types[at].page_table = wrapper.types[like].page_table;
        }
    }
    wrapper.schema = schema;
    wrapper.recogniser = recogniser;
    wrapper.training =
        Training::new(site.pages.iter().map(|page| &page.raw).zip(types.type_of.iter().copied()));
    tables::unify(site, &types.type_of, &mut wrapper, how_far);
    let read = tables::read(site, &types.type_of, &wrapper);
    tables::refer(site, &types.type_of, &read, &mut wrapper);
    tables::name_articles(site, &types.type_of, &read, &mut wrapper);
    add_routes(site, &mut wrapper, &types.type_of);
    wrapper.database = Some(schema::learn(site, &types.type_of, &wrapper));
    wrapper
}

/// How the types are recognised on further pages.
fn recogniser(site: &Site, types: &PageTypes) -> Recogniser {
    let marks: Vec<PageMarks> = marks_of(site, &types.classes);
    let pages: Vec<usize> = (0..site.pages.len()).collect();
    learn_recogniser(site, &types.classes, (&pages, &marks, &types.type_of), types.count)
}

/// The marks of all pages.
pub(crate) fn marks_of(site: &Site, classes: &ClassMap) -> Vec<PageMarks> {
    site.pages.par_iter().map(|page| PageMarks::of(&page.tree, &page.raw.url, classes)).collect()
}

/// A recogniser of `count` types, and what its marks are called. It is learned from some pages of the site, with their
/// marks and types.
pub(crate) fn learn_recogniser(
    site: &Site,
    classes: &ClassMap,
    (pages, marks, type_of): (&[usize], &[PageMarks], &[usize]),
    count: usize,
) -> Recogniser {
    let (mut recogniser, seen_on) = Recogniser::learn(marks, type_of, count);
    type Marks = FxHashMap<(Family, u64), usize>;
    let mut wanted: Vec<(usize, Marks)> = Vec::new();
    let mut order: Vec<usize> = (0..recogniser.marks.len()).collect();
    order.sort_by_key(|&at| (seen_on[at], at));
    for at in order {
        let mark = &recogniser.marks[at];
        let (Some(family), Some(&hash)) = (mark.family, mark.hashes.first()) else { continue };
        if wanted.last().is_none_or(|(page, _)| *page != seen_on[at]) {
            wanted.push((seen_on[at], FxHashMap::default()));
        }
        wanted.last_mut().and_then(|(_, marks)| marks.insert((family, hash), at));
    }
    for (page, wanted) in wanted {
        let page = &site.pages[pages[page]];
        for (mark, name) in mark_names(&page.tree, &page.raw.url, classes, &wanted) {
            recogniser.marks[wanted[&mark]].name = name;
        }
    }
    recogniser
}

/// The pages of each type, in order.
fn members(types: &PageTypes) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); types.count];
    for (page, &page_type) in types.type_of.iter().enumerate() {
        members[page_type].push(page);
    }
    members
}
