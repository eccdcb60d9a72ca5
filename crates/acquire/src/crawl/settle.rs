//! What becomes of what came back.

use std::time::Duration;

use url::Url;

use super::engine::{Engine, StepError};
use super::finish::surt;
use super::hosts::{HostState, Rules};
use super::lists::Listed;
use super::normal::{is_other_file, normal};
use super::page::{ReadPage, is_plausible_canonical};
use super::report::{Event, SavedPage};
use super::robots::Robots;
use super::state::{Fate, Kind, Queued, Record};
use super::worker::{Content, Done};
use crate::archive::{PackedExchange, Written, date_text};
use crate::fetch::{Advice, Exchange, FetchError, LONGEST_RETRY_AFTER, Truncated, advice, host_key};

/// Redirects behind one another; browsers give up at twenty.
const MOST_HOPS: u32 = 10;

impl Engine<'_> {
    /// Writes down what came back.
    pub(super) fn settle(&mut self, done: Done) -> Result<(), StepError> {
        match done {
            Done::Robots { host, url, result } => self.settle_robots(host, &url, result),
            Done::Fetched { host, queued, result, content } => {
                self.running.remove(&queued.id);
                self.asked.retain(|(id, ..)| *id != queued.id);
                if let Some(host) = self.hosts.by_id(host) {
                    host.running = host.running.saturating_sub(1);
                }
                self.settle_fetched(host, queued, result, content)
            }
        }
    }

    fn settle_robots(
        &mut self,
        id: i64,
        url: &Url,
        result: Result<Exchange, FetchError>,
    ) -> Result<(), StepError> {
        let mut unreachable = None;
        // RFC 9309: what is missing allows everything, what cannot be reached nothing.
        let text = match &result {
            Ok(exchange) if (200..300).contains(&exchange.status) => {
                Some(exchange.decoded(super::LONGEST_ROBOTS).bytes)
            }
            Ok(exchange) if exchange.status == 429 || exchange.status >= 500 => {
                unreachable =
                    Some(format!("its robots.txt answers {}, so that nothing is fetched", exchange.status));
                None
            }
            Ok(_) | Err(FetchError::TooManyRedirects { .. }) => Some(Vec::new()),
            Err(FetchError::Stopped) => None,
            Err(error) => {
                unreachable = Some(error.to_string());
                None
            }
        };
        let robots = text.as_ref().map(|text| Robots::parse(text, &self.agent));
        let Some(host) = self.hosts.by_id(id) else { return Ok(()) };
        host.running = host.running.saturating_sub(1);
        let name = host.name.clone();
        host.rules = match &robots {
            Some(robots) => Rules::Known(robots.clone()),
            None => Rules::Unknown,
        };
        if let Some(why) = unreachable {
            host.down = Some(why.clone());
            self.status.errors += 1;
            self.watch.event(Event::Trouble(url, &why));
        }
        let (Some(robots), Some(text)) = (robots, text) else { return Ok(()) };
        self.desk.change()?.set_robots(id, Some(&text))?;
        if let Some(delay) = robots.crawl_delay {
            let held = self.fetcher.ask_delay(&name, delay);
            let which = if delay >= held {
                "the longer of that and --delay holds"
            } else {
                "--delay is longer and holds"
            };
            self.notice(&format!(
                "{name} asks for {} s between requests; {which}: {} s",
                seconds(delay),
                seconds(held)
            ));
        }
        if self.options.lists {
            self.add_sitemaps(url, &robots)?;
        }
        Ok(())
    }

    /// The sitemaps that robots.txt names, or the one where they usually are.
    fn add_sitemaps(&mut self, robots_url: &Url, robots: &Robots) -> Result<(), StepError> {
        let named: Vec<&str> = robots.sitemaps.iter().map(String::as_str).collect();
        let places = if named.is_empty() { vec!["/sitemap.xml"] } else { named };
        for place in places {
            let sitemap = robots_url.join(place).ok().and_then(|url| normal(&url));
            if let Some(sitemap) = sitemap.filter(|url| self.options.scope.reaches(url)) {
                self.add(&sitemap, Kind::List, 0, 0, None, false)?;
            }
        }
        Ok(())
    }

    fn settle_fetched(
        &mut self,
        host: i64,
        mut queued: Queued,
        result: Result<Exchange, FetchError>,
        content: Content,
    ) -> Result<(), StepError> {
        queued.tries += 1;
        match (advice(&result, queued.tries, self.fetcher.options().tries), result) {
            // It stays in the queue for another run.
            (_, Err(FetchError::Stopped)) => Ok(()),
            (Advice::Again(pause), _) => {
                let Some(host) = self.hosts.by_id(host) else { return Ok(()) };
                self.fetcher.pause(&host.name, pause);
                host.put_back(queued);
                Ok(())
            }
            (_, Err(error)) => self.settle_error(host, &queued, &error),
            (Advice::GiveUp, Ok(_)) => {
                let limit = LONGEST_RETRY_AFTER.as_secs() / 60;
                let why = format!("the server asks to be left alone for more than {limit} minutes");
                if let Some(host) = self.hosts.by_id(host) {
                    host.down = Some(why.clone());
                }
                self.status.errors += 1;
                self.watch.event(Event::Trouble(&queued.url, &why));
                Ok(())
            }
            (Advice::Keep, Ok(exchange))
                if may_pass(&exchange) && !matches!(content, Content::NotModified) =>
            {
                self.settle_failed(&queued, Some(exchange.status), &trouble_of(&exchange))
            }
            (Advice::Keep, Ok(exchange)) => {
                if let Some(host) = self.hosts.by_id(host) {
                    host.answered();
                }
                self.status.queued = self.status.queued.saturating_sub(1);
                self.status.answered += 1;
                self.status.bytes += exchange.body.len() as u64;
                self.settle_answer(&queued, &exchange, content)
            }
        }
    }

    fn settle_error(&mut self, host: i64, queued: &Queued, error: &FetchError) -> Result<(), StepError> {
        let why = error.to_string();
        if let Some(host) = self.hosts.by_id(host).filter(|_| error.is_transient()) {
            // Given up after too many; its other addresses wait for another run.
            host.failed(&why);
        }
        self.settle_failed(queued, None, &why)
    }

    /// It could not be had this time; another run tries again.
    fn settle_failed(&mut self, queued: &Queued, status: Option<u16>, why: &str) -> Result<(), StepError> {
        self.status.errors += 1;
        self.status.queued = self.status.queued.saturating_sub(1);
        self.watch.event(Event::Trouble(&queued.url, why));
        // What there was of it is still in the archive, and still not whole.
        let fate = if queued.cut { Fate::Saved } else { Fate::Failed };
        let status = status.filter(|_| !queued.cut);
        Ok(self.desk.change()?.settle(queued.id, fate, status, Some(why))?)
    }

    fn settle_answer(
        &mut self,
        queued: &Queued,
        exchange: &Exchange,
        content: Content,
    ) -> Result<(), StepError> {
        let status = Some(exchange.status);
        match content {
            Content::NotModified => {
                self.unchanged += 1;
                let fate = if queued.kind == Kind::List { Fate::Other } else { Fate::Saved };
                Ok(self.desk.change()?.settle(queued.id, fate, None, None)?)
            }
            Content::Redirect(target, packed) => self.settle_redirect(queued, exchange, &target, &packed?),
            Content::List(listed) => {
                self.desk.change()?.settle(queued.id, Fate::Other, status, None)?;
                self.follow_list(queued, &listed)
            }
            Content::Page(page, packed) => self.settle_page(queued, exchange, &page, packed),
            Content::Other if (200..300).contains(&exchange.status) => {
                Ok(self.desk.change()?.settle(queued.id, Fate::Other, status, None)?)
            }
            Content::Other => {
                // A sitemap that is not there was only a guess.
                if queued.kind == Kind::Page && queued.depth == 0 {
                    self.watch.event(Event::Trouble(
                        &queued.url,
                        &format!("the server answers {}", exchange.status),
                    ));
                }
                self.gone += u64::from(queued.before.is_some());
                Ok(self.desk.change()?.settle(queued.id, Fate::Missing, status, None)?)
            }
            Content::Unreadable(error) => {
                self.status.queued += 1;
                self.settle_failed(queued, status, &error.to_string())
            }
        }
    }

    fn settle_redirect(
        &mut self,
        queued: &Queued,
        exchange: &Exchange,
        target: &Url,
        packed: &PackedExchange,
    ) -> Result<(), StepError> {
        let written = self.desk.write(packed)?;
        let record = record(exchange, packed, written, String::new(), 0);
        self.desk.change()?.settle_saved(queued.id, Fate::Redirect, &record)?;
        let Some(target) = normal(target) else { return Ok(()) };
        let reached = if queued.kind == Kind::List {
            self.options.scope.reaches(&target)
        } else {
            self.options.scope.holds(&target)
        };
        if !reached {
            if queued.depth == 0 && queued.kind == Kind::Page {
                let text = format!(
                    "{} leads to {target}, which is outside the scope: start there, or widen --scope",
                    queued.url
                );
                self.notice(&text);
            }
            return Ok(());
        }
        if queued.hops >= MOST_HOPS {
            self.watch.event(Event::Trouble(&queued.url, "redirected too often; not followed further"));
            return Ok(());
        }
        self.add(&target, queued.kind, queued.depth, queued.hops + 1, Some(queued.id), queued.doubtful)?;
        Ok(())
    }

    fn settle_page(
        &mut self,
        queued: &Queued,
        exchange: &Exchange,
        page: &ReadPage,
        packed: std::io::Result<PackedExchange>,
    ) -> Result<(), StepError> {
        let status = Some(exchange.status);
        let packed = packed?;
        if let Some(why) = &page.trouble {
            self.watch.event(Event::Trouble(&queued.url, why));
        }
        if page.is_shell && !std::mem::replace(&mut self.told_of_shells, true) {
            let url = &queued.url;
            self.notice(&format!("{url} is empty until its script has run; --browser renders such pages"));
        }
        let content = page.content.cast_signed();
        let is_whole_now = queued.cut && exchange.truncated.is_none();
        if let Some(before) = queued.before.as_ref().filter(|_| !is_whole_now)
            && (before.content == content || before.digest == packed.digest())
        {
            self.unchanged += 1;
            return Ok(self.desk.change()?.settle(queued.id, Fate::Saved, status, None)?);
        }
        let state = self.desk.change()?;
        if queued.before.is_none() && state.with_content(content, queued.id)?.is_some() {
            // Its links lead where those of its double led; relative ones would only lead deeper.
            return Ok(state.settle(queued.id, Fate::Duplicate, status, None)?);
        }
        if let Some(canonical) = page.canonical.as_ref().filter(|_| !queued.insist)
            && self.believes(queued, canonical)?
        {
            self.desk.change()?.settle_alias(queued.id, canonical)?;
            let (depth, hops) = (queued.depth, queued.hops + 1);
            self.add(canonical, Kind::Page, depth, hops, Some(queued.id), queued.doubtful)?;
            return self.follow(queued, page);
        }
        if page.no_index {
            self.desk.change()?.settle(queued.id, Fate::NoIndex, status, None)?;
            return self.follow(queued, page);
        }
        let written = self.desk.write(&packed)?;
        let bytes = packed.len() as u64;
        let record = record(exchange, &packed, written, page.title.clone(), content);
        self.desk.change()?.settle_saved(queued.id, Fate::Saved, &record)?;
        self.status.saved += 1;
        self.changed += u64::from(queued.before.is_some());
        let (url, title) = (queued.url.clone(), page.title.clone());
        self.desk.report_later(SavedPage {
            url,
            status: exchange.status,
            title,
            bytes,
            changed: queued.before.is_some(),
        });
        if let Some(cut) = exchange.truncated {
            let why = format!("only the first {} bytes were saved ({})", exchange.body.len(), cut.name());
            self.watch.event(Event::Trouble(&queued.url, &why));
        }
        if exchange.truncated.is_some_and(Truncated::may_pass_later) {
            self.desk.change()?.mark_cut(queued.id)?;
        }
        self.follow(queued, page)
    }

    /// Whether a page is left to the address that it names as its own. One that is known to lead nowhere, or back here,
    /// or that may not be fetched, is not believed; whether the others were worth it is looked at in the end.
    fn believes(&mut self, queued: &Queued, canonical: &Url) -> Result<bool, StepError> {
        if !self.options.scope.holds(canonical) || !is_plausible_canonical(&queued.url, canonical) {
            return Ok(false);
        }
        let host = host_key(canonical);
        let forbids =
            |host: &HostState| matches!(&host.rules, Rules::Known(robots) if !robots.allows(canonical));
        if self.hosts.all.iter().any(|known| known.name == host && forbids(known)) {
            return Ok(false);
        }
        let fate = self.desk.change()?.fate(canonical)?;
        Ok(fate.is_none_or(|fate| [Fate::Queued as i64, Fate::Saved as i64].contains(&fate)))
    }

    /// Queues what a page leads to, and looks whether it leads anywhere.
    fn follow(&mut self, queued: &Queued, page: &ReadPage) -> Result<(), StepError> {
        let depth = queued.depth + 1;
        let ignored = self.options.ignore_nofollow;
        self.no_follow.0 += u64::from(page.no_follow && !page.withheld.is_empty() && !ignored);
        self.no_follow.1 |= queued.depth == 0 && !page.withheld.is_empty() && !ignored;
        let new = self.traps.shows_new(&queued.url, page);
        let mut brought = Vec::new();
        if self.options.max_depth.is_none_or(|most| depth <= most) {
            for link in page.links.iter().chain(page.withheld.iter().filter(|_| ignored)) {
                if self.add_page(link, depth, queued.id, !new)? {
                    brought.push(link.clone());
                }
            }
        }
        if self.options.lists && (!page.no_follow || ignored) {
            for feed in page.feeds.iter().filter(|feed| self.options.scope.reaches(feed)) {
                self.add(feed, Kind::List, queued.depth, 0, Some(queued.id), false)?;
            }
        }
        if self.options.traps
            && let Some(trap) = self.traps.saw(&queued.url, queued.doubtful, new, &brought)
        {
            self.desk.change()?.add_trap(&trap, queued.url.as_str())?;
            let text = format!(
                "{trap} looks like a trap: it goes on and on and brings nothing new, as on {}. The rest of it is left alone; \
                 --exclude keeps out of it from the start, --no-traps goes on",
                queued.url
            );
            self.notice(&text);
        }
        Ok(())
    }

    fn follow_list(&mut self, queued: &Queued, listed: &Listed) -> Result<(), StepError> {
        // Lists stand outside the site's own paths: what they name is one step from the start.
        let depth = queued.depth + 1;
        let mut new = false;
        if self.options.max_depth.is_none_or(|most| depth <= most) {
            for page in listed.pages.iter().filter_map(|page| normal(&queued.url.join(page).ok()?)) {
                new |= self.add_page(&page, depth, queued.id, false)?;
            }
        }
        self.barren_lists = if new { 0 } else { self.barren_lists + 1 };
        for list in listed.lists.iter().filter_map(|list| normal(&queued.url.join(list).ok()?)) {
            if queued.hops < MOST_HOPS && self.options.scope.reaches(&list) {
                self.add(&list, Kind::List, queued.depth, queued.hops + 1, Some(queued.id), false)?;
            }
        }
        Ok(())
    }

    fn add_page(&mut self, url: &Url, depth: u32, via: i64, doubtful: bool) -> Result<bool, StepError> {
        let wanted = self.options.scope.holds(url) && !is_other_file(url);
        Ok(wanted && self.add(url, Kind::Page, depth, 0, Some(via), doubtful)?)
    }
}

/// Whether the answer is a failure that another run may not meet; "not modified" is one where nobody asked for that.
fn may_pass(exchange: &Exchange) -> bool {
    let is_busy = matches!(exchange.status, 304 | 408 | 425 | 429 | 500 | 502..=504 | 507..=599);
    let is_empty = exchange.body.is_empty() && exchange.truncated.is_some_and(Truncated::may_pass_later);
    is_busy || is_empty && (200..300).contains(&exchange.status)
}

fn trouble_of(exchange: &Exchange) -> String {
    match exchange.truncated {
        Some(cut) if (200..300).contains(&exchange.status) => {
            format!("the answer broke off before its body ({})", cut.name())
        }
        _ => format!("the server answers {}", exchange.status),
    }
}

fn record(
    exchange: &Exchange,
    packed: &PackedExchange,
    written: Written,
    title: String,
    content: i64,
) -> Record {
    Record {
        status: exchange.status,
        offset: written.offset,
        length: written.length,
        whole: packed.len() as u64,
        digest: written.digest,
        date: date_text(exchange.date),
        title,
        surt: surt(&exchange.url),
        media: exchange.media_type().unwrap_or_default(),
        etag: exchange.header("etag").map(str::to_owned),
        modified: exchange.header("last-modified").map(str::to_owned),
        content,
    }
}

fn seconds(duration: Duration) -> f32 {
    duration.as_secs_f32()
}
