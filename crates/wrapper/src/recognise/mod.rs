//! Which page type a page is of, and whether it is of any.

mod index;
mod marks;
mod prototype;
mod recogniser;

pub use marks::{Family, PageMarks, mark_names};
pub use prototype::{Prototype, fingerprint};
pub use recogniser::{Mark, Recognised, Recogniser};
