//! What a run tells while it goes on.

use thiserror::Error;

/// Told what is going on, for a progress display.
pub trait Progress {
    /// Another stage begins; `total` pages if that is known.
    fn stage(&mut self, name: &'static str, total: Option<usize>);
    /// This many pages more are done.
    fn advance(&mut self, pages: usize);
    /// Whether somebody wants the work to stop: reading ends with [`Stopped`].
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Somebody stopped the work.
#[derive(Debug, Error)]
#[error("stopped")]
pub struct Stopped;

/// Fails when somebody wants the work to stop.
pub(super) fn go_on(progress: &dyn Progress) -> Result<(), Stopped> {
    if progress.is_stopped() { Err(Stopped) } else { Ok(()) }
}

impl Progress for () {
    fn stage(&mut self, _: &'static str, _: Option<usize>) {}
    fn advance(&mut self, _: usize) {}
}
