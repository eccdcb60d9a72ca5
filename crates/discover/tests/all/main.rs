//! Structure from outside: pages in, page types, columns and rows out.

#[path = "../support/behind.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod behind;
#[path = "../support/found.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod found;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod support;

mod applications;
mod auto;
mod behind_the_sample;
mod fields;
mod lines;
mod list_groups;
mod lists;
mod main_texts;
mod names;
mod schema;
mod threads;
mod values;
