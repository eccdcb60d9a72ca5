//! Bytes in, one immutable tree out, and everything that can be read off a single page.
//!
//! Nothing here does I/O, fails, or recurses on depth: broken input is data.

mod page;

pub use page::{Limits, PageSource, Problem, ProblemKind, RawPage};
