//! A PostgreSQL server: everything in one transaction, rows by COPY, what is there already by its key.

mod address;
mod copy;
mod merge;
mod nul;
mod receipts;
mod schema;
mod tls;

use postgres::error::SqlState;
use postgres::{Client, Transaction};
use rusqlite::Connection;

use crate::StoreError;
use crate::merge::Merged;
use crate::plan::{Earlier, Layout};

pub(crate) use address::Address;
pub(crate) use receipts::about_row;

/// A connection to the server that an address names.
pub(crate) struct Server {
    client: Client,
    address: Address,
}

impl Server {
    pub(crate) fn connect(address: &Address) -> Result<Server, StoreError> {
        let tls = tls::Tls::new(address.trust())
            .map_err(|reason| StoreError::Server { target: address.to_string(), reason })?;
        let client = address.config().connect(tls).map_err(|e| refused(address, &e))?;
        Ok(Server { client, address: address.clone() })
    }

    /// Finds out early whether the tables can be written, and tells what earlier runs left; nothing is changed.
    pub(crate) fn check(&mut self, layout: &Layout, replace: bool) -> Result<Earlier, StoreError> {
        let Server { client, address } = self;
        let mut transaction = client.transaction().map_err(|e| refused(address, &e))?;
        let checked = schema::prepare(&mut transaction, address, layout, replace);
        let checked = checked.and_then(|(schema, is_new)| match is_new {
            true => Ok(Earlier::default()),
            false => schema::earlier(&mut transaction, &schema).map_err(|e| refused(address, &e)),
        });
        transaction.rollback().map_err(|e| refused(address, &e))?;
        checked
    }

    /// Opens the one transaction in which everything happens.
    pub(crate) fn begin(&mut self, layout: &Layout, replace: bool) -> Result<Writing<'_>, StoreError> {
        let Server { client, address } = self;
        let mut transaction = client.transaction().map_err(|e| refused(address, &e))?;
        let (schema, is_new) = schema::prepare(&mut transaction, address, layout, replace)?;
        Ok(Writing { transaction, address, schema, is_new })
    }
}

/// A transaction that ends with [`Writing::finish`] or changes nothing.
pub(crate) struct Writing<'s> {
    transaction: Transaction<'s>,
    address: &'s Address,
    /// The schema's name in quotes, with the dot behind it.
    schema: String,
    is_new: bool,
}

impl Writing<'_> {
    /// Tells which pages and rows the server holds.
    pub(crate) fn load_known(&mut self, db: &Connection, layout: &Layout) -> Result<(), StoreError> {
        if self.is_new {
            return Ok(());
        }
        merge::load_known(&mut self.transaction, &self.schema, db, layout, self.address)
    }

    /// Writes the tables of the finished database. Tells what changed when there was something before.
    pub(crate) fn finish(mut self, db: &Connection, layout: &Layout) -> Result<Option<Merged>, StoreError> {
        let (transaction, address) = (&mut self.transaction, self.address);
        let merged = if self.is_new {
            copy::fill(transaction, &self.schema, db, layout, address)?;
            None
        } else {
            Some(merge::merge(transaction, &self.schema, db, layout, address)?)
        };
        schema::create_indexes(transaction, &self.schema, layout).map_err(|e| refused(address, &e))?;
        schema::declare_natural_keys(transaction, &self.schema, layout).map_err(|e| refused(address, &e))?;
        self.transaction.commit().map_err(|e| refused(address, &e))?;
        Ok(merged)
    }
}

/// What the server said, in full: its own words, the detail and the hint.
fn refused(address: &Address, error: &postgres::Error) -> StoreError {
    let target = address.to_string();
    let Some(said) = error.as_db_error() else {
        let mut reason = error.to_string();
        let mut source = std::error::Error::source(error);
        while let Some(cause) = source {
            reason += &format!(": {cause}");
            source = cause.source();
        }
        if reason.contains("server does not support TLS") {
            reason += "; switch `ssl` on in the server, or leave out sslmode on a way that nobody else can listen to";
        }
        return StoreError::Server { target, reason };
    };
    if *said.code() == SqlState::DISK_FULL {
        return StoreError::DiskFull { path: target.into() };
    }
    let more = [said.detail(), said.hint()].into_iter().flatten();
    let reason = std::iter::once(said.message()).chain(more).collect::<Vec<_>>().join("; ");
    StoreError::Server { target, reason }
}
