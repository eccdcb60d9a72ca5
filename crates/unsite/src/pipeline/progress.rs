//! What a run tells while it goes on.

use thiserror::Error;

/// Told what is going on, for a progress display.
pub trait Progress {
    /// Another stage begins; `total` pages if that is known.
    fn stage(&mut self, name: &'static str, total: Option<usize>);
    /// This many pages more are done.
    fn advance(&mut self, pages: usize);
    /// Whether the run should stop, with [`Cancelled`], where it can between two pages or batches.
    fn is_cancelled(&mut self) -> bool {
        false
    }
}

/// A run was stopped by whoever asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("stopped before it was done; nothing was written")]
pub struct Cancelled;

impl Progress for () {
    fn stage(&mut self, _: &'static str, _: Option<usize>) {}
    fn advance(&mut self, _: usize) {}
}
