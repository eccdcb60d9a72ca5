//! The commands: one file each, and one line in each of the two lists here.

mod answers;
pub(crate) mod by_hand;
mod changes;
pub(crate) mod check;
mod complete;
#[cfg(feature = "crawl")]
mod crawl;
mod dedup;
mod demo;
mod edit;
mod epochs;
mod eval;
mod experts;
mod export;
mod extract;
pub(crate) mod from_database;
#[cfg(feature = "crawl")]
mod from_web;
#[cfg(not(feature = "crawl"))]
#[path = "from_web_absent.rs"]
mod from_web;
mod gate;
mod gold_types;
mod graph;
mod learn;
mod link;
mod methods;
mod outline;
mod pages;
#[cfg(feature = "crawl")]
mod probe;
pub(crate) mod receipt;
mod regions;
mod repair;
mod roles;
mod run;
mod scratch;
mod search;
mod show;
mod single_pages;
#[cfg(feature = "studio")]
mod studio;
mod tables;
mod train;
#[cfg(feature = "crawl")]
mod watch;
mod why;
mod why_experts;
pub(crate) mod why_page;
mod why_same;
mod witnesses;

use anyhow::Result;
use clap::Subcommand;
use unsite::Exit;

use crate::cli::Global;

/// What can be asked for.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// The whole job on an embedded sample site, no network
    Demo(demo::Args),
    /// Read pages, discover their structure, extract, store
    Run(run::Args),
    /// Fetch the pages of a site into an archive, politely; resumable
    #[cfg(feature = "crawl")]
    Crawl(crawl::Args),
    /// Ask a site's search form for what it holds, and keep the answers
    #[cfg(feature = "crawl")]
    Probe(probe::Args),
    /// Discover the structure of a site and keep it as a wrapper file
    Learn(learn::Args),
    /// Extract pages with a wrapper file
    Extract(extract::Args),
    /// Has the site changed since its wrapper was learned? Exit code 4 if so
    Check(check::Args),
    /// Make a wrapper fit for a site that has changed, if known records prove it
    Repair(repair::Args),
    /// The designs that a site had, one after the other, and what each change brought
    Epochs(epochs::Args),
    /// What is new, different or not seen again in a database since a day
    Changes(changes::Args),
    /// Visit a site again and again; keep its database and the history of its values
    #[cfg(feature = "crawl")]
    Watch(watch::Args),
    /// What a wrapper file holds
    Show(show::Args),
    /// See the pages beside their tables in a browser, ask why, change by hand, undo, keep
    #[cfg(feature = "studio")]
    Studio(studio::Args),
    /// Change by hand what a wrapper file says; every change can be undone
    Edit(edit::Args),
    /// The page types of a site
    Pages(pages::Args),
    /// The roles of a site's pages: index, article, search, no-match, error
    Roles(roles::Args),
    /// The regions of a site's pages: what informs, what is template, main texts, answers to searches
    Regions(regions::Args),
    /// The tables of a site with their columns
    Tables(tables::Args),
    /// Search in what a database says about things, best first, with receipts
    Search(search::Args),
    /// The receipt of one cell: where on which page it stands
    Why(why::Args),
    /// Why a page is of its type: the experts' scores, and the runner-up
    WhyPage(why_page::Args),
    /// What was learned as a Scrapy spider, parsel code, XPath or CSS
    Export(export::Args),
    /// The ways to find page types
    Methods(methods::Args),
    /// The experts that the default way hears, one line each
    Experts(experts::Args),
    /// Learn from labelled sites what the page experts' scores mean
    Train(train::Args),
    /// Duplicates among records
    Dedup(dedup::Args),
    /// The records of one source that are also in another
    Link(link::Args),
    /// Why two records are one, or not: the evidence of every expert
    WhySame(why_same::Args),
    /// Measure on labelled sites
    Eval(eval::Args),
    /// Hold the measures against the committed floors
    Gate(gate::Args),
}

impl Command {
    /// Does it.
    pub(crate) fn run(&self, global: &Global) -> Result<Exit> {
        match self {
            Command::Demo(args) => demo::run(args, global),
            Command::Run(args) => run::run(args, global),
            #[cfg(feature = "crawl")]
            Command::Crawl(args) => crawl::run(args, global),
            #[cfg(feature = "crawl")]
            Command::Probe(args) => probe::run(args, global),
            Command::Learn(args) => learn::run(args, global),
            Command::Extract(args) => extract::run(args, global),
            Command::Check(args) => check::run(args, global),
            Command::Repair(args) => repair::run(args, global),
            Command::Epochs(args) => epochs::run(args, global),
            Command::Changes(args) => changes::run(args, global),
            #[cfg(feature = "crawl")]
            Command::Watch(args) => watch::run(args, global),
            Command::Show(args) => show::run(args, global),
            #[cfg(feature = "studio")]
            Command::Studio(args) => studio::run(args, global),
            Command::Edit(args) => edit::run(args, global),
            Command::Pages(args) => pages::run(args, global),
            Command::Roles(args) => roles::run(args, global),
            Command::Regions(args) => regions::run(args, global),
            Command::Tables(args) => tables::run(args, global),
            Command::Search(args) => search::run(args, global),
            Command::Why(args) => why::run(args, global),
            Command::WhyPage(args) => why_page::run(args, global),
            Command::Export(args) => export::run(args, global),
            Command::Methods(args) => methods::run(args, global),
            Command::Experts(args) => experts::run(args, global),
            Command::Train(args) => train::run(args, global),
            Command::Dedup(args) => dedup::run(args, global),
            Command::Link(args) => link::run(args, global),
            Command::WhySame(args) => why_same::run(args, global),
            Command::Eval(args) => eval::run(args, global),
            Command::Gate(args) => gate::run(args, global),
        }
    }
}
