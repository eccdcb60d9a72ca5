//! `unsite regions`: what informs on a page, what is template, its main text, and the answers to searches.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, bail};
use rayon::prelude::*;
use serde_json::{Value, json};
use unsite::pipeline::{Learned, MainTexts, learn_source};
use unsite::{Exit, Options};
use unsite_discover::SitePage;
use unsite_discover::regions::{SiteRegions, site_regions};
use unsite_store::Output;

use super::answers;
use super::scratch::exit_after;
use crate::cli::{Discovery, Global};
use crate::ui::{self, Grid, STRONG, Ui, styled};

/// Widest path and widest example of a text.
const WIDEST: usize = 48;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A folder, .warc[.gz, .zst], .wacz, .jsonl, gold site, .html file, or - for standard input
    source: String,
    /// Print the main text of every page instead: the article without what frames it
    #[arg(long)]
    main_text: bool,
    /// The main text as Markdown
    #[arg(long, requires = "main_text")]
    markdown: bool,
    /// Also write everything with the table _main_text, as `unsite run --main-text` does: .db, .csv, .jsonl or a folder/
    #[arg(short, long, value_name = "FILE", requires = "main_text")]
    output: Option<PathBuf>,
    /// Show the answers to searches instead: the region of each answer page and its items
    #[arg(long, conflicts_with = "main_text")]
    pagelets: bool,
    /// Only pages whose address or name in the source contains this; regions are then listed one by one
    #[arg(long, value_name = "TEXT")]
    page: Option<String>,
    #[command(flatten)]
    discovery: Discovery,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let output = args.output.as_ref().map(Output::parse).transpose()?;
    let source = args.discovery.open(&args.source)?;
    let options = args.discovery.options(global);
    let (learned, is_whole, problems) = learn_source(&source, &options, ui.progress().as_mut())?;
    let chosen: Vec<usize> = (0..learned.site.pages.len())
        .filter(|&at| args.page.as_ref().is_none_or(|text| names(&learned.site.pages[at], text)))
        .collect();
    if let (Some(text), true) = (&args.page, chosen.is_empty()) {
        bail!("no page has `{text}` in its address or name; `unsite roles` lists the pages");
    }
    if let Some(output) = output {
        unsite::run(&source, &output, &Options { main_text: true, ..options }, ui.progress().as_mut())?;
        ui.hint(&format!("the main texts are in _main_text of {}", output.path().display()));
    }
    if args.main_text {
        print_main_texts(ui, &learned, &chosen, args.markdown)?;
    } else if args.pagelets {
        answers::print(ui, &learned, &chosen)?;
    } else {
        print_regions(ui, &learned, &chosen, args.page.is_some())?;
    }
    if !is_whole {
        ui.hint(&format!("regions of a sample of {} pages; --sample takes more", learned.site.pages.len()));
    }
    Ok(exit_after(ui, &problems))
}

fn names(page: &SitePage, text: &str) -> bool {
    page.raw.url.contains(text) || page.raw.reference.contains(text)
}

fn print_main_texts(ui: Ui, learned: &Learned, chosen: &[usize], markdown: bool) -> Result<()> {
    let texts = MainTexts::learn(learned);
    let text = |&at: &usize| {
        let page = &learned.site.pages[at];
        match markdown {
            true => texts.markdown(Some(learned.type_of[at]), &page.tree, &page.raw.url),
            false => texts.of(Some(learned.type_of[at]), &page.tree),
        }
    };
    let texts: Vec<String> = chosen.par_iter().map(text).collect();
    if ui.json {
        let page = |(&at, text): (&usize, &String)| {
            let page = &learned.site.pages[at].raw;
            json!({"url": page.url, "ref": page.reference, "text": text})
        };
        return ui.print_json(&json!({ "pages": chosen.iter().zip(&texts).map(page).collect::<Vec<_>>() }));
    }
    for (&at, text) in chosen.iter().zip(&texts) {
        let page = &learned.site.pages[at];
        let name = if page.raw.url.is_empty() { &page.raw.reference } else { &page.raw.url };
        let lines: Vec<String> = text.lines().map(ui::printable_indented).collect();
        let head = if markdown { format!("<!-- {} -->", ui::printable(name)) } else { ui::printable(name) };
        ui.print(&format!("{}\n\n{}\n\n", styled(STRONG, &head), lines.join("\n")))?;
    }
    Ok(())
}

fn print_regions(ui: Ui, learned: &Learned, chosen: &[usize], one_by_one: bool) -> Result<()> {
    let types = &learned.wrapper.schema.page_types;
    let is_index: Vec<bool> =
        types.iter().map(|info| matches!(info.role.as_str(), "index" | "search")).collect();
    let found = site_regions(&learned.site, &learned.type_of, &is_index);
    if ui.json {
        return ui.print_json(&regions_json(learned, &found, chosen));
    }
    let mut parts = Vec::new();
    if one_by_one {
        for &at in chosen {
            parts.push(page_text(learned, &found, at, ui.width()));
        }
    } else {
        for at in 0..types.len() {
            parts.push(type_text(learned, &found, at, ui.width()));
        }
        parts.push(format!(
            "{} that informative blocks of index pages lead to\n",
            ui::counted(found.listed.len() as u64, "page")
        ));
    }
    ui.print(&parts.join("\n"))
}

fn verdict(is_informative: bool) -> &'static str {
    if is_informative { "informative" } else { "redundant" }
}

fn shown_entropy(entropy: Option<f64>) -> String {
    entropy.map_or_else(|| "·".to_owned(), |entropy| format!("{entropy:.3}"))
}

/// The regions of one page.
fn page_text(learned: &Learned, found: &SiteRegions, at: usize, width: usize) -> String {
    let (page, regions) = (&learned.site.pages[at], &found.pages[at]);
    let mut paths = page.tree.indexed_paths();
    let mut grid = Grid::new(regions.len());
    grid.text("verdict", 12, regions.iter().map(|region| verdict(region.is_informative)));
    grid.numbers("entropy", regions.iter().map(|region| shown_entropy(region.entropy)));
    grid.text("path", WIDEST, regions.iter().map(|region| paths.of(region.node)));
    grid.text("text", usize::MAX, regions.iter().map(|region| &region.text));
    format!("{}\n{}\n", styled(STRONG, &ui::printable(&page.raw.url)), grid.lines(0, width).0.join("\n"))
}

/// A kind of region over the pages of a type.
#[derive(Default)]
struct Kind {
    pages: usize,
    entropy: Option<f64>,
    informative: usize,
    example: String,
}

/// The regions of a type, those at the same path together.
fn type_text(learned: &Learned, found: &SiteRegions, at: usize, width: usize) -> String {
    let info = &learned.wrapper.schema.page_types[at];
    let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
    for (page, _) in learned.type_of.iter().enumerate().filter(|(_, of)| **of == at) {
        let tree = &learned.site.pages[page].tree;
        let mut paths = tree.indexed_paths();
        for region in &found.pages[page] {
            let kind = kinds.entry(paths.of(region.node)).or_default();
            kind.pages += 1;
            kind.informative += usize::from(region.is_informative);
            if let Some(entropy) = region.entropy {
                *kind.entropy.get_or_insert(0.0) += entropy;
            }
            if kind.example.len() < region.text.len() {
                kind.example.clone_from(&region.text);
            }
        }
    }
    let mut rows: Vec<(&String, &Kind)> = kinds.iter().collect();
    rows.sort_by(|a, b| b.1.pages.cmp(&a.1.pages).then(a.0.cmp(b.0)));
    let more = rows.len().saturating_sub(MOST_KINDS);
    rows.truncate(MOST_KINDS);
    let mut grid = Grid::new(rows.len());
    grid.text("verdict", 12, rows.iter().map(|(_, kind)| verdict(2 * kind.informative >= kind.pages)));
    let mean = |kind: &Kind| kind.entropy.map(|sum| sum / kind.pages as f64);
    grid.numbers("entropy", rows.iter().map(|(_, kind)| shown_entropy(mean(kind))));
    grid.numbers("pages", rows.iter().map(|(_, kind)| ui::number(kind.pages as u64)));
    grid.text("path", WIDEST, rows.iter().map(|(path, _)| path));
    grid.text("text", usize::MAX, rows.iter().map(|(_, kind)| &kind.example));
    let threshold = match found.types[at].threshold {
        Some(threshold) => format!("informative up to entropy {threshold:.1}"),
        None => "a single page, judged by itself".to_owned(),
    };
    let head = format!(
        "{}: {}, {}, {threshold}",
        styled(STRONG, &ui::printable(&info.name)),
        info.role,
        ui::counted(info.pages as u64, "page")
    );
    let rest =
        if more > 0 { format!("  and {}\n", ui::counted(more as u64, "more path")) } else { String::new() };
    format!("{head}\n{}\n{rest}", grid.lines(2, width).0.join("\n"))
}

/// Kinds of regions that are listed for one type; the others are counted.
const MOST_KINDS: usize = 25;

fn regions_json(learned: &Learned, found: &SiteRegions, chosen: &[usize]) -> Value {
    let types = &learned.wrapper.schema.page_types;
    let url = |at: usize| &learned.site.pages[at].raw.url;
    let page_types: Vec<Value> = types
        .iter()
        .zip(&found.types)
        .map(|(info, regions)| {
            json!({
                "name": info.name, "role": info.role, "threshold": regions.threshold,
                "learned_from": regions.learned_from,
            })
        })
        .collect();
    let pages: Vec<Value> = chosen
        .iter()
        .map(|&at| {
            let page = &learned.site.pages[at];
            let mut paths = page.tree.indexed_paths();
            let regions: Vec<Value> = found.pages[at]
                .iter()
                .map(|region| {
                    json!({
                        "path": paths.of(region.node), "entropy": region.entropy,
                        "verdict": verdict(region.is_informative), "text": region.text,
                    })
                })
                .collect();
            let listed = found.listed.binary_search_by_key(&at, |listed| listed.page);
            let on: Vec<&String> = listed
                .map(|at| found.listed[at].on.iter().map(|&list| url(list)).collect())
                .unwrap_or_default();
            json!({
                "url": page.raw.url, "ref": page.raw.reference, "page_type": types[learned.type_of[at]].name,
                "regions": regions, "listed_on": on,
            })
        })
        .collect();
    json!({ "page_types": page_types, "pages": pages })
}
