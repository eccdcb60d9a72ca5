//! Asking the site, and writing down what it says.

use std::collections::BTreeMap;
use std::io;

use unsite_dom::{Limits, Tree};
use url::Url;

use super::ProbeError;
use crate::archive::{ArchiveWriter, Record, RecordKind, new_id};
use crate::browser::{Browser, render_exchange, write_rendered};
use crate::fetch::{Exchange, FetchError, Fetcher, Request};

/// Cookies of one site that are kept; more are not asked for by honest ones.
const MAX_COOKIES: usize = 50;

/// Whether an address may be asked, and if not, why.
pub type Allowed<'a> = &'a dyn Fn(&Url) -> Result<(), String>;

/// What a probe works with.
pub struct ProbeTools<'a> {
    /// What fetches.
    pub fetcher: &'a Fetcher,
    /// Where everything is written.
    pub archive: &'a mut ArchiveWriter,
    /// What renders pages, where that is wanted.
    pub browser: Option<&'a Browser>,
    /// Which addresses may be asked: what robots.txt says.
    pub allowed: Allowed<'a>,
}

/// A page that was fetched and written.
pub(super) struct Page {
    pub(super) url: Url,
    pub(super) status: u16,
    pub(super) tree: Tree,
}

/// The conversation with the site.
pub(super) struct Session<'a> {
    tools: ProbeTools<'a>,
    cookies: BTreeMap<String, String>,
    /// How many requests were sent.
    pub(super) requests: usize,
    /// Bytes of the answers.
    pub(super) bytes: u64,
    /// What went wrong with single pages.
    pub(super) problems: Vec<String>,
}

impl<'a> Session<'a> {
    pub(super) fn new(tools: ProbeTools<'a>) -> Session<'a> {
        Session { tools, cookies: BTreeMap::new(), requests: 0, bytes: 0, problems: Vec::new() }
    }

    /// Sends a request, writes everything that came of it, and reads the page at its end. `about` is written down with it.
    pub(super) fn ask(&mut self, request: Request, about: &[(&str, &str)]) -> Result<Page, ProbeError> {
        let url = request.url.clone();
        (self.tools.allowed)(&url).map_err(|why| ProbeError::NotAllowed { url: url.to_string(), why })?;
        let request = match self.cookie() {
            Some(cookie) if !self.cookies.is_empty() => request.with("cookie", &cookie),
            _ => request,
        };
        // A search that leads to another host has left the site.
        let same_host = |to: &Url| match to.host_str() == url.host_str() {
            true => (self.tools.allowed)(to),
            false => Err("it leads to another host".to_owned()),
        };
        let fetched = self.tools.fetcher.fetch(&request, &same_host)?;
        self.requests += fetched.hops.len();
        for hop in &fetched.hops {
            self.keep_cookies(hop);
            self.bytes += hop.body.len() as u64;
        }
        let mut page = None;
        for hop in &fetched.hops {
            page = Some(self.write(hop, about)?);
        }
        page.ok_or(ProbeError::Fetch(FetchError::Stopped))
    }

    fn write(&mut self, exchange: &Exchange, about: &[(&str, &str)]) -> Result<Page, ProbeError> {
        let written = self.tools.archive.write_exchange(exchange)?;
        let limits = Limits::default();
        let decoded = exchange.decoded(limits.page_bytes);
        let is_page = exchange.redirect().is_none();
        let rendered = match self.tools.browser.filter(|_| is_page) {
            Some(browser) => match render_exchange(browser, exchange, &decoded.bytes) {
                Ok(rendered) => Some(rendered),
                Err(error) => {
                    self.problems.push(error.to_string());
                    None
                }
            },
            None => None,
        };
        if let Some(rendered) = &rendered {
            write_rendered(self.tools.archive, exchange, &written.id, rendered)?;
        }
        if !about.is_empty() && is_page {
            self.write_about(exchange, &written.id, about)?;
        }
        let charset = exchange.charset();
        let (tree, _) = match &rendered {
            Some(rendered) => Tree::parse(rendered.html.as_bytes(), Some("utf-8"), &limits),
            None => Tree::parse(&decoded.bytes, charset.as_deref(), &limits),
        };
        Ok(Page { url: exchange.url.clone(), status: exchange.status, tree })
    }

    /// A record with the word that brought the page and where the word comes from.
    fn write_about(&mut self, exchange: &Exchange, id: &str, about: &[(&str, &str)]) -> io::Result<()> {
        let lines: String = about
            .iter()
            .map(|(name, value)| format!("{name}: {}\r\n", value.replace(['\r', '\n'], " ")))
            .collect();
        self.tools.archive.write(&Record {
            kind: RecordKind::Metadata,
            id: new_id(lines.as_bytes()),
            date: exchange.date,
            url: Some(exchange.url.as_str()),
            content_type: "application/warc-fields",
            fields: vec![("WARC-Refers-To", format!("<{id}>"))],
            block: &[lines.as_bytes()],
        })?;
        Ok(())
    }

    fn cookie(&self) -> Option<String> {
        let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }

    /// Forms that are sent by POST often expect the cookie of the page they stand on.
    fn keep_cookies(&mut self, exchange: &Exchange) {
        for cookie in exchange.header_values("set-cookie") {
            let Some((name, value)) = cookie.split(';').next().unwrap_or_default().split_once('=') else {
                continue;
            };
            let plain = |text: &str| !text.contains(|c: char| c.is_control() || c == ';');
            if plain(name)
                && plain(value)
                && (self.cookies.len() < MAX_COOKIES || self.cookies.contains_key(name.trim()))
            {
                self.cookies.insert(name.trim().to_owned(), value.trim().to_owned());
            }
        }
    }
}
