//! The brain: from pages to page types, roles, regions, fields and tables. Pure; the same pages in any order
//! and with any number of threads give the same result.

pub mod evidence;
pub mod experts;
mod fields;
mod induce;
mod naming;
pub mod page_types;
mod regions;
pub mod roles;
mod site;
mod tables;
mod templates;
mod vocabulary;

pub use induce::induce;
pub use regions::main_text;
pub use site::{Site, SitePage};
