//! What a run tells while it goes on.

/// Told what is going on, for a progress display.
pub trait Progress {
    /// Another stage begins; `total` pages if that is known.
    fn stage(&mut self, name: &'static str, total: Option<usize>);
    /// This many pages more are done.
    fn advance(&mut self, pages: usize);
}

impl Progress for () {
    fn stage(&mut self, _: &'static str, _: Option<usize>) {}
    fn advance(&mut self, _: usize) {}
}
