//! `unsite pages`: the page types of a site, for people who want just that.

use anyhow::Result;
use serde_json::json;
use unsite::Exit;

use super::scratch::run_in_scratch;
use crate::cli::{Discovery, Global};
use crate::ui::{self, Grid};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A folder, .warc[.gz], .wacz, .jsonl, gold site, .html file, or - for standard input
    source: String,
    #[command(flatten)]
    discovery: Discovery,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let source = args.discovery.open(&args.source)?;
    let scratch = run_in_scratch(&source, &args.discovery.options(global), ui)?;
    let outcome = &scratch.outcome;
    if ui.json {
        let summary = ui::summary_json(outcome);
        let keys = ["pages", "learned_from", "problems", "page_types"];
        let chosen: serde_json::Map<_, _> =
            keys.map(|key| (key.to_owned(), summary[key].clone())).into_iter().collect();
        ui.print_json(&json!(chosen))?;
        return Ok(scratch.exit(ui));
    }
    let types = &outcome.wrapper.schema.page_types;
    let mut order: Vec<usize> = (0..types.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(outcome.pages_of_type[at]));
    let mut grid = Grid::new(order.len());
    grid.text("page type", 30, order.iter().map(|&at| &types[at].name));
    grid.numbers("pages", order.iter().map(|&at| ui::number(outcome.pages_of_type[at])));
    grid.text("role", 10, order.iter().map(|&at| &types[at].role));
    grid.numbers("confidence", order.iter().map(|&at| format!("{:.2}", types[at].confidence)));
    grid.text("URLs", usize::MAX, order.iter().map(|&at| &types[at].url_pattern));
    let mut text = grid.lines(0, ui.width()).0.join("\n") + "\n";
    let typed: u64 = outcome.pages_of_type.iter().sum();
    if typed < outcome.summary.pages {
        text += &format!("{} of no type\n", ui::counted(outcome.summary.pages - typed, "page"));
    }
    ui.print(&text)?;
    Ok(scratch.exit(ui))
}
