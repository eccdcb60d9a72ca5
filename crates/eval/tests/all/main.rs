//! Measures from outside.

#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod common;

#[cfg(unix)]
mod agreement;
mod gold_and_gate;
mod hand_computed;
mod roles_and_answers;
