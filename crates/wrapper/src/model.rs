//! Everything that was learned about a site.

use serde::{Deserialize, Serialize};
use unsite_dom::{Cut, Limits, Problem, ProblemKind, RawPage, Tree};

use crate::apply::apply_to;
use crate::classes::ClassMap;
use crate::errors::is_error;
use crate::hex;
use crate::kinds::Kinds;
use crate::lists::ListIndex;
use crate::output::{PageRecord, Row, Schema};
use crate::recognise::{Recognised, Recogniser, fingerprint};
use crate::roles::{index_score, sigmoid};
use crate::template::Template;
use crate::training::Training;
use crate::traits::{PageTraits, Surroundings};
use crate::view::{View, ViewText};

/// The learned structure of a site.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Wrapper {
    /// Page types, tables and columns.
    pub schema: Schema,
    /// The class names by which page types are recognised, site-wide.
    pub classes: ClassMap,
    /// One for each page type of the schema.
    pub types: Vec<TypeModel>,
    /// Keys of the link targets that most pages share, sorted: the site's frame.
    #[serde(default, with = "hex::list")]
    pub frame: Vec<u64>,
    /// How page types are recognised.
    pub recogniser: Recogniser,
    /// The pages it was learned from.
    pub training: Training,
    /// The names of text fields of forms on the site, sorted: an address that carries a value for one is a search.
    #[serde(default)]
    pub search_fields: Vec<String>,
    /// Where index pages list articles, if the site has any.
    #[serde(default)]
    pub lists: Option<ListIndex>,
}

/// How to recognise and read the pages of one type.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TypeModel {
    /// How its pages are built.
    pub template: Template,
    /// The table with one row for each page, if the type has values of its own.
    pub page_table: Option<usize>,
    /// How surely its pages are index pages: log-odds above those of the site's average page.
    pub index_logit: f64,
    /// Lists of articles are not read off its pages: after a repair, where known links were not found again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unlisted: bool,
}

impl TypeModel {
    /// How surely its pages are index pages, 0 to 1.
    pub fn index_score(&self) -> f64 {
        sigmoid(self.index_logit)
    }
}

impl Wrapper {
    /// The type of a page; `None` for a page that fits no type. A page that was learned from keeps the type it had.
    pub fn classify(&self, page: &RawPage, tree: &Tree) -> Option<usize> {
        let known = self.training.page_type(page);
        known.or_else(|| self.recognise(tree, &page.url).map(|found| found.page_type))
    }

    /// What a page looks like, whether it was learned from or not.
    pub fn recognise(&self, tree: &Tree, url: &str) -> Option<Recognised> {
        self.recognise_known(tree, url, &Kinds::of(tree))
    }

    fn recognise_known(&self, tree: &Tree, url: &str, kinds: &Kinds) -> Option<Recognised> {
        self.recogniser.recognise_on(tree, url, (&self.classes, kinds), self.training.type_at(url))
    }

    /// Reads everything off a page.
    pub fn extract(&self, page: &RawPage, limits: &Limits) -> PageRecord {
        let (tree, cuts) = Tree::parse(&page.bytes, page.charset.as_deref(), limits);
        self.read_new(page, &tree, &cuts)
    }

    /// Reads a parsed page whose type is not known: [`Wrapper::classify`] and [`Wrapper::read`] in one.
    pub fn read_new(&self, page: &RawPage, tree: &Tree, cuts: &[Cut]) -> PageRecord {
        let (content, kinds) = (fingerprint(&page.bytes), Kinds::of(tree));
        let known = self.training.type_of(&page.url, content);
        let recognised = || self.recognise_known(tree, &page.url, &kinds).map(|found| found.page_type);
        self.read_known(page, content, (tree, &kinds), cuts, known.or_else(recognised))
    }

    /// Reads everything off a page that is known to be of a type.
    pub fn extract_as(&self, page: &RawPage, page_type: usize, limits: &Limits) -> PageRecord {
        let (tree, cuts) = Tree::parse(&page.bytes, page.charset.as_deref(), limits);
        self.read(page, &tree, &cuts, Some(page_type))
    }

    /// What is known of the site before one of its pages is judged.
    pub fn surroundings(&self) -> Surroundings<'_> {
        Surroundings { frame: &self.frame, search_fields: &self.search_fields }
    }

    /// The rows that the template of a page type reads off a page, without what [`Wrapper::read`] adds.
    pub fn rows(&self, tree: &Tree, url: &str, page_type: usize) -> Vec<Row> {
        self.rows_in(&View::new(tree, &self.types[page_type].template.classes), url, page_type)
    }

    fn rows_in(&self, view: &View<'_>, url: &str, page_type: usize) -> Vec<Row> {
        let model = &self.types[page_type];
        let types = |table: usize, column: usize| self.schema.tables[table].columns[column].value_type;
        let mut rows = apply_to(&model.template, view, url, model.page_table, types);
        self.fit_parents(&mut rows);
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
        let mut record = PageRecord {
            url: page.url.clone(),
            reference: page.reference.clone(),
            fingerprint: content,
            page_type,
            role: "other".into(),
            problems: cuts.iter().map(|cut| cut_problem(page, *cut)).collect(),
            ..PageRecord::default()
        };
        if page.layout.is_none() && tree.is_script_shell() {
            record.problems.push(shell_problem(page));
        }
        if let Some(at) = page_type {
            let model = &self.types[at];
            let texts = ViewText::all(tree);
            let traits = PageTraits::that_weigh(tree, &page.url, self.surroundings(), &texts);
            record.role =
                page_role(&self.schema.page_types[at].role, &traits, is_error(tree, page.status)).into();
            record.index_score = index_score(&traits, model.index_logit);
            let view = View::of_read(tree, &model.template.classes, kinds, texts);
            record.rows = self.rows_in(&view, &page.url, at);
            let is_list = matches!(record.role.as_str(), "index" | "search");
            if let Some(lists) = self.lists.as_ref().filter(|_| is_list && !model.unlisted) {
                record.rows.extend(lists.rows(tree, &page.url, self.surroundings()));
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

impl Wrapper {
    /// Lists that stand inside each other in ways that were never learned: each row belongs to the nearest row around it
    /// that its table may belong to.
    fn fit_parents(&self, rows: &mut [Row]) {
        for at in 0..rows.len() {
            let wanted = self.schema.tables[rows[at].table].parent;
            let fits = |parent: usize| Some(rows[parent].table) == wanted;
            let mut parent = rows[at].parent;
            while let Some(row) = parent.filter(|&row| !fits(row)) {
                parent = rows[row].parent;
            }
            let first = (at > 0 && fits(0)).then_some(0);
            rows[at].parent = parent.or(first);
        }
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
