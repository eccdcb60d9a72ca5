//! Pages read one after the other with what was learned.

use std::sync::{Arc, OnceLock};

use unsite_dom::{Cut, Limits, Problem, ProblemKind, RawPage, Tree};

use crate::apply::apply_to;
use crate::errors::is_error;
use crate::kinds::Kinds;
use crate::model::Wrapper;
use crate::output::{PageRecord, Row, TableInfo};
use crate::plan::Plan;
use crate::recognise::fingerprint;
use crate::roles::index_score;
use crate::saved::SavedWrapper;
use crate::traits::PageTraits;
use crate::view::{View, ViewText};

/// A wrapper made ready to read many pages, on any number of threads.
#[derive(Debug)]
pub struct PageReader<'w> {
    wrapper: Held<'w>,
    /// By page type, when the first page of it comes.
    plans: Vec<OnceLock<Plan>>,
}

/// A wrapper that somebody else keeps, or one that is kept as long as it is read with.
#[derive(Debug)]
enum Held<'w> {
    Borrowed(&'w Wrapper),
    /// One of its designs, counted from the newest.
    Shared(Arc<SavedWrapper>, usize),
}

impl PageReader<'static> {
    /// A reader that keeps what it reads with, for programs that cannot borrow it.
    pub(crate) fn shared(saved: Arc<SavedWrapper>, design: usize) -> Self {
        let plans = vec![OnceLock::new(); saved.design(design).types.len()];
        PageReader { wrapper: Held::Shared(saved, design), plans }
    }
}

impl<'w> PageReader<'w> {
    pub(crate) fn new(wrapper: &'w Wrapper) -> Self {
        let plans = vec![OnceLock::new(); wrapper.types.len()];
        PageReader { wrapper: Held::Borrowed(wrapper), plans }
    }

    /// What it reads with.
    pub(crate) fn wrapper(&self) -> &Wrapper {
        match &self.wrapper {
            Held::Borrowed(wrapper) => wrapper,
            Held::Shared(saved, design) => saved.design(*design),
        }
    }

    /// Reads everything off a page.
    pub fn extract(&self, page: &RawPage, limits: &Limits) -> PageRecord {
        let (tree, cuts) = Tree::parse(&page.bytes, page.charset.as_deref(), limits);
        self.read_new(page, &tree, &cuts)
    }

    /// Reads a parsed page whose type is not known: [`Wrapper::classify`] and [`PageReader::read`] in one.
    pub fn read_new(&self, page: &RawPage, tree: &Tree, cuts: &[Cut]) -> PageRecord {
        let (content, kinds) = (fingerprint(&page.bytes), Kinds::of(tree));
        let known = self.wrapper().training.type_of(&page.url, content);
        let recognised =
            || self.wrapper().recognise_known(tree, &page.url, &kinds).map(|found| found.page_type);
        self.read_known(page, content, (tree, &kinds), cuts, known.or_else(recognised))
    }

    /// The rows that the template of a page type reads off a page, without what [`PageReader::read`] adds.
    pub fn rows(&self, tree: &Tree, url: &str, page_type: usize) -> Vec<Row> {
        self.rows_in(&View::new(tree, &self.wrapper().types[page_type].template.classes), url, page_type)
    }

    fn rows_in(&self, view: &View<'_>, url: &str, page_type: usize) -> Vec<Row> {
        let model = &self.wrapper().types[page_type];
        let tables = &self.wrapper().schema.tables;
        let plan = self.plans[page_type].get_or_init(|| Plan::of(&model.template));
        let types = |table: usize, column: usize| tables[table].columns[column].value_type;
        let mut rows = apply_to((&model.template, plan), view, url, model.page_table, types);
        fit_parents(tables, &mut rows);
        rows
    }

    /// Reads a parsed page.
    pub fn read(&self, page: &RawPage, tree: &Tree, cuts: &[Cut], page_type: Option<usize>) -> PageRecord {
        self.read_known(page, fingerprint(&page.bytes), (tree, &Kinds::of(tree)), cuts, page_type)
    }

    /// Reads a page of which everything is known that its type depends on: the fingerprint of its bytes, the kinds of
    /// its elements.
    fn read_known(
        &self,
        page: &RawPage,
        content: u64,
        (tree, kinds): (&Tree, &Kinds),
        cuts: &[Cut],
        page_type: Option<usize>,
    ) -> PageRecord {
        let wrapper = self.wrapper();
        let mut record = PageRecord {
            url: page.url.clone(),
            reference: page.reference.clone(),
            fingerprint: content,
            captured: page.captured,
            page_type,
            role: "other".into(),
            problems: cuts.iter().map(|cut| cut_problem(page, *cut)).collect(),
            ..PageRecord::default()
        };
        if page.layout.is_none() && tree.is_script_shell() {
            record.problems.push(shell_problem(page));
        }
        if let Some(at) = page_type {
            let model = &wrapper.types[at];
            let texts = ViewText::all(tree);
            let traits = PageTraits::that_weigh(tree, &page.url, wrapper.surroundings(), &texts);
            record.role =
                page_role(&wrapper.schema.page_types[at].role, &traits, is_error(tree, page.status)).into();
            record.index_score = index_score(&traits, model.index_logit);
            let view = View::of_read(tree, &model.template.classes, kinds, texts);
            record.rows = self.rows_in(&view, &page.url, at);
            let is_list = matches!(record.role.as_str(), "index" | "search");
            if let Some(lists) = wrapper.lists.as_ref().filter(|_| is_list && !model.unlisted) {
                record.rows.extend(lists.rows(tree, &page.url, wrapper.surroundings()));
            }
        }
        record
    }
}

/// The role of one page: its type's, but for pages of answers and errors, which may share a type with others.
fn page_role<'r>(of_type: &'r str, traits: &PageTraits, is_error: bool) -> &'r str {
    match of_type {
        _ if is_error => "error",
        _ if traits.finds_nothing => "no-match",
        // Lists and answers made by one template, as lists of members that can be searched.
        "index" if traits.answers_search => "search",
        // Most pages of the type found nothing, this one did.
        "no-match" => "search",
        "error" => "other",
        _ => of_type,
    }
}

/// Lists that stand inside each other in ways that were never learned: each row belongs to the nearest row around it that
/// its table may belong to.
fn fit_parents(tables: &[TableInfo], rows: &mut [Row]) {
    for at in 0..rows.len() {
        let wanted = tables[rows[at].table].parent;
        let fits = |parent: usize| Some(rows[parent].table) == wanted;
        let mut parent = rows[at].parent;
        while let Some(row) = parent.filter(|&row| !fits(row)) {
            parent = rows[row].parent;
        }
        let first = (at > 0 && fits(0)).then_some(0);
        rows[at].parent = parent.or(first);
    }
}

fn shell_problem(page: &RawPage) -> Problem {
    Problem {
        kind: ProblemKind::Unrendered,
        reference: page.reference.clone(),
        url: Some(page.url.clone()),
        offset: page.offset,
        message: "the page is empty until its script has run; fetch it with --browser to have what it shows"
            .into(),
    }
}

fn cut_problem(page: &RawPage, cut: Cut) -> Problem {
    let message = cut.to_string();
    Problem {
        kind: ProblemKind::Limit,
        reference: page.reference.clone(),
        url: Some(page.url.clone()),
        offset: page.offset,
        message,
    }
}
