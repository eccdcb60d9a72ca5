//! `unsite epochs`: the designs that a site had, as a text, as JSON, and as a timeline.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use unsite::Exit;
use unsite::pipeline::{Classifier, is_wrapper, learn_wrapper, read_wrapper};
use unsite_dom::Moment;
use unsite_wrapper::{SavedWrapper, Seen, TypeChange};

use crate::cli::{Discovery, Global};
use crate::ui::timeline::{Bar, Timeline};
use crate::ui::{self, FAINT, STRONG, printable, styled};

/// Names of fields that are shown at a boundary; `--json` has all.
const NAMES: usize = 8;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A wrapper file that was learned from captures of several days, or a source with such: .warc[.gz, .zst], .wacz,
    /// .jsonl with captured, a folder of a web archive, - for standard input
    source: String,
    /// Draw a timeline into this file (SVG)
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    discovery: Discovery,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let saved = match is_wrapper(Path::new(&args.source)) {
        true => read_wrapper(Path::new(&args.source))?,
        false => {
            let source = args.discovery.open(&args.source)?;
            let options = args.discovery.options(global);
            learn_wrapper(&source, &options, Classifier::Marks, ui.progress().as_mut())?.saved
        }
    };
    if let Some(file) = &args.svg {
        fs::write(file, timeline(&saved).svg())
            .with_context(|| format!("cannot write {}", file.display()))?;
        ui.hint(&format!("the timeline is in {}", file.display()));
    }
    if ui.json {
        ui.print_json(&json(&saved))?;
    } else {
        ui.print(&text(&saved))?;
    }
    if saved.seen.is_empty() {
        ui.warn("the pages are of one day, or nobody knows of which: there are no epochs to tell");
        ui.hint(
            "captures of several days are told by WARC, WACZ, JSON Lines with captured, or Wayback addresses",
        );
    }
    Ok(Exit::Done)
}

/// All designs, the newest first: when they were seen, and what is different in the one that came after.
fn designs(saved: &SavedWrapper) -> impl Iterator<Item = (&[Seen], &[TypeChange], Option<&str>)> {
    let newest = (saved.seen.as_slice(), [].as_slice(), None);
    let earlier = saved.epochs.iter();
    std::iter::once(newest).chain(
        earlier.map(|epoch| (epoch.seen.as_slice(), epoch.changes.as_slice(), epoch.refused.as_deref())),
    )
}

fn text(saved: &SavedWrapper) -> String {
    let count = 1 + saved.epochs.len();
    let mut out =
        format!("{}: {}\n", printable(&saved.provenance.source), ui::counted(count as u64, "design"));
    for (at, (seen, changes, refused)) in designs(saved).enumerate() {
        for change in changes {
            out += &boundary(change);
        }
        if let Some(reason) = refused {
            out += &format!("    names could not be carried over: {}\n", printable(reason));
        }
        let spans: Vec<String> = seen.iter().map(|seen| format!("{} to {}", seen.first, seen.last)).collect();
        out += &format!("{}  {}\n", styled(STRONG, &name(count - at)), spans.join(", "));
    }
    out
}

/// Designs are counted from the oldest.
fn name(number: usize) -> String {
    format!("design {number}")
}

fn boundary(change: &TypeChange) -> String {
    let same = if change.is_still_read { "; the newer template reads both" } else { "" };
    let mut out =
        format!("  {} between {} and {}{same}\n", printable(&change.page_type), change.before, change.after);
    for (title, names) in
        [("carried over", &change.carried), ("appeared", &change.appeared), ("vanished", &change.vanished)]
    {
        if names.is_empty() {
            continue;
        }
        let shown: Vec<String> = names.iter().take(NAMES).map(|name| printable(name)).collect();
        let more = names.len().saturating_sub(NAMES);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        out += &styled(FAINT, &format!("    {title}: {}{rest}", shown.join(", ")));
        out.push('\n');
    }
    out
}

fn json(saved: &SavedWrapper) -> Value {
    let count = 1 + saved.epochs.len();
    let designs = designs(saved).enumerate().map(|(at, (seen, changes, refused))| {
        json!({
            "design": count - at, "seen": seen, "until_the_next": changes, "names_not_carried_over": refused,
        })
    });
    json!({"source": saved.provenance.source, "designs": designs.collect::<Vec<_>>(), "page_types": types(saved)})
}

/// For each page type the spans in which it looked the same, the oldest first.
fn types(saved: &SavedWrapper) -> Vec<Value> {
    rows(saved)
        .into_iter()
        .map(|(name, looks)| {
            let spans: Vec<Value> =
                looks.iter().map(|(first, last, _)| json!({"first": first, "last": last})).collect();
            json!({"page_type": name, "looks": spans})
        })
        .collect()
}

/// A span of a page type, and the number of its look.
type Look = (String, String, usize);

fn rows(saved: &SavedWrapper) -> Vec<(String, Vec<Look>)> {
    let mut names: Vec<&str> = Vec::new();
    let wrappers = std::iter::once(&saved.wrapper).chain(saved.epochs.iter().map(|epoch| &epoch.wrapper));
    for info in wrappers.clone().flat_map(|wrapper| &wrapper.schema.page_types) {
        if !names.contains(&info.name.as_str()) {
            names.push(&info.name);
        }
    }
    let designs: Vec<_> = designs(saved).zip(wrappers).collect();
    names
        .into_iter()
        .map(|name| {
            let mut looks: Vec<Look> = Vec::new();
            let mut look = 0;
            for ((seen, changes, _), wrapper) in &designs {
                look += usize::from(changes.iter().any(|change| change.page_type == name));
                if wrapper.schema.page_types.iter().any(|info| info.name == name) {
                    looks.extend(seen.iter().map(|seen| (seen.first.clone(), seen.last.clone(), look)));
                }
            }
            looks.sort();
            looks.dedup_by(|next, before| {
                let same = next.2 == before.2;
                if same {
                    before.1.clone_from(&next.1);
                }
                same
            });
            (name.to_owned(), looks)
        })
        .collect()
}

fn timeline(saved: &SavedWrapper) -> Timeline {
    let moment = |text: &str| Moment::parse(text).map_or(0, Moment::unix);
    let count = 1 + saved.epochs.len();
    let mut marks: Vec<(i64, String)> = Vec::new();
    for (at, epoch) in saved.epochs.iter().enumerate() {
        if let Some(change) = epoch.changes.first() {
            let told = format!(
                "{} to {}: between {} and {}",
                name(count - at - 1),
                name(count - at),
                change.before,
                change.after
            );
            marks.push(((moment(&change.before) + moment(&change.after)) / 2, told));
        }
    }
    let told = |name: &str, look: &Look| {
        let changes = saved.epochs.iter().flat_map(|epoch| &epoch.changes);
        let mut text = format!("{name}: {} to {}", look.0, look.1);
        for change in changes.filter(|change| change.page_type == name && change.before == look.1) {
            for (title, names) in [("appeared then", &change.appeared), ("vanished then", &change.vanished)] {
                if !names.is_empty() {
                    text += &format!("\n{title}: {}", names.join(", "));
                }
            }
        }
        text
    };
    let rows = rows(saved).into_iter().map(|(name, looks)| {
        let bars = looks
            .iter()
            .map(|look| Bar {
                first: moment(&look.0),
                last: moment(&look.1),
                look: look.2,
                told: told(&name, look),
            })
            .collect();
        (name, bars)
    });
    Timeline { title: format!("Designs of {}", saved.provenance.source), rows: rows.collect(), marks }
}
