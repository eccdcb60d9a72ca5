//! The hosts of a site: their rules, their queues, and whether they still answer.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::robots::Robots;
use super::state::{Outcome, Queued, State};

/// Hosts of one site. A domain that answers under every name would go on forever.
const MOST_HOSTS: usize = 1000;

/// Addresses in a row that could not be fetched, each after all its tries, before the host is given up for this run.
const MOST_FAILURES: u32 = 5;

/// One host.
pub(super) struct HostState {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) rules: Rules,
    /// What is fetched next.
    pub(super) buffer: VecDeque<Queued>,
    /// Whether the state may have more for it.
    pub(super) has_more: bool,
    /// Requests under way.
    pub(super) running: usize,
    failures: u32,
    /// Why it is left alone for the rest of the run.
    pub(super) down: Option<String>,
}

/// What is known about a host's robots.txt.
pub(super) enum Rules {
    Unknown,
    Asked,
    Known(Robots),
}

impl HostState {
    /// Notes how a request ended; true if the host has now failed too often.
    pub(super) fn failed(&mut self, why: &str) -> bool {
        self.failures += 1;
        if self.failures >= MOST_FAILURES && self.down.is_none() {
            self.down = Some(why.to_owned());
            return true;
        }
        false
    }

    pub(super) fn answered(&mut self) {
        self.failures = 0;
    }

    /// Whether anything is left for it in this run.
    pub(super) fn has_work(&self) -> bool {
        self.down.is_none() && (self.has_more || !self.buffer.is_empty())
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
            buffer: VecDeque::new(),
            has_more: true,
            running: 0,
            failures: 0,
            down: None,
        });
        place
    }
}
