//! What a probe says: while it runs, and at its end.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use unsite_acquire::probe::{AnswerClass, ProbeEvent, ProbeReport, ProbeStatus};

use super::crawl::bytes;
use super::{Grid, STRONG, Ui, counted, fit, number, printable, styled};

/// Columns that an address of an example may take.
const EXAMPLE_WIDTH: usize = 70;

/// Columns for a word that is asked for.
const WORD_WIDTH: usize = 24;

/// A line on standard error while a probe runs, where somebody looks at it.
pub(crate) struct ProbeDisplay {
    bar: Option<ProgressBar>,
    begun: Instant,
}

impl ProbeDisplay {
    pub(crate) fn new(ui: Ui) -> ProbeDisplay {
        let seen = !ui.quiet && io::stderr().is_terminal();
        let bar = seen.then(|| {
            let style = ProgressStyle::with_template("{spinner} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner());
            let bar =
                ProgressBar::new_spinner().with_style(style).with_message("looking for the search form");
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        ProbeDisplay { bar, begun: Instant::now() }
    }

    pub(crate) fn show(&mut self, event: &ProbeEvent<'_>) {
        let Some(bar) = &self.bar else { return };
        match event {
            ProbeEvent::Form(form) => bar.set_message(format!("asking {}", printable(&form.action))),
            ProbeEvent::Asking { word, page, status } => {
                let further = if *page > 1 { format!(", page {page}") } else { String::new() };
                let word = fit(&printable(word), WORD_WIDTH);
                bar.set_message(format!("{}; waiting for {word}{further}", self.line(status)));
            }
            ProbeEvent::Answered { query, status } => {
                let word = fit(&printable(&query.word), WORD_WIDTH);
                let line = self.line(status);
                bar.set_message(format!("{line}; {word}: {} ({} new)", query.class, query.new));
            }
        }
    }

    fn line(&self, status: &ProbeStatus) -> String {
        line(status, self.begun.elapsed())
    }

    pub(crate) fn end(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// How far it is, as the line of a crawl says it: pages, what is left, rate, bytes, errors.
fn line(status: &ProbeStatus, elapsed: Duration) -> String {
    let rate = status.requests as f64 / elapsed.as_secs_f64().max(0.001);
    let mut text = format!(
        "query {} of {}, {}, {}, {rate:.1}/s, {}",
        status.sent,
        status.most,
        counted(status.requests as u64, "page"),
        counted(status.results as u64, "result"),
        bytes(status.bytes)
    );
    if status.errors > 0 {
        text.push_str(&format!(", {}", counted(status.errors as u64, "error")));
    }
    text
}

/// The report as text.
pub(crate) fn probe_text(report: &ProbeReport, archive: &Path, width: usize) -> String {
    let form = &report.form;
    let of_kind = |kind: &str| report.queries.iter().filter(|query| query.kind == kind).count();
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        text.push_str(&format!("{} {value}\n", styled(STRONG, &format!("{name:<9}"))));
    };
    line("Form", printable(&form.page));
    line(
        "Sent to",
        format!("{} by {}, words in {}", printable(&form.action), form.method, printable(&form.field)),
    );
    if !form.others.is_empty() {
        line(
            "Also",
            format!(
                "{}: {}",
                counted(form.others.len() as u64, "other way"),
                printable(&form.others.join(", "))
            ),
        );
    }
    line(
        "Queries",
        format!(
            "{}: {} dictionary ({}), {} harvested, {} nonsense",
            report.queries.len(),
            of_kind("dictionary"),
            form.language,
            of_kind("harvested"),
            of_kind("nonsense")
        ),
    );
    line(
        "Pages",
        format!(
            "{}, {} of them further pages of results; {}",
            counted(report.requests as u64, "request"),
            number(report.further_pages as u64),
            report.ended.sentence()
        ),
    );
    text.push('\n');
    let classes: Vec<(AnswerClass, usize, Option<&str>)> = AnswerClass::ALL
        .iter()
        .map(|&class| {
            let (count, example) = report.class(class);
            (class, count, example)
        })
        .collect();
    let mut grid = Grid::new(classes.len());
    grid.text("answer", 10, classes.iter().map(|class| class.0.name()));
    grid.numbers("queries", classes.iter().map(|class| number(class.1 as u64)));
    grid.text("example", EXAMPLE_WIDTH, classes.iter().map(|class| class.2.unwrap_or_default()));
    for row in grid.lines(2, width).0 {
        text.push_str(&row);
        text.push('\n');
    }
    let coverage = match report.estimated_coverage {
        Some(share) => format!(
            "{} seen, about {} there: {:.1} % of what words like these reach",
            number(report.results as u64),
            number(report.estimated_results.round() as u64),
            100.0 * share
        ),
        None => "none seen".to_owned(),
    };
    text.push_str(&format!("\n{} {coverage}\n", styled(STRONG, "Results  ")));
    text.push_str(&format!(
        "{} {}\n",
        styled(STRONG, "Archive  "),
        printable(&archive.display().to_string())
    ));
    text
}

/// For each class how many queries were answered with it, and an example.
pub(crate) fn probe_classes_json(report: &ProbeReport) -> Value {
    let classes = AnswerClass::ALL.iter().map(|&class| {
        let (count, example) = report.class(class);
        json!({"class": class.name(), "queries": count, "example": example})
    });
    classes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_it_is() {
        let status = ProbeStatus { sent: 3, most: 110, requests: 8, results: 1, bytes: 1500, errors: 2 };
        let said = line(&status, Duration::from_secs(4));
        assert_eq!(said, "query 3 of 110, 8 pages, 1 result, 2.0/s, 1.5 kB, 2 errors");
    }
}
