//! Records from outside.

mod behaviour;
mod cora;
