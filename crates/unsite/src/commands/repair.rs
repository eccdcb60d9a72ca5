//! `unsite repair`: a wrapper made fit for a site that has changed.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::{Value, json};
use unsite::Exit;
use unsite::pipeline::{read_wrapper, repair_wrapper, write_wrapper};
use unsite_discover::{ColumnProof, Repair, TypeReport};
use unsite_wrapper::SavedWrapper;

use super::by_hand::{self, Called};
use crate::cli::{Discovery, Global};
use crate::ui::{self, Grid};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A folder, .warc[.gz, .zst], .wacz, .jsonl, gold site, .html file, or - for standard input
    source: String,
    /// What was learned about the site
    #[arg(short, long, value_name = "FILE", default_value = "site.unsite")]
    wrapper: PathBuf,
    /// Only show what would change; write nothing
    #[arg(long)]
    propose: bool,
    #[command(flatten)]
    discovery: Discovery,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let saved = read_wrapper(&args.wrapper)?;
    let source = args.discovery.open(&args.source)?;
    let options = args.discovery.options(global);
    let mut repair = repair_wrapper(&source, &saved, &options, ui.progress().as_mut())?;
    as_called_now(&mut repair, &saved);
    by_hand::edited(&repair.saved, ui);
    let path = args.wrapper.display();
    let refusal = repair.refusal();
    let unchanged = repair.is_unchanged();
    let write = refusal.is_none() && !unchanged && !args.propose;
    if write {
        write_wrapper(&args.wrapper, &repair.saved)?;
    }
    if let Some(reason) = &refusal {
        ui.warn(&format!("refused: {reason}; {path} is as it was"));
    }
    if ui.json {
        ui.print_json(&json(&repair, write))?;
    } else if !ui.quiet {
        ui.print(&text(&repair, ui.width()))?;
    }
    if unchanged {
        let few: Vec<&str> = repair.too_few().map(|report| report.name.as_str()).collect();
        if !few.is_empty() {
            ui.warn(&format!("too few pages to tell of {}", ui::printable(&few.join(", "))));
        }
        if repair.strangers > 0 {
            let pages = ui::counted(repair.strangers as u64, "page");
            ui.warn(&format!("{pages} fit no page type; unsite check {} names some", args.source));
        }
        return Ok(Exit::Done);
    }
    if refusal.is_some() {
        ui.hint(&format!(
            "learn the site anew if it has become another one: unsite learn {} -w NEW",
            args.source
        ));
        return Ok(Exit::Drift);
    }
    match write {
        true => ui
            .hint(&format!("{path} was written; unsite check {} -w {path} should find nothing", args.source)),
        false => ui.hint("nothing was written; leave out --propose to accept it"),
    }
    Ok(Exit::Done)
}

/// Says everything under the names that people gave.
fn as_called_now(repair: &mut Repair, saved: &SavedWrapper) {
    if saved.edits.is_empty() {
        return;
    }
    let called = Called::of(saved);
    for column in &mut repair.columns {
        (column.table, column.column) = called.now(&column.table, &column.column);
        column.page_type = called.page_type(&column.page_type);
    }
    for report in &mut repair.types {
        report.name = called.page_type(&report.name);
    }
    for table in &mut repair.gone {
        *table = called.now(table, "").0;
    }
    for (table, above) in &mut repair.torn {
        (*table, *above) = (called.now(table, "").0, called.now(above, "").0);
    }
}

/// What has changed; of a repair that is refused only what speaks against it.
fn text(repair: &Repair, width: usize) -> String {
    if repair.is_unchanged() {
        return "nothing has changed; the wrapper fits the site as it is\n".into();
    }
    let looked_for: Vec<&ColumnProof> =
        repair.columns.iter().filter(|column| !column.state.is_as_it_was()).collect();
    let (found, lost): (Vec<&ColumnProof>, Vec<&ColumnProof>) =
        looked_for.iter().partition(|column| column.is_proved());
    let mut out = match looked_for.is_empty() {
        true => String::new(),
        false => format!(
            "{} of {} known records found again; {} of {} columns proved\n",
            repair.found,
            repair.records,
            found.len(),
            looked_for.len(),
        ),
    };
    out += &page_types(repair, width);
    if !repair.is_proved() {
        return out + &columns("not found again", &lost, width);
    }
    out += &columns("= found again under its old name", &found, width);
    out += &moved(&found, width);
    out += &columns("- not found again; stays in its table, empty", &lost, width);
    out += &listed("- lists without columns that are not found again", repair.gone.iter().cloned());
    let torn = repair.torn.iter().map(|(table, above)| format!("{table}: its rows belong to no {above}"));
    out += &listed("- lists that stood inside others and do not any more", torn);
    let types = repair.new_types.iter().map(|name| format!("page type {name}"));
    out += &listed("+ new", types.chain(repair.added.iter().cloned()));
    out
}

/// What became of the page types that were not learned anew.
fn page_types(repair: &Repair, width: usize) -> String {
    let kept: Vec<&TypeReport> = repair.types.iter().filter(|report| report.state.is_kept()).collect();
    if kept.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(kept.len());
    grid.text("page type", 30, kept.iter().map(|report| &report.name));
    grid.numbers("pages", kept.iter().map(|report| ui::number(report.pages as u64)));
    grid.text("what became of it", usize::MAX, kept.iter().map(|report| report.state.told()));
    format!("\n{}\n", grid.lines(2, width).0.join("\n"))
}

fn columns(title: &str, columns: &[&ColumnProof], width: usize) -> String {
    if columns.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(columns.len());
    grid.text("column", 50, columns.iter().map(|column| format!("{}.{}", column.table, column.column)));
    grid.text("on", 30, columns.iter().map(|column| &column.page_type));
    grid.numbers("values", columns.iter().map(|column| format!("{}/{}", column.agreed, column.compared)));
    format!("\n{title}\n{}\n", grid.lines(2, width).0.join("\n"))
}

/// Where columns were that stand elsewhere now, and where they are: each in two lines, the end of the way if there is no
/// room for all of it.
fn moved(columns: &[&ColumnProof], width: usize) -> String {
    let room = width.max(60) - "      was at ".len();
    let mut out = String::new();
    for column in columns.iter().filter(|column| column.has_moved()) {
        let name = format!("{}.{} on {}", column.table, column.column, column.page_type);
        out += &format!("  {}\n", ui::printable(&name));
        for (when, selector) in [("was at", &column.selectors.0), ("is at", &column.selectors.1)] {
            out += &format!("      {when:6} {}\n", end_of(&ui::printable(selector), room));
        }
    }
    if out.is_empty() { out } else { format!("\n~ stands elsewhere now\n{out}") }
}

/// The last steps of a way down a page, as many as there is room for.
fn end_of(selector: &str, room: usize) -> String {
    const STEP: &str = " > ";
    let mut rest = selector;
    while ui::width(rest) + ui::width("… > ") > room
        && let Some((_, below)) = rest.split_once(STEP)
    {
        rest = below;
    }
    match rest.len() == selector.len() || ui::width(selector) <= room {
        true => ui::fit(selector, room),
        false => ui::fit(&format!("…{STEP}{rest}"), room),
    }
}

fn listed(title: &str, names: impl Iterator<Item = String>) -> String {
    let lines: String = names.map(|name| format!("  {}\n", ui::printable(&name))).collect();
    if lines.is_empty() { lines } else { format!("\n{title}\n{lines}") }
}

fn json(repair: &Repair, written: bool) -> Value {
    let columns: Vec<Value> = repair
        .columns
        .iter()
        .map(|column| {
            json!({
                "table": column.table, "column": column.column, "page_type": column.page_type, "proved": column.is_proved(),
                "state": column.state.name(), "agreed": column.agreed, "compared": column.compared,
                "selector_before": column.selectors.0, "selector_now": column.selectors.1,
            })
        })
        .collect();
    let types: Vec<Value> = repair
        .types
        .iter()
        .map(|report| json!({"name": report.name, "pages": report.pages, "state": report.state.name()}))
        .collect();
    let torn: Vec<Value> =
        repair.torn.iter().map(|(table, above)| json!({"table": table, "parent": above})).collect();
    json!({
        "unchanged": repair.is_unchanged(), "proved": repair.is_proved(), "refusal": repair.refusal(),
        "written": written, "records": repair.records, "found": repair.found, "page_types": types,
        "columns": columns, "new_page_types": repair.new_types, "added": repair.added,
        "tables_not_found": repair.gone, "parents_not_found": torn, "set_aside": repair.strangers,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_way_is_shown() {
        assert_eq!(end_of("body > main > h1", 60), "body > main > h1");
        assert_eq!(end_of("html > body.page > main > div.intro > h1.title", 30), "… > div.intro > h1.title");
    }
}
