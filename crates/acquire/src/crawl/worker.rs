//! What is done with one address away from the crawl's single desk: fetching, reading, compressing.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Mutex, PoisonError};

use unsite_dom::{Limits, Url};

use super::lists::{Listed, read_list};
use super::page::{ReadPage, read_page};
use super::state::{Kind, Queued};
use crate::archive::PackedExchange;
use crate::browser::{Browser, pack_rendered, render_exchange};
use crate::fetch::{Exchange, FetchError, Fetched, Fetcher, Request};
use crate::sources::looks_like_html;

pub(super) enum Job {
    /// Fetch the rules of a host.
    Robots { host: i64, url: Url },
    /// Fetch what was queued.
    Fetch { host: i64, queued: Queued },
}

#[expect(clippy::large_enum_variant, reason = "a handful are under way at a time")]
pub(super) enum Done {
    Robots { host: i64, url: Url, result: Result<Exchange, FetchError> },
    Fetched { host: i64, queued: Queued, result: Result<Exchange, FetchError>, content: Content },
}

/// What came back, read.
pub(super) enum Content {
    /// A page, and its records unless it is known that they are not needed.
    Page(Box<ReadPage>, std::io::Result<PackedExchange>),
    /// Leads elsewhere; the records say so.
    Redirect(Url, std::io::Result<PackedExchange>),
    /// A sitemap or feed.
    List(Listed),
    /// What was seen at the last visit.
    NotModified,
    /// Anything else.
    Other,
    /// It could not be read because of a mistake in this program.
    Unreadable(FetchError),
}

/// Works until there are no more jobs.
pub(super) fn work(
    fetcher: &Fetcher,
    browser: Option<&Browser>,
    agent: &str,
    jobs: &Mutex<Receiver<Job>>,
    done: &Sender<Done>,
) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        let result = match job {
            Job::Robots { host, url } => Done::Robots {
                result: guarded(|| robots(fetcher, &url)).and_then(|result| result),
                host,
                url,
            },
            Job::Fetch { host, queued } => {
                let result = guarded(|| fetcher.exchange(&request(&queued))).and_then(|result| result);
                let content = match &result {
                    Ok(exchange) => guarded(|| read(exchange, &queued, agent, browser))
                        .unwrap_or_else(Content::Unreadable),
                    Err(_) => Content::Other,
                };
                Done::Fetched { host, queued, result, content }
            }
        };
        // Nobody listens any more when the crawl was stopped.
        if done.send(result).is_err() {
            return;
        }
    }
}

/// A panic is trouble with one address and not the end of the crawl, which would wait for its answer for ever.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, FetchError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        FetchError::Internal { message }
    })
}

fn request(queued: &Queued) -> Request {
    let mut request = Request::get(queued.url.clone());
    if let Some(before) = &queued.before {
        if let Some(etag) = &before.etag {
            request = request.with("if-none-match", etag);
        }
        if let Some(modified) = &before.modified {
            request = request.with("if-modified-since", modified);
        }
    }
    request
}

/// Follows redirects, also to other hosts, as the standard asks for.
fn robots(fetcher: &Fetcher, url: &Url) -> Result<Exchange, FetchError> {
    fetcher.fetch(&Request::get(url.clone()), &|_| Ok(())).map(Fetched::into_last)
}

fn read(exchange: &Exchange, queued: &Queued, agent: &str, browser: Option<&Browser>) -> Content {
    if exchange.status == 304 && queued.before.is_some() {
        return Content::NotModified;
    }
    if let Some(target) = exchange.redirect() {
        return Content::Redirect(target, PackedExchange::new(exchange));
    }
    if !(200..300).contains(&exchange.status) {
        return Content::Other;
    }
    let media = exchange.media_type().unwrap_or_default();
    let is_xml = media.ends_with("xml") && media != "application/xhtml+xml";
    // Pages are read as far as every other stage reads them.
    let limit = Limits::default().page_bytes;
    if queued.kind == Kind::List || is_xml {
        return read_list(&exchange.decoded(limit).bytes).map_or(Content::Other, Content::List);
    }
    let decoded = exchange.decoded(limit);
    let is_html = match media.as_str() {
        "text/html" | "application/xhtml+xml" => !decoded.bytes.is_empty(),
        "" | "text/plain" | "application/octet-stream" => looks_like_html(&decoded.bytes),
        _ => false,
    };
    if !is_html {
        return Content::Other;
    }
    let directives: Vec<&str> = exchange.header_values("x-robots-tag").collect();
    let rendered = browser.map(|browser| render_exchange(browser, exchange, &decoded.bytes));
    let charset = exchange.charset();
    let (bytes, charset) = match &rendered {
        Some(Ok(rendered)) => (rendered.html.as_bytes(), Some("utf-8")),
        _ => (decoded.bytes.as_slice(), charset.as_deref()),
    };
    let mut page = read_page(bytes, charset, &exchange.url, &directives, agent);
    let mut packed = PackedExchange::new(exchange);
    match &rendered {
        Some(Ok(rendered)) => {
            page.is_shell = false;
            packed = packed.and_then(|mut packed| {
                pack_rendered(&mut packed, exchange, rendered)?;
                Ok(packed)
            });
        }
        Some(Err(error)) => page.trouble = Some(error.to_string()),
        None => {}
    }
    Content::Page(Box::new(page), packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_of_its_address() {
        assert_eq!(guarded(|| 1).unwrap(), 1);
        let error = guarded(|| -> u8 { panic!("byte index {} is no boundary", 1) }).unwrap_err();
        assert!(error.to_string().contains("byte index 1 is no boundary"), "{error}");
        assert!(matches!(guarded(|| -> u8 { panic!("plain") }), Err(FetchError::Internal { .. })));
    }
}
