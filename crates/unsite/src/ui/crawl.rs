//! What a crawl shows: a line that moves, messages, and the summary.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use unsite_acquire::crawl::{End, Event, Report, Status, Watch};

use super::{Ui, counted, fit, number, printable};

/// Troubles that are told one by one; after these they are counted.
const MOST_TROUBLES: u64 = 20;

/// Columns for what is being waited for.
const WAITING_WIDTH: usize = 60;

/// Tells what a crawl does.
pub(crate) struct CrawlWatch {
    ui: Ui,
    print_saved: bool,
    bar: Option<ProgressBar>,
    troubles: u64,
}

impl CrawlWatch {
    pub(crate) fn new(ui: Ui, print_saved: bool) -> CrawlWatch {
        let bar = (!ui.quiet && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new_spinner();
            bar.set_style(
                ProgressStyle::with_template("{spinner} {msg}")
                    .unwrap_or_else(|_| ProgressStyle::default_spinner()),
            );
            bar
        });
        CrawlWatch { ui, print_saved, bar, troubles: 0 }
    }

    /// Takes the line away.
    pub(crate) fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        if self.troubles > MOST_TROUBLES {
            self.ui.warn(&format!(
                "trouble with {} in all; the .crawl file has them",
                counted(self.troubles, "address")
            ));
        }
    }

    /// Says something without tearing the line.
    fn aside(&self, say: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }
}

impl Watch for CrawlWatch {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Saved(page) if self.print_saved => self.aside(|| {
                // Whoever reads this may have gone; the crawl goes on.
                let mut out = io::stdout().lock();
                let _ = writeln!(out, "{}", page.url).and_then(|()| out.flush());
            }),
            Event::Saved(_) => {}
            Event::Notice(text) => self.aside(|| self.ui.warn(text)),
            Event::Trouble(url, why) => {
                self.troubles += 1;
                if self.troubles <= MOST_TROUBLES {
                    self.aside(|| self.ui.warn(&format!("{url}: {why}")));
                }
            }
            Event::Status(status) => {
                if let Some(bar) = &self.bar {
                    bar.set_message(line(status));
                    bar.tick();
                }
            }
        }
    }
}

/// The line that moves.
fn line(status: &Status) -> String {
    let rate = rate(status);
    let mut text = format!(
        "{} saved, {} queued, {rate:.1}/s, {}",
        number(status.saved),
        number(status.queued),
        bytes(status.bytes)
    );
    if status.errors > 0 {
        text.push_str(&format!(", {}", counted(status.errors, "error")));
    }
    if !status.waiting.is_empty() {
        text.push_str(&format!("; waiting for {}", fit(&printable(&status.waiting), WAITING_WIDTH)));
    }
    text
}

fn rate(status: &Status) -> f64 {
    status.answered as f64 / status.elapsed.as_secs_f64().max(0.001)
}

/// A number of bytes as people read it.
pub(super) fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.1} GB", count as f64 / 1e9),
    }
}

/// The summary for people.
pub(crate) fn crawl_text(report: &Report, archive: &Path) -> String {
    let mut out = format!("{} in {}", counted(report.pages, "page"), archive.display());
    if report.status.saved != report.pages {
        out.push_str(&format!(" ({} saved now)", number(report.status.saved)));
    }
    out.push_str(&format!(
        "\n{} answered, {} received, {:.1}/s\n",
        counted(report.status.answered, "request"),
        bytes(report.status.bytes),
        rate(&report.status)
    ));
    for (count, what) in kinds(report).into_iter().filter(|(count, _)| *count > 0) {
        out.push_str(&format!("{:>10}  {what}\n", number(count)));
    }
    out
}

fn kinds(report: &Report) -> [(u64, &'static str); 14] {
    [
        (report.changed, "changed since the last visit"),
        (report.unchanged, "unchanged since the last visit"),
        (report.gone, "gone since the last visit; the archive still has them"),
        (report.redirects, "redirects"),
        (report.duplicates, "show what another page shows"),
        (report.aliases, "name another address as their own"),
        (report.forbidden, "forbidden by robots.txt"),
        (report.no_index, "ask not to be kept"),
        (report.other, "no pages"),
        (report.missing, "missing or refused by the server"),
        (report.failed, "could not be fetched"),
        (report.cut, "saved only in part"),
        (report.excluded, "outside of --include and --exclude"),
        (report.trapped, "left alone in traps"),
    ]
}

/// The summary for programs.
pub(crate) fn crawl_json(report: &Report, archive: &Path) -> Value {
    let (end, reason) = match &report.end {
        End::Done => ("done", None),
        End::PageLimit => ("page-limit", None),
        End::Stopped => ("stopped", None),
        End::Unreachable(why) => ("unreachable", Some(why)),
        End::Disk(why) => ("disk", Some(why)),
    };
    json!({
        "archive": archive.display().to_string(), "end": end, "reason": reason, "pages": report.pages,
        "saved": report.status.saved, "queued": report.status.queued, "answered": report.status.answered,
        "bytes": report.status.bytes, "errors": report.status.errors, "seconds": report.status.elapsed.as_secs_f64(),
        "redirects": report.redirects, "duplicates": report.duplicates, "aliases": report.aliases,
        "forbidden": report.forbidden, "no_index": report.no_index, "missing": report.missing, "failed": report.failed,
        "cut": report.cut, "excluded": report.excluded, "partial": report.is_partial(),
        "other": report.other, "trapped": report.trapped, "changed": report.changed, "unchanged": report.unchanged,
        "gone": report.gone,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_waited_for() {
        let status = Status {
            saved: 1200,
            queued: 3,
            bytes: 1_500_000,
            errors: 1,
            waiting: "a.test, 1 s".into(),
            ..Status::default()
        };
        assert_eq!(line(&status), "1,200 saved, 3 queued, 0.0/s, 1.5 MB, 1 error; waiting for a.test, 1 s");
    }
}
