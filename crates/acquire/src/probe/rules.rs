//! What a site allows: its robots.txt.

use url::Url;

use super::ProbeError;
use crate::crawl::{LONGEST_ROBOTS, Robots};
use crate::fetch::{Fetcher, Request, host_key};

/// The rules of the site that is probed.
#[derive(Debug)]
pub struct SiteRules {
    robots: Robots,
}

impl SiteRules {
    /// Asks the site. A site without rules allows everything, one whose server fails on them nothing (RFC 9309 §2.3.1).
    /// A pause that the rules ask for is kept from now on.
    pub fn ask(fetcher: &Fetcher, url: &Url) -> Result<SiteRules, ProbeError> {
        let mut address = url.clone();
        address.set_path("/robots.txt");
        address.set_query(None);
        address.set_fragment(None);
        let fetched = fetcher.fetch(&Request::get(address), &|_: &Url| Ok(()))?;
        let answer = fetched.last();
        let robots = match answer.status {
            200..300 => Robots::parse(&answer.decoded(LONGEST_ROBOTS).bytes, &fetcher.options().user_agent),
            500.. => Robots::closed(),
            _ => Robots::default(),
        };
        if let Some(delay) = robots.crawl_delay {
            fetcher.ask_delay(&host_key(url), delay);
        }
        Ok(SiteRules { robots })
    }

    /// Whether an address may be asked, and if not, why.
    pub fn allowed(&self, url: &Url) -> Result<(), String> {
        match self.robots.allows(url) {
            true => Ok(()),
            false => Err("the site's robots.txt forbids it".to_owned()),
        }
    }
}
