//! Sample sites from outside.

#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod common;

mod gold;
mod site;
