//! The flags of every command that fetches pages.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use unsite_acquire::crawl::{CrawlOptions, Mode, Pattern, Reach, Scope};
use unsite_acquire::fetch::{FetchOptions, USER_AGENT};
use url::Url;

/// How pages are fetched.
#[derive(Args, Clone)]
#[command(next_help_heading = "Fetching")]
pub(crate) struct FetchArgs {
    /// Seconds between requests to a host; a longer Crawl-delay of the site wins
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    delay: Duration,
    /// Seconds for one request with its answer
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = seconds)]
    timeout: Duration,
    /// Times that something is asked for before it is given up
    #[arg(long, value_name = "N", default_value_t = FetchOptions::default().tries, value_parser = clap::value_parser!(u32).range(1..))]
    tries: u32,
    /// Bytes of one answer that are taken
    #[arg(long, value_name = "BYTES", default_value_t = FetchOptions::default().max_body_bytes)]
    max_bytes: usize,
    /// What the crawl calls itself; robots.txt is read for its first word
    #[arg(long, value_name = "NAME", default_value = USER_AGENT)]
    user_agent: String,
    /// A mail or web address where the site's people reach you; sent along
    #[arg(long, value_name = "ADDRESS")]
    contact: Option<String>,
    /// Also fetch from loopback, private and link-local addresses
    #[arg(long)]
    allow_private: bool,
    /// Certificates (PEM) to trust beside the usual ones
    #[arg(long, value_name = "FILE")]
    ca_certificates: Option<PathBuf>,
}

impl FetchArgs {
    pub(crate) fn options(&self) -> FetchOptions {
        let defaults = FetchOptions::default();
        let user_agent = match &self.contact {
            Some(contact) => format!("{} (+{contact})", self.user_agent),
            None => self.user_agent.clone(),
        };
        FetchOptions {
            user_agent,
            contact: self.contact.clone().filter(|contact| contact.contains('@')),
            delay: self.delay,
            allow_private: self.allow_private,
            connect_timeout: defaults.connect_timeout.min(self.timeout),
            response_timeout: defaults.response_timeout.min(self.timeout),
            total_timeout: self.timeout,
            max_body_bytes: self.max_bytes,
            tries: self.tries,
            ca_certificates: self.ca_certificates.clone(),
            ..defaults
        }
    }
}

/// How far a crawl goes.
#[derive(Args, Clone)]
#[command(next_help_heading = "Crawling")]
pub(crate) struct CrawlArgs {
    /// How far the site goes: all hosts of its domain, its host, or below the start's path (domain, host, path)
    #[arg(long, value_name = "REACH", default_value = "domain", value_parser = reach)]
    scope: Reach,
    /// Only addresses with this text; * stands for anything. Several are possible
    #[arg(long, value_name = "PATTERN")]
    include: Vec<Pattern>,
    /// No addresses with this text; * stands for anything. Several are possible
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<Pattern>,
    /// Pages to save at most
    #[arg(long, value_name = "N")]
    max_pages: Option<u64>,
    /// Links to follow from the start at most
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Do not read sitemaps and feeds
    #[arg(long)]
    no_sitemaps: bool,
    /// Go on in places that grow without bringing anything new, such as calendars; with --resume also in those that were left
    #[arg(long)]
    no_traps: bool,
    /// Follow links that ask not to be followed; for sites of your own
    #[arg(long)]
    ignore_nofollow: bool,
    /// Go on with a crawl that was stopped or killed, and try again what failed
    #[arg(long)]
    resume: bool,
    /// Visit the pages of the archive again, index pages first, and keep what is new or has changed
    #[arg(long)]
    changed_only: bool,
}

impl CrawlArgs {
    /// How many pages there may be.
    pub(crate) fn max_pages(&self) -> Option<u64> {
        self.max_pages
    }

    pub(crate) fn options(&self, start: Url) -> CrawlOptions {
        let scope = Scope::new(&start, self.scope, self.include.clone(), self.exclude.clone());
        let mode = match (self.changed_only, self.resume) {
            (true, _) => Mode::ChangedOnly,
            (false, true) => Mode::Resume,
            (false, false) => Mode::New,
        };
        CrawlOptions {
            start,
            scope,
            max_pages: self.max_pages,
            max_depth: self.depth,
            lists: !self.no_sitemaps,
            traps: !self.no_traps,
            ignore_nofollow: self.ignore_nofollow,
            mode,
        }
    }
}

/// An address as people type it: `http://` may be left out.
pub(crate) fn web_address(text: &str) -> Result<Url, String> {
    let has_scheme =
        text.split_once("://").is_some_and(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_alphanumeric()));
    let whole = if has_scheme { text.to_owned() } else { format!("https://{text}") };
    let url = Url::parse(&whole).map_err(|error| format!("no web address: {error}"))?;
    match url.scheme() {
        "http" | "https" if url.host().is_some() => Ok(url),
        scheme => Err(format!("only http and https addresses can be fetched, not {scheme}")),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "give a number of seconds, such as 1 or 0.5".to_owned())?;
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}

fn reach(text: &str) -> Result<Reach, String> {
    text.parse()
}
