//! What every source of pages hands over, and what it says when it cannot.

use std::fmt;

use crate::layout::Layout;
use crate::moment::Moment;

/// One page as its source holds it: bytes and an address, nothing parsed yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawPage {
    /// The absolute URL of the page, or the best stand-in that the source knows (a `file:` URL for a saved page).
    pub url: String,
    /// What names the page inside its source: a file of a folder or gold site, a WARC record's id, a line number.
    pub reference: String,
    /// The body as it was stored, content encoding (gzip, brotli, ...) already undone, character encoding not.
    pub bytes: Vec<u8>,
    /// The charset that the transport declared, if any (`charset=` of a Content-Type header).
    pub charset: Option<String>,
    /// The HTTP status, where the source knows one.
    pub status: Option<u16>,
    /// Where the record starts inside its archive, in bytes, where that means something.
    pub offset: Option<u64>,
    /// Where a browser put the texts, for a page that was rendered.
    pub layout: Option<Layout>,
    /// When it was captured, where the source knows.
    pub captured: Option<Moment>,
}

/// A stream of pages. A page that cannot be read is a [`Problem`] and the stream goes on;
/// `None` is the end of the source.
pub trait PageSource: Send {
    /// The next page or the next problem.
    fn next_page(&mut self) -> Option<Result<RawPage, Problem>>;
}

/// Something that went wrong with one page or record. It costs a line in the report, never the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What kind of trouble it is.
    pub kind: ProblemKind,
    /// The page's or record's name inside its source.
    pub reference: String,
    /// Its URL, if that much is known.
    pub url: Option<String>,
    /// The byte offset in the archive, where there is one.
    pub offset: Option<u64>,
    /// One sentence for people: what happened and, where something can be done, what to do.
    pub message: String,
}

/// The kinds of [`Problem`], as they are stored in `_problems.kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// The file or record could not be read at all.
    Unreadable,
    /// The archive ends in the middle of a record.
    Truncated,
    /// A limit cut something off: page size, decompressed size, nesting, number of nodes.
    Limit,
    /// A record that is not a page (an image, a revisit) and was passed over.
    Skipped,
    /// Two pages carry the same URL.
    Duplicate,
    /// A page that is empty until a script has run.
    Unrendered,
}

impl ProblemKind {
    /// All of them.
    pub const ALL: [ProblemKind; 6] = [
        ProblemKind::Unreadable,
        ProblemKind::Truncated,
        ProblemKind::Limit,
        ProblemKind::Skipped,
        ProblemKind::Duplicate,
        ProblemKind::Unrendered,
    ];

    /// The word that stands for it in outputs.
    pub fn name(self) -> &'static str {
        match self {
            ProblemKind::Unreadable => "unreadable",
            ProblemKind::Truncated => "truncated",
            ProblemKind::Limit => "limit",
            ProblemKind::Skipped => "skipped",
            ProblemKind::Duplicate => "duplicate",
            ProblemKind::Unrendered => "unrendered",
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reference)?;
        if let Some(offset) = self.offset {
            write!(f, " at byte {offset}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// How much of a hostile page is looked at. Every limit that cuts leaves a [`Problem`] of kind `limit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one page after decompression; the rest is dropped. Browsers' own pages stay far below.
    pub page_bytes: usize,
    /// Open elements at one time. Chromium flattens at 512 and so do we.
    pub depth: usize,
    /// Nodes of one tree; text beyond is kept as text, tags are not.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { page_bytes: 20 << 20, depth: 512, nodes: 2_000_000 }
    }
}
