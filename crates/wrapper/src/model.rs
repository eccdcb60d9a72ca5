//! Everything that was learned about a site.

use serde::{Deserialize, Serialize};
use unsite_dom::{Cut, Limits, Problem, ProblemKind, RawPage, Tree};

use crate::apply::apply;
use crate::classes::ClassMap;
use crate::output::{PageRecord, Schema};
use crate::recognise::{Prototype, fingerprint, path_set};
use crate::roles::index_score;
use crate::template::Template;
use crate::traits::PageTraits;

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
    #[serde(default)]
    pub frame: Vec<u64>,
}

/// How to recognise and read the pages of one type.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TypeModel {
    /// What marks a page of this type.
    pub prototype: Prototype,
    /// How its pages are built.
    pub template: Template,
    /// The table with one row for each page, if the type has values of its own.
    pub page_table: Option<usize>,
    /// How surely its pages are index pages: log-odds above those of the site's average page.
    pub index_logit: f64,
}

/// A page that is less like its type than this share of the type's own least likely page is of no known type.
const STRANGER: f64 = 0.6;

impl Wrapper {
    /// The type of a page, and how like it the page is. `None` for a page that fits no type.
    pub fn classify(&self, tree: &Tree) -> Option<(usize, f64)> {
        let paths = path_set(tree, &self.classes);
        let (best, likeness) = self
            .types
            .iter()
            .map(|model| model.prototype.likeness(&paths))
            .enumerate()
            .rev()
            .max_by(|a, b| a.1.total_cmp(&b.1))?;
        (likeness >= STRANGER * self.types[best].prototype.least).then_some((best, likeness))
    }

    /// Reads everything off a page.
    pub fn extract(&self, page: &RawPage, limits: &Limits) -> PageRecord {
        let (tree, cuts) = Tree::parse(&page.bytes, page.charset.as_deref(), limits);
        let page_type = self.classify(&tree).map(|(page_type, _)| page_type);
        self.read(page, &tree, &cuts, page_type)
    }

    /// Reads everything off a page that is known to be of a type.
    pub fn extract_as(&self, page: &RawPage, page_type: usize, limits: &Limits) -> PageRecord {
        let (tree, cuts) = Tree::parse(&page.bytes, page.charset.as_deref(), limits);
        self.read(page, &tree, &cuts, Some(page_type))
    }

    /// Reads a parsed page.
    pub fn read(&self, page: &RawPage, tree: &Tree, cuts: &[Cut], page_type: Option<usize>) -> PageRecord {
        let mut record = PageRecord {
            url: page.url.clone(),
            reference: page.reference.clone(),
            fingerprint: fingerprint(&page.bytes),
            page_type,
            role: "other".into(),
            problems: cuts.iter().map(|cut| cut_problem(page, *cut)).collect(),
            ..PageRecord::default()
        };
        if let Some(at) = page_type {
            let model = &self.types[at];
            record.role.clone_from(&self.schema.page_types[at].role);
            let traits = PageTraits::of(tree, &page.url, &self.frame);
            record.index_score = index_score(&traits, model.index_logit);
            let types = |table: usize, column: usize| self.schema.tables[table].columns[column].value_type;
            record.rows = apply(&model.template, tree, &page.url, model.page_table, types);
        }
        record
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
