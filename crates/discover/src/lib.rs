//! The brain: from pages to page types, roles, regions, fields and tables. Pure; the same pages in any order
//! and with any number of threads give the same result.

pub mod evidence;
pub mod experts;
mod extend;
mod fields;
mod induce;
mod learned;
pub mod naming;
pub mod page_types;
pub mod regions;
mod repair;
pub mod roles;
mod routes;
mod schema;
mod site;
pub mod tables;
mod thing_names;
mod vocabulary;

pub use extend::extend;
pub use fields::types::infer as infer_type;
pub use induce::induce;
pub use learned::{read_all, remember};
pub use regions::main_text;
pub use repair::{ColumnProof, Repair, TypeReport, TypeState, repair};
pub use site::{Site, SitePage};
pub use vocabulary::class_map;
