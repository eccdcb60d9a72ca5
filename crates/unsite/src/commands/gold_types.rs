//! Gold sites as lessons for the page experts.

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
use unsite_learn::union_find::UnionFind;

/// In this suite most labels were made from addresses: what reads addresses learns nothing from it.
const LABELS_FROM_URLS: &str = "page-types";

/// For each measured gold site a model trained on the other measured and on the further ones; other designs of the same
/// site, and sites of the same host, are left out with it.
pub(crate) fn models(
    measured: &[PathBuf],
    further: &[PathBuf],
    limits: &Limits,
) -> Result<BTreeMap<PathBuf, Arc<Model>>> {
    let mut paths = measured.to_vec();
    paths.extend(further.iter().filter(|path| !measured.contains(path)).cloned());
    let gold = lessons(&paths, limits, |_| ())?;
    let mut by_group: BTreeMap<&str, Arc<Model>> = BTreeMap::new();
    let mut models = BTreeMap::new();
    for (path, site) in measured.iter().zip(&gold) {
        let model = by_group.entry(&site.group).or_insert_with(|| Arc::new(train(&gold, Some(&site.group))));
        models.insert(path.clone(), Arc::clone(model));
    }
    Ok(models)
}

/// The labelled pairs of gold sites, those that are one site in one group; `read` is told after each.
pub(crate) fn lessons(
    paths: &[PathBuf],
    limits: &Limits,
    mut read: impl FnMut(&Path),
) -> Result<Vec<GoldTypes>> {
    let mut lessons = Vec::new();
    for path in paths {
        lessons.push(lesson(path, limits)?);
        read(path);
    }
    let mut groups = UnionFind::new(lessons.len());
    for (at, one) in lessons.iter().enumerate() {
        for (before, other) in lessons[..at].iter().enumerate() {
            if one.is_same_site(other) {
                groups.join(at as u32, before as u32);
            }
        }
    }
    let names: Vec<String> = groups.roots().iter().map(|&root| lessons[root as usize].name.clone()).collect();
    let gold =
        |(lesson, group): (Lesson, String)| GoldTypes { name: lesson.name, group, pairs: lesson.pairs };
    Ok(lessons.into_iter().zip(names).map(gold).collect())
}

/// What one gold site teaches.
struct Lesson {
    name: String,
    site: Option<String>,
    host: String,
    pairs: Vec<unsite_discover::evidence::LabelledPair>,
}

impl Lesson {
    /// The same site: one host, or designs and versions of one.
    fn is_same_site(&self, other: &Lesson) -> bool {
        let version_of = |one: &Lesson, site: &Option<String>| {
            site.as_ref().is_some_and(|site| one.site.as_ref() == Some(site) || one.name.starts_with(site))
        };
        (!self.host.is_empty() && self.host == other.host)
            || version_of(self, &other.site)
            || version_of(other, &self.site)
    }
}

fn lesson(path: &Path, limits: &Limits) -> Result<Lesson> {
    let gold = GoldSite::load(path)?;
    let file = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    let kinds: BTreeMap<String, Option<String>> = gold
        .pages
        .iter()
        .map(|page| (file(&page.file), page.page_type.clone().filter(|kind| kind != "unknown")))
        .collect();
    let mut pages = Vec::new();
    let mut stream = Source::open(
        &path.to_string_lossy(),
        &SourceOptions { limits: *limits, ..SourceOptions::default() },
    )?
    .pages()?;
    while let Some(page) = stream.next_page() {
        pages.extend(page.ok());
    }
    let site = Site::parse(pages, limits);
    let types: Vec<Option<String>> =
        site.pages.iter().map(|page| kinds.get(&file(&page.raw.reference)).cloned().flatten()).collect();
    let host = site.urls().first().and_then(|url| url.split('/').nth(2)).unwrap_or_default().to_owned();
    let blind: &[&str] = if gold.meta.suite == LABELS_FROM_URLS { &["url"] } else { &[] };
    let pairs = training_pairs(&site, &types, blind);
    Ok(Lesson { name: gold.meta.name, site: gold.meta.site, host, pairs })
}
