//! Models of the page experts that have not seen the site they are measured on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use unsite_acquire::{Source, SourceOptions};
use unsite_discover::Site;
use unsite_discover::evidence::Model;
use unsite_discover::page_types::auto::{GoldTypes, train, training_pairs};
use unsite_dom::Limits;
use unsite_eval::GoldSite;

/// In this suite most labels were made from addresses: what reads addresses learns nothing from it.
const LABELS_FROM_URLS: &str = "page-types";

/// For each gold site a model trained on the others; other designs of the same site, and sites of the same host, are left
/// out with it.
pub(crate) fn models(paths: &[PathBuf], limits: &Limits) -> Result<BTreeMap<PathBuf, Arc<Model>>> {
    let gold: Vec<GoldTypes> = paths.iter().map(|path| labelled(path, limits)).collect::<Result<_>>()?;
    let mut by_group: BTreeMap<&str, Arc<Model>> = BTreeMap::new();
    let mut models = BTreeMap::new();
    for (path, site) in paths.iter().zip(&gold) {
        let model = by_group.entry(&site.group).or_insert_with(|| Arc::new(train(&gold, Some(&site.group))));
        models.insert(path.clone(), Arc::clone(model));
    }
    Ok(models)
}

/// The labelled pairs of one gold site.
fn labelled(path: &Path, limits: &Limits) -> Result<GoldTypes> {
    let gold = GoldSite::load(path)?;
    let file = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    let kinds: BTreeMap<String, Option<String>> = gold
        .pages
        .iter()
        .map(|page| (file(&page.file), page.page_type.clone().filter(|kind| kind != "unknown")))
        .collect();
    let mut pages = Vec::new();
    let mut stream = Source::open(&path.to_string_lossy(), &SourceOptions { limits: *limits })?.pages()?;
    while let Some(page) = stream.next_page() {
        pages.extend(page.ok());
    }
    let site = Site::parse(pages, limits);
    let types: Vec<Option<String>> =
        site.pages.iter().map(|page| kinds.get(&file(&page.raw.reference)).cloned().flatten()).collect();
    let host = site.urls().first().and_then(|url| url.split('/').nth(2)).unwrap_or_default().to_owned();
    let blind: &[&str] = if gold.meta.suite == LABELS_FROM_URLS { &["url", "base-url"] } else { &[] };
    let pairs = training_pairs(&site, &types, blind);
    Ok(GoldTypes { group: gold.meta.site.clone().unwrap_or(host), name: gold.meta.name, pairs })
}
