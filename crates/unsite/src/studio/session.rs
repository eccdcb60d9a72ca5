//! What a studio works on: the pages, the wrapper with its log of edits, and the database that follows from both.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite::Options;
use unsite::pipeline::read_wrapper;
use unsite_dom::{RawPage, Tree};
use unsite_wrapper::edits::{Step, Unmade};
use unsite_wrapper::{PageRecord, SavedWrapper, ValueType, fingerprint};

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
    written: Mutex<Option<Written>>,
    ready: Condvar,
    /// How many wait for one of its tables alone, and when the last of them had it.
    looks: Mutex<(usize, Option<Instant>)>,
    /// Another change has come since: nobody will look at it.
    is_over: AtomicBool,
}

/// The database; `None` where another change came before it was written.
type Written = Result<Option<Arc<Built>>, String>;

impl Pending {
    fn wait(&self) -> Written {
        let mut written = locked(&self.written);
        loop {
            match written.as_ref() {
                Some(result) => return result.clone(),
                None => written = self.ready.wait(written).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn finish(&self, result: Written) {
        *locked(&self.written) = Some(result);
        self.ready.notify_all();
    }

    /// Waits until whoever made the change has seen it: that goes before the rest.
    fn let_others_look(&self) {
        let mut last = Instant::now();
        while last.elapsed() < FIRST_LOOK && !self.is_over() {
            std::thread::sleep(GLANCE);
            let looks = locked(&self.looks);
            last = if looks.0 > 0 { Instant::now() } else { looks.1.map_or(last, |at| at.max(last)) };
        }
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// Somebody waits for one table.
struct Look(Arc<Pending>);

impl Look {
    fn at(pending: &Arc<Pending>) -> Self {
        locked(&pending.looks).0 += 1;
        Look(Arc::clone(pending))
    }
}

impl Drop for Look {
    fn drop(&mut self) {
        let mut looks = locked(&self.0.looks);
        *looks = (looks.0 - 1, Some(Instant::now()));
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What templates read.
struct Read {
    by: Arc<SavedWrapper>,
    /// Columns whose values have other types than in the wrapper that read them.
    retyped: FxHashMap<(usize, usize), ValueType>,
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
                session.show(written);
            }
        }
    }

    /// One table as it follows from the last change, where the whole database is still being written.
    pub(super) fn quick(&self, table: &str) -> Result<Option<Arc<Built>>> {
        let (edited, read, version, _look) = {
            let session = self.session();
            let Some(pending) = &session.pending else { return Ok(None) };
            if let Some((_, built)) = session.quick.as_ref().filter(|(name, _)| name == table) {
                return Ok(Some(Arc::clone(built)));
            }
            let (Some(edited), Some(read)) = (&session.edited, &session.read) else { return Ok(None) };
            (Arc::clone(edited), Arc::clone(read), session.version, Look::at(pending))
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
        let built = build(&edited, &read.records, &self.pages.problems, options, &|| false)?;
        self.read = Some(Arc::new(read));
        self.show(built.map(Arc::new));
        Ok(())
    }

    /// What people look at from now on.
    pub(super) fn show(&mut self, built: Option<Arc<Built>>) {
        self.built = built;
        if let Some(before) = self.pending.take() {
            before.is_over.store(true, Ordering::Relaxed);
        }
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
        if let Some(before) = self.pending.replace(Arc::clone(&pending)) {
            before.is_over.store(true, Ordering::Relaxed);
        }
        self.quick = None;
        let (pages, options) = (Arc::clone(&self.pages), options.clone());
        std::thread::spawn(move || {
            pending.let_others_look();
            let write = || build(&edited, &read.records, &pages.problems, &options, &|| pending.is_over());
            let written = std::panic::catch_unwind(std::panic::AssertUnwindSafe(write));
            let written = written.unwrap_or_else(|_| Err(anyhow!("it broke; the terminal says how")));
            let written = written.map(|built| built.map(Arc::new));
            pending.finish(written.map_err(|error| format!("{error:#}")));
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

/// Reads the pages; those whose type is read as before are taken over, and typed again where no more has changed.
fn read(
    pages: &Pages,
    before: Option<&Read>,
    edited: &Arc<SavedWrapper>,
    options: &Options,
    mut told: Option<&mut Told>,
) -> Result<Read> {
    let changes = before.map(|before| changes(before, edited)).unwrap_or_default();
    let change = |record: &PageRecord| match record.page_type {
        // A page without a type has nothing that could have changed.
        None => &Change::Nothing,
        Some(page_type) => changes.get(page_type).unwrap_or(&Change::Reading),
    };
    let mut records: Vec<Arc<PageRecord>> = match before {
        Some(before) => before.records.clone(),
        None => vec![Arc::default(); pages.list.len()],
    };
    let is_known = |at: usize| before.is_some() && *change(&records[at]) != Change::Reading;
    let todo: Vec<usize> = (0..pages.list.len()).filter(|&at| !is_known(at)).collect();
    records.par_iter_mut().for_each(|record| {
        if let Change::Types(columns) = change(record) {
            edited.wrapper.type_again(Arc::make_mut(record), columns);
        }
    });
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
    let Some(before) = before.filter(|_| todo.is_empty()) else {
        return Ok(Read { by: Arc::clone(edited), retyped: FxHashMap::default(), records });
    };
    let mut retyped = before.retyped.clone();
    for change in &changes {
        let Change::Types(columns) = change else { continue };
        retyped.extend(columns.iter().filter_map(|&at| Some((at, value_type(edited, at)?))));
    }
    Ok(Read { by: Arc::clone(&before.by), retyped, records })
}

/// How long the database waits after the last look at one of its tables: people who change something look at it, and
/// machines that change much at once do not stop for longer.
const FIRST_LOOK: Duration = Duration::from_millis(150);

/// Between two questions whether everybody has looked: short against [`FIRST_LOOK`].
const GLANCE: Duration = Duration::from_millis(10);

/// Pages that are read between two looks at whether to go on.
const BATCH: usize = 64;

/// What an edit changes in how the pages of a type are read.
#[derive(PartialEq)]
enum Change {
    Nothing,
    /// The types of some columns, by table and column.
    Types(Vec<(usize, usize)>),
    Reading,
}

/// For each page type, what has changed since its pages were read.
fn changes(before: &Read, now: &SavedWrapper) -> Vec<Change> {
    let (was, is) = (&before.by.wrapper, &now.wrapper);
    if was.types.len() != is.types.len()
        || was.lists != is.lists
        || was.schema.tables.len() > is.schema.tables.len()
    {
        return is.types.iter().map(|_| Change::Reading).collect();
    }
    let type_before =
        |at: (usize, usize)| before.retyped.get(&at).copied().or_else(|| value_type(&before.by, at));
    let change = |at: usize| {
        let (was, is) = (&was.types[at], &is.types[at]);
        let nodes = || was.template.nodes.iter().zip(&is.template.nodes);
        let is_read = was.template.nodes.len() == is.template.nodes.len()
            && was.page_table == is.page_table
            && was.template.inherits.len() >= is.template.inherits.len()
            && nodes().all(|(was, is)| {
                let was_read = is.reads.iter().all(|read| was.reads.contains(read));
                was.rows_of == is.rows_of && was.specs == is.specs && was_read
            });
        let reads = nodes().flat_map(|(_, is)| &is.reads).map(|read| (read.table, read.column));
        let mut retyped: Vec<(usize, usize)> =
            reads.filter(|&at| type_before(at) != value_type(now, at)).collect();
        retyped.sort_unstable();
        retyped.dedup();
        match is_read && retyped.iter().all(|&column| now.wrapper.can_type_again(at, column)) {
            false => Change::Reading,
            true if retyped.is_empty() => Change::Nothing,
            true => Change::Types(retyped),
        }
    };
    (0..is.types.len()).map(change).collect()
}

/// The type of a column that templates read.
fn value_type(saved: &SavedWrapper, (table, column): (usize, usize)) -> Option<ValueType> {
    Some(saved.wrapper.schema.tables.get(table)?.columns.get(column)?.value_type)
}

/// A number that tells files apart by what is in them.
pub(super) fn number_of(bytes: &[u8]) -> u64 {
    fingerprint(bytes)
}

/// The name of a file without its folder.
pub(super) fn short(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use unsite::pipeline::{Classifier, learn_wrapper};
    use unsite_acquire::Source;
    use unsite_sample::{Knobs, Site};
    use unsite_wrapper::edits::Edit;

    use super::*;

    fn shop() -> Pages {
        let site =
            Site::generate(&Knobs { books: 40, authors: 10, categories: 4, queries: 4, ..Knobs::default() });
        let page = |page: &unsite_sample::SamplePage| RawPage {
            url: page.url.clone(),
            reference: page.url.clone(),
            bytes: page.html.clone().into(),
            ..RawPage::default()
        };
        Pages { list: site.pages.iter().map(page).collect(), problems: Vec::new() }
    }

    #[test]
    fn what_an_edit_leaves_is_what_reading_anew_gives() {
        let pages = shop();
        let options = Options::default();
        let source = Source::memory(pages.list.clone());
        let saved = learn_wrapper(&source, &options, Classifier::Marks, &mut ()).unwrap().saved;
        let mut session = Session::new("shop.unsite".into(), Pages::default());
        session.take(saved.clone());
        let mut now = read(&pages, None, session.wrapper().unwrap(), &options, None).unwrap();
        let before = now.records.clone();
        let schema = saved.wrapper.stored_schema();
        let mut retyped = 0;
        for table in schema.tables.iter().filter(|table| table.is_shown()) {
            for (at, column) in table.shown().iter().enumerate().filter(|(at, _)| table.key != Some(*at)) {
                let (name, column) = (table.name.clone(), column.name.clone());
                let edit = match at % 3 {
                    0 => Edit::DropColumn { table: name, column },
                    1 => Edit::RetypeColumn { table: name, column, to: ValueType::Decimal },
                    _ => Edit::RetypeColumn { table: name, column, to: ValueType::Text },
                };
                session.learned.as_mut().unwrap().edit(vec![edit.into()]).unwrap();
                session.replay();
                let edited = session.wrapper().unwrap();
                now = read(&pages, Some(&now), edited, &options, None).unwrap();
                retyped += now.retyped.len();
                let anew = read(&pages, None, edited, &options, None).unwrap();
                for (now, anew) in now.records.iter().zip(&anew.records) {
                    let stored = |record: &PageRecord| shown(edited, edited.wrapper.stored(record.clone()));
                    assert_eq!(stored(now), stored(anew));
                }
            }
        }
        assert!(retyped > 0, "some are typed again without their pages");
        let count = session.learned.as_ref().unwrap().edits.len();
        session.learned.as_mut().unwrap().undo(count);
        session.replay();
        now = read(&pages, Some(&now), session.wrapper().unwrap(), &options, None).unwrap();
        assert_eq!(now.records, before, "undone");
    }

    /// A record without the values of what was dropped: those that were read before stay.
    fn shown(edited: &SavedWrapper, mut record: PageRecord) -> PageRecord {
        let schema = edited.wrapper.stored_schema();
        for row in &mut record.rows {
            row.cells.retain(|cell| !schema.tables[row.table].columns[cell.column].is_hidden);
        }
        record
    }

    #[test]
    fn one_table_alone_is_as_it_is_among_all() {
        let pages = shop();
        let options = Options::default();
        let source = Source::memory(pages.list.clone());
        let saved = learn_wrapper(&source, &options, Classifier::Marks, &mut ()).unwrap().saved;
        let edited = Arc::new(saved);
        let read = read(&pages, None, &edited, &options, None).unwrap();
        let all = build(&edited, &read.records, &[], &options, &|| false).unwrap().unwrap();
        let rows = |built: &Built, table: &str| {
            built
                .ask(|open| {
                    let mut select = open.db.prepare(&format!("SELECT * FROM \"{table}\" ORDER BY id"))?;
                    let columns = select.column_count();
                    let names: Vec<String> = select.column_names().map(str::to_owned).collect();
                    let rows = select.query_map([], |row| {
                        let cells = (0..columns).map(|at| row.get::<_, rusqlite::types::Value>(at));
                        cells.collect::<rusqlite::Result<Vec<_>>>()
                    })?;
                    Ok((names, rows.collect::<rusqlite::Result<Vec<_>>>()?))
                })
                .unwrap()
        };
        for table in edited.wrapper.stored_schema().tables.iter().map(|table| table.name.as_str()) {
            let one = build_one(&edited, &read.records, table, &options).unwrap().unwrap();
            assert_eq!(rows(&one, table), rows(&all, table), "{table}");
        }
        assert!(build(&edited, &read.records, &[], &options, &|| true).unwrap().is_none());
    }
}
