//! The crawl's single desk: who is asked next, and what is waited for.
//!
//! Threads fetch, read and compress; one thread alone decides and writes. That keeps the archive and its state in
//! step without locks, and a kill at any moment harmless.

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
use super::state::{Fate, Kind, NewUrl};
use super::traps::Traps;
use super::worker::{Done, Job, work};
use super::{CrawlError, CrawlOptions, Mode, StateError};
use crate::browser::Browser;
use crate::fetch::{Fetcher, host_key};

/// Threads that fetch, read and compress. Most of them wait; two cores are busy with four.
const WORKERS: usize = 4;

/// How often the status is told.
const STATUS_EVERY: Duration = Duration::from_millis(200);

/// An answer that takes longer is told by its address.
const SLOW: Duration = Duration::from_secs(2);

/// Addresses of a host that are taken from the state at once.
const BUFFER: usize = 64;

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
    engine.seed()?;
    let end = thread::scope(|scope| {
        for _ in 0..WORKERS {
            let (jobs, done, agent) = (&job_receiver, done_sender.clone(), agent.as_str());
            scope.spawn(move || work(fetcher, browser, agent, jobs, &done));
        }
        drop(done_sender);
        let end = engine.run(&done_receiver);
        // Threads end when there are no more jobs to come.
        engine.jobs = None;
        end
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
    /// Whether it was said that pages are empty without a browser.
    pub(super) told_of_shells: bool,
    /// Addresses that are being fetched.
    pub(super) running: FxHashSet<i64>,
    /// The same with the moment since when they are, the oldest first.
    pub(super) asked: Vec<(i64, Instant, Url)>,
    jobs: Option<Sender<Job>>,
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
            told_of_shells: false,
            running: FxHashSet::default(),
            asked: Vec::new(),
            jobs: Some(jobs),
            in_work: 0,
            next_host: 0,
            begun: now,
            told: now,
        })
    }

    /// Queues the start. Its own rules are asked for like everybody's.
    fn seed(&mut self) -> Result<(), CrawlError> {
        if let Some(start) = normal(&self.options.start) {
            self.add(&start, Kind::Page, 0, 0, None)?;
        }
        if self.options.mode != Mode::New && self.status.queued == 0 {
            self.notice("nothing is left to fetch");
        }
        Ok(())
    }

    /// Queues an address of the site unless it is known; the caller has looked at scope and depth.
    pub(super) fn add(
        &mut self,
        url: &Url,
        kind: Kind,
        depth: u32,
        hops: u32,
        via: Option<i64>,
    ) -> Result<(), StateError> {
        let state = self.desk.change()?;
        let Some(place) = self.hosts.place(&host_key(url), state)? else { return Ok(()) };
        let host = &mut self.hosts.all[place];
        if state.add(&NewUrl { url, host: host.id, kind, depth, hops, via })? {
            host.has_more = true;
            self.status.queued += 1;
        }
        Ok(())
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
            } else if !self.hosts.all.iter().any(|host| host.has_work()) {
                let down = self
                    .hosts
                    .all
                    .iter()
                    .find_map(|host| Some(format!("{}: {}", host.name, host.down.as_ref()?)));
                Some(down.map_or(End::Done, End::Unreachable))
            } else {
                None
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
        while self.in_work < WORKERS && passed < count {
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
        if host.buffer.is_empty() && host.has_more {
            host.buffer.extend(self.desk.state.next(host.id, BUFFER, &self.running)?);
            host.has_more = host.buffer.len() >= BUFFER;
        }
        let Some(next) = host.buffer.front() else { return Ok(false) };
        match &host.rules {
            Rules::Asked => return Ok(false),
            Rules::Unknown => {
                let Ok(url) = next.url.join("/robots.txt") else { return Ok(false) };
                host.rules = Rules::Asked;
                let job = Job::Robots { host: host.id, url };
                host.running += 1;
                return Ok(self.send(job));
            }
            Rules::Known(_) => {}
        }
        let Some(queued) = host.buffer.pop_front() else { return Ok(false) };
        let Rules::Known(robots) = &host.rules else { return Ok(false) };
        let fate = if !robots.allows(&queued.url) {
            Some(Fate::Forbidden)
        } else if queued.before.is_none() && self.traps.holds(&queued.url) {
            Some(Fate::Trap)
        } else {
            None
        };
        if let Some(fate) = fate {
            self.desk.change()?.settle(queued.id, fate, None, None)?;
            self.status.queued = self.status.queued.saturating_sub(1);
            if fate == Fate::Forbidden && queued.depth == 0 && queued.kind == Kind::Page {
                let text = format!("robots.txt of {} does not allow {}", self.hosts.all[at].name, queued.url);
                self.notice(&text);
            }
            return Ok(true);
        }
        host.running += 1;
        self.running.insert(queued.id);
        self.asked.push((queued.id, Instant::now(), queued.url.clone()));
        let job = Job::Fetch { host: host.id, queued };
        Ok(self.send(job))
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
            let mut result = if end == End::Done && self.revisit { self.desk.end_pass() } else { Ok(()) };
            // A WACZ is made when the crawl is over; a folder has its lists brought up to date at every end.
            if !(end.is_partial() && place.layout() == super::Layout::Wacz) {
                result = result.and_then(|()| finish(place, &self.desk.state, self.options.start.as_str()));
            }
            if let Err(message) = result {
                end = End::Disk(message);
            }
        }
        if self.hosts.too_many {
            self.notice("the site has more hosts than are followed; --scope host keeps to one");
        }
        let counts = self.desk.state.counts()?;
        let of = |fate: Fate| {
            counts.iter().find(|(state, _)| *state == fate as i64).map_or(0, |(_, count)| *count)
        };
        let waiting = if self.revisit { of(Fate::Queued) } else { 0 };
        Ok(Report {
            end,
            status: self.status.clone(),
            // Pages that wait for their second visit are in the archive too.
            pages: of(Fate::Saved) + waiting.min(self.revisited_waiting()?),
            duplicates: of(Fate::Duplicate),
            aliases: of(Fate::Alias),
            redirects: of(Fate::Redirect),
            forbidden: of(Fate::Forbidden),
            no_index: of(Fate::NoIndex),
            missing: of(Fate::Missing),
            failed: of(Fate::Failed),
            other: of(Fate::Other),
            trapped: of(Fate::Trap),
            unchanged: self.unchanged,
            changed: self.changed,
            gone: self.gone,
        })
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
