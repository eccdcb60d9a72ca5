//! `unsite run` on a web address, in a program that was built without fetching.

use std::path::Path;

use anyhow::{Result, bail};
use unsite::Exit;
use unsite_store::Output;

use crate::cli::Global;

/// How the pages of an address are had.
#[derive(clap::Args)]
pub(super) struct WebArgs {}

/// How fetching ended.
#[derive(PartialEq)]
#[allow(dead_code, reason = "nothing is fetched here")]
pub(super) enum Fetched {
    /// Everything is there.
    All,
    /// Some pages are not.
    Part,
    /// It ended before it was over.
    NoGoingOn(Exit),
}

/// Says that nothing can be fetched.
pub(super) fn acquire(source: &str, _: &WebArgs, _: &Path, _: &Output, _: &Global) -> Result<Fetched> {
    bail!("cannot fetch {source}: this program was built without it (feature `crawl`)");
}
