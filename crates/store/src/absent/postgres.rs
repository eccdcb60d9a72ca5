//! In the place of a PostgreSQL server in a program that was built without one: its addresses are understood for what they
//! are, and refused.

use std::fmt;

use rusqlite::Connection;

use crate::StoreError;
use crate::merge::Merged;
use crate::plan::{Earlier, Layout};

/// The address of a database server; there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {}

impl Address {
    /// `None` when it is not an address of a PostgreSQL server.
    pub(crate) fn parse(name: &str) -> Option<Result<Address, StoreError>> {
        let is_address = name.starts_with("postgres://") || name.starts_with("postgresql://");
        is_address.then(|| {
            let target = "PostgreSQL".to_owned();
            let reason = "this program was built without it (feature `postgres`)".to_owned();
            Err(StoreError::Server { target, reason })
        })
    }

    pub(crate) fn schema(&self) -> Option<&str> {
        match *self {}
    }
}

impl fmt::Display for Address {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

/// A connection to a server; there is none.
pub(crate) enum Server {}

impl Server {
    pub(crate) fn connect(address: &Address) -> Result<Server, StoreError> {
        match *address {}
    }

    pub(crate) fn check(&mut self, _: &Layout, _: bool) -> Result<Earlier, StoreError> {
        match *self {}
    }

    pub(crate) fn begin(&mut self, _: &Layout, _: bool) -> Result<Server, StoreError> {
        match *self {}
    }

    pub(crate) fn load_known(&mut self, _: &Connection, _: &Layout) -> Result<(), StoreError> {
        match *self {}
    }

    pub(crate) fn finish(self, _: &Connection, _: &Layout) -> Result<Option<Merged>, StoreError> {
        match self {}
    }
}
