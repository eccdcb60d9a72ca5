//! A wrapper as code or selectors for other tools: Scrapy, parsel, XPath, CSS.
//!
//! # What it does
//! Every step of a template becomes one step of an XPath expression: its tag and names, then the label that introduces
//! it, what tells it apart inside, and its place. Rows are found first and their columns from there. Python code carries
//! a short helper that reads texts, links and records that span several siblings as extraction here does.
//!
//! # Assumes
//! The other tool sees the same tree. The helper puts right what lxml does differently most often: rows outside of a
//! `tbody`, and white space that is not ASCII.
//!
//! # When it fails
//! What cannot be said is not exported, and [`Exported::left_out`] says so. What can be said may still differ on pages
//! whose broken markup another parser repairs in another way: [`verify`] measures that, column by column.

mod css;
mod listing;
mod names;
mod plan;
mod python;
mod recognising;
mod shapes;
mod steps;
pub mod verify;

use unsite_wrapper::Wrapper;

pub use plan::LeftOut;
use plan::PagePlan;
use recognising::TypesPlan;

/// What a wrapper can be exported to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A Scrapy spider.
    Scrapy,
    /// A Python module that needs parsel only.
    Parsel,
    /// Tables and columns with XPath 1.0.
    XPath,
    /// Tables and columns with CSS selectors, where those can say it.
    Css,
}

impl Target {
    /// All of them by the names people use.
    pub const ALL: [(&'static str, Target); 4] = [
        ("scrapy", Target::Scrapy),
        ("parsel", Target::Parsel),
        ("xpath", Target::XPath),
        ("css", Target::Css),
    ];

    /// Is it code, which can compare blocks and follow labels as matching does? Selectors can only come near it.
    fn compares(self) -> bool {
        matches!(self, Target::Scrapy | Target::Parsel)
    }
}

/// What the code parses pages with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Parser {
    /// What parsel brings: fast, and with a mind of its own where markup is broken.
    #[default]
    Lxml,
    /// As browsers do, and many times slower.
    Html5lib,
}

/// An exported wrapper.
#[derive(Debug, Clone, PartialEq)]
pub struct Exported {
    /// The code, or the list of selectors.
    pub text: String,
    /// Python that reads the same with parsel: what [`verify`] runs.
    pub program: String,
    /// The columns that could not be exported, and why.
    pub left_out: Vec<LeftOut>,
    /// How many columns could.
    pub columns: usize,
}

/// Exports a wrapper. `name` is what it is called, for comments and for the name of a spider.
pub fn export(wrapper: &Wrapper, target: Target, parser: Parser, name: &str) -> Exported {
    let mut left_out = Vec::new();
    let mut pages: Vec<PagePlan> =
        (0..wrapper.types.len()).map(|at| PagePlan::of(wrapper, at, target, &mut left_out)).collect();
    if target == Target::Css {
        for page in &mut pages {
            css::keep_expressible(page, &mut left_out);
        }
    }
    let lists = wrapper.lists.as_ref().filter(|lists| lists.written.is_empty());
    left_out.extend(lists.and_then(|lists| wrapper.schema.tables.get(lists.table)).map(|table| LeftOut {
        table: table.name.clone(),
        column: String::new(),
        reason: "the wrapper does not say on which paths its links stand; learn it anew".into(),
    }));
    left_out.sort();
    left_out.dedup();
    let columns = pages.iter().map(PagePlan::columns).sum();
    let program = python::module(&TypesPlan::of(wrapper), &pages, (target, parser), name);
    let text = match target {
        Target::Scrapy | Target::Parsel => program.clone(),
        Target::XPath | Target::Css => listing::listing(&pages, target, name),
    };
    Exported { text, program, left_out, columns }
}
