//! From the discovered schema to tables that a store can hold: names, parts, keys.

mod earlier;
mod layout;
mod names;
mod relations;

pub(crate) use earlier::{Described, Earlier, EarlierTable};
pub(crate) use layout::{COLUMNS_OF_A_FILE, COLUMNS_OF_A_SERVER, Column, Layout, NATURAL_KEY, Part, Table};
pub(crate) use names::quoted;
#[cfg(feature = "postgres")]
pub(crate) use relations::own_of_server;
pub(crate) use relations::{
    Field, Kind, Relation, discovered, has_history, has_main_text, history, main_text, own_of_files,
    own_of_sqlite,
};
