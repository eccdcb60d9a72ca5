//! `unsite why-page`: which experts put a page into its type.

use anyhow::{Result, bail};
use serde_json::{Value, json};
use unsite::{Exit, pipeline};
use unsite_acquire::Source;
use unsite_discover::page_types::auto::{Answers, Typing, Why};
use unsite_discover::{Site, SitePage};
use unsite_dom::{RawPage, Tree};

use crate::cli::{Discovery, Global};
use crate::ui::{self, FAINT, Grid, STRONG, styled};

/// Addresses that an error names.
const SHOWN: usize = 5;

/// What a page of no type is said to be of.
const UNCLASSIFIED: &str = "unclassified";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A folder, .warc[.gz, .zst], .wacz, .jsonl, gold site, .html file, or - for standard input
    source: String,
    /// The page: its URL, or what its source calls it (a file, a record)
    url: String,
    #[command(flatten)]
    discovery: Discovery,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let source = args.discovery.open(&args.source)?;
    let options = args.discovery.options(global);
    if !options.method.is_default() {
        bail!("{} gives types and no reasons; leave --method out", options.method.name);
    }
    let mut progress = ui.progress();
    let sampled = pipeline::sample(&source, &options, progress.as_mut())?;
    if sampled.total == 0 {
        return Err(
            pipeline::NoPages { source_name: source.name().to_owned(), problems: sampled.problems }.into()
        );
    }
    let complete = sampled.total == sampled.pages.len();
    progress.stage("parsing", Some(sampled.pages.len()));
    let site = Site::parse(sampled.pages, &options.limits);
    progress.stage("discovering", None);
    let typing = Typing::of(&site, &options.page_type_options());
    drop(progress);
    let (url, why) = match site.pages.iter().position(|page| is_asked(&page.raw, &args.url)) {
        Some(at) => (site.pages[at].raw.url.clone(), typing.why(&site, at)),
        None if complete => return Err(no_such_page(&args.url, &site.pages, source.name())),
        None => match find(&source, &args.url)? {
            Some(page) => {
                let (tree, _) = Tree::parse(&page.bytes, page.charset.as_deref(), &options.limits);
                let why = typing.why_further(&page.url, &tree);
                (page.url, why)
            }
            None => return Err(no_such_page(&args.url, &site.pages, source.name())),
        },
    };
    let Some(why) = why else { bail!("there are no page types to compare {url} with") };
    match ui.json {
        true => ui.print_json(&json_of(&url, &typing, &why))?,
        false => ui.print(&text_of(&url, &typing, &why, ui.width()))?,
    }
    Ok(Exit::Done)
}

/// Whether a page is the one that was asked for: people leave out the last slash, and copy names of files.
fn is_asked(page: &RawPage, asked: &str) -> bool {
    page.url.trim_end_matches('/') == asked.trim_end_matches('/') || page.reference == asked
}

/// A page that was not learned from.
fn find(source: &Source, asked: &str) -> Result<Option<RawPage>> {
    let mut pages = source.pages()?;
    while let Some(page) = pages.next_page() {
        if let Some(page) = page.ok().filter(|page| is_asked(page, asked)) {
            return Ok(Some(page));
        }
    }
    Ok(None)
}

fn no_such_page(asked: &str, pages: &[SitePage], source: &str) -> anyhow::Error {
    let shared = |url: &str| url.bytes().zip(asked.bytes()).take_while(|(a, b)| a == b).count();
    let mut near: Vec<&str> = pages.iter().map(|page| page.raw.url.as_str()).collect();
    near.sort_by_key(|url| (std::cmp::Reverse(shared(url)), url.len()));
    near.truncate(SHOWN);
    anyhow::anyhow!("{source} has no page {asked}; some that it has:\n  {}", near.join("\n  "))
}

/// The opinions of the experts on a page.
pub(crate) fn json_of(url: &str, typing: &Typing, why: &Why) -> Value {
    let name = |at: usize| typing.types[at].name.as_str();
    let opinions: Vec<Value> = why
        .opinions
        .iter()
        .map(|one| {
            json!({
                "expert": one.expert, "score": one.own, "log_odds": one.own_odds,
                "runner_up_score": one.other, "runner_up_log_odds": one.other_odds,
            })
        })
        .collect();
    json!({
        "url": url, "page_type": why.page_type.map(name), "nearest": name(why.nearest),
        "runner_up": why.runner_up.map(name), "answers": why.answers.map(Answers::word), "log_odds": why.own, "runner_up_log_odds": why.other,
        "bias": why.bias, "experts": opinions,
    })
}

fn text_of(url: &str, typing: &Typing, why: &Why, width: usize) -> String {
    let line = |at: usize| {
        let kind = &typing.types[at];
        let name = styled(STRONG, &ui::printable(&kind.name));
        let pages = ui::counted(kind.pages as u64, "page");
        format!("{name} ({pages}, {})", ui::fit(&ui::printable(&kind.url_pattern), width / 2))
    };
    let label = |name: &str| styled(FAINT, &format!("{name:10}"));
    let mut out = format!("{} {}\n", label("page"), ui::printable(url));
    match why.page_type {
        Some(own) => out += &format!("{} {}\n", label("type"), line(own)),
        None => {
            out += &format!("{} {}: it fits no type\n", label("type"), styled(STRONG, UNCLASSIFIED));
            out += &format!("{} {}\n", label("nearest"), line(why.nearest));
        }
    }
    let other = match why.runner_up {
        Some(other) => line(other),
        None => "none: there is no other type".into(),
    };
    out += &format!("{} {other}\n", label("runner-up"));
    if let Some(answers) = why.answers {
        let told = match answers {
            Answers::None => "none: the search found nothing",
            Answers::One => "one: pages with one answer to a search are a type of their own",
            Answers::Many => "many",
        };
        out += &format!("{} {told}\n", label("answers"));
    }
    out.push('\n');

    let opinions = &why.opinions;
    let score = |score: Option<f64>| score.map_or("-".into(), |score| format!("{score:.2}"));
    let odds = |odds: f64| format!("{odds:+.2}");
    // The rows below the experts' own.
    let below = |own: f64, other: Option<f64>| [odds(own), other.map_or(String::new(), odds)];
    let start = below(why.bias, why.other.map(|_| why.bias));
    let sum = below(why.own, why.other);
    let mut grid = Grid::new(opinions.len() + 2);
    let names = opinions.iter().map(|one| one.expert).chain(["every pair", "together"]);
    grid.text("expert", usize::MAX, names);
    let blank = || [String::new(), String::new()];
    grid.numbers("like its type", opinions.iter().map(|one| score(one.own)).chain(blank()));
    grid.numbers(
        "log-odds",
        opinions.iter().map(|one| odds(one.own_odds)).chain([start[0].clone(), sum[0].clone()]),
    );
    if why.runner_up.is_some() {
        grid.numbers("like runner-up", opinions.iter().map(|one| score(one.other)).chain(blank()));
        grid.numbers(
            "log-odds",
            opinions.iter().map(|one| odds(one.other_odds)).chain([start[1].clone(), sum[1].clone()]),
        );
    }
    out + &grid.lines(0, width).0.join("\n") + "\n"
}
