//! The hosts of a site: their rules, their queues, and whether they still answer.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::robots::Robots;
use super::state::{Kind, Outcome, Queued, State};

/// Hosts of one site. A domain that answers under every name would go on forever.
const MOST_HOSTS: usize = 1000;

/// Addresses in a row that could not be fetched, each after all its tries, before the host is given up for this run.
const MOST_FAILURES: u32 = 5;

/// Addresses of a host that are taken from the state at once.
const BUFFER: usize = 64;

/// One host.
pub(super) struct HostState {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) rules: Rules,
    /// What is fetched next.
    pub(super) pages: Line,
    /// Sitemaps and feeds that are fetched next.
    pub(super) lists: Line,
    /// Lists and pages take turns, so that a tree of lists keeps nobody from the pages.
    list_turn: bool,
    /// Requests under way.
    pub(super) running: usize,
    failures: u32,
    /// Why it is left alone for the rest of the run.
    pub(super) down: Option<String>,
}

/// Addresses in their order, as far as they were taken from the state.
pub(super) struct Line {
    kind: Kind,
    buffer: VecDeque<Queued>,
    /// Whether the state may have more.
    pub(super) has_more: bool,
}

impl Line {
    fn new(kind: Kind) -> Line {
        Line { kind, buffer: VecDeque::new(), has_more: true }
    }

    fn fill(&mut self, host: i64, state: &State, running: &FxHashSet<i64>) -> Outcome<()> {
        if self.buffer.is_empty() && self.has_more {
            self.buffer.extend(state.next(host, self.kind, BUFFER, running)?);
            self.has_more = self.buffer.len() >= BUFFER;
        }
        Ok(())
    }

    /// Something was queued. What is surely of the site does not wait behind what was taken from the state before it and
    /// is doubtful.
    pub(super) fn queued(&mut self, doubtful: bool) {
        self.has_more = true;
        if !doubtful && self.buffer.iter().all(|queued| queued.doubtful && queued.tries == 0) {
            self.buffer.clear();
        }
    }

    fn has_work(&self) -> bool {
        self.has_more || !self.buffer.is_empty()
    }
}

/// What is known about a host's robots.txt.
pub(super) enum Rules {
    Unknown,
    Asked,
    Known(Robots),
}

impl HostState {
    /// Notes that an address could not be fetched; after too many in a row the host is left alone.
    pub(super) fn failed(&mut self, why: &str) {
        self.failures += 1;
        if self.failures >= MOST_FAILURES && self.down.is_none() {
            self.down = Some(why.to_owned());
        }
    }

    /// The address whose turn it is, which stays where it is.
    pub(super) fn next(&mut self, state: &State, running: &FxHashSet<i64>) -> Outcome<Option<&Queued>> {
        self.pages.fill(self.id, state, running)?;
        self.lists.fill(self.id, state, running)?;
        if self.lists.buffer.is_empty() {
            self.list_turn = false;
        } else if self.pages.buffer.is_empty() {
            self.list_turn = true;
        }
        let line = if self.list_turn { &self.lists } else { &self.pages };
        Ok(line.buffer.front())
    }

    /// Takes it.
    pub(super) fn take_next(&mut self) -> Option<Queued> {
        let line = if self.list_turn { &mut self.lists } else { &mut self.pages };
        self.list_turn = !self.list_turn;
        line.buffer.pop_front()
    }

    /// Puts something back to the front.
    pub(super) fn put_back(&mut self, queued: Queued) {
        self.line(queued.kind).buffer.push_front(queued);
    }

    pub(super) fn line(&mut self, kind: Kind) -> &mut Line {
        match kind {
            Kind::Page => &mut self.pages,
            Kind::List => &mut self.lists,
        }
    }

    pub(super) fn answered(&mut self) {
        self.failures = 0;
    }

    /// Whether anything is left for it in this run.
    pub(super) fn has_work(&self) -> bool {
        self.down.is_none() && (self.pages.has_work() || self.lists.has_work())
    }
}

/// All hosts of the site.
pub(super) struct Hosts {
    pub(super) all: Vec<HostState>,
    by_name: FxHashMap<String, usize>,
    /// Whether there were more than can be.
    pub(super) too_many: bool,
}

impl Hosts {
    /// Those that the state knows.
    pub(super) fn load(state: &State, agent: &str) -> Outcome<Hosts> {
        let mut hosts = Hosts { all: Vec::new(), by_name: FxHashMap::default(), too_many: false };
        for (id, name, robots) in state.hosts()? {
            let rules = robots.map_or(Rules::Unknown, |bytes| Rules::Known(Robots::parse(&bytes, agent)));
            hosts.insert(id, name, rules);
        }
        Ok(hosts)
    }

    /// The place of a host; a new one is made. `None` beyond the limit.
    pub(super) fn place(&mut self, name: &str, state: &State) -> Outcome<Option<usize>> {
        if let Some(place) = self.by_name.get(name) {
            return Ok(Some(*place));
        }
        if self.all.len() >= MOST_HOSTS {
            self.too_many = true;
            return Ok(None);
        }
        let id = state.add_host(name)?;
        Ok(Some(self.insert(id, name.to_owned(), Rules::Unknown)))
    }

    /// The host with this number in the state.
    pub(super) fn by_id(&mut self, id: i64) -> Option<&mut HostState> {
        // They are numbered from one in the order in which they came.
        let at = usize::try_from(id - 1).ok()?;
        self.all.get_mut(at)
    }

    fn insert(&mut self, id: i64, name: String, rules: Rules) -> usize {
        let place = self.all.len();
        self.by_name.insert(name.clone(), place);
        self.all.push(HostState {
            id,
            name,
            rules,
            pages: Line::new(Kind::Page),
            lists: Line::new(Kind::List),
            list_turn: true,
            running: 0,
            failures: 0,
            down: None,
        });
        place
    }
}
