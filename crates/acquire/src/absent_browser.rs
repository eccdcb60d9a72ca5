//! In the place of a browser in a program that was built without one (feature `browser`).

use std::{fmt, io};

use crate::archive::{ArchiveWriter, PackedExchange};
use crate::fetch::Exchange;

/// A running browser; there is none.
#[derive(Debug)]
pub enum Browser {}

/// Why a page was not rendered.
#[derive(Debug)]
pub enum BrowserError {}

/// A page as it is when its scripts have run.
#[derive(Debug)]
pub struct Rendered {
    /// The page.
    pub html: String,
}

impl Browser {
    /// Pages that are rendered side by side.
    pub fn tabs(&self) -> usize {
        match *self {}
    }
}

impl fmt::Display for BrowserError {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

pub(crate) fn render_exchange(browser: &Browser, _: &Exchange, _: &[u8]) -> Result<Rendered, BrowserError> {
    match *browser {}
}

pub(crate) fn write_rendered(_: &mut ArchiveWriter, _: &Exchange, _: &str, _: &Rendered) -> io::Result<()> {
    Ok(())
}

pub(crate) fn pack_rendered(_: &mut PackedExchange, _: &Exchange, _: &Rendered) -> io::Result<()> {
    Ok(())
}
