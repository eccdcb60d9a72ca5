//! `unsite eval --set complete`: how much of what varies on the pages of any source is told, and told once.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde_json::json;
use unsite::{Exit, Options};
use unsite_dom::Tree;
use unsite_eval::{Completeness, PageTexts, Set, Told, gold_paths};

use super::scratch::Scratch;
use crate::cli::Discovery;
use crate::ui::Ui;

pub(super) fn run(
    sources: &[PathBuf],
    sets: &[Set],
    discovery: &Discovery,
    options: &Options,
    ui: Ui,
) -> Result<Exit> {
    if sets.iter().any(|set| *set != Set::Complete) {
        bail!("--set complete needs no labels and is measured alone: leave the other sets out");
    }
    let mut measured: Vec<(PathBuf, Completeness)> = Vec::new();
    for source in sources {
        // A folder of gold sites is many sites; any other folder is one.
        let sites = gold_paths(std::slice::from_ref(source)).unwrap_or_else(|_| vec![source.clone()]);
        for site in sites {
            let found = completeness(&site, discovery, options)?;
            measured.push((site, found));
        }
    }
    let shares = |found: &Completeness| (found.in_a_cell(), found.in_one_cell());
    if ui.json {
        let sites = measured.iter().map(|(site, found)| {
            let (told, once) = shares(found);
            json!({"source": site, "letters": found.letters, "in_a_cell": told, "in_one_cell": once})
        });
        ui.print_json(&json!({"complete": sites.collect::<Vec<_>>()}))?;
        return Ok(Exit::Done);
    }
    let mut text =
        format!("{:<32} {:>9} {:>9} {:>11}\n", "complete by site", "letters", "in a cell", "in just one");
    for (site, found) in &measured {
        let name = site.file_name().unwrap_or(site.as_os_str()).to_string_lossy();
        let name = name.strip_suffix(".tar.zst").unwrap_or(&name);
        let (told, once) = shares(found);
        text.push_str(&format!("{name:<32} {:>9} {told:>9.3} {once:>11.3}\n", found.letters));
    }
    let mean = |of: fn(&Completeness) -> f64| {
        measured.iter().map(|(_, found)| of(found)).sum::<f64>() / measured.len().max(1) as f64
    };
    text.push_str(&format!(
        "MEAN complete: in a cell {:.3}, in exactly one {:.3} over {} sources",
        mean(Completeness::in_a_cell),
        mean(Completeness::in_one_cell),
        measured.len()
    ));
    ui.print(&text)?;
    Ok(Exit::Done)
}

/// Runs on one source, and reads its pages a second time.
fn completeness(path: &Path, discovery: &Discovery, options: &Options) -> Result<Completeness> {
    let source = discovery.open(&path.to_string_lossy())?;
    let scratch = Scratch::run(&source, options, &mut ())?;
    let told = Told::from_database(&scratch.database())?;
    let mut texts = PageTexts::default();
    let mut pages = source.pages()?;
    while let Some(page) = pages.next_page() {
        // The run before has already told of pages that cannot be read.
        let Ok(page) = page else { continue };
        let Some((page_type, _)) = told.pages.get(&page.reference) else { continue };
        let (tree, _) = Tree::parse(&page.bytes, page.charset.as_deref(), &options.limits);
        texts.add(&page.reference, page_type, &tree);
    }
    Ok(texts.completeness(&told))
}
