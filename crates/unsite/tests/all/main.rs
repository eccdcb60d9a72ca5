//! The whole program from outside.

#[path = "../../../acquire/tests/support/kills.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod kills;
#[path = "../../../store/tests/stores/server.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod postgres_server;
#[path = "../../../acquire/tests/support/server.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod server;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod support;
#[path = "../support/variant.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod variant;

mod articles;
mod cli;
mod crawl;
mod database;
mod edits;
mod export;
mod hostile;
mod links;
mod live_schemas;
mod live_sites;
mod measures;
mod page_types;
mod records;
mod sources;
mod studio;
mod time;
mod variants;
mod warcio;
mod wrappers;
