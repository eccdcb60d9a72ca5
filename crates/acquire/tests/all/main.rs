//! Sources, crawls and searches from outside, in one program: linking is most of what a test costs to build.

#![allow(clippy::print_stderr, reason = "tests say what they skipped")]

#[path = "../support/server.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod server;
#[path = "../support/site.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod site;
#[path = "../support/software.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod software;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each of the tests uses its own part")]
mod support;

mod browser;
mod captures;
mod crawl;
mod fetch;
mod gold_sites;
mod http2;
mod probe;
mod real_software;
mod sources;
mod warc;
