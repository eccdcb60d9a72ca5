//! What the program says and where: data on standard output, everything else on standard error.

pub(crate) mod atom;
#[cfg(feature = "crawl")]
mod crawl;
pub(crate) mod er;
mod grid;
mod matrix_svg;
#[cfg(feature = "crawl")]
mod probe;
mod progress;
mod summary;
mod text;
mod ties;
pub(crate) mod timeline;

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use serde_json::Value;
use unsite::Progress;

#[cfg(feature = "crawl")]
pub(crate) use crawl::{CrawlWatch, crawl_json, crawl_text};
pub(crate) use grid::Grid;
pub(crate) use matrix_svg::matrix_svg;
#[cfg(feature = "crawl")]
pub(crate) use probe::{ProbeDisplay, probe_classes_json, probe_text};
pub(crate) use summary::{
    merged_json, merged_text, problem_counts, summary_json, summary_text, tables_json, unread,
};
pub(crate) use text::{counted, fit, number, printable, width};
pub(crate) use ties::{in_order, ties};

/// Columns of a standard output that is not a terminal, such as a file or the README.
const WIDTH_ELSEWHERE: usize = 100;
/// Less than this is no width to lay anything out in.
const LEAST_WIDTH: usize = 40;

/// Headings and names.
pub(crate) const STRONG: Style = Style::new().bold();
/// What matters less.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// The program's voice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ui {
    /// Only what was asked for, nothing around it.
    pub quiet: bool,
    /// JSON instead of text.
    pub json: bool,
}

impl Ui {
    /// Writes to standard output; colours are taken out where they do not belong.
    pub(crate) fn print(self, text: &str) -> Result<()> {
        let mut out = anstream::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()?;
        Ok(())
    }

    /// Writes one JSON object to standard output.
    pub(crate) fn print_json(self, value: &Value) -> Result<()> {
        let mut out = io::stdout().lock();
        let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
        writeln!(out, "{}", unsite::harmless::escaped(&text))?;
        Ok(())
    }

    /// Something is not as it should be, and the run goes on.
    pub(crate) fn warn(self, message: &str) {
        if !self.quiet {
            say(Style::new().bold().fg_color(Some(AnsiColor::Yellow.into())), "warning", message);
        }
    }

    /// Something to read beside the data: to standard error.
    pub(crate) fn note(self, text: &str) {
        if !self.quiet {
            // Nobody is left to be told when standard error is gone.
            let _ = anstream::stderr().lock().write_all(text.as_bytes());
        }
    }

    /// What to do next.
    pub(crate) fn hint(self, message: &str) {
        if !self.quiet {
            say(Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())), "hint", message);
        }
    }

    /// Why it did not work; said however quiet.
    pub(crate) fn error(self, message: &str) {
        say(Style::new().bold().fg_color(Some(AnsiColor::Red.into())), "error", message);
    }

    /// A progress display where somebody looks at it, nothing elsewhere.
    pub(crate) fn progress(self) -> Box<dyn Progress> {
        if self.quiet || !io::stderr().is_terminal() { Box::new(()) } else { Box::new(progress::Bar::new()) }
    }

    /// How wide standard output is.
    pub(crate) fn width(self) -> usize {
        if !io::stdout().is_terminal() {
            return WIDTH_ELSEWHERE;
        }
        let size = terminal_size::terminal_size();
        size.map_or(WIDTH_ELSEWHERE, |(width, _)| usize::from(width.0).max(LEAST_WIDTH))
    }
}

/// The text in a style.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

fn say(style: Style, word: &str, message: &str) {
    let text: Vec<String> = message.lines().map(printable_indented).collect();
    // Nobody is left to be told when standard error is gone.
    let _ = writeln!(anstream::stderr().lock(), "{style}{word}:{style:#} {}", text.join("\n"));
}

/// One line of a message, its indentation kept.
pub(crate) fn printable_indented(line: &str) -> String {
    let indent = line.len() - line.trim_start_matches(' ').len();
    format!("{}{}", &line[..indent], printable(line))
}
