//! Has the site changed since it was learned?

mod fisher;
mod structure;

use serde::Serialize;

use crate::output::{PageRecord, Schema};
use crate::profile::{ColumnProfile, Counts, KINDS, SiteProfile, count_name, length_name};
use crate::training::Training;

pub use fisher::fisher_exact;

/// A change is told when chance alone would show one in fewer than this share of checks of an unchanged site, all
/// comparisons of what the pages say together, and all of how they are built.
pub const ALARM: f64 = 1e-5;

/// Shares of pages that differ by less than this are no change, however surely they differ: what was learned from fits
/// itself a little better than what comes later. Measured: see `docs/wrappers.md`.
pub const NOTICEABLE: f64 = 0.3;

/// The same for pages that fit no type.
pub const NOTICEABLE_STRANGERS: f64 = 0.1;

/// Something that is not as it was learned.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// What differs.
    pub aspect: Aspect,
    /// The page type; `None` for the site.
    pub page_type: Option<String>,
    /// The table.
    pub table: Option<String>,
    /// The column.
    pub column: Option<String>,
    /// Which class of pages has become more or less frequent, for people: `with a value`, `date`, `no rows`.
    pub class: String,
    /// The share of pages in that class when it was learned.
    pub before: f64,
    /// The share now.
    pub now: f64,
    /// How many pages were learned from, and how many were looked at now.
    pub pages: (u32, u32),
    /// How probable a difference like this is if nothing changed; all comparisons of the check together, at most 1.
    pub chance: f64,
    /// Values as they were.
    pub examples_before: Vec<String>,
    /// Values, or pages, as they are now.
    pub examples_now: Vec<String>,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// Pages that fit no page type.
    Strangers,
    /// Pages of known addresses that are of another type now.
    PageType,
    /// Rows a page.
    Rows,
    /// Whether there is a value.
    Coverage,
    /// What sort of value it is.
    Values,
    /// How long the values are.
    Lengths,
    /// How the pages are built.
    Structure,
}

/// Pages at addresses that were learned from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Revisited {
    /// How many there are.
    pub pages: u32,
    /// How many of them are of another type than they were.
    pub retyped: u32,
}

impl Revisited {
    /// Notes a page. Where pages of several types were learned at its address, each of them is one it had.
    pub fn page(&mut self, training: &Training, record: &PageRecord) {
        let before = training.types_at(&record.url);
        if !before.is_empty() {
            self.pages += 1;
            self.retyped += u32::from(record.page_type.is_some_and(|now| !before.contains(&now)));
        }
    }
}

/// Compares what is with what was learned.
///
/// # What it does
/// Every page is in one class of each aspect: recognised or not, with so many rows, with a value of this sort and length
/// or with none. The share of each class before and now is compared by Fisher's exact test, which holds for three pages
/// as for thousands; chances are multiplied by the number of comparisons (Bonferroni). A difference counts when chance
/// hardly explains it and it is larger than what already varied between parts of the site when it was learned.
/// How pages are built is compared in the same way where both profiles hold it: every path of elements and every two
/// siblings in a row are on a page or not. It shows the redesign that a wrapper still reads.
/// # Assumes
/// Pages are independent given their type. The pages looked at are of the same kinds as those learned from; how many
/// there are of each type does not matter.
/// # When it fails
/// Fewer than about five pages of a type prove nothing. A change of less than [`NOTICEABLE`] of the pages is not told.
/// # Paper
/// Fisher 1922; the rest is ours.
pub fn compare(
    schema: &Schema,
    before: &SiteProfile,
    now: &SiteProfile,
    revisited: Revisited,
) -> Vec<Finding> {
    let mut tests = Vec::new();
    let site = Subject::default();
    let two = |pages: u32, with: u32| Counts::new(vec![pages.saturating_sub(with), with]);
    site.test(
        &mut tests,
        Aspect::Strangers,
        &two(before.pages, before.strangers),
        &two(now.pages, now.strangers),
        1,
        "fits no page type".into(),
    );
    let known = two(revisited.pages.max(before.pages), 0);
    site.test(
        &mut tests,
        Aspect::PageType,
        &known,
        &two(revisited.pages, revisited.retyped),
        1,
        "of another type at the same address".into(),
    );
    for (page_type, (before, now)) in before.types.iter().zip(&now.types).enumerate() {
        for (table, was) in &before.tables {
            let (Some(is), Some(info)) = (now.tables.get(table), schema.tables.get(*table)) else { continue };
            let subject = Subject {
                page_type: schema.page_types.get(page_type).map(|info| info.name.clone()),
                table: Some(info.name.clone()),
                ..Subject::default()
            };
            if info.is_list() {
                subject.each(&mut tests, Aspect::Rows, &was.rows, &is.rows, count_name);
            }
            for (column, was) in &was.columns {
                let (Some(is), Some(info)) = (is.columns.get(column), info.columns.get(*column)) else {
                    continue;
                };
                let subject = Subject { column: Some(info.name.clone()), ..subject.clone() };
                subject.column(&mut tests, was, is);
            }
        }
    }
    let mut findings = conclude(tests);
    findings.extend(structure::compare(schema, before, now));
    findings
}

/// What a comparison is about.
#[derive(Debug, Clone, Default)]
struct Subject {
    page_type: Option<String>,
    table: Option<String>,
    column: Option<String>,
}

impl Subject {
    fn column(&self, tests: &mut Vec<Test>, was: &ColumnProfile, is: &ColumnProfile) {
        let first = tests.len();
        self.test(tests, Aspect::Coverage, &was.filled, &is.filled, 1, "with a value".into());
        self.each(tests, Aspect::Values, &was.kinds, &is.kinds, |class| {
            KINDS.get(class).copied().unwrap_or("?").into()
        });
        self.each(tests, Aspect::Lengths, &was.lengths, &is.lengths, length_name);
        for test in &mut tests[first..] {
            test.finding.examples_before.clone_from(&was.examples);
            let lost = test.finding.aspect == Aspect::Coverage && test.finding.now < test.finding.before;
            test.finding.examples_now.clone_from(if lost { &is.without } else { &is.examples });
        }
    }

    fn each(
        &self,
        tests: &mut Vec<Test>,
        aspect: Aspect,
        was: &Counts,
        is: &Counts,
        name: impl Fn(usize) -> String,
    ) {
        for class in 0..was.pages.len().max(is.pages.len()) {
            self.test(tests, aspect, was, is, class, name(class));
        }
    }

    fn test(
        &self,
        tests: &mut Vec<Test>,
        aspect: Aspect,
        was: &Counts,
        is: &Counts,
        class: usize,
        name: String,
    ) {
        if is.total() == 0 || was.total() == 0 {
            return;
        }
        let chance = fisher_exact(was.of(class), was.total(), is.of(class), is.total());
        let finding = Finding {
            aspect,
            page_type: self.page_type.clone(),
            table: self.table.clone(),
            column: self.column.clone(),
            class: name,
            before: was.share(class),
            now: is.share(class),
            pages: (was.total(), is.total()),
            chance,
            examples_before: Vec::new(),
            examples_now: Vec::new(),
        };
        let least =
            if aspect == Aspect::Strangers { NOTICEABLE_STRANGERS } else { NOTICEABLE } + was.volatile;
        // What was there and is gone altogether is a change however much it varied.
        let gone = is.of(class) == 0 && aspect == Aspect::Coverage;
        let noticeable = (finding.before - finding.now).abs() >= least || gone;
        tests.push(Test { finding, noticeable });
    }
}

struct Test {
    finding: Finding,
    noticeable: bool,
}

/// The findings that hold against all comparisons together, the surest first; one for each aspect of a column.
fn conclude(tests: Vec<Test>) -> Vec<Finding> {
    let comparisons = tests.len() as f64;
    let mut findings: Vec<Finding> = tests
        .into_iter()
        .filter(|test| test.noticeable)
        .map(|test| Finding { chance: (test.finding.chance * comparisons).min(1.0), ..test.finding })
        .filter(|finding| finding.chance < ALARM)
        .collect();
    findings.sort_by(|a, b| {
        a.chance.total_cmp(&b.chance).then((b.before - b.now).abs().total_cmp(&(a.before - a.now).abs()))
    });
    let mut told: Vec<(Option<String>, Option<String>, Aspect)> = Vec::new();
    findings.retain(|finding| {
        let key = (finding.table.clone(), finding.column.clone(), finding.aspect);
        let new = !told.contains(&key);
        if new {
            told.push(key);
        }
        new
    });
    findings
}
