//! Why nothing could be fetched.

use std::net::IpAddr;
use std::time::Duration;

use thiserror::Error;

/// Why a request has no response. The message says what, where and what to do next.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The crawl is being stopped.
    #[error("stopped")]
    Stopped,
    /// Neither http nor https, or no host.
    #[error("{url} cannot be fetched: only http and https addresses with a host can be")]
    NotWeb {
        /// The address.
        url: String,
    },
    /// The name stands for an address that is not public.
    #[error("{host} is {address}, an address that is {why}. If it is yours, --allow-private permits it")]
    NotPublic {
        /// The host of the URL.
        host: String,
        /// What it stands for.
        address: IpAddr,
        /// The kind of address.
        why: &'static str,
    },
    /// The name is not known.
    #[error("no address is known for {host}: {message}. Check the spelling and the connection")]
    Unknown {
        /// The host of the URL.
        host: String,
        /// What the resolver said.
        message: String,
    },
    /// Nobody answers there, or not in TLS.
    #[error("cannot connect to {host}: {message}")]
    Connect {
        /// The host of the URL.
        host: String,
        /// What the operating system or TLS said.
        message: String,
    },
    /// It took too long.
    #[error("{host} did not {what} within {} s", .limit.as_secs_f32())]
    Slow {
        /// The host of the URL.
        host: String,
        /// What did not happen in time.
        what: &'static str,
        /// The limit.
        limit: Duration,
    },
    /// What came back is not HTTP, or its header goes beyond the limits.
    #[error("{host} sent something that cannot be read as HTTP: {message}")]
    Protocol {
        /// The host of the URL.
        host: String,
        /// What was wrong.
        message: String,
    },
    /// The connection broke before the header was there.
    #[error("{host} broke the connection: {message}")]
    Broken {
        /// The host of the URL.
        host: String,
        /// How.
        message: String,
    },
    /// Redirects that lead nowhere.
    #[error("{url} was redirected {count} times; that is not followed further")]
    TooManyRedirects {
        /// Where it started.
        url: String,
        /// How many there were.
        count: usize,
    },
    /// A redirect to a place where the caller does not want to go.
    #[error("redirected to {url}, which is not followed: {why}")]
    RedirectRefused {
        /// Where it leads.
        url: String,
        /// Why not.
        why: String,
    },
    /// This program could not deal with what came back.
    #[error("a mistake in this program ({message}); please report it with the address")]
    Internal {
        /// What the panic said.
        message: String,
    },
    /// The program's own set-up failed.
    #[error("cannot fetch anything: {message}")]
    Setup {
        /// What failed.
        message: String,
    },
}

impl FetchError {
    /// Whether another try may go better.
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            FetchError::Unknown { .. }
                | FetchError::Connect { .. }
                | FetchError::Slow { .. }
                | FetchError::Broken { .. }
        )
    }
}
