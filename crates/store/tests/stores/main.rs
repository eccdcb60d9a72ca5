//! What every store promises, from the outside. One program for all of it: each would link SQLite, Parquet and the rest.

mod common;
mod contract;
mod datapackage;
mod earlier;
mod files;
mod finding;
mod history;
mod hostile;
#[cfg(unix)]
mod interrupted;
mod merge;
mod order;
mod others;
mod parquet_files;
#[cfg(unix)]
mod postgres_server;
mod properties;
mod receipts;
mod records_io;
mod seen;
#[cfg(unix)]
mod server;
