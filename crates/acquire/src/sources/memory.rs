//! Pages that the program brought along.

use std::sync::Arc;

use unsite_dom::{PageSource, Problem, RawPage};

pub(crate) struct MemoryPages {
    pages: Arc<Vec<RawPage>>,
    next: usize,
}

impl MemoryPages {
    pub(crate) fn new(pages: Arc<Vec<RawPage>>) -> Self {
        MemoryPages { pages, next: 0 }
    }
}

impl PageSource for MemoryPages {
    fn next_page(&mut self) -> Option<Result<RawPage, Problem>> {
        let page = self.pages.get(self.next)?.clone();
        self.next += 1;
        Some(Ok(page))
    }
}
