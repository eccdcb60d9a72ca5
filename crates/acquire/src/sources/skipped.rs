//! One line about everything that was passed over, instead of one line for each.

use std::collections::BTreeMap;

use unsite_dom::{Problem, ProblemKind};

/// Counts what was not a page, by reason.
#[derive(Debug, Default)]
pub(crate) struct Skipped {
    counts: BTreeMap<&'static str, u64>,
}

impl Skipped {
    pub(crate) fn count(&mut self, reason: &'static str) {
        *self.counts.entry(reason).or_default() += 1;
    }

    pub(crate) fn count_some(&mut self, reason: &'static str, count: u64) {
        if count > 0 {
            *self.counts.entry(reason).or_default() += count;
        }
    }

    /// Takes over what another one has counted.
    pub(crate) fn add(&mut self, other: &mut Skipped) {
        for (reason, count) in std::mem::take(&mut other.counts) {
            *self.counts.entry(reason).or_default() += count;
        }
    }

    pub(crate) fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The summary for the end of the stream, and a fresh count; nothing if nothing was skipped.
    pub(crate) fn take_summary(&mut self, what: &str, reference: &str) -> Option<Problem> {
        let counts = std::mem::take(&mut self.counts);
        let total: u64 = counts.values().sum();
        if total == 0 {
            return None;
        }
        let reasons: Vec<String> = counts.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        Some(Problem {
            kind: ProblemKind::Skipped,
            reference: reference.to_owned(),
            url: None,
            offset: None,
            message: format!("{total} {what} passed over: {}", reasons.join(", ")),
        })
    }
}
