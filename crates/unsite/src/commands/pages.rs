//! `unsite pages`: the page types of a site, for people who want just that.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use unsite::pipeline;
use unsite::{Exit, Options, Outcome};
use unsite_acquire::Source;
use unsite_discover::page_types::PageTypes;
use unsite_discover::page_types::auto::Typing;
use unsite_discover::{Site, page_types};
use unsite_methods::page_types::cluster;
use unsite_methods::page_types::keyclus::{KeyPaths, TypeMark};

use super::from_database::{self, is_database};
use super::scratch::run_in_scratch;
use crate::cli::{Discovery, Global};
use crate::ui::{self, Grid, Ui, matrix_svg};

/// Types below this confidence have their doubtful pages shown.
const DOUBTFUL: f64 = 0.95;

/// The name of what fits no type.
const UNCLASSIFIED: &str = "unclassified";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A folder, .warc[.gz, .zst], .wacz, .jsonl, gold site, .html file, - for standard input, or a database that `run` wrote
    source: String,
    /// Also, for every type, the path that marks it and what that holds (KeyClus)
    #[arg(long)]
    key_paths: bool,
    /// Draw how alike the pages are, ordered by type, as an SVG picture
    #[arg(long, value_name = "FILE")]
    matrix: Option<PathBuf>,
    #[command(flatten)]
    discovery: Discovery,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    if is_database(&args.source) {
        if args.key_paths || args.matrix.is_some() {
            bail!("--key-paths and --matrix look at pages; {} is a database", args.source);
        }
        return from_database::pages(&args.source, ui);
    }
    let source = args.discovery.open(&args.source)?;
    let options = args.discovery.options(global);
    let scratch = run_in_scratch(&source, &options, ui)?;
    let closer = match args.key_paths || args.matrix.is_some() {
        true => Some(Closer::look(&source, &options, ui)?),
        false => None,
    };
    let marks = closer.as_ref().filter(|_| args.key_paths).map(|closer| closer.marks(&options));
    if let (Some(closer), Some(path)) = (&closer, &args.matrix) {
        fs::write(path, closer.matrix(&options))
            .with_context(|| format!("cannot write {}", path.display()))?;
        ui.hint(&format!("the picture is in {}", path.display()));
    }
    let outcome = &scratch.outcome;
    match ui.json {
        true => ui.print_json(&json_of(outcome, marks.as_deref()))?,
        false => ui.print(&text_of(outcome, marks.as_deref(), ui.width()))?,
    }
    Ok(scratch.exit(ui))
}

/// The pages that the types were learned from, once more: what a run leaves does not hold them.
struct Closer {
    site: Site,
    types: PageTypes,
}

impl Closer {
    fn look(source: &Source, options: &Options, ui: Ui) -> Result<Closer> {
        let mut progress = ui.progress();
        let sampled = pipeline::sample(source, options, progress.as_mut())?;
        let site = pipeline::parse(sampled.pages, options, progress.as_mut());
        progress.stage("discovering", None);
        let types = cluster(&site, options.method, &options.page_type_options());
        Ok(Closer { site, types })
    }

    fn marks(&self, options: &Options) -> Vec<Option<TypeMark>> {
        let paths = KeyPaths::learn(&self.site, &options.page_type_options());
        paths.marks(&self.site, &self.types.type_of, self.types.count)
    }

    /// The types are those of the method that was asked for; how alike two pages are is always what the experts say.
    fn matrix(&self, options: &Options) -> String {
        let told = page_types::Options { k: None, ..options.page_type_options() };
        let matrix = Typing::of(&self.site, &told).matrix(&self.types.type_of);
        let kinds: Vec<usize> = matrix.pages.iter().map(|&page| self.types.type_of[page]).collect();
        matrix_svg(kinds.len(), |row, column| matrix.get(row, column), &kinds, &self.types.names)
    }
}

fn json_of(outcome: &Outcome, marks: Option<&[Option<TypeMark>]>) -> Value {
    let mut summary = ui::summary_json(outcome);
    if let (Some(marks), Some(types)) = (marks, summary["page_types"].as_array_mut()) {
        for (kind, mark) in types.iter_mut().zip(marks) {
            kind["key_path"] = mark.as_ref().map_or(Value::Null, |mark| {
                json!({
                    "path": mark.path, "share": mark.share, "elsewhere": mark.elsewhere,
                    "examples": mark.examples,
                })
            });
        }
    }
    let keys = ["pages", "learned_from", "problems", "page_types"];
    let mut chosen: serde_json::Map<_, _> =
        keys.map(|key| (key.to_owned(), summary[key].take())).into_iter().collect();
    chosen.insert(UNCLASSIFIED.into(), json!(unclassified(outcome)));
    Value::Object(chosen)
}

/// Pages that fit no type.
fn unclassified(outcome: &Outcome) -> u64 {
    outcome.summary.pages.saturating_sub(outcome.pages_of_type.iter().sum())
}

fn text_of(outcome: &Outcome, marks: Option<&[Option<TypeMark>]>, width: usize) -> String {
    let types = &outcome.wrapper.schema.page_types;
    let mut order: Vec<usize> = (0..types.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(outcome.pages_of_type[at]));
    let mut grid = Grid::new(order.len());
    grid.text("page type", 30, order.iter().map(|&at| &types[at].name));
    grid.numbers("pages", order.iter().map(|&at| ui::number(outcome.pages_of_type[at])));
    grid.text("role", 10, order.iter().map(|&at| &types[at].role));
    grid.numbers("confidence", order.iter().map(|&at| format!("{:.2}", types[at].confidence)));
    grid.text("URLs", 40, order.iter().map(|&at| &types[at].url_pattern));
    let typical = |&at: &usize| outcome.type_pages[at].typical.first().cloned().unwrap_or_default();
    grid.text("typical page", usize::MAX, order.iter().map(typical));
    let mut text = grid.lines(0, width).0.join("\n") + "\n";
    let strangers = unclassified(outcome);
    if strangers > 0 {
        text += &format!("{UNCLASSIFIED}: {} that fit no type\n", ui::counted(strangers, "page"));
    }
    text += &doubtful_of(outcome, &order, width);
    if let Some(marks) = marks {
        text += &key_paths_of(outcome, &order, marks, width);
    }
    text
}

/// Pages that may be in the wrong type, where a type has some.
fn doubtful_of(outcome: &Outcome, order: &[usize], width: usize) -> String {
    let types = &outcome.wrapper.schema.page_types;
    let unsure = order.iter().filter(|&&at| types[at].confidence < DOUBTFUL);
    let pages: Vec<(&str, &str)> = unsure
        .flat_map(|&at| {
            outcome.type_pages[at].doubtful.iter().map(move |url| (types[at].name.as_str(), url.as_str()))
        })
        .collect();
    if pages.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(pages.len());
    grid.text("page type", 30, pages.iter().map(|page| page.0));
    grid.text("doubtful page", usize::MAX, pages.iter().map(|page| page.1));
    format!("\n{}\n", grid.lines(0, width).0.join("\n"))
}

fn key_paths_of(outcome: &Outcome, order: &[usize], marks: &[Option<TypeMark>], width: usize) -> String {
    let types = &outcome.wrapper.schema.page_types;
    let mark = |at: usize| marks.get(at).and_then(Option::as_ref);
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let mut grid = Grid::new(order.len());
    grid.text("page type", 30, order.iter().map(|&at| &types[at].name));
    grid.numbers("has it", order.iter().map(|&at| mark(at).map_or("-".into(), |mark| percent(mark.share))));
    grid.numbers(
        "others",
        order.iter().map(|&at| mark(at).map_or("-".into(), |mark| percent(mark.elsewhere))),
    );
    // What it holds needs a place of its own.
    let room = width / 3;
    let paths = order.iter().map(|&at| mark(at).map_or("no path marks it", |mark| ending(&mark.path, room)));
    grid.text("key path", room, paths);
    let held = order.iter().map(|&at| mark(at).map_or(String::new(), |mark| mark.examples.join(" | ")));
    grid.text("holds", usize::MAX, held);
    format!("\n{}\n", grid.lines(0, width).0.join("\n"))
}

/// The last steps of a path that fit, at least one: the beginning is the same for all.
fn ending(path: &str, most: usize) -> &str {
    let starts: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
    let fits = starts.iter().find(|&&at| path[at..].chars().count() <= most);
    match fits.or(starts.last()) {
        Some(&at) if path.chars().count() > most => &path[at..],
        _ => path,
    }
}
