//! What the pages themselves and the wrapper add to a receipt: the text around a value, the record in its archive, and why
//! the page is of its type.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde_json::{Value, json};
use unsite::pipeline::Options;
use unsite_acquire::{Source, SourceOptions};
use unsite_dom::{Limits, NodeId, RawPage, Tree};
use unsite_wrapper::{Family, node_at};

use super::by_hand;
use super::why_experts::opinions;
use crate::ui::Ui;

/// Texts shown before and behind a value.
const TEXTS_AROUND: usize = 3;

/// Characters of each that are shown.
const CHARACTERS: usize = 60;

/// Where to look.
pub(crate) struct Places<'a> {
    /// The database of the receipt.
    pub db: &'a Path,
    /// The pages, if they were named.
    pub source: Option<&'a str>,
    /// The wrapper, if it was named.
    pub wrapper: Option<&'a Path>,
    /// How the page types were found, to ask the experts again; `None` to leave them alone.
    pub experts: Option<&'a Options>,
}

/// The receipt with what the page and the wrapper say. A source that is not named and not found adds nothing.
pub(crate) fn added(mut receipt: Value, places: &Places<'_>, ui: Ui) -> Result<Value> {
    let named = receipt["source"].as_str().filter(|name| !name.is_empty()).map(str::to_owned);
    let beside = named.into_iter().flat_map(|name| {
        let folder = places.db.parent().unwrap_or(Path::new(""));
        [folder.join(&name), PathBuf::from(name)]
    });
    let found = match places.source {
        Some(source) => Some(source.to_owned()),
        None => beside.into_iter().find(|path| path.exists()).map(|path| path.to_string_lossy().into_owned()),
    };
    let limits = places.experts.map_or_else(Limits::default, |options| options.limits);
    let source = match found {
        Some(source) => Some(Source::open(&source, &SourceOptions { limits, ..SourceOptions::default() })?),
        None => None,
    };
    let page = match &source {
        Some(source) => page(source, &receipt["page"])?,
        None => None,
    };
    let (Some(source), Some(page)) = (source, page) else {
        if let Some(source) = places.source {
            bail!(
                "{source} has no page {}; give the source that the database was made from",
                receipt["page"]["ref"]
            );
        }
        ui.hint("--source SOURCE names the pages it came from, to show the text around it and what the experts say");
        return Ok(receipt);
    };
    let (tree, _) = Tree::parse(&page.bytes, page.charset.as_deref(), &Limits::default());
    let offset = page.offset;
    let values = || receipt["values"].as_array().into_iter().flatten();
    // A value may stand on other pages too.
    let is_here = |value: &&Value| value["page"].is_null() || value["page"] == receipt["page"];
    let is_placed = |path: &&str| !path.is_empty();
    let paths = || values().filter(is_here).filter_map(|value| value["path"].as_str()).filter(is_placed);
    let is_gone = |path: &&str| path.starts_with("html/body") && node_at(&tree, path).is_none();
    if let Some(path) = paths().find(is_gone) {
        ui.warn(&format!(
            "the page in this source has nothing at {path}: it is not as it was when the value was read, and says nothing \
             about it"
        ));
        return Ok(receipt);
    }
    let around: Vec<String> =
        paths().filter_map(|path| node_at(&tree, path)).map(|node| around(&tree, node)).collect();
    receipt["around"] = json!(around);
    receipt["page"]["offset"] = json!(offset);
    if let (Some(options), Some(page_type)) = (places.experts, receipt["page"]["page_type"].as_str()) {
        receipt["page_type_by"] = json!(opinions(&source, &page, page_type, options, ui)?);
    }
    if let Some(path) = places.wrapper {
        let saved = by_hand::open(path, ui)?;
        if let Some(found) = saved.wrapper.recognise(&tree, &page.url) {
            let name = |at: usize| saved.wrapper.schema.page_types[at].name.as_str();
            let against = found.runner_up.map_or(String::new(), |other| format!(" against {}", name(other)));
            let said: Vec<Value> = Family::ALL
                .iter()
                .zip(found.evidence)
                .map(|(family, odds)| {
                    json!({"expert": family.name(), "log_odds": odds, "for": format!("{}{against}", name(found.page_type))})
                })
                .collect();
            receipt["recognised_by"] = json!(said);
        } else {
            ui.warn(&format!(
                "{} recognises no page type in this page: is it of another site?",
                path.display()
            ));
        }
    }
    Ok(receipt)
}

/// The page of a receipt in its source.
fn page(source: &Source, receipt: &Value) -> Result<Option<RawPage>> {
    let mut pages = source.pages()?;
    while let Some(item) = pages.next_page() {
        if let Ok(page) = item
            && receipt["ref"] == page.reference.as_str()
            && receipt["url"] == page.url.as_str()
        {
            return Ok(Some(page));
        }
    }
    Ok(None)
}

/// The texts before a node, the node's own in brackets, and those behind it.
fn around(tree: &Tree, node: NodeId) -> String {
    let texts: Vec<(NodeId, String)> =
        tree.texts().map(|text| (text.node, text.text.chars().take(CHARACTERS).collect())).collect();
    let first = texts.partition_point(|(text, _)| *text < node);
    let end = texts.partition_point(|(text, _)| *text < tree.end(node));
    let join = |texts: &[(NodeId, String)]| {
        texts.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" | ")
    };
    format!(
        "{} [{}] {}",
        join(&texts[first.saturating_sub(TEXTS_AROUND)..first]),
        join(&texts[first..end.min(first + TEXTS_AROUND)]),
        join(&texts[end..texts.len().min(end + TEXTS_AROUND)])
    )
}
