//! How a command ends, for scripts.

/// The exit codes. Other programs may rely on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Everything was done.
    Done = 0,
    /// It could not be done; the message says why and what to do.
    Error = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// Done and written, but part of the source could not be read: `_problems` says which.
    Partial = 3,
    /// The site is not any more what the wrapper was learned from.
    Drift = 4,
    /// There is nothing to work on: the source holds no pages.
    NothingFound = 5,
    /// Stopped by Ctrl-C. The shell reports this one; the output is then what it was before.
    Interrupted = 130,
}

impl Exit {
    /// All of them with what they mean, for the help text.
    pub const MEANINGS: [(Exit, &'static str); 7] = [
        (Exit::Done, "done"),
        (Exit::Error, "error"),
        (Exit::Usage, "usage"),
        (Exit::Partial, "partial: part of the source could not be read"),
        (Exit::Drift, "drift"),
        (Exit::NothingFound, "nothing found: no pages"),
        (Exit::Interrupted, "interrupted"),
    ];

    /// The number that the process ends with.
    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}
