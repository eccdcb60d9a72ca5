//! `unsite changes`: what is new, different or not seen again in a database.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use unsite::Exit;
use unsite_dom::Moment;
use unsite_store::changes::{Changes, Receipt, RowSeen, ValueChange, changes};

use crate::cli::Global;
use crate::ui::atom::{Entry, feed};
use crate::ui::{self, FAINT, STRONG, fit, printable, styled};

/// Values of a row that are shown.
const VALUES: usize = 4;

/// Widest value.
const VALUE_WIDTH: usize = 60;

/// Lines of each kind that are shown; `--json` has all.
const SHOWN: usize = 100;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A database that unsite wrote from captures of several days
    db: PathBuf,
    /// What came after this moment: 2019-01-02, or 2019-01-02T03:04:05Z
    #[arg(long, value_name = "DATE", value_parser = moment)]
    since: Moment,
    /// In this table alone
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// As an Atom feed, one entry a row
    #[arg(long, conflicts_with = "json")]
    atom: bool,
}

fn moment(text: &str) -> Result<Moment, String> {
    Moment::parse(text).ok_or_else(|| "give a day such as 2019-01-02, or 2019-01-02T03:04:05Z".to_owned())
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let name = args.db.display();
    if !args.db.is_file() {
        bail!(
            "there is no file {name}; give a database that `unsite run` or `unsite extract -o site.db` wrote"
        );
    }
    let since = args.since.to_string();
    let found = changes(&args.db, &since, args.table.as_deref())
        .with_context(|| format!("cannot read the history of {name}"))?;
    if found.until.is_none() {
        bail!(
            "{name} does not know when its pages were captured; extract them from an archive that does: WARC, WACZ, \
             JSON Lines with captured"
        );
    }
    if let Some(table) = args.table.as_ref().filter(|table| !found.tables.contains(table)) {
        bail!("there is no history of a table {table:?}; there is one of {}", found.tables.join(", "));
    }
    if args.atom {
        ui.print(&feed(&format!("Changes of {name}"), &found, &since, &entries(&found)))?;
    } else if ui.json {
        ui.print_json(&value(&found, &since))?;
    } else {
        ui.print(&text(&found, &since, ui.width()))?;
    }
    Ok(Exit::Done)
}

fn text(found: &Changes, since: &str, width: usize) -> String {
    let until = found.until.as_deref().unwrap_or_default();
    let mut out = format!(
        "{since} to {until}: {} added, {} changed, {} not seen again\n",
        ui::counted(found.added.len() as u64, "row"),
        ui::counted(found.changed.len() as u64, "value"),
        ui::counted(found.unseen.len() as u64, "row"),
    );
    let rows = |title: &str, rows: &[RowSeen]| {
        let lines = rows.iter().map(|row| format!("{}  {}", place(&row.table, row.row), said(row)));
        section(title, lines, rows.iter().map(|row| (&row.at, &row.receipt)), width)
    };
    out += &rows("+ added", &found.added);
    let changed = found.changed.iter().map(|change| {
        let place = place(&change.table, change.row);
        format!("{place}  {}  {}: {}", short(&change.name), printable(&change.column), turned(change))
    });
    out += &section(
        "~ changed",
        changed,
        found.changed.iter().map(|change| (&change.at, &change.receipt)),
        width,
    );
    out + &rows("- not seen again (last seen)", &found.unseen)
}

fn section<'a>(
    title: &str,
    lines: impl Iterator<Item = String>,
    receipts: impl ExactSizeIterator<Item = (&'a String, &'a Receipt)>,
    width: usize,
) -> String {
    let all = receipts.len();
    if all == 0 {
        return String::new();
    }
    let mut out = format!("\n{}\n", styled(STRONG, title));
    for (line, (at, receipt)) in lines.zip(receipts).take(SHOWN) {
        let from = format!("{at} {} {}", receipt.url, receipt.record);
        out += &format!("  {}\n    {}\n", fit(&line, width.max(60)), styled(FAINT, &printable(&from)));
    }
    if all > SHOWN {
        out += &format!("  and {} more; --json has all\n", ui::number((all - SHOWN) as u64));
    }
    out
}

fn place(table: &str, row: i64) -> String {
    printable(&format!("{table} {row}"))
}

fn short(value: &str) -> String {
    fit(&printable(value), VALUE_WIDTH)
}

fn said(row: &RowSeen) -> String {
    let values = row.values.iter().take(VALUES);
    values
        .map(|(column, value)| format!("{}={}", printable(column), short(value)))
        .collect::<Vec<_>>()
        .join("  ")
}

/// From what to what.
fn turned(change: &ValueChange) -> String {
    let side = |values: &[String]| match values {
        [] => "nothing".to_owned(),
        values => values.iter().map(|value| short(value)).collect::<Vec<_>>().join(", "),
    };
    format!("{} → {}", side(&change.from), side(&change.to))
}

fn value(found: &Changes, since: &str) -> Value {
    let receipt = |receipt: &Receipt| json!({"url": receipt.url, "captured": receipt.captured, "record": receipt.record});
    let row = |row: &RowSeen| {
        let mut values = serde_json::Map::new();
        for (column, value) in &row.values {
            let all = values.entry(column.clone()).or_insert_with(|| json!([]));
            all.as_array_mut().into_iter().for_each(|all| all.push(json!(value)));
        }
        json!({"table": row.table, "id": row.row, "at": row.at, "values": values, "receipt": receipt(&row.receipt)})
    };
    let changed = |change: &ValueChange| {
        json!({
            "table": change.table, "id": change.row, "name": change.name, "column": change.column, "from": change.from,
            "to": change.to, "at": change.at, "receipt": receipt(&change.receipt),
        })
    };
    json!({
        "since": since, "until": found.until,
        "added": found.added.iter().map(row).collect::<Vec<_>>(),
        "changed": found.changed.iter().map(changed).collect::<Vec<_>>(),
        "not_seen_again": found.unseen.iter().map(row).collect::<Vec<_>>(),
    })
}

/// One entry a row and moment, the newest first.
fn entries(found: &Changes) -> Vec<Entry> {
    let of_row = |what: &str, row: &RowSeen| Entry {
        id: format!("{what} {} {} {}", row.table, row.row, row.at),
        title: format!("{} {what}: {}", row.table, row.values.first().map_or("", |(_, value)| value)),
        at: row.at.clone(),
        url: row.receipt.url.clone(),
        text: row
            .values
            .iter()
            .map(|(column, value)| format!("{column}: {value}"))
            .collect::<Vec<_>>()
            .join("\n"),
    };
    let mut entries: Vec<Entry> = found.added.iter().map(|row| of_row("added", row)).collect();
    entries.extend(found.unseen.iter().map(|row| of_row("not seen again", row)));
    let same = |a: &ValueChange, b: &ValueChange| (&a.table, a.row, &a.at) == (&b.table, b.row, &b.at);
    let mut changed: Vec<&ValueChange> = found.changed.iter().collect();
    changed.sort_by_key(|change| (&change.table, change.row, &change.at));
    for of_row in changed.chunk_by(|a, b| same(a, b)) {
        let first = of_row[0];
        entries.push(Entry {
            id: format!("changed {} {} {}", first.table, first.row, first.at),
            title: format!("{} changed: {}", first.table, first.name),
            at: first.at.clone(),
            url: first.receipt.url.clone(),
            text: of_row
                .iter()
                .map(|change| {
                    format!("{}: {} → {}", change.column, change.from.join(", "), change.to.join(", "))
                })
                .collect::<Vec<_>>()
                .join("\n"),
        });
    }
    entries.sort_by(|a, b| (&b.at, &a.id).cmp(&(&a.at, &b.id)));
    entries
}
