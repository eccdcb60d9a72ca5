//! `unsite extract`: pages through a wrapper into a store.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;
use unsite::Exit;
use unsite::pipeline::{Extracted, extract_with, learn_new, read_wrapper, write_wrapper};
use unsite_wrapper::SavedWrapper;

use super::learn::ClassifierName;
use super::run::warn_of_files;
use super::{by_hand, check};
use crate::cli::{Destination, Global, Reading};
use crate::ui::{self, Grid};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A folder, .warc[.gz, .zst], .wacz, .jsonl, gold site, .html file, or - for standard input
    source: String,
    /// What was learned about the site
    #[arg(short, long, value_name = "FILE", default_value = "site.unsite")]
    wrapper: PathBuf,
    #[command(flatten)]
    destination: Destination,
    /// Cluster the pages that fit no page type, learn them and add them to the wrapper file
    #[arg(long)]
    learn_new: bool,
    /// How pages are recognised; fourier needs a wrapper that was learned with it
    #[arg(long, value_name = "NAME", default_value = "marks")]
    classifier: ClassifierName,
    #[command(flatten)]
    reading: Reading,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let output = args.destination.open(&args.source)?;
    let mut saved = read_wrapper(&args.wrapper)?;
    let source = args.reading.open(&args.source)?;
    let options = args.reading.options(global);
    let known = saved.wrapper.types.len();
    if args.learn_new
        && let Some(extended) = learn_new(&source, &saved, &options, ui.progress().as_mut())?
    {
        write_wrapper(&args.wrapper, &extended)?;
        saved = extended;
    }
    let saved = by_hand::edited(&saved, ui);
    let extracted =
        extract_with(&source, &saved, args.classifier.into(), &output, &options, ui.progress().as_mut())?;
    let checked = &extracted.checked;
    if ui.json {
        ui.print_json(&json(&saved, &extracted, known))?;
    } else if !ui.quiet {
        ui.print(&text(&saved, &extracted, ui.width()))?;
    }
    warn_of_files(ui, &extracted.summary);
    if saved.wrapper.types.len() > known {
        let new = ui::counted((saved.wrapper.types.len() - known) as u64, "new page type");
        ui.hint(&format!("{new} learned and added to {}", args.wrapper.display()));
    }
    if checked.set_aside > 0 {
        let pages = ui::counted(checked.set_aside, "page");
        let set_aside =
            if checked.set_aside == 1 { "fits no page type and was" } else { "fit no page type and were" };
        ui.warn(&format!("{pages} {set_aside} set aside, such as {}", checked.aside.join(" ")));
        if !args.learn_new {
            ui.hint("--learn-new clusters them and learns them as new page types");
        }
    }
    if !checked.findings.is_empty() {
        ui.warn(&format!(
            "the site is not as it was learned; values may be missing or wrong\n{}",
            check::findings_text(&checked.findings, ui.width())
        ));
        ui.hint(&format!("unsite repair {} -w {}", args.source, args.wrapper.display()));
    }
    if checked.set_aside > 0 && checked.set_aside == checked.pages {
        ui.error("no page is of a type that the wrapper knows: nothing was read off any of them");
        return Ok(Exit::Drift);
    }
    if checked.is_partial() {
        ui.warn(&ui::unread(&checked.problems));
        return Ok(Exit::Partial);
    }
    Ok(Exit::Done)
}

fn text(saved: &SavedWrapper, extracted: &Extracted, width: usize) -> String {
    let (summary, checked) = (&extracted.summary, &extracted.checked);
    let designs = saved.designs();
    let types = &designs.schema().page_types;
    let mut order: Vec<usize> = (0..types.len()).filter(|&at| checked.pages_of_type[at] > 0).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(checked.pages_of_type[at]));
    let mut grid = Grid::new(order.len());
    grid.text("page type", 30, order.iter().map(|&at| &types[at].name));
    grid.numbers("pages", order.iter().map(|&at| ui::number(checked.pages_of_type[at])));
    grid.text("URLs", width, order.iter().map(|&at| &types[at].url_pattern));
    let mut out = format!(
        "{}, {} set aside, {}, {}\n\n{}\n\n",
        ui::counted(checked.pages, "page"),
        ui::number(checked.set_aside),
        ui::counted(summary.rows, "row"),
        ui::counted(summary.cells, "cell"),
        grid.lines(2, width).0.join("\n"),
    );
    if summary.problems > 0 {
        out += &format!("Problems: {} (listed in _problems)\n", ui::number(summary.problems));
    }
    out += &format!("Written to {}\n", ui::printable(&summary.path.display().to_string()));
    out + &ui::merged_text(summary)
}

fn json(saved: &SavedWrapper, extracted: &Extracted, known: usize) -> serde_json::Value {
    let (summary, checked) = (&extracted.summary, &extracted.checked);
    let tables: Vec<_> =
        summary.tables.iter().map(|table| json!({"name": table.name, "rows": table.rows})).collect();
    let mut value = check::json(saved, checked);
    let designs = saved.designs();
    let types = designs.schema().page_types.iter().zip(&checked.pages_of_type).enumerate();
    let types = types.filter(|(at, _)| !saved.wrapper.by_hand.is_merged(*at));
    value["page_types"] = types
        .map(|(_, (info, pages))| json!({"name": info.name, "learned": info.pages, "pages": pages}))
        .collect();
    value["output"] = json!(summary.path);
    value["rows"] = json!(summary.rows);
    value["cells"] = json!(summary.cells);
    value["tables"] = json!(tables);
    value["merged"] = ui::merged_json(summary);
    value["new_page_types"] = json!(saved.wrapper.types.len() - known);
    value
}
