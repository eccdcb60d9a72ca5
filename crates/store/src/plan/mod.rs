//! From the discovered schema to tables that SQLite can hold: names, parts, keys.

mod layout;
mod names;

pub(crate) use layout::{Column, Layout, Part, Table};
pub(crate) use names::quoted;
