//! Pages that go by, compared with what they looked like when the site was learned.

use std::collections::BTreeMap;
use std::ops::Deref;

use unsite_dom::ProblemKind;
use unsite_wrapper::drift::{Aspect, Finding, Revisited, compare};
use unsite_wrapper::profile::Profiler;
use unsite_wrapper::structure::StructureMark;
use unsite_wrapper::{PageRecord, SavedWrapper};

use crate::reader::Look;

/// Pages that fit nothing and are named in a report.
const NAMED_PAGES: usize = 5;

/// What pages looked like through a wrapper.
#[derive(Debug, Clone)]
pub struct Checked {
    /// Pages looked at.
    pub pages: u64,
    /// For each page type, how many there are.
    pub pages_of_type: Vec<u64>,
    /// Pages that fit no type.
    pub set_aside: u64,
    /// The addresses of some of them.
    pub aside: Vec<String>,
    /// What is not as it was learned; empty where nothing has changed.
    pub findings: Vec<Finding>,
    /// How many problems there were of each kind.
    pub problems: BTreeMap<&'static str, u64>,
}

impl Checked {
    /// Whether part of the source could not be read.
    pub fn is_partial(&self) -> bool {
        [ProblemKind::Unreadable, ProblemKind::Truncated]
            .iter()
            .any(|kind| self.problems.contains_key(kind.name()))
    }
}

/// Watches pages go by. Cloned and finished, it says how they look so far.
#[derive(Debug, Clone)]
pub struct Watch<W> {
    saved: W,
    profiler: Profiler,
    revisited: Revisited,
    checked: Checked,
}

impl<W: Deref<Target = SavedWrapper>> Watch<W> {
    /// Nothing seen yet.
    pub fn new(saved: W) -> Self {
        let pages_of_type = vec![0; saved.wrapper.types.len()];
        let checked = Checked {
            pages: 0,
            pages_of_type,
            set_aside: 0,
            aside: Vec::new(),
            findings: Vec::new(),
            problems: BTreeMap::new(),
        };
        let profiler = Profiler::against(&saved.wrapper, &saved.profile);
        Watch { saved, profiler, revisited: Revisited::default(), checked }
    }

    /// Takes a page.
    pub fn look(&mut self, look: &Look) {
        let read = look.record();
        if read.design() > 0 {
            return self.earlier(read.rows().page_type);
        }
        self.page(&look.bare);
        self.structure(look.bare.page_type, &look.marks);
    }

    /// Takes what was read off a page.
    pub fn page(&mut self, record: &PageRecord) {
        self.checked.pages += 1;
        match record.page_type {
            Some(page_type) => self.checked.pages_of_type[page_type] += 1,
            None => {
                self.checked.set_aside += 1;
                if self.checked.aside.len() < NAMED_PAGES {
                    self.checked.aside.push(record.url.clone());
                }
            }
        }
        self.revisited.page(&self.saved.wrapper.training, record);
        self.profiler.page(record, 0, 1);
    }

    /// Counts a page of an earlier design, which says nothing about how the site is now.
    pub fn earlier(&mut self, page_type: Option<usize>) {
        self.checked.pages += 1;
        if let Some(count) = page_type.and_then(|at| self.checked.pages_of_type.get_mut(at)) {
            *count += 1;
        }
    }

    /// Takes how a page is built.
    pub fn structure(&mut self, page_type: Option<usize>, marks: &[StructureMark]) {
        self.profiler.structure(page_type, marks, 0, 1);
    }

    /// Takes note of a page that could not be read.
    pub fn problem(&mut self, kind: ProblemKind) {
        *self.checked.problems.entry(kind.name()).or_default() += 1;
    }

    /// The comparison.
    pub fn finish(self) -> Checked {
        let now = self.profiler.finish();
        let mut findings = compare(&self.saved.wrapper.schema, &self.saved.profile, &now, self.revisited);
        for finding in &mut findings {
            if matches!(finding.aspect, Aspect::Strangers | Aspect::PageType) {
                finding.examples_now.clone_from(&self.checked.aside);
            }
        }
        Checked { findings, ..self.checked }
    }
}
