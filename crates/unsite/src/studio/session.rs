//! What a studio works on: the pages, the wrapper with its log of edits, and the database that follows from both.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::{Result, anyhow, bail};
use rayon::prelude::*;
use unsite::Options;
use unsite::pipeline::read_wrapper;
use unsite_dom::{RawPage, Tree};
use unsite_wrapper::edits::{Step, Unmade};
use unsite_wrapper::{PageRecord, SavedWrapper, fingerprint};

use super::built::{Built, build, build_one};
use super::job::{Jobs, Told};
use super::keep::fingerprint_of;

/// Everything that the studio knows.
pub(crate) struct Studio {
    pub(super) session: Mutex<Session>,
    pub(super) jobs: Jobs,
    /// How pages are read.
    pub(super) options: Options,
    /// What the studio is about, for its title.
    pub(super) name: String,
    /// How the pages are given to other commands.
    pub(super) source: Option<String>,
}

/// What changes while people work.
pub(super) struct Session {
    /// Where the wrapper is kept.
    pub(super) wrapper_file: PathBuf,
    /// What stood there when it was read, by its bytes; `None` where nothing did.
    pub(super) on_disk: Option<u64>,
    /// The wrapper as it was learned, with the log; `None` where there is only a database.
    pub(super) learned: Option<SavedWrapper>,
    /// The log as it stands in the file.
    pub(super) kept: Vec<Step>,
    /// Whether what was learned is not in the file yet.
    pub(super) is_new: bool,
    /// The wrapper with its edits made.
    pub(super) edited: Option<Arc<SavedWrapper>>,
    /// Edits that could not be made.
    pub(super) unmade: Vec<Unmade>,
    /// Edits that were undone, the next to do again last.
    pub(super) undone: Vec<Step>,
    pub(super) pages: Arc<Pages>,
    /// What the templates read off each page, with the wrapper that read it.
    read: Option<Arc<Read>>,
    built: Option<Arc<Built>>,
    /// The database that is being written after a change.
    pending: Option<Arc<Pending>>,
    /// One table of it that somebody did not want to wait for.
    quick: Option<(String, Arc<Built>)>,
    /// A repair that waits for somebody to accept it.
    pub(super) repair: Option<super::repair::Proposal>,
    /// Counts changes.
    pub(super) version: u64,
}

/// The pages of the source.
#[derive(Default)]
pub(super) struct Pages {
    pub(super) list: Vec<RawPage>,
    /// What could not be read.
    pub(super) problems: Vec<unsite_dom::Problem>,
}

/// A database that is being written.
#[derive(Default)]
struct Pending {
    written: Mutex<Option<Result<Arc<Built>, String>>>,
    ready: Condvar,
}

impl Pending {
    fn wait(&self) -> Result<Arc<Built>, String> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match written.as_ref() {
                Some(result) => return result.clone(),
                None => written = self.ready.wait(written).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

/// What templates read.
struct Read {
    by: Arc<SavedWrapper>,
    records: Vec<Arc<PageRecord>>,
}

impl Studio {
    pub(super) fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The database as it follows from the last change; waits for it where it is being written.
    pub(super) fn built(&self) -> Result<Option<Arc<Built>>> {
        loop {
            let (pending, built) = {
                let session = self.session();
                (session.pending.clone(), session.built.clone())
            };
            let Some(pending) = pending else { return Ok(built) };
            let written = pending
                .wait()
                .map_err(|why| anyhow!("the tables cannot be written: {why}; undo the last change"))?;
            let mut session = self.session();
            if session.pending.as_ref().is_some_and(|current| Arc::ptr_eq(current, &pending)) {
                session.show(Some(written));
            }
        }
    }

    /// One table as it follows from the last change, where the whole database is still being written.
    pub(super) fn quick(&self, table: &str) -> Result<Option<Arc<Built>>> {
        let (edited, read, version) = {
            let session = self.session();
            if session.pending.is_none() {
                return Ok(None);
            }
            if let Some((_, built)) = session.quick.as_ref().filter(|(name, _)| name == table) {
                return Ok(Some(Arc::clone(built)));
            }
            let (Some(edited), Some(read)) = (&session.edited, &session.read) else { return Ok(None) };
            (Arc::clone(edited), Arc::clone(read), session.version)
        };
        let Some(built) = build_one(&edited, &read.records, table, &self.options)?.map(Arc::new) else {
            return Ok(None);
        };
        let mut session = self.session();
        if session.version == version {
            session.quick = Some((table.to_owned(), Arc::clone(&built)));
        }
        Ok(Some(built))
    }

    /// The edits that are in no file yet; for whoever stops the studio.
    pub(crate) fn unkept(&self) -> Vec<Step> {
        let session = self.session();
        match &session.learned {
            Some(learned) if learned.edits != session.kept => learned.edits.clone(),
            _ => Vec::new(),
        }
    }

    /// Where the wrapper is kept.
    pub(crate) fn wrapper_file(&self) -> PathBuf {
        self.session().wrapper_file.clone()
    }
}

impl Session {
    pub(super) fn new(wrapper_file: PathBuf, pages: Pages) -> Self {
        Session {
            wrapper_file,
            on_disk: None,
            learned: None,
            kept: Vec::new(),
            is_new: false,
            edited: None,
            unmade: Vec::new(),
            undone: Vec::new(),
            pages: Arc::new(pages),
            read: None,
            built: None,
            pending: None,
            quick: None,
            repair: None,
            version: 0,
        }
    }

    /// Takes the wrapper from its file.
    pub(super) fn load(&mut self) -> Result<()> {
        let saved = read_wrapper(&self.wrapper_file)?;
        self.on_disk = fingerprint_of(&self.wrapper_file);
        self.kept.clone_from(&saved.edits);
        self.is_new = false;
        self.take(saved);
        Ok(())
    }

    /// Works on with another wrapper.
    pub(super) fn take(&mut self, learned: SavedWrapper) {
        self.read = None;
        self.learned = Some(learned);
        self.replay();
    }

    /// Makes the edits of the log anew.
    pub(super) fn replay(&mut self) {
        if let Some(learned) = &self.learned {
            let edited = learned.edited();
            self.unmade = edited.unmade;
            self.edited = Some(Arc::new(edited.saved));
        }
        self.version += 1;
    }

    /// Whether anything is not in the file.
    pub(super) fn is_changed(&self) -> bool {
        self.is_new || self.learned.as_ref().is_some_and(|learned| learned.edits != self.kept)
    }

    pub(super) fn wrapper(&self) -> Result<&Arc<SavedWrapper>> {
        match &self.edited {
            Some(edited) => Ok(edited),
            None => bail!("there is no wrapper yet; learn one from the pages first"),
        }
    }

    /// Reads what has to be read again and writes the database anew.
    pub(super) fn rebuild(&mut self, options: &Options, told: Option<&mut Told>) -> Result<()> {
        let edited = Arc::clone(self.wrapper()?);
        if self.pages.list.is_empty() {
            return Ok(());
        }
        let read = read(&self.pages, self.read.as_deref(), &edited, options, told)?;
        let built = build(&edited, &read.records, &self.pages.problems, options)?;
        self.read = Some(Arc::new(read));
        self.show(Some(Arc::new(built)));
        Ok(())
    }

    /// What people look at from now on.
    pub(super) fn show(&mut self, built: Option<Arc<Built>>) {
        self.built = built;
        self.pending = None;
        self.quick = None;
    }

    /// Reads what has to be read again, and has the database written meanwhile.
    pub(super) fn rebuild_meanwhile(&mut self, options: &Options) -> Result<()> {
        let edited = Arc::clone(self.wrapper()?);
        if self.pages.list.is_empty() {
            return Ok(());
        }
        let read = Arc::new(read(&self.pages, self.read.as_deref(), &edited, options, None)?);
        self.read = Some(Arc::clone(&read));
        let pending = Arc::new(Pending::default());
        self.pending = Some(Arc::clone(&pending));
        self.quick = None;
        let (pages, options) = (Arc::clone(&self.pages), options.clone());
        std::thread::spawn(move || {
            // Whoever made the change looks at one table first: that goes before the rest.
            std::thread::sleep(FIRST_LOOK);
            let write = || build(&edited, &read.records, &pages.problems, &options);
            let written = std::panic::catch_unwind(std::panic::AssertUnwindSafe(write));
            let written = written.unwrap_or_else(|_| Err(anyhow!("it broke; the terminal says how")));
            let written = written.map(Arc::new).map_err(|error| format!("{error:#}"));
            *pending.written.lock().unwrap_or_else(PoisonError::into_inner) = Some(written);
            pending.ready.notify_all();
        });
        Ok(())
    }

    /// What was read off a page, as the database has it.
    pub(super) fn stored(&self, page: usize) -> Option<PageRecord> {
        let read = self.read.as_ref()?;
        Some(self.edited.as_ref()?.wrapper.stored(read.records.get(page)?.as_ref().clone()))
    }

    /// What was read off a page, as templates read it.
    pub(super) fn raw(&self, page: usize) -> Option<Arc<PageRecord>> {
        self.read.as_ref()?.records.get(page).cloned()
    }

    /// The page at an address, or that its source calls so.
    pub(super) fn page_at(&self, url: &str, reference: &str) -> Option<usize> {
        let list = &self.pages.list;
        let exact = list.iter().position(|page| page.url == url && page.reference == reference);
        exact.or_else(|| list.iter().position(|page| page.url == url || page.reference == reference))
    }
}

/// Reads the pages; those whose type is read as before are taken over.
fn read(
    pages: &Pages,
    before: Option<&Read>,
    edited: &Arc<SavedWrapper>,
    options: &Options,
    mut told: Option<&mut Told>,
) -> Result<Read> {
    let same = before.map(|before| unchanged(&before.by, edited)).unwrap_or_default();
    let is_known = |at: usize| {
        let page_type = before?.records[at].page_type;
        // A page without a type has nothing that could have changed.
        page_type.is_none_or(|page_type| same.get(page_type).copied().unwrap_or(false)).then_some(())
    };
    let todo: Vec<usize> = (0..pages.list.len()).filter(|&at| is_known(at).is_none()).collect();
    let mut records: Vec<Arc<PageRecord>> = match before {
        Some(before) => before.records.clone(),
        None => vec![Arc::default(); pages.list.len()],
    };
    if let Some(told) = told.as_deref_mut() {
        unsite::Progress::stage(told, "reading the pages", Some(todo.len()));
    }
    let reader = edited.wrapper.reader();
    for some in todo.chunks(BATCH) {
        let fresh: Vec<PageRecord> = some
            .par_iter()
            .map(|&at| {
                let page = &pages.list[at];
                let (tree, cuts) = Tree::parse(&page.bytes, page.charset.as_deref(), &options.limits);
                reader.read_new(page, &tree, &cuts)
            })
            .collect();
        for (&at, record) in some.iter().zip(fresh) {
            records[at] = Arc::new(record);
        }
        if let Some(told) = told.as_deref_mut() {
            unsite::Progress::advance(told, some.len());
            told.go_on()?;
        }
    }
    // What was read for more than is read now is good for that too.
    let by = before.filter(|_| todo.is_empty()).map_or(edited, |before| &before.by);
    Ok(Read { by: Arc::clone(by), records })
}

/// How long the database waits for the table that people look at: about as long as that takes.
const FIRST_LOOK: std::time::Duration = std::time::Duration::from_millis(150);

/// Pages that are read between two looks at whether to go on.
const BATCH: usize = 64;

/// For each page type, whether everything that is read now was read before.
fn unchanged(before: &SavedWrapper, now: &SavedWrapper) -> Vec<bool> {
    let (was, is) = (&before.wrapper, &now.wrapper);
    if was.types.len() != is.types.len()
        || was.lists != is.lists
        || was.schema.tables.len() > is.schema.tables.len()
    {
        return vec![false; is.types.len()];
    }
    let same_type = |table: usize, column: usize| {
        let of = |wrapper: &unsite_wrapper::Wrapper| {
            wrapper.schema.tables.get(table)?.columns.get(column).map(|info| info.value_type)
        };
        of(was) == of(is)
    };
    let types = was.types.iter().zip(&is.types);
    types
        .map(|(was, is)| {
            let nodes = was.template.nodes.iter().zip(&is.template.nodes);
            was.template.nodes.len() == is.template.nodes.len()
                && was.page_table == is.page_table
                && was.template.inherits.len() >= is.template.inherits.len()
                && nodes.into_iter().all(|(was, is)| {
                    was.rows_of == is.rows_of
                        && was.specs == is.specs
                        && is
                            .reads
                            .iter()
                            .all(|read| was.reads.contains(read) && same_type(read.table, read.column))
                })
        })
        .collect()
}

/// A number that tells files apart by what is in them.
pub(super) fn number_of(bytes: &[u8]) -> u64 {
    fingerprint(bytes)
}

/// The name of a file without its folder.
pub(super) fn short(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
