//! Published methods from outside.

#[path = "../../../discover/tests/support/mod.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod support;

mod conformance;
mod default_agrees;
