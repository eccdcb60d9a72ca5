//! Every run of a document in one small machine: which runs occur, where, and which only once.

use rustc_hash::FxHashMap;

/// No edge, no suffix, never unique.
const NONE: u32 = u32::MAX;

/// The suffix automaton of one token sequence.
///
/// # What it does
/// Reads another sequence token by token and knows at each place the longest run ending there that also occurs in
/// the indexed document. Built and read in linear time.
/// # Assumes
/// Fewer than two thousand million tokens.
/// # When it fails
/// It keeps about three edges for each token, so long documents are cut before.
/// # Paper
/// Blumer et al. 1985, the smallest automaton recognising the subwords of a text.
pub(super) struct Automaton {
    states: Vec<State>,
    edges: FxHashMap<(u32, u64), u32>,
}

struct State {
    /// Length of the longest run of this state.
    len: u32,
    /// The state of the longest run that ends at more places.
    link: u32,
    /// Where the first occurrence ends (one past its last token).
    end: u32,
    /// Shortest length at which its runs occur once; `NONE` when all of them occur more often.
    unique_from: u32,
    /// The tokens that lead on, as a list in [`Builder::lists`].
    first_edge: u32,
}

/// Where a reading stands: the longest common run that ends at the current token.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    state: u32,
    /// Its length.
    pub(super) len: u32,
}

impl Automaton {
    pub(super) fn new(tokens: &[u64]) -> Self {
        let mut builder = Builder {
            automaton: Automaton {
                states: vec![State { len: 0, link: NONE, end: 0, unique_from: NONE, first_edge: NONE }],
                edges: FxHashMap::default(),
            },
            lists: Vec::new(),
        };
        let mut prefixes = vec![false];
        let mut last = 0;
        for (at, &token) in tokens.iter().enumerate() {
            last = builder.extend(last, token, at as u32 + 1);
            prefixes.resize(builder.automaton.states.len(), false);
            prefixes[last as usize] = true;
        }
        let mut automaton = builder.automaton;
        automaton.mark_unique(&prefixes);
        automaton
    }

    pub(super) fn start(&self) -> Reading {
        Reading { state: 0, len: 0 }
    }

    /// Reads one more token.
    pub(super) fn read(&self, mut at: Reading, token: u64) -> Reading {
        loop {
            if let Some(&next) = self.edges.get(&(at.state, token)) {
                return Reading { state: next, len: at.len + 1 };
            }
            let link = self.states[at.state as usize].link;
            if link == NONE {
                return Reading { state: 0, len: 0 };
            }
            at = Reading { state: link, len: self.states[link as usize].len };
        }
    }

    /// Where the run of this reading ends in the indexed document: the first of its places.
    pub(super) fn end(&self, at: Reading) -> u32 {
        self.states[at.state as usize].end
    }

    /// From which length on a run ending here occurs once in the indexed document; `None` when it never does.
    pub(super) fn unique_from(&self, at: Reading) -> Option<u32> {
        Some(self.states[at.state as usize].unique_from).filter(|&from| from != NONE)
    }

    /// Counts occurrences from the long runs down to the short ones, then the lengths from the short ones up.
    fn mark_unique(&mut self, prefixes: &[bool]) {
        let mut order: Vec<u32> = (0..self.states.len() as u32).collect();
        order.sort_by_key(|&state| self.states[state as usize].len);
        let mut occurrences: Vec<u32> = prefixes.iter().map(|&prefix| u32::from(prefix)).collect();
        for &state in order.iter().rev() {
            let link = self.states[state as usize].link;
            if link != NONE {
                occurrences[link as usize] += occurrences[state as usize];
            }
        }
        for &state in order.iter().skip(1) {
            if occurrences[state as usize] == 1 {
                let link = self.states[state as usize].link as usize;
                let above = &self.states[link];
                let from = if above.unique_from == NONE { above.len + 1 } else { above.unique_from };
                self.states[state as usize].unique_from = from;
            }
        }
    }
}

struct Builder {
    automaton: Automaton,
    /// (token, next place in the list): the edges of a state can be walked when it is cloned.
    lists: Vec<(u64, u32)>,
}

impl Builder {
    fn extend(&mut self, last: u32, token: u64, end: u32) -> u32 {
        let new = self.add(self.automaton.states[last as usize].len + 1, 0, end);
        let mut from = last;
        while from != NONE && !self.automaton.edges.contains_key(&(from, token)) {
            self.connect(from, token, new);
            from = self.automaton.states[from as usize].link;
        }
        if from == NONE {
            return new;
        }
        let met = self.automaton.edges[&(from, token)];
        let len = self.automaton.states[from as usize].len + 1;
        if self.automaton.states[met as usize].len == len {
            self.automaton.states[new as usize].link = met;
            return new;
        }
        let clone = self.clone_state(met, len);
        while from != NONE && self.automaton.edges.get(&(from, token)) == Some(&met) {
            self.automaton.edges.insert((from, token), clone);
            from = self.automaton.states[from as usize].link;
        }
        self.automaton.states[met as usize].link = clone;
        self.automaton.states[new as usize].link = clone;
        new
    }

    fn clone_state(&mut self, of: u32, len: u32) -> u32 {
        let State { link, end, first_edge, .. } = self.automaton.states[of as usize];
        let clone = self.add(len, link, end);
        let mut place = first_edge;
        while place != NONE {
            let (token, next) = self.lists[place as usize];
            let target = self.automaton.edges[&(of, token)];
            self.connect(clone, token, target);
            place = next;
        }
        clone
    }

    fn add(&mut self, len: u32, link: u32, end: u32) -> u32 {
        self.automaton.states.push(State { len, link, end, unique_from: NONE, first_edge: NONE });
        self.automaton.states.len() as u32 - 1
    }

    fn connect(&mut self, from: u32, token: u64, to: u32) {
        self.automaton.edges.insert((from, token), to);
        let state = &mut self.automaton.states[from as usize];
        self.lists.push((token, state.first_edge));
        state.first_edge = self.lists.len() as u32 - 1;
    }
}
