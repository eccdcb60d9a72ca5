//! The flags that every command understands, and those of every command that reads pages.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, ColorChoice, Parser};
use unsite::Options;
use unsite::pipeline::{DEFAULT_SAMPLE, DEFAULT_SEED, is_wrapper};
use unsite_acquire::{Source, SourceOptions};
use unsite_dom::Limits;
use unsite_methods::data::{DATA_METHODS, DataMethod, data_method};
use unsite_store::Output;

use crate::commands::Command;
use crate::commands::from_database::is_database;
use crate::page_type_flags::{PageTypeFlags, at_least_one};
use crate::ui::Ui;

/// Turns a web site back into the database behind it
#[derive(Parser)]
#[command(
    name = "unsite",
    bin_name = "unsite",
    version,
    max_term_width = 100,
    after_help = "SOURCE is a folder of saved pages, .warc[.gz, .zst], .wacz, .jsonl of {url, html}, a gold site\n\
                  .tar.zst, one .html file, or - for standard input; for `run` also a web address.\n\
                  Exit codes: 0 done, 1 error, 2 usage, 3 partial (part of the source could not be read,\n\
                  or a crawl that --resume goes on with),\n\
                  4 drift, 5 nothing found (no pages), 130 interrupted."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub global: Global,
}

/// What every command understands.
#[derive(Args, Clone)]
pub(crate) struct Global {
    /// No progress, no summary, no hints; errors only
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Print one JSON object instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// What random choices start from
    #[arg(long, global = true, value_name = "N", default_value_t = DEFAULT_SEED)]
    pub seed: u64,
    /// How many threads; 0 takes all cores. The result is the same
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// When to use colours; NO_COLOR is obeyed
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}

impl Global {
    pub(crate) fn ui(&self) -> Ui {
        Ui { quiet: self.quiet, json: self.json }
    }

    /// Settings that belong to the process.
    pub(crate) fn apply(&self) -> Result<()> {
        let color = match self.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        color.write_global();
        Ok(rayon::ThreadPoolBuilder::new().num_threads(self.threads).build_global()?)
    }
}

/// How pages are read and learned from.
#[derive(Args, Clone)]
#[command(next_help_heading = "Discovery")]
pub(crate) struct Discovery {
    #[command(flatten)]
    page_types: PageTypeFlags,
    #[command(flatten)]
    reading: Reading,
}

/// How pages are read.
#[derive(Args, Clone)]
#[command(next_help_heading = "Reading")]
pub(crate) struct Reading {
    /// Pages to learn from; all pages are extracted
    #[arg(long, value_name = "PAGES", default_value_t = DEFAULT_SAMPLE, value_parser = at_least_one)]
    sample: usize,
    /// Bytes of one page that are read
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().page_bytes, value_parser = at_least_one)]
    max_page_bytes: usize,
    /// How deep elements may be nested
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth, value_parser = at_least_one)]
    max_depth: usize,
    /// Nodes of one page that are kept
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes, value_parser = at_least_one)]
    max_nodes: usize,
    /// Of several captures of an address read only the newest
    #[arg(long)]
    latest: bool,
}

impl Discovery {
    /// Opens a source under the limits.
    pub(crate) fn open(&self, name: &str) -> Result<Source> {
        self.reading.open(name)
    }

    pub(crate) fn options(&self, global: &Global) -> Options {
        let page_types = self.page_types.options(global.seed, global.ui());
        Options { method: self.page_types.method(), page_types, ..self.reading.options(global) }
    }
}

impl Reading {
    /// Opens a source under the limits. What is no pages at all is called what it is.
    pub(crate) fn open(&self, name: &str) -> Result<Source> {
        if is_wrapper(Path::new(name)) {
            bail!(
                "{name} is a wrapper, what was learned about a site; give the pages here, and the wrapper with -w"
            );
        }
        if is_database(name) {
            bail!("{name} is a database; give the pages that it was made from");
        }
        Ok(Source::open(name, &SourceOptions { limits: self.limits(), latest: self.latest })?)
    }

    pub(crate) fn options(&self, global: &Global) -> Options {
        let (seed, limits, sample) = (global.seed, self.limits(), self.sample);
        Options { seed, limits, sample, ..Options::default() }
    }

    fn limits(&self) -> Limits {
        Limits { page_bytes: self.max_page_bytes, depth: self.max_depth, nodes: self.max_nodes }
    }
}

/// A published framework for fields and tables, for the commands that show or measure them.
#[derive(Args, Clone)]
#[command(next_help_heading = "Discovery")]
pub(crate) struct Published {
    /// Find fields and tables as a paper does it, on a few pages of each type: chex, confhex, confhex-all
    #[arg(long, value_name = "NAME", value_parser = parse_data_method)]
    data_method: Option<DataMethodName>,
}

impl Published {
    pub(crate) fn method(&self) -> Option<&'static DataMethod> {
        self.data_method.map(|name| name.0)
    }
}

/// A data method that was asked for by name.
#[derive(Clone, Copy)]
struct DataMethodName(&'static DataMethod);

fn parse_data_method(name: &str) -> Result<DataMethodName, String> {
    let known = || DATA_METHODS.iter().map(|method| method.name).collect::<Vec<_>>().join(", ");
    data_method(name)
        .map(DataMethodName)
        .ok_or_else(|| format!("there is no such method; the methods are {}", known()))
}

/// Where the result goes; the name says what is written.
#[derive(Args, Clone)]
pub(crate) struct Destination {
    /// Where to write: .db (SQLite), .parquet, .csv, .jsonl, a folder/ of CSV files, or
    /// postgres://user@host/database[?schema=NAME]. A database that is there is added to: pages are
    /// known by their URL
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Write a database anew instead of adding to it, and over a file that is not from here
    #[arg(long)]
    replace: bool,
    /// Also write the tables and columns that are kept out of sight: views of other tables, copies, template
    /// text. _cells has their values in any case
    #[arg(long)]
    all: bool,
    /// Put an apostrophe before CSV cells that a spreadsheet would run as a formula
    #[arg(long)]
    guard_formulas: bool,
}

impl Destination {
    /// Reads the name. One that says nothing, or that would take the place of the source, is told before hours of
    /// reading, not after.
    pub(crate) fn open(&self, source: &str) -> Result<Output> {
        let output = Output::parse(&self.output)?.replace(self.replace).all(self.all);
        let output = output.guard_formulas(self.guard_formulas);
        if output.replaces(Path::new(source)) {
            bail!(
                "{} would take the place of the source {source}; name another output",
                self.output.display()
            );
        }
        Ok(output)
    }
}
