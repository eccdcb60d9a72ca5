//! The crawl's single desk: who is asked next, and what is waited for.
//!
//! Threads fetch, read and compress; one thread alone decides and writes. That keeps the archive and its state in
//! step without locks, and a kill at any moment harmless.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use url::Url;

use super::desk::Desk;
use super::finish::finish;
use super::hosts::{Hosts, Rules};
use super::normal::normal;
use super::place::Place;
use super::report::{End, Event, Report, Status, Watch};
use super::state::{Added, Fate, Kind, NewUrl, Queued};
use super::traps::Traps;
use super::worker::{Done, Job, work};
use super::{CrawlError, CrawlOptions, Mode, StateError};
use crate::browser::Browser;
use crate::fetch::{Fetcher, host_key};

/// Threads that fetch, read and compress, at least; a browser wants one for each of its tabs. Most of them wait; two cores
/// are busy with four.
const WORKERS: usize = 4;

/// How often the status is told.
const STATUS_EVERY: Duration = Duration::from_millis(200);

/// An answer that takes longer is told by its address.
const SLOW: Duration = Duration::from_secs(2);

/// Sitemaps and feeds in a row that name no new page before the others are left alone: lists of lists may go on for
/// ever, and a sitemap of a site that is there already names nothing new.
const MOST_BARREN_LISTS: u32 = 1000;

/// What is said of lists that are left alone.
const TOO_MANY_LISTS: &str = "sitemaps and feeds";

/// Crawls a site into an archive.
pub fn crawl(
    fetcher: &Fetcher,
    place: &Place,
    options: &CrawlOptions,
    watch: &mut dyn Watch,
) -> Result<Report, CrawlError> {
    crawl_with_browser(fetcher, None, place, options, watch)
}

/// The same with a browser that renders each page before it is read.
pub fn crawl_with_browser(
    fetcher: &Fetcher,
    browser: Option<&Browser>,
    place: &Place,
    options: &CrawlOptions,
    watch: &mut dyn Watch,
) -> Result<Report, CrawlError> {
    let about = [
        ("http-header-user-agent", fetcher.options().user_agent.as_str()),
        ("http-header-from", fetcher.options().contact.as_deref().unwrap_or_default()),
        ("robots", "classic"),
    ];
    let about: Vec<_> = about.into_iter().filter(|(_, value)| !value.is_empty()).collect();
    let desk = Desk::open(place, options, &about)?;
    let agent = product(&fetcher.options().user_agent);
    let (job_sender, job_receiver) = mpsc::channel();
    let (done_sender, done_receiver) = mpsc::channel();
    let job_receiver = Mutex::new(job_receiver);
    let mut engine = Engine::new(fetcher, options, desk, watch, agent.clone(), job_sender)?;
    engine.workers = WORKERS.max(browser.map_or(0, Browser::tabs));
    engine.seed()?;
    let end = thread::scope(|scope| {
        for _ in 0..engine.workers {
            let (jobs, done, agent) = (&job_receiver, done_sender.clone(), agent.as_str());
            scope.spawn(move || work(fetcher, browser, agent, jobs, &done));
        }
        drop(done_sender);
        let end = catch_unwind(AssertUnwindSafe(|| engine.run(&done_receiver)));
        // Threads end when there are no more jobs to come; after a panic too, which would wait for them for ever.
        engine.jobs = None;
        end.unwrap_or_else(|panic| resume_unwind(panic))
    });
    engine.conclude(place, end)
}

/// The letters before the version of a user agent, by which robots.txt addresses it.
fn product(user_agent: &str) -> String {
    user_agent.split(['/', ' ', '(']).next().unwrap_or_default().to_ascii_lowercase()
}

pub(super) struct Engine<'a> {
    pub(super) fetcher: &'a Fetcher,
    pub(super) options: &'a CrawlOptions,
    pub(super) desk: Desk,
    pub(super) watch: &'a mut dyn Watch,
    pub(super) agent: String,
    pub(super) hosts: Hosts,
    pub(super) traps: Traps,
    pub(super) status: Status,
    pub(super) revisit: bool,
    pub(super) unchanged: u64,
    pub(super) changed: u64,
    pub(super) gone: u64,
    /// Lists in a row that named no new page.
    pub(super) barren_lists: u32,
    /// Pages that ask not to be followed, and whether the start has links that do.
    pub(super) no_follow: (u64, bool),
    /// Whether it was said that pages are empty without a browser.
    pub(super) told_of_shells: bool,
    /// Addresses that are being fetched.
    pub(super) running: FxHashSet<i64>,
    /// The same with the moment since when they are, the oldest first.
    pub(super) asked: Vec<(i64, Instant, Url)>,
    jobs: Option<Sender<Job>>,
    workers: usize,
    in_work: usize,
    next_host: usize,
    begun: Instant,
    told: Instant,
}

impl<'a> Engine<'a> {
    fn new(
        fetcher: &'a Fetcher,
        options: &'a CrawlOptions,
        desk: Desk,
        watch: &'a mut dyn Watch,
        agent: String,
        jobs: Sender<Job>,
    ) -> Result<Engine<'a>, CrawlError> {
        let hosts = Hosts::load(&desk.state, &agent)?;
        let traps = Traps::new(desk.state.traps()?);
        let status = Status { queued: desk.state.waiting()?, ..Status::default() };
        let revisit = desk.is_revisit()?;
        let now = Instant::now();
        Ok(Engine {
            fetcher,
            options,
            desk,
            watch,
            agent,
            hosts,
            traps,
            status,
            revisit,
            unchanged: 0,
            changed: 0,
            gone: 0,
            barren_lists: 0,
            no_follow: (0, false),
            told_of_shells: false,
            running: FxHashSet::default(),
            asked: Vec::new(),
            jobs: Some(jobs),
            workers: WORKERS,
            in_work: 0,
            next_host: 0,
            begun: now,
            told: now,
        })
    }

    /// Queues the start. Its own rules are asked for like everybody's.
    fn seed(&mut self) -> Result<(), CrawlError> {
        if let Some(start) = normal(&self.options.start) {
            self.add(&start, Kind::Page, 0, 0, None, false)?;
        }
        if self.options.mode != Mode::New && self.status.queued == 0 {
            self.notice("nothing is left to fetch");
        }
        Ok(())
    }

    /// Queues an address of the site unless it is known; the caller has looked at scope and depth. Whether it was new.
    pub(super) fn add(
        &mut self,
        url: &Url,
        kind: Kind,
        depth: u32,
        hops: u32,
        via: Option<i64>,
        doubtful: bool,
    ) -> Result<bool, StateError> {
        let state = self.desk.change()?;
        let Some(place) = self.hosts.place(&host_key(url), state)? else { return Ok(false) };
        let host = &mut self.hosts.all[place];
        let added = state.add(&NewUrl { url, host: host.id, kind, depth, hops, via, doubtful })?;
        if added != Added::Known {
            host.line(kind).queued(doubtful);
            self.status.queued += 1;
        }
        Ok(added == Added::New)
    }

    pub(super) fn notice(&mut self, text: &str) {
        self.watch.event(Event::Notice(text));
    }

    fn run(&mut self, done: &Receiver<Done>) -> End {
        loop {
            match self.step(done) {
                Ok(None) => {}
                Ok(Some(end)) => return end,
                Err(error) => return End::Disk(error.to_string()),
            }
        }
    }

    /// One round: hand out work, wait for something, write it down.
    fn step(&mut self, done: &Receiver<Done>) -> Result<Option<End>, StepError> {
        let stopped = self.fetcher.stop().is_requested();
        let full = self.options.max_pages.is_some_and(|most| self.status.saved >= most);
        if !stopped && !full {
            self.dispatch()?;
        }
        if self.in_work == 0 {
            let end = if stopped {
                Some(End::Stopped)
            } else if full {
                Some(End::PageLimit)
            } else if self.hosts.all.iter().any(|host| host.has_work()) || self.revive_aliases()? {
                None
            } else {
                let down = self
                    .hosts
                    .all
                    .iter()
                    .find_map(|host| Some(format!("{}: {}", host.name, host.down.as_ref()?)));
                Some(down.map_or(End::Done, End::Unreachable))
            };
            if end.is_some() {
                self.commit()?;
                return Ok(end);
            }
        }
        let patience = self.desk.due().unwrap_or(STATUS_EVERY).min(self.pause()).min(STATUS_EVERY);
        match done.recv_timeout(patience) {
            Ok(first) => {
                self.take(first)?;
                while let Ok(next) = done.try_recv() {
                    self.take(next)?;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(Some(End::Stopped)),
        }
        if self.desk.due() == Some(Duration::ZERO) {
            self.commit()?;
        }
        self.tell(false);
        Ok(None)
    }

    fn take(&mut self, done: Done) -> Result<(), StepError> {
        self.in_work -= 1;
        self.settle(done)
    }

    /// Gives work to idle threads, to each host in its turn.
    fn dispatch(&mut self) -> Result<(), StepError> {
        let count = self.hosts.all.len();
        let mut passed = 0;
        while self.in_work < self.workers && passed < count {
            let at = self.next_host % count;
            self.next_host = (self.next_host + 1) % count;
            if self.dispatch_host(at)? { passed = 0 } else { passed += 1 }
        }
        Ok(())
    }

    /// One request to a host, if it may and wants to be asked.
    fn dispatch_host(&mut self, at: usize) -> Result<bool, StepError> {
        let most = self.options.max_pages.map_or(u64::MAX, |most| most.saturating_sub(self.status.saved));
        let patient =
            !self.fetcher.options().delay.is_zero() || !self.fetcher.wait(&self.hosts.all[at].name).is_zero();
        let host = &mut self.hosts.all[at];
        let busy = host.running > 0 && patient || self.running.len() as u64 >= most;
        if busy || host.down.is_some() || !self.fetcher.wait(&host.name).is_zero() {
            return Ok(false);
        }
        let Some(next) = host.next(&self.desk.state, &self.running)? else { return Ok(false) };
        let robots_txt = next.url.join("/robots.txt");
        match &host.rules {
            Rules::Asked => return Ok(false),
            Rules::Unknown => {
                let Ok(url) = robots_txt else { return Ok(false) };
                host.rules = Rules::Asked;
                let job = Job::Robots { host: host.id, url };
                host.running += 1;
                return Ok(self.send(job));
            }
            Rules::Known(_) => {}
        }
        let Some(queued) = host.take_next() else { return Ok(false) };
        if self.is_left(at, &queued)? {
            self.status.queued = self.status.queued.saturating_sub(1);
            return Ok(true);
        }
        let host = &mut self.hosts.all[at];
        host.running += 1;
        self.running.insert(queued.id);
        self.asked.push((queued.id, Instant::now(), queued.url.clone()));
        let job = Job::Fetch { host: host.id, queued };
        Ok(self.send(job))
    }

    /// Settles an address that is not to be fetched; whether it is one.
    fn is_left(&mut self, at: usize, queued: &Queued) -> Result<bool, StepError> {
        let host = &self.hosts.all[at];
        let is_page = queued.kind == Kind::Page;
        let is_start = queued.depth == 0 && is_page;
        if matches!(&host.rules, Rules::Known(robots) if !robots.allows(&queued.url)) {
            self.desk.change()?.settle(queued.id, Fate::Forbidden, None, None)?;
            if is_start {
                let text = format!("robots.txt of {} does not allow {}", self.hosts.all[at].name, queued.url);
                self.notice(&text);
            }
            return Ok(true);
        }
        // Patterns may be others than those of the run that queued it.
        if is_page && !is_start && !self.options.scope.holds(&queued.url) {
            let fate = if queued.before.is_some() { Fate::Saved } else { Fate::Excluded };
            self.desk.change()?.settle(queued.id, fate, None, None)?;
            return Ok(true);
        }
        if !self.options.traps {
            return Ok(false);
        }
        if !is_page && self.barren_lists >= MOST_BARREN_LISTS {
            self.desk.change()?.settle(queued.id, Fate::Trap, None, Some(TOO_MANY_LISTS))?;
            return Ok(true);
        }
        let trap = self.traps.holds(&queued.url).filter(|_| queued.doubtful && queued.before.is_none());
        match trap {
            Some(trap) => Ok(self.desk.change()?.leave_in_trap(queued.id, trap)?),
            None => Ok(false),
        }
    }

    /// Pages that named another one as their own which cannot be had are wanted after all; whether there are any.
    fn revive_aliases(&mut self) -> Result<bool, StateError> {
        let revived = self.desk.change()?.revive_aliases()?;
        self.status.queued += revived as u64;
        if revived > 0 {
            // They may be on any host.
            self.hosts.all.iter_mut().for_each(|host| host.pages.has_more = true);
        }
        Ok(revived > 0)
    }

    fn send(&mut self, job: Job) -> bool {
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        self.in_work += usize::from(sent);
        sent
    }

    /// How long until some host may be asked.
    fn pause(&self) -> Duration {
        let waits = self.hosts.all.iter().filter(|host| host.has_work() && host.running == 0);
        waits
            .map(|host| self.fetcher.wait(&host.name))
            .min()
            .unwrap_or(STATUS_EVERY)
            .max(Duration::from_millis(1))
    }

    fn commit(&mut self) -> Result<(), StepError> {
        for page in self.desk.commit()? {
            self.watch.event(Event::Saved(&page));
        }
        Ok(())
    }

    fn tell(&mut self, always: bool) {
        if !always && self.told.elapsed() < STATUS_EVERY {
            return;
        }
        self.told = Instant::now();
        self.status.elapsed = self.begun.elapsed();
        self.status.waiting = self.waiting();
        self.watch.event(Event::Status(&self.status));
    }

    /// What is being waited for, in words.
    fn waiting(&self) -> String {
        if let Some((_, since, url)) = self.asked.first().filter(|(_, since, _)| since.elapsed() >= SLOW) {
            return format!("{url} since {} s", since.elapsed().as_secs());
        }
        let asked = self.hosts.all.iter().find(|host| host.running > 0);
        let paused = || {
            let hosts = self.hosts.all.iter().filter(|host| host.has_work());
            hosts.map(|host| (self.fetcher.wait(&host.name), &host.name)).min()
        };
        match (asked, paused()) {
            (Some(host), _) => format!("an answer of {}", host.name),
            (None, Some((wait, name))) => format!("{name}, {:.0} s", wait.as_secs_f32().ceil()),
            (None, None) => String::new(),
        }
    }

    /// The end: what is left is written, and counted.
    fn conclude(&mut self, place: &Place, mut end: End) -> Result<Report, CrawlError> {
        self.tell(true);
        if matches!(end, End::Disk(_)) {
            self.desk.state.roll_back();
        } else {
            let over = end == End::Done || end == End::PageLimit && !self.revisit;
            let mut result = if over { self.desk.end_pass() } else { Ok(()) };
            // A WACZ is made when the crawl is over; a folder has its lists brought up to date at every end.
            if !(end.is_partial() && place.layout() == super::Layout::Wacz) {
                result = result.and_then(|()| finish(place, &self.desk.state, self.options.start.as_str()));
            }
            if let Err(message) = result {
                end = End::Disk(message);
            }
        }
        self.tell_what_is_left()?;
        let counts = self.desk.state.counts()?;
        let of = |fate: Fate| {
            counts.iter().find(|(state, _)| *state == fate as i64).map_or(0, |(_, count)| *count)
        };
        let (failed, cut) = self.desk.state.incomplete()?;
        Ok(Report {
            end,
            status: self.status.clone(),
            // Pages that wait for their second visit are in the archive too.
            pages: of(Fate::Saved) + self.revisited_waiting()?,
            duplicates: of(Fate::Duplicate),
            aliases: of(Fate::Alias),
            redirects: of(Fate::Redirect),
            forbidden: of(Fate::Forbidden),
            no_index: of(Fate::NoIndex),
            missing: of(Fate::Missing),
            failed,
            cut,
            excluded: of(Fate::Excluded),
            other: of(Fate::Other),
            trapped: self.desk.state.left_alone()?.iter().map(|(_, count)| count).sum(),
            unchanged: self.unchanged,
            changed: self.changed,
            gone: self.gone,
        })
    }

    /// Why there is less than one might expect.
    fn tell_what_is_left(&mut self) -> Result<(), StateError> {
        if self.hosts.too_many {
            self.notice("the site has more hosts than are followed; --scope host keeps to one");
        }
        for (trap, count) in self.desk.state.left_alone()? {
            let why = match trap.as_str() {
                TOO_MANY_LISTS => format!("{MOST_BARREN_LISTS} of them in a row named no new page"),
                _ => "it goes on and on and brings nothing new".to_owned(),
            };
            self.notice(&format!("{count} of {trap} left alone: {why}. --resume --no-traps fetches them"));
        }
        if self.no_follow.0 > 0 || self.no_follow.1 && self.status.saved <= 1 {
            let who = match self.no_follow.0 {
                0 => "the start asks that its links not be followed".to_owned(),
                1 => "1 page asks that its links not be followed".to_owned(),
                pages => format!("{pages} pages ask that their links not be followed"),
            };
            self.notice(&format!("{who} (nofollow); on a site of your own --ignore-nofollow follows them"));
        }
        Ok(())
    }

    fn revisited_waiting(&self) -> Result<u64, StateError> {
        self.desk
            .state
            .sql(|db| {
                db.query_row("SELECT count(*) FROM urls WHERE state = 0 AND length IS NOT NULL", [], |row| {
                    row.get::<_, i64>(0)
                })
            })
            .map(i64::cast_unsigned)
    }
}

/// Archive or state could not be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum StepError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
