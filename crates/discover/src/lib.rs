//! The brain: from pages to page types, roles, regions, fields and tables. Pure; the same pages in any order
//! and with any number of threads give the same result.

pub mod data;
pub mod evidence;
pub mod experts;
mod extend;
mod fields;
mod induce;
mod learned;
mod naming;
pub mod page_types;
pub mod regions;
mod repair;
pub mod roles;
mod routes;
mod site;
pub mod tables;
mod templates;
mod vocabulary;

pub use extend::extend;
pub use induce::induce;
pub use learned::{read_all, remember};
pub use regions::main_text;
pub use repair::{ColumnProof, Repair, TypeReport, TypeState, repair};
pub use site::{Site, SitePage};
