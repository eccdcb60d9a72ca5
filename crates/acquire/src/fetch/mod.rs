//! Fetching pages: politely, within limits, and only from where it is allowed.
//!
//! # What it does
//! [`Fetcher::exchange`] sends one request when it is its host's turn and hands over request and response as they are
//! archived. [`Fetcher::fetch`] also tries again and follows redirects, every hop of which stays visible.
//!
//! # Assumes
//! The resolver of the operating system. An address is judged after it was resolved and is the one connected to, so
//! that a name which changes its address in between gains nothing.
//!
//! # When it fails
//! There is no proxy support and no cookie jar. A connection through which somebody else reaches a private network
//! cannot be told from a public one.

mod address;
mod connect;
mod error;
mod exchange;
mod request;
mod retry;
mod send;
mod stop;
mod turns;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;
use tokio::runtime::Runtime;
use tokio_rustls::TlsConnector;
use url::Url;

use self::connect::{Connection, Sender};
use self::send::{NotSent, Sent};
use self::turns::Turns;

pub use address::why_not_public;
pub use error::FetchError;
pub use exchange::{Decoded, Exchange, Protocol, Truncated};
pub use request::{Method, Request};
pub use retry::{Advice, LONGEST_RETRY_AFTER, advice};
pub use stop::Stop;
pub use turns::host_key;

/// How pages are fetched.
#[derive(Debug, Clone)]
pub struct FetchOptions {
    /// The whole `user-agent`.
    pub user_agent: String,
    /// A mail address for the `from` field, so that a site's people can write to us.
    pub contact: Option<String>,
    /// The pause behind each request to a host.
    pub delay: Duration,
    /// Requests to one host at the same time.
    pub at_once: usize,
    /// Loopback, private, link-local and reserved addresses are allowed too.
    pub allow_private: bool,
    /// For the name, the connection, and TLS, each.
    pub connect_timeout: Duration,
    /// From the request to the end of the response's header.
    pub response_timeout: Duration,
    /// For a whole request with its response.
    pub total_timeout: Duration,
    /// Bytes of a body as sent; more are cut.
    pub max_body_bytes: usize,
    /// Bytes of a response's header; more are an error.
    pub max_header_bytes: usize,
    /// Fields of a response's header; more are an error.
    pub max_headers: usize,
    /// How often one thing is asked for before it is given up.
    pub tries: u32,
    /// Redirects that [`Fetcher::fetch`] follows.
    pub redirects: usize,
    /// Certificates (PEM) to trust beside the usual roots.
    pub ca_certificates: Option<PathBuf>,
}

/// What identifies us where nothing else is said.
pub const USER_AGENT: &str = concat!("unsite/", env!("CARGO_PKG_VERSION"));

impl Default for FetchOptions {
    fn default() -> Self {
        FetchOptions {
            user_agent: USER_AGENT.to_owned(),
            contact: None,
            delay: Duration::from_secs(1),
            at_once: 1,
            allow_private: false,
            connect_timeout: Duration::from_secs(15),
            response_timeout: Duration::from_secs(30),
            total_timeout: Duration::from_secs(120),
            // As much as one page may have after decompression.
            max_body_bytes: 20 << 20,
            // Servers allow 8 to 32 KiB themselves.
            max_header_bytes: 64 << 10,
            max_headers: 256,
            tries: 4,
            redirects: 10,
            ca_certificates: None,
        }
    }
}

/// A request with everything that followed from it: redirects first, the answer last. Never empty.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// Every hop in order.
    pub hops: Vec<Exchange>,
}

impl Fetched {
    /// What stands at the end.
    pub fn last(&self) -> &Exchange {
        // `Fetcher::fetch` makes no empty one.
        &self.hops[self.hops.len() - 1]
    }

    /// What stands at the end, alone.
    pub fn into_last(mut self) -> Exchange {
        self.hops.swap_remove(self.hops.len() - 1)
    }
}

/// Fetches pages. It may be shared between threads; every call blocks until it is done.
pub struct Fetcher {
    options: FetchOptions,
    stop: Stop,
    runtime: Runtime,
    tls: TlsConnector,
    turns: Turns,
    /// Connections that wait for their next request, by scheme, host and port.
    idle: Mutex<FxHashMap<String, Vec<Connection>>>,
}

impl Fetcher {
    /// Sets everything up; nothing is sent yet.
    pub fn new(options: FetchOptions, stop: Stop) -> Result<Fetcher, FetchError> {
        let tls = connect::tls(options.ca_certificates.as_deref())?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("fetch")
            .enable_all()
            .build()
            .map_err(|error| FetchError::Setup { message: error.to_string() })?;
        let turns = Turns::new(options.delay, options.at_once);
        Ok(Fetcher { options, stop, runtime, tls, turns, idle: Mutex::default() })
    }

    /// How it fetches.
    pub fn options(&self) -> &FetchOptions {
        &self.options
    }

    /// What stops it.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Sends one request in its host's turn: no second try, no redirect followed.
    pub fn exchange(&self, request: &Request) -> Result<Exchange, FetchError> {
        if !matches!(request.url.scheme(), "http" | "https") || request.url.host().is_none() {
            return Err(FetchError::NotWeb { url: request.url.to_string() });
        }
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                () = self.stop.requested() => Err(FetchError::Stopped),
                result = self.in_turn(request) => result,
            }
        })
    }

    /// Sends a request, tries again where that may help, and follows redirects that `allowed` has nothing against.
    pub fn fetch(
        &self,
        request: &Request,
        allowed: &dyn Fn(&Url) -> Result<(), String>,
    ) -> Result<Fetched, FetchError> {
        let mut hops = Vec::new();
        let mut next = request.clone();
        loop {
            let exchange = self.patiently(&next)?;
            let target = exchange.redirect();
            let keeps_method = matches!(exchange.status, 307 | 308);
            hops.push(exchange);
            let Some(url) = target else { return Ok(Fetched { hops }) };
            if hops.len() > self.options.redirects {
                return Err(FetchError::TooManyRedirects { url: request.url.to_string(), count: hops.len() });
            }
            allowed(&url).map_err(|why| FetchError::RedirectRefused { url: url.to_string(), why })?;
            next = if keeps_method { Request { url, ..next } } else { Request::get(url) };
        }
    }

    /// How long until a request to the host (see [`host_key`]) could begin.
    pub fn wait(&self, host: &str) -> Duration {
        self.turns.wait(host)
    }

    /// A host asks for a pause behind each request. The larger of its wish and our own holds, and is handed back.
    pub fn ask_delay(&self, host: &str, delay: Duration) -> Duration {
        self.turns.ask_delay(host, delay)
    }

    /// Nothing is sent to the host for this long.
    pub fn pause(&self, host: &str, pause: Duration) {
        self.turns.pause(host, pause);
    }

    /// One exchange with as many tries as the options allow.
    fn patiently(&self, request: &Request) -> Result<Exchange, FetchError> {
        let mut tries = 1;
        loop {
            let result = self.exchange(request);
            match advice(&result, tries, self.options.tries) {
                Advice::Keep | Advice::GiveUp => return result,
                Advice::Again(pause) => self.pause(&host_key(&request.url), pause),
            }
            tries += 1;
        }
    }

    async fn in_turn(&self, request: &Request) -> Result<Exchange, FetchError> {
        let _turn = self.turns.take(&request.url).await;
        let origin = request.url.origin().ascii_serialization();
        // A kept connection may have been closed by the server in the meantime; a fresh one tells the truth.
        if let Some(mut connection) = self.take_idle(&origin) {
            match send::send(&mut connection, request, &self.options).await {
                Ok(sent) => return Ok(self.keep(origin, connection, sent)),
                Err(NotSent { stale: true, .. }) if request.method == Method::Get => {}
                Err(NotSent { error, .. }) => return Err(error),
            }
        }
        let mut connection = connect::connect(&request.url, &self.tls, &self.options).await?;
        match send::send(&mut connection, request, &self.options).await {
            Ok(sent) => Ok(self.keep(origin, connection, sent)),
            Err(NotSent { error, .. }) => Err(error),
        }
    }

    fn keep(&self, origin: String, connection: Connection, sent: Sent) -> Exchange {
        if sent.reusable {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let connections = idle.entry(origin).or_default();
            // An HTTP/2 connection was left in its place when it was taken.
            let is_there = connection.protocol() == Protocol::Http2 && !connections.is_empty();
            if !is_there && connections.len() < self.options.at_once {
                connections.push(connection);
            }
        }
        sent.exchange
    }

    fn take_idle(&self, origin: &str) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let connections = idle.get_mut(origin)?;
        while let Some(connection) = connections.pop() {
            let Connection { address, sender } = connection;
            match sender {
                // One HTTP/2 connection serves all requests at once, so that it stays in its place.
                Sender::Http2(sender) if !sender.is_closed() => {
                    connections.push(Connection { address, sender: Sender::Http2(sender.clone()) });
                    return Some(Connection { address, sender: Sender::Http2(sender) });
                }
                Sender::Http1(sender) if !sender.is_closed() => {
                    return Some(Connection { address, sender: Sender::Http1(sender) });
                }
                _ => {}
            }
        }
        None
    }
}
