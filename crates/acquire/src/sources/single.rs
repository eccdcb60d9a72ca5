//! One HTML file as a site of one page.

use std::fs::File;
use std::path::{Path, PathBuf};

use unsite_dom::{PageSource, Problem, ProblemKind, RawPage};

use super::bounded::{self, ReadEnd};
use super::saved_url;

pub(crate) struct SinglePage {
    path: Option<PathBuf>,
    reference: String,
    limit: usize,
    pending: Option<Problem>,
}

impl SinglePage {
    pub(crate) fn new(path: &Path, reference: String, limit: usize) -> Self {
        SinglePage { path: Some(path.to_owned()), reference, limit, pending: None }
    }
}

impl PageSource for SinglePage {
    fn next_page(&mut self) -> Option<Result<RawPage, Problem>> {
        if let Some(problem) = self.pending.take() {
            return Some(Err(problem));
        }
        let path = self.path.take()?;
        let item = read_html_file(&path, &self.reference, self.limit);
        Some(item.map(|(page, problem)| {
            self.pending = problem;
            page
        }))
    }
}

/// The page in a file of its own, with the problem that it was cut, if it was.
pub(crate) fn read_html_file(
    path: &Path,
    reference: &str,
    limit: usize,
) -> Result<(RawPage, Option<Problem>), Problem> {
    let unreadable = |message: String| Problem {
        kind: ProblemKind::Unreadable,
        reference: reference.to_owned(),
        url: None,
        offset: None,
        message,
    };
    let file = File::open(path).map_err(|error| unreadable(format!("the file cannot be opened: {error}")))?;
    let (bytes, end) = bounded::read_bounded(file, limit);
    if let ReadEnd::Failed(error) = end {
        return Err(unreadable(format!("the file cannot be read: {error}")));
    }
    if bytes.is_empty() && limit > 0 {
        return Err(unreadable("the file is empty".to_owned()));
    }
    let url = saved_url::page_url(&bytes, reference);
    let page = RawPage { url, reference: reference.to_owned(), bytes, ..RawPage::default() };
    let problem = matches!(end, ReadEnd::Limit).then(|| bounded::page_cut(&page, limit));
    Ok((page, problem))
}
