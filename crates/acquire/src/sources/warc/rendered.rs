//! What a browser made of a page, in records beside the response: the rendered page and the places of its texts.
//!
//! The rendered page is a `conversion` record that refers to the response, and the places are a `metadata` record that
//! refers to the conversion. Both follow the response before the next page does, so one page has to be held back.

use std::collections::VecDeque;
use std::io::Read;

use serde::{Deserialize, Serialize};
use unsite_dom::{Layout, PlacedText, Problem, RawPage, TextBox};

/// The content type of a record with the places of texts.
pub(crate) const LAYOUT_TYPE: &str = "application/vnd.unsite.layout+json";

/// Bytes of such a record that are read; the texts of the largest page that is read fit in.
const MAX_LAYOUT_BYTES: u64 = 64 << 20;

/// How [`Layout`] is written.
#[derive(Serialize, Deserialize)]
struct StoredLayout {
    width: u32,
    /// Each text with its left, top, width and height; `null` where nothing was drawn.
    texts: Vec<(String, Option<[i32; 4]>)>,
}

/// The block of a layout record.
pub fn layout_block(layout: &Layout) -> Vec<u8> {
    let text = |placed: &PlacedText| {
        let place = placed.place.map(|place| [place.x, place.y, place.width, place.height]);
        (placed.text.clone(), place)
    };
    let stored = StoredLayout { width: layout.width, texts: layout.texts.iter().map(text).collect() };
    serde_json::to_vec(&stored).unwrap_or_default()
}

/// Reads the block of a layout record; `None` for anything else.
pub fn read_layout(block: impl Read) -> Option<Layout> {
    let stored: StoredLayout = serde_json::from_reader(block.take(MAX_LAYOUT_BYTES)).ok()?;
    let text = |(text, place): (String, Option<[i32; 4]>)| PlacedText {
        text,
        place: place.map(|[x, y, width, height]| TextBox { x, y, width, height }),
    };
    Some(Layout { width: stored.width, texts: stored.texts.into_iter().map(text).collect() })
}

/// The last page, which what follows may still add to, and what is ready to be handed out.
#[derive(Default)]
pub(super) struct Held {
    page: Option<RawPage>,
    problem: Option<Problem>,
    ready: VecDeque<Result<RawPage, Problem>>,
}

impl Held {
    /// Holds a page back. The one before is ready.
    pub(super) fn page(&mut self, page: RawPage, problem: Option<Problem>) {
        self.release();
        (self.page, self.problem) = (Some(page), problem);
    }

    /// A page that a browser made of another: takes its place if that one is held, and is a page of its own if not.
    pub(super) fn conversion(&mut self, refers_to: &str, page: RawPage, problem: Option<Problem>) {
        match &mut self.page {
            Some(held) if !refers_to.is_empty() && held.reference == refers_to => {
                *held = RawPage { status: held.status, ..page };
                self.problem = problem.or(self.problem.take());
            }
            _ => self.page(page, problem),
        }
    }

    /// Places of texts; false if they are not those of the page that is held.
    pub(super) fn layout(&mut self, refers_to: &str, layout: Layout) -> bool {
        match &mut self.page {
            Some(held) if held.reference == refers_to => {
                held.layout = Some(layout);
                true
            }
            _ => false,
        }
    }

    /// Something went wrong, after the page that is held.
    pub(super) fn problem(&mut self, problem: Problem) {
        self.release();
        self.ready.push_back(Err(problem));
    }

    /// Nothing will be added to the page that is held.
    pub(super) fn release(&mut self) {
        self.ready.extend(self.page.take().map(Ok));
        self.ready.extend(self.problem.take().map(Err));
    }

    /// What comes next.
    pub(super) fn next(&mut self) -> Option<Result<RawPage, Problem>> {
        self.ready.pop_front()
    }
}
