//! Turns a web site back into the database behind it.

pub mod pipeline;
