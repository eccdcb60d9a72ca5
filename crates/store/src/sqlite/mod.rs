//! The database: pages are staged as they come, then written out in canonical order.

mod codec;
mod paths;
mod sample;
mod schema;
mod stage;
mod write;

pub(crate) use sample::summarise;
pub(crate) use schema::create_tables;
pub(crate) use stage::Stage;
pub(crate) use write::write_all;
