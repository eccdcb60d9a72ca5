//! The main job with a published framework in the place of the default's fields and tables.

use std::collections::BTreeMap;

use anyhow::Result;
use unsite_acquire::Source;
use unsite_methods::data::{self, DataMethod};
use unsite_methods::page_types::cluster;
use unsite_store::{Output, Sink};
use unsite_wrapper::Wrapper;

use super::{Filling, NoPages, Options, Outcome, Progress, parse, sample, short_name, type_pages};

/// Reads a few pages of each type of the sample as a paper does it and stores what came out. All pages of the sample
/// are listed; the wrapper of the outcome holds the schema alone, since these methods learn nothing that could be
/// applied to other pages.
pub(super) fn run(
    source: &Source,
    output: &Output,
    options: &Options,
    method: &DataMethod,
    progress: &mut dyn Progress,
) -> Result<Outcome> {
    let sampled = sample(source, options, progress)?;
    if sampled.total == 0 {
        return Err(NoPages { source_name: source.name().to_owned(), problems: sampled.problems }.into());
    }
    let learned_from = sampled.pages.len();
    let site = parse(sampled.pages, options, progress);
    progress.stage("discovering", None);
    let types = cluster(&site, options.method, &options.page_type_options());
    let type_pages = type_pages(&site, &types);
    let (schema, records) = data::read(&site, &types, method);
    let meta = options.meta(&short_name(source), &schema).with("data_method", method.name);
    let sink = Sink::create(output, &schema, &meta)?;
    let mut filling =
        Filling { sink, pages_of_type: vec![0; schema.page_types.len()], problems: BTreeMap::new() };
    for problem in &sampled.problems {
        filling.problem(problem)?;
    }
    filling.pages(&records, progress)?;
    progress.stage("writing", None);
    let Filling { sink, pages_of_type, problems } = filling;
    let summary = sink.finish()?;
    let wrapper = Wrapper { schema: schema.clone(), ..Wrapper::default() };
    Ok(Outcome { wrapper, stored: schema, summary, pages_of_type, type_pages, learned_from, problems })
}
