//! A folder of saved pages, in the order of their paths.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use unsite_dom::{PageSource, Problem, ProblemKind, RawPage};

use super::single::read_html_file;
use super::skipped::Skipped;
use super::{SourceError, sniff};

const PAGE_EXTENSIONS: [&str; 3] = ["html", "htm", "xhtml"];

/// Names that servers give to pages and people to programs: the content decides.
const PERHAPS_PAGE_EXTENSIONS: [&str; 4] = ["", "php", "asp", "aspx"];

/// Whether there is at least one page to read; otherwise an error that says what the folder holds instead.
pub(crate) fn check(path: &Path, name: &str) -> Result<(), SourceError> {
    fs::read_dir(path).map_err(|error| SourceError::Unreadable { name: name.to_owned(), error })?;
    let mut walk = Walk::new(path);
    if walk.next_file().is_some() {
        return Ok(());
    }
    let hint = match &walk.archive {
        Some(archive) => format!("It has archives, such as {archive}: give one of these instead"),
        None => "Give a folder with .html, .htm, .xhtml, .php or .aspx files".to_owned(),
    };
    Err(SourceError::NoPages { name: name.to_owned(), others: walk.skipped.total(), hint })
}

pub(crate) struct FolderPages {
    walk: Walk,
    limit: usize,
    pending: Option<Problem>,
}

impl FolderPages {
    pub(crate) fn open(root: &Path, limit: usize) -> Self {
        FolderPages { walk: Walk::new(root), limit, pending: None }
    }
}

impl PageSource for FolderPages {
    fn next_page(&mut self) -> Option<Result<RawPage, Problem>> {
        if let Some(problem) = self.pending.take() {
            return Some(Err(problem));
        }
        match self.walk.next_file() {
            Some(Ok(path)) => {
                let item = read_html_file(&path, &self.walk.reference(&path), self.limit);
                Some(item.map(|(page, problem)| {
                    self.pending = problem;
                    page
                }))
            }
            Some(Err(problem)) => Some(Err(problem)),
            None => self.walk.skipped.take_summary("files", ".").map(Err),
        }
    }
}

/// Goes through a folder tree depth first, names sorted, holding only the listings on the way down.
struct Walk {
    root: PathBuf,
    /// Where the folder really is, if that can be found out.
    real_root: Option<PathBuf>,
    /// Entries still to visit, the next one last.
    stack: Vec<PathBuf>,
    skipped: Skipped,
    /// The first archive met, to be able to say so.
    archive: Option<String>,
}

impl Walk {
    fn new(root: &Path) -> Self {
        let stack = vec![root.to_owned()];
        let real_root = fs::canonicalize(root).ok();
        Walk { root: root.to_owned(), real_root, stack, skipped: Skipped::default(), archive: None }
    }

    fn next_file(&mut self) -> Option<Result<PathBuf, Problem>> {
        while let Some(path) = self.stack.pop() {
            match self.visit(&path) {
                Ok(true) => return Some(Ok(path)),
                Ok(false) => {}
                Err(error) => return Some(Err(self.unreadable(&path, &error))),
            }
        }
        None
    }

    /// Whether the entry is a page; a folder's entries are put on the stack.
    fn visit(&mut self, path: &Path) -> std::io::Result<bool> {
        let is_root = path == self.root;
        let own = fs::symlink_metadata(path)?;
        let metadata = if own.is_symlink() {
            match fs::metadata(path) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    self.skipped.count("links that lead nowhere");
                    return Ok(false);
                }
                metadata => metadata?,
            }
        } else {
            own.clone()
        };
        if metadata.is_dir() {
            // A link to a folder may lead in a circle, so that none is followed, except the one that was named.
            if own.is_symlink() && !is_root {
                self.skipped.count("links to folders");
                return Ok(false);
            }
            let mut entries = Vec::new();
            for entry in fs::read_dir(path)? {
                let entry = entry?;
                if entry.file_name().as_encoded_bytes().starts_with(b".") {
                    self.skipped.count("hidden");
                } else {
                    entries.push(entry.path());
                }
            }
            entries.sort_unstable_by(|a, b| b.cmp(a));
            self.stack.append(&mut entries);
            return Ok(false);
        }
        // Whoever packed the folder must not reach files of whoever unpacks it.
        if own.is_symlink() && !is_root && !self.is_inside(&fs::canonicalize(path)?) {
            self.skipped.count("links to files outside the folder");
            return Ok(false);
        }
        if !metadata.is_file() {
            self.skipped.count("neither files nor folders");
            return Ok(false);
        }
        let extension = extension(path);
        if PAGE_EXTENSIONS.contains(&extension.as_str()) {
            return Ok(true);
        }
        if PERHAPS_PAGE_EXTENSIONS.contains(&extension.as_str()) && starts_like_html(path)? {
            return Ok(true);
        }
        if self.archive.is_none() && sniff::kind_by_extension(&path.to_string_lossy()).is_some() {
            self.archive = Some(self.reference(path));
        }
        self.skipped.count("not HTML");
        Ok(false)
    }

    fn is_inside(&self, real: &Path) -> bool {
        self.real_root.as_ref().is_some_and(|root| real.starts_with(root))
    }

    /// The path inside the folder, with `/` between its parts on every system.
    fn reference(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.root).unwrap_or(path);
        let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        parts.join("/")
    }

    fn unreadable(&self, path: &Path, error: &std::io::Error) -> Problem {
        Problem {
            kind: ProblemKind::Unreadable,
            reference: self.reference(path),
            url: None,
            offset: None,
            message: format!("cannot be read: {error}"),
        }
    }
}

/// The extension in lower case; what a mirroring tool kept of the query (`list.php?page=2`) does not count.
fn extension(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let name = name.split('?').next().unwrap_or_default();
    name.rsplit_once('.').map(|(_, extension)| extension.to_owned()).unwrap_or_default()
}

fn starts_like_html(path: &Path) -> std::io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(sniff::START_BYTES as u64).read_to_end(&mut start)?;
    Ok(sniff::looks_like_html(&start))
}
