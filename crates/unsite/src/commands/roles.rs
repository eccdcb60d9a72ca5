//! `unsite roles`: which pages lead to others, which are what one came for.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use serde_json::json;
use unsite::pipeline::{Learned, learn_source};
use unsite::{Exit, Options};
use unsite_discover::roles::{Counted, METHODS, Method, SiteLinks, method};
use unsite_wrapper::PageRecord;

use super::from_database::{self, is_database};
use super::graph::{Dot, Drawing};
use super::scratch::exit_after;
use crate::cli::{Global, Reading};
use crate::page_type_flags::TypingFlags;
use crate::ui::{self, Grid, STRONG, styled};

/// The name of the default method.
const DEFAULT: &str = "unsite";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A folder, .warc[.gz, .zst], .wacz, .jsonl, gold site, .html file, - for standard input, or a database that `run` wrote
    source: String,
    /// How index pages are ranked: unsite, or one of the published out-links, hits, hits-ln, lamis, lamis-ln, cb-hits,
    /// cb-hits-ln, lamis-cb, lamis-ln-cb, lamis-ln-cb-hr, lamis-ln-cb-hr-tw
    #[arg(long, value_name = "NAME", default_value = DEFAULT, value_parser = parse_method)]
    method: Ranking,
    /// Draw the links of the site before and after redundant ones are taken away: a .svg or .dot file
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
    /// Pages that are listed, the surest index pages first; --json lists all
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    #[command(flatten)]
    page_types: TypingFlags,
    #[command(flatten)]
    reading: Reading,
}

/// A ranking of pages; `None` is the default.
#[derive(Clone, Copy)]
struct Ranking(Option<&'static Method>);

fn parse_method(name: &str) -> Result<Ranking, String> {
    if name == DEFAULT {
        return Ok(Ranking(None));
    }
    let known = || METHODS.map(|method| method.name).join(", ");
    let found = method(name)
        .ok_or_else(|| format!("there is no such method; take {DEFAULT} or one of {}", known()))?;
    Ok(Ranking(Some(found)))
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    // A name that says nothing is told before hours of reading, not after.
    let drawing = args.graph.as_deref().map(drawing_kind).transpose()?;
    if is_database(&args.source) {
        if args.graph.is_some() || args.method.0.is_some() {
            bail!("--graph and --method look at pages; {} is a database", args.source);
        }
        return from_database::roles(&args.source, args.top, ui);
    }
    let source = args.reading.open(&args.source)?;
    let options = args.reading.options(global);
    let page_types = args.page_types.options(options.method, global.seed, ui);
    let options = Options { page_types, ..options };
    let (learned, is_whole, problems) = learn_source(&source, &options, ui.progress().as_mut())?;
    let links = SiteLinks::of(&learned.site, Counted::Anchors);
    let records = read(&learned);
    let values: Vec<f64> = match args.method.0 {
        Some(method) => method.rank(&links),
        None => records.iter().map(|record| record.index_score).collect(),
    };
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    if let (Some(path), Some(drawing)) = (&args.graph, drawing) {
        let picture = drawing(&Drawing {
            links: &links,
            records: &records,
            types: &learned.wrapper.schema.page_types,
            title: source.name(),
        });
        std::fs::write(path, picture).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let name = args.method.0.map_or(DEFAULT, |method| method.name);
    let found = Found { learned: &learned, links: &links, records: &records, values: &values, order: &order };
    if ui.json {
        ui.print_json(&found.json(name))?;
    } else {
        ui.print(&found.text(source.name(), name, args.top, ui.width()))?;
    }
    if let Some(path) = &args.graph {
        ui.hint(&format!("the drawing is in {}", path.display()));
    }
    if !is_whole {
        ui.hint(&format!("roles of a sample of {} pages; --sample takes more", learned.site.pages.len()));
    }
    Ok(exit_after(ui, &problems))
}

/// What a drawing is written as, by the end of its name.
fn drawing_kind(path: &Path) -> Result<fn(&Drawing<'_>) -> String> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => Ok(|drawing| drawing.svg()),
        Some("dot" | "gv") => Ok(Dot::both),
        _ => bail!("cannot tell from {} what to draw; give it the ending .svg or .dot", path.display()),
    }
}

fn read(learned: &Learned) -> Vec<PageRecord> {
    let reader = learned.wrapper.reader();
    let pages = learned.site.pages.par_iter().zip(&learned.type_of);
    pages.map(|(page, &at)| reader.read(&page.raw, &page.tree, &page.cuts, Some(at))).collect()
}

/// Everything there is to tell.
struct Found<'a> {
    learned: &'a Learned,
    links: &'a SiteLinks,
    records: &'a [PageRecord],
    /// By page, from the method asked for.
    values: &'a [f64],
    /// The pages, the surest index first.
    order: &'a [usize],
}

impl Found<'_> {
    fn text(&self, title: &str, method: &str, top: usize, width: usize) -> String {
        let (links, redundant) = (self.links.links.len(), self.links.redundant());
        let share = 100.0 * redundant as f64 / links.max(1) as f64;
        let mut out = format!(
            "{}: {}, {}, {} of them redundant ({share:.1} %)\n\n",
            styled(STRONG, &ui::printable(title)),
            ui::counted(self.records.len() as u64, "page"),
            ui::counted(links as u64, "link"),
            ui::number(redundant as u64),
        );
        let types = &self.learned.wrapper.schema.page_types;
        let mut order: Vec<usize> = (0..types.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(types[at].pages));
        let mut grid = Grid::new(order.len());
        grid.text("page type", 30, order.iter().map(|&at| &types[at].name));
        grid.numbers("pages", order.iter().map(|&at| ui::number(types[at].pages as u64)));
        grid.text("role", 10, order.iter().map(|&at| &types[at].role));
        let score = |at: usize| format!("{:.2}", self.learned.wrapper.types[at].index_score());
        grid.numbers("index score", order.iter().map(|&at| score(at)));
        grid.text("URLs", usize::MAX, order.iter().map(|&at| &types[at].url_pattern));
        out += &(grid.lines(0, width).0.join("\n") + "\n");
        let shown = &self.order[..self.order.len().min(top)];
        if !shown.is_empty() {
            let mut grid = Grid::new(shown.len());
            grid.numbers("rank", (1..=shown.len()).map(|rank| rank.to_string()));
            grid.numbers(method, shown.iter().map(|&at| format!("{:.4}", self.values[at])));
            grid.text("role", 10, shown.iter().map(|&at| &self.records[at].role));
            grid.text("page", usize::MAX, shown.iter().map(|&at| &self.records[at].url));
            out += &format!("\n{}\n", grid.lines(0, width).0.join("\n"));
        }
        out
    }

    fn json(&self, method: &str) -> serde_json::Value {
        let types = &self.learned.wrapper.schema.page_types;
        let page_types: Vec<_> = types
            .iter()
            .zip(&self.learned.wrapper.types)
            .map(|(info, model)| {
                json!({
                    "name": info.name, "pages": info.pages, "role": info.role, "url_pattern": info.url_pattern,
                    "index_score": model.index_score(),
                })
            })
            .collect();
        let pages: Vec<_> = self
            .order
            .iter()
            .map(|&at| {
                let record = &self.records[at];
                json!({
                    "url": record.url, "ref": record.reference,
                    "page_type": record.page_type.map(|at| &types[at].name),
                    "role": record.role, "index_score": record.index_score, "value": self.values[at],
                })
            })
            .collect();
        json!({
            "method": method, "pages": self.records.len(), "links": self.links.links.len(),
            "redundant_links": self.links.redundant(), "page_types": page_types, "ranking": pages,
        })
    }
}
