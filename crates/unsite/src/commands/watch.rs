//! `unsite watch`: a site visited again and again, its database and the history of its values kept up to date.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use serde_json::{Value, json};
use unsite::Exit;
use unsite::pipeline::{
    Classifier, check_source, extract_with, learn_wrapper, may_write_wrapper, read_wrapper, renew_wrapper,
    repair_wrapper, write_wrapper,
};
use unsite_acquire::crawl::{Mode, Place};
use unsite_acquire::fetch::Stop;
use unsite_dom::Moment;
use unsite_store::{Format, Output, Summary};
use unsite_wrapper::SavedWrapper;
use url::Url;

use super::by_hand;
use super::crawl::{conclude, crawl_until};
use super::run::archive_beside;
use crate::browser_args::BrowserArgs;
use crate::cli::{Destination, Discovery, Global};
use crate::fetch_args::{CrawlArgs, FetchArgs, web_address};
use crate::ui::{self, Ui};

/// How often it is looked whether somebody wants to stop.
const GLANCE: Duration = Duration::from_millis(200);

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where the site begins
    #[arg(value_parser = web_address)]
    url: Url,
    /// What was learned about the site; learned on the first round where it is not there
    #[arg(short, long, value_name = "FILE", default_value = "site.unsite")]
    wrapper: PathBuf,
    #[command(flatten)]
    destination: Destination,
    /// Time from the beginning of one round to the next: 90s, 30m, 6h, 1d
    #[arg(long, value_name = "TIME", default_value = "6h", value_parser = duration)]
    every: Duration,
    /// One round and no more, for cron
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    discovery: Discovery,
    #[command(flatten)]
    crawling: CrawlArgs,
    #[command(flatten)]
    rendering: BrowserArgs,
    #[command(flatten)]
    fetching: FetchArgs,
}

/// What became of a round.
struct Round {
    exit: Exit,
    saved: u64,
    pages: u64,
    drift: String,
    summary: Option<Summary>,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let output = args.destination.open(args.url.as_str())?;
    if !matches!(output.format(), Format::Sqlite | Format::Postgres) {
        bail!("files are written anew every time and keep no history; name a database, as in -o site.db");
    }
    may_write_wrapper(&args.wrapper)?;
    let archive = archive_beside(&output);
    let place = Place::parse(&archive)?;
    let stop = Stop::default();
    stop.on_interrupt(|| process::exit(i32::from(Exit::Interrupted.code())))?;
    // What an earlier watch saved and had no time to extract.
    if args.wrapper.is_file() && place.state().is_file() && is_behind(&archive, &output) {
        look(args, &archive, &output, global)?;
    }
    loop {
        let begun = Instant::now();
        let round = round(args, &place, &output, global, &stop)?;
        log(ui, args, &round)?;
        if stop.is_requested() {
            return Ok(Exit::Interrupted);
        }
        if args.once || round.exit == Exit::Drift {
            return Ok(round.exit);
        }
        while begun.elapsed() < args.every {
            if stop.is_requested() {
                return Ok(Exit::Interrupted);
            }
            thread::sleep(GLANCE.min(args.every.saturating_sub(begun.elapsed())));
        }
    }
}

/// Whether the archive was written to after the database. Of a server nobody knows.
fn is_behind(archive: &Path, output: &Output) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let written = modified(archive);
    written.is_some() && (output.format() != Format::Sqlite || written > modified(output.path()))
}

/// One round: fetch what is new or has changed, then look at it.
fn round(args: &Args, place: &Place, output: &Output, global: &Global, stop: &Stop) -> Result<Round> {
    let ui = global.ui();
    let mode = match (place.warc().is_file(), place.state().is_file()) {
        (true, true) => Mode::ChangedOnly,
        _ => Mode::Resume,
    };
    let options = unsite_acquire::crawl::CrawlOptions { mode, ..args.crawling.options(args.url.clone()) };
    let report = crawl_until(place, &options, (&args.fetching, &args.rendering), ui, false, stop)?;
    let saved = report.status.saved;
    if report.end.is_partial() || report.pages == 0 {
        let exit = conclude(ui, &report, place.path());
        return Ok(Round { exit, saved, pages: report.pages, drift: "not looked at".into(), summary: None });
    }
    let round = look(args, place.path(), output, global)?;
    Ok(Round { saved, ..round })
}

/// Looks at the archive: learns the site if nobody has, repairs the wrapper if the site has changed and the proof is whole,
/// and puts what the pages say to the database.
fn look(args: &Args, archive: &Path, output: &Output, global: &Global) -> Result<Round> {
    let ui = global.ui();
    let source = args.discovery.open(&archive.to_string_lossy())?;
    let options = args.discovery.options(global);
    let mut drift = "no drift".to_owned();
    let saved = match args.wrapper.is_file() {
        false => {
            let taught = learn_wrapper(&source, &options, Classifier::Marks, ui.progress().as_mut())?;
            write_wrapper(&args.wrapper, &taught.saved)?;
            drift = "learned".into();
            taught.saved
        }
        true => {
            let known = read_wrapper(&args.wrapper)?;
            let checked = check_source(&source, &known, Classifier::Marks, &options, ui.progress().as_mut())?;
            match checked.findings.is_empty() {
                true => known,
                false => {
                    let repair = repair_wrapper(&source, &known, &options, ui.progress().as_mut())?;
                    if let Some(reason) = repair.refusal() {
                        ui.error(&format!("the site has changed, and it is not proved how: {reason}"));
                        ui.hint(&format!(
                            "{} is as it was; look at it with unsite check {} -w {}",
                            args.wrapper.display(),
                            archive.display(),
                            args.wrapper.display()
                        ));
                        return Ok(refused(checked.pages));
                    }
                    if repair.is_unchanged() {
                        drift = "values drifted, design as it was".into();
                        known
                    } else {
                        write_wrapper(&args.wrapper, &repair.saved)?;
                        drift =
                            format!("repaired, {} of {} records found again", repair.found, repair.records);
                        repair.saved
                    }
                }
            }
        }
    };
    let round = extract(&source, &by_hand::edited(&saved, ui), output, global, args, drift)?;
    // Only what was read last can prove the next repair.
    if let Some(renewed) = renew_wrapper(&source, &saved, &options, ui.progress().as_mut())? {
        write_wrapper(&args.wrapper, &renewed)?;
    }
    Ok(round)
}

fn extract(
    source: &unsite_acquire::Source,
    saved: &SavedWrapper,
    output: &Output,
    global: &Global,
    args: &Args,
    drift: String,
) -> Result<Round> {
    let options = args.discovery.options(global);
    let progress = &mut *global.ui().progress();
    let extracted = extract_with(source, saved, Classifier::Marks, output, &options, progress)?;
    let exit = if extracted.checked.is_partial() { Exit::Partial } else { Exit::Done };
    Ok(Round { exit, saved: 0, pages: extracted.checked.pages, drift, summary: Some(extracted.summary) })
}

fn refused(pages: u64) -> Round {
    Round { exit: Exit::Drift, saved: 0, pages, drift: "drift, not repaired".into(), summary: None }
}

/// One line a round.
fn log(ui: Ui, args: &Args, round: &Round) -> Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let now = Moment::from_unix(now as i64).map(|now| now.to_string()).unwrap_or_default();
    let merged = round.summary.as_ref().and_then(|summary| summary.merged).unwrap_or_default();
    let added = match &round.summary {
        Some(summary) if summary.merged.is_none() => summary.rows,
        _ => merged.added,
    };
    if ui.json {
        let value: Value = json!({
            "at": now, "url": args.url.as_str(), "pages": round.pages, "saved": round.saved,
            "rows_added": added, "rows_changed": merged.changed, "rows_removed": merged.removed, "drift": round.drift,
            "exit": round.exit.code(),
        });
        return ui.print(&format!("{value}\n"));
    }
    if ui.quiet {
        return Ok(());
    }
    ui.print(&format!(
        "{now} {}: {}, {} new or changed; {} added, {} changed, {} removed; {}\n",
        ui::printable(args.url.as_str()),
        ui::counted(round.pages, "page"),
        ui::number(round.saved),
        ui::counted(added, "row"),
        ui::number(merged.changed),
        ui::number(merged.removed),
        ui::printable(&round.drift),
    ))
}

/// A number with a unit: 90s, 30m, 6h, 1d.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "give a time such as 90s, 30m, 6h or 1d".to_owned();
    let unit = text.chars().last().ok_or_else(wrong)?;
    let seconds = match unit {
        's' => 1.0,
        'm' => 60.0,
        'h' => 3600.0,
        'd' => 86_400.0,
        _ => return Err(wrong()),
    };
    let number: f64 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(duration("6h"), Ok(Duration::from_secs(21_600)));
        assert_eq!(duration("0.5m"), Ok(Duration::from_secs(30)));
        for text in ["", "6", "h", "-1h", "1w", "NaNs", "1é"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
