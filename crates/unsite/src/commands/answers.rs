//! The answers to searches on the pages of a site, found and shown.

use std::collections::BTreeMap;

use anyhow::Result;
use rayon::prelude::*;
use serde_json::{Value, json};
use unsite::Options;
use unsite::pipeline::{Learned, learn_source};
use unsite_acquire::Source;
use unsite_discover::regions::{
    Answer, ClusterTraits, Pagelet, PageletModel, clusters_forwarded, pagelets, rank_clusters,
};
use unsite_dom::{NodeId, Terms, Tree, Url};
use unsite_eval::ObservedPagelet;

use crate::ui::{self, Grid, STRONG, Ui, styled};

/// Pages of a cluster that its rank is taken from.
const RANKED_FROM: usize = 20;

/// The answer of one page.
pub(crate) struct PageAnswer {
    pub answer: Answer,
    pub pagelet: Pagelet,
}

/// A page type whose pages answer searches.
pub(crate) struct Cluster {
    /// The page type.
    pub page_type: usize,
    /// How promising it is, 0 to 1.
    pub score: f64,
    /// Whether it was looked at further.
    pub is_forwarded: bool,
}

/// The clusters of answer pages, the most promising first, and the answers by page.
pub(crate) fn find(learned: &Learned) -> (Vec<Cluster>, BTreeMap<usize, PageAnswer>) {
    let terms = Terms::shared();
    let types = &learned.wrapper.schema.page_types;
    let members = |at: usize| (0..learned.type_of.len()).filter(move |&page| learned.type_of[page] == at);
    let roles: Vec<String> =
        (0..learned.type_of.len()).into_par_iter().map(|page| role(learned, page)).collect();
    let answers_search = |page: usize| matches!(roles[page].as_str(), "search" | "no-match");
    let clusters: Vec<usize> = (0..types.len()).filter(|&at| members(at).any(answers_search)).collect();
    let traits: Vec<ClusterTraits> = clusters
        .iter()
        .map(|&at| {
            let pages = members(at).take(RANKED_FROM).map(|page| &learned.site.pages[page]);
            let pages: Vec<(&Tree, usize)> = pages.map(|page| (&page.tree, page.raw.bytes.len())).collect();
            ClusterTraits::of(&pages, terms)
        })
        .collect();
    let forwarded = clusters_forwarded(clusters.len());
    let mut ranked = Vec::new();
    let mut answers = BTreeMap::new();
    let mut models: Vec<PageletModel> = Vec::new();
    for (rank, (at, score)) in rank_clusters(&traits).into_iter().enumerate() {
        let page_type = clusters[at];
        // Where all answers are of one type there is nothing to choose from; a type of its own without any is none.
        let is_forwarded = rank < forwarded && types[page_type].role != "no-match";
        let pages: Vec<usize> = members(page_type).collect();
        let trees: Vec<&Tree> = pages.iter().map(|&page| &learned.site.pages[page].tree).collect();
        let mut found = vec![Pagelet::default(); trees.len()];
        if is_forwarded {
            let learned = pagelets(&trees, terms);
            found = learned.pages;
            models.extend(learned.model);
        }
        for (page, pagelet) in pages.into_iter().zip(found) {
            if matches!(roles[page].as_str(), "search" | "no-match" | "error") {
                answers.insert(page, judge(&roles[page], pagelet));
            }
        }
        ranked.push(Cluster { page_type, score, is_forwarded });
    }
    read_the_rest(learned, &roles, &models, &mut answers);
    (ranked, answers)
}

/// Pages that lead on from a search and whose own cluster shows no answer, mostly because nothing is like them: what was
/// learned from better clusters finds it.
fn read_the_rest(
    learned: &Learned,
    roles: &[String],
    models: &[PageletModel],
    answers: &mut BTreeMap<usize, PageAnswer>,
) {
    for (&page, answer) in answers.iter_mut() {
        if roles[page] == "search" && answer.pagelet.node.is_none() {
            let tree = &learned.site.pages[page].tree;
            let found = models.iter().map(|model| model.read(tree)).find(|found| found.node.is_some());
            *answer = judge(&roles[page], found.unwrap_or_default());
        }
    }
}

/// The role of one page.
fn role(learned: &Learned, at: usize) -> String {
    let page = &learned.site.pages[at];
    learned.wrapper.read(&page.raw, &page.tree, &page.cuts, Some(learned.type_of[at])).role
}

/// The class of an answer: errors and pages that found nothing say so themselves.
fn judge(role: &str, pagelet: Pagelet) -> PageAnswer {
    match role {
        "error" => PageAnswer { answer: Answer::Error, pagelet: Pagelet::default() },
        "no-match" => PageAnswer { answer: Answer::NoMatch, pagelet: Pagelet::default() },
        _ => PageAnswer { answer: pagelet.answer(), pagelet },
    }
}

/// Shows the answers of the chosen pages.
pub(crate) fn print(ui: Ui, learned: &Learned, chosen: &[usize]) -> Result<()> {
    let (clusters, answers) = find(learned);
    let types = &learned.wrapper.schema.page_types;
    let shown: Vec<(usize, &PageAnswer)> =
        chosen.iter().filter_map(|&at| Some((at, answers.get(&at)?))).collect();
    if ui.json {
        let clusters: Vec<Value> = clusters
            .iter()
            .map(|cluster| {
                json!({
                    "page_type": types[cluster.page_type].name, "score": cluster.score,
                    "forwarded": cluster.is_forwarded,
                })
            })
            .collect();
        let pages: Vec<Value> = shown.iter().map(|(at, answer)| answer_json(learned, *at, answer)).collect();
        return ui.print_json(&json!({ "clusters": clusters, "pages": pages }));
    }
    if shown.is_empty() {
        ui.warn("no page answers a search; answers are known by a form's field in their address");
        return Ok(());
    }
    let mut grid = Grid::new(clusters.len());
    grid.text("cluster", 30, clusters.iter().map(|cluster| &types[cluster.page_type].name));
    grid.numbers("pages", clusters.iter().map(|cluster| ui::number(types[cluster.page_type].pages as u64)));
    grid.numbers("score", clusters.iter().map(|cluster| format!("{:.2}", cluster.score)));
    grid.text("looked at", 9, clusters.iter().map(|cluster| if cluster.is_forwarded { "yes" } else { "no" }));
    let mut out = grid.lines(0, ui.width()).0.join("\n") + "\n\n";
    let mut grid = Grid::new(shown.len());
    grid.text("answer", 12, shown.iter().map(|(_, answer)| answer.answer.name()));
    grid.numbers("items", shown.iter().map(|(_, answer)| ui::number(answer.pagelet.objects.len() as u64)));
    grid.text("page", 60, shown.iter().map(|(at, _)| &learned.site.pages[*at].raw.url));
    grid.text(
        "pagelet",
        usize::MAX,
        shown.iter().map(|(at, answer)| path(learned, *at, answer).unwrap_or_default()),
    );
    out += &(grid.lines(0, ui.width()).0.join("\n") + "\n");
    if let [(at, answer)] = shown.as_slice() {
        for (number, object) in objects(learned, *at, answer).iter().enumerate() {
            let text = ui::fit(&ui::printable(object), ui.width().saturating_sub(6));
            out += &format!("\n{:>4}  {text}", styled(STRONG, &(number + 1).to_string()));
        }
        out.push('\n');
    }
    ui.print(&out)
}

/// The answers of a source as the measures want them: texts with the values of attributes.
pub(crate) fn observed(source: &Source, options: &Options) -> Result<BTreeMap<String, ObservedPagelet>> {
    let (learned, _, _) = learn_source(source, options, &mut ())?;
    let (_, answers) = find(&learned);
    let mut all = BTreeMap::new();
    for (at, answer) in answers {
        let Some(node) = answer.pagelet.node else { continue };
        let page = &learned.site.pages[at];
        let base = page.tree.base_url(&page.raw.url);
        let text = |nodes: &[NodeId]| with_attributes(&page.tree, nodes, base.as_ref());
        let objects = answer.pagelet.objects.iter().map(|run| text(run)).collect();
        let parts = page.tree.children(node).map(|child| text(&[child])).collect();
        all.insert(page.raw.reference.clone(), ObservedPagelet { text: text(&[node]), parts, objects });
    }
    Ok(all)
}

/// The visible text of subtrees, then the values of their attributes, links absolute.
fn with_attributes(tree: &Tree, nodes: &[NodeId], base: Option<&Url>) -> String {
    let mut out = String::new();
    for &root in nodes {
        out += &tree.visible_text(root);
        for node in std::iter::once(root).chain(tree.descendants(root)) {
            for (name, value) in tree.attrs(node) {
                let absolute = base
                    .filter(|_| matches!(name, "href" | "src"))
                    .and_then(|base| base.join(value.trim()).ok());
                out.push('\n');
                out.push_str(&absolute.map_or_else(|| value.to_owned(), String::from));
            }
        }
    }
    out
}

fn path(learned: &Learned, at: usize, answer: &PageAnswer) -> Option<String> {
    let tree = &learned.site.pages[at].tree;
    Some(tree.indexed_paths().of(answer.pagelet.node?))
}

/// The visible text of each item.
fn objects(learned: &Learned, at: usize, answer: &PageAnswer) -> Vec<String> {
    let tree = &learned.site.pages[at].tree;
    let text = |run: &Vec<_>| run.iter().map(|&node| tree.visible_text(node)).collect::<Vec<_>>().join("\n");
    answer.pagelet.objects.iter().map(text).collect()
}

fn answer_json(learned: &Learned, at: usize, answer: &PageAnswer) -> Value {
    let page = &learned.site.pages[at];
    json!({
        "url": page.raw.url, "ref": page.raw.reference, "answer": answer.answer.name(),
        "pagelet": path(learned, at, answer), "objects": objects(learned, at, answer),
    })
}
