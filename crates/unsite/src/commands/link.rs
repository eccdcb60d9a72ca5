//! `unsite link`: the same things in two sources.

use std::path::PathBuf;

use anyhow::{Result, bail};
use unsite::Exit;
use unsite_records::align::align_fields;
use unsite_records::dedup::{DedupConfig, Pairing};
use unsite_records::link::{Linked, link};
use unsite_records::record::RecordSet;
use unsite_store::records_io::{RecordTable, write_rows};

use super::dedup::{RecordArgs, report, set_aside};
use crate::cli::Global;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Records: .jsonl, .csv, .tsv, .parquet, or DATABASE.db:TABLE
    first: String,
    /// Records about the same things, from elsewhere
    second: String,
    /// The links, with the values of both sides: .csv or .jsonl
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// A record may be linked with several of the other source
    #[arg(long, conflicts_with = "many_to_one")]
    many: bool,
    /// Several records of the first source may be linked with one of the second: mentions with what they mention
    #[arg(long)]
    many_to_one: bool,
    /// Fields that are called differently in the second source: `name=title,by=author`
    #[arg(long, value_name = "FIRST=SECOND", value_delimiter = ',')]
    rename: Vec<String>,
    #[command(flatten)]
    records: RecordArgs,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    if args.records.train.is_some() {
        bail!(
            "link cannot learn from a field: train with `unsite dedup --train FIELD --save-model FILE`, then give --model FILE"
        );
    }
    let [(first_table, first, mut messages), (second_table, second, more)] =
        args.records.read_both([&args.first, &args.second])?;
    messages.extend(more);
    let second = renamed(&second, &args.rename)?;
    let alike = matched_by_values(&first, &second)?;
    if !alike.is_empty() {
        messages.push(format!("fields of other names, matched by values: {}", alike.join(", ")));
    }
    let second = renamed(&second, &alike)?;
    let mut both = first.clone();
    both.append(&second);
    let pairing = match (args.many, args.many_to_one) {
        (true, _) => Pairing::Many,
        (_, true) => Pairing::ManyToOne,
        _ => Pairing::OneToOne,
    };
    let config = DedupConfig { pairing, ..args.records.config(&first_table, &both)? };
    let linked = link(&first, &second, &config)?;
    messages.extend(linked.found.messages.iter().map(|m| m.text.clone()));
    messages.push(format!("{} links", linked.links.len()));
    write_rows(&args.output, &rows(&linked, first.len() as u32))?;
    args.records.save(&linked.found.model)?;
    let rejected = RecordTable {
        rejected: first_table.rejected.into_iter().chain(second_table.rejected).collect(),
        ..RecordTable::default()
    };
    let partial = set_aside(&args.output, &rejected, &mut messages)?;
    report(&global.ui(), &linked.records, &linked.found, &messages, &args.output)?;
    Ok(if partial { Exit::Partial } else { Exit::Done })
}

fn rows(linked: &Linked, border: u32) -> Vec<Vec<String>> {
    let mut header = vec!["id_a".to_owned(), "id_b".to_owned(), "probability".to_owned()];
    for field in linked.records.fields() {
        header.extend([format!("{field} (a)"), format!("{field} (b)")]);
    }
    let mut rows = vec![header];
    for link in &linked.links {
        let (a, b) = (link.a, link.b + border);
        let probability = format!("{:.3}", link.probability());
        let mut row = vec![linked.records.id(a).to_owned(), linked.records.id(b).to_owned(), probability];
        for (x, y) in linked.records.row(a).zip(linked.records.row(b)) {
            row.extend([x.unwrap_or("").to_owned(), y.unwrap_or("").to_owned()]);
        }
        rows.push(row);
    }
    rows
}

/// `FIRST=SECOND` for fields that hold the same under different names. Where other fields have the same name, only those are
/// taken that tell records apart: ratings and counts look alike whatever they mean.
fn matched_by_values(first: &RecordSet, second: &RecordSet) -> Result<Vec<String>> {
    let named_alike = first.fields().iter().any(|field| second.fields().contains(field));
    let alike: Vec<String> = align_fields(first, second)
        .iter()
        .filter(|found| found.identifies || !named_alike)
        .map(|found| (&first.fields()[found.first], &second.fields()[found.second]))
        .filter(|(ours, theirs)| !second.fields().contains(ours) && !first.fields().contains(theirs))
        .map(|(ours, theirs)| format!("{ours}={theirs}"))
        .collect();
    if !named_alike && alike.is_empty() && !first.is_empty() && !second.is_empty() {
        bail!(
            "the sources share no field, by name or by values: the first has {}, the second {}; say which are \
             the same with --rename",
            first.fields().join(", "),
            second.fields().join(", ")
        );
    }
    Ok(alike)
}

/// The second source with its fields called as in the first.
fn renamed(records: &RecordSet, pairs: &[String]) -> Result<RecordSet> {
    let mut names = records.fields().to_vec();
    for pair in pairs {
        let Some((ours, theirs)) = pair.split_once('=') else {
            bail!("--rename wants FIRST=SECOND, not {pair:?}")
        };
        names[records.require_field(theirs)?] = ours.to_owned();
    }
    let mut out = RecordSet::new(names);
    for record in 0..records.len() as u32 {
        out.push(records.id(record), records.row(record).map(|v| v.map(str::to_owned)));
    }
    Ok(out)
}
