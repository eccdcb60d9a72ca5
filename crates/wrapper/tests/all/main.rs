//! Wrappers from outside.

mod recognise;
mod saved;
