//! `unsite check`: is the site still what it was?

use std::path::PathBuf;

use anyhow::Result;
use serde_json::{Value, json};
use unsite::Exit;
use unsite::pipeline::{Checked, check_source};
use unsite_wrapper::SavedWrapper;
use unsite_wrapper::drift::{Aspect, Finding};

use super::by_hand;
use super::learn::ClassifierName;
use crate::cli::{Global, Reading};
use crate::ui::{self, Grid};

/// Findings that are shown; the others are counted.
const FINDINGS_SHOWN: usize = 20;

/// Fewer pages of a type prove nothing (`docs/wrappers.md`).
const ENOUGH_PAGES: u64 = 5;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A folder, .warc[.gz, .zst], .wacz, .jsonl, gold site, .html file, or - for standard input
    source: String,
    /// What was learned about the site
    #[arg(short, long, value_name = "FILE", default_value = "site.unsite")]
    wrapper: PathBuf,
    /// How pages are recognised; fourier needs a wrapper that was learned with it
    #[arg(long, value_name = "NAME", default_value = "marks")]
    classifier: ClassifierName,
    #[command(flatten)]
    reading: Reading,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let saved = by_hand::open(&args.wrapper, ui)?;
    let source = args.reading.open(&args.source)?;
    let options = args.reading.options(global);
    let checked = check_source(&source, &saved, args.classifier.into(), &options, ui.progress().as_mut())?;
    let drifted = !checked.findings.is_empty();
    if ui.json {
        ui.print_json(&json(&saved, &checked))?;
    } else if !ui.quiet {
        ui.print(&text(&saved, &checked, ui.width()))?;
    }
    if drifted {
        ui.hint(&format!("unsite repair {} -w {} --propose", args.source, args.wrapper.display()));
        return Ok(Exit::Drift);
    }
    if checked.is_partial() {
        ui.warn(&ui::unread(&checked.problems));
        return Ok(Exit::Partial);
    }
    Ok(Exit::Done)
}

fn text(saved: &SavedWrapper, checked: &Checked, width: usize) -> String {
    let before = saved.profile.pages.max(1);
    let types = &saved.wrapper.schema.page_types;
    let mut order: Vec<usize> = (0..types.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(types[at].pages));
    order.truncate(FINDINGS_SHOWN);
    let share = |pages: u64, of: u64| format!("{:.0} %", 100.0 * pages as f64 / of.max(1) as f64);
    let mut grid = Grid::new(order.len());
    grid.text("page type", 30, order.iter().map(|&at| &types[at].name));
    grid.numbers("learned", order.iter().map(|&at| share(types[at].pages as u64, u64::from(before))));
    grid.numbers("now", order.iter().map(|&at| share(checked.pages_of_type[at], checked.pages)));
    grid.numbers("pages", order.iter().map(|&at| ui::number(checked.pages_of_type[at])));
    let mut out = format!(
        "{}, {} fit no page type\n\n{}\n\n",
        ui::counted(checked.pages, "page"),
        ui::number(checked.set_aside),
        grid.lines(2, width).0.join("\n"),
    );
    if checked.findings.is_empty() {
        out += &(no_drift(saved, checked) + "\n");
    } else {
        out += &format!("{}\n", ui::counted(checked.findings.len() as u64, "change"));
        out += &findings_text(&checked.findings, width);
    }
    out
}

/// What is known when no change was told.
fn no_drift(saved: &SavedWrapper, checked: &Checked) -> String {
    let few = too_few(saved, checked);
    let is_told = checked.pages_of_type.iter().any(|&pages| pages >= ENOUGH_PAGES);
    let mut told = match () {
        () if !is_told => return "No drift proved: too few pages to tell.".to_owned(),
        () if few.is_empty() && checked.set_aside == 0 => {
            return "No drift: everything is as it was learned.".to_owned();
        }
        () => "No drift".to_owned(),
    };
    if checked.set_aside > 0 {
        told += &format!("; {} fit no page type", ui::counted(checked.set_aside, "page"));
    }
    if !few.is_empty() {
        told += &format!("; too few pages to tell of {}", ui::printable(&few.join(", ")));
    }
    told + "."
}

/// The page types of which there are too few pages to prove anything, more having been learned from.
fn too_few<'s>(saved: &'s SavedWrapper, checked: &Checked) -> Vec<&'s str> {
    let types = saved.wrapper.schema.page_types.iter().zip(&checked.pages_of_type);
    types
        .filter(|(info, pages)| (1..ENOUGH_PAGES).contains(*pages) && **pages < info.pages as u64)
        .map(|(info, _)| info.name.as_str())
        .collect()
}

/// One change a line, with examples below it.
pub(crate) fn findings_text(findings: &[Finding], width: usize) -> String {
    let mut out = String::new();
    for finding in findings.iter().take(FINDINGS_SHOWN) {
        let subject = match (&finding.table, &finding.column) {
            (Some(table), Some(column)) => format!("{table}.{column}"),
            (Some(table), None) => table.clone(),
            _ => finding.page_type.as_ref().map_or("pages".into(), |name| format!("{name} pages")),
        };
        let what = match finding.aspect {
            Aspect::Strangers | Aspect::PageType | Aspect::Coverage => finding.class.clone(),
            Aspect::Rows => format!("with {}", finding.class),
            Aspect::Values => format!("sort of value: {}", finding.class),
            Aspect::Lengths => format!("length: {}", finding.class),
            Aspect::Structure => format!("built with {}", finding.class),
        };
        let line = format!(
            "  {subject}: {what}: {:.0} % of {} pages before, {:.0} % of {} now ({})",
            finding.before * 100.0,
            finding.pages.0,
            finding.now * 100.0,
            finding.pages.1,
            sure(finding.chance),
        );
        out += &(ui::fit(&ui::printable_indented(&line), width.max(60)) + "\n");
        for (when, examples) in [("before", &finding.examples_before), ("now", &finding.examples_now)] {
            if !examples.is_empty() {
                // Where there is no value any more, pages stand for it.
                let lost =
                    when == "now" && finding.aspect == Aspect::Coverage && finding.now < finding.before;
                let what = if lost { "none, for example on " } else { "" };
                let line = format!("      {when}: {what}{}", examples.join(" | "));
                out += &(ui::fit(&ui::printable_indented(&line), width.max(60)) + "\n");
            }
        }
    }
    if findings.len() > FINDINGS_SHOWN {
        out += &format!("  and {} more\n", findings.len() - FINDINGS_SHOWN);
    }
    out
}

/// How sure a change is, for people.
fn sure(chance: f64) -> String {
    if chance < 1e-12 { "chance below 1e-12".into() } else { format!("chance {chance:.0e}") }
}

/// The report for programs.
pub(crate) fn json(saved: &SavedWrapper, checked: &Checked) -> Value {
    let types: Vec<Value> = saved
        .wrapper
        .schema
        .page_types
        .iter()
        .zip(&checked.pages_of_type)
        .map(|(info, pages)| json!({"name": info.name, "learned": info.pages, "pages": pages}))
        .collect();
    json!({
        "pages": checked.pages,
        "set_aside": checked.set_aside,
        "set_aside_examples": checked.aside,
        "page_types": types,
        "too_few_pages": too_few(saved, checked),
        "drift": !checked.findings.is_empty(),
        "findings": checked.findings,
        "problems": checked.problems,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_gone_are_told_by_pages_without_them() {
        let finding = Finding {
            aspect: Aspect::Coverage,
            page_type: Some("book".into()),
            table: Some("book".into()),
            column: Some("price".into()),
            class: "with a value".into(),
            before: 1.0,
            now: 0.0,
            pages: (40, 40),
            chance: 1e-9,
            examples_before: vec!["$ 12".into()],
            examples_now: vec!["http://a.test/1".into()],
        };
        let told = findings_text(&[finding], 120);
        assert!(told.contains("before: $ 12\n"), "{told}");
        assert!(told.contains("now: none, for example on http://a.test/1\n"), "{told}");
    }
}
