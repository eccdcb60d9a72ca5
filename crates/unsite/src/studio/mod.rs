//! The studio: a page in the browser where people look at what was found beside where it stands, and change it by hand.
//!
//! One process, one user, one wrapper. [`server`] speaks HTTP and lets nobody in who does not know the secret, [`routes`]
//! says what answers what, [`session`] is what there is: pages, the wrapper with its log, and [`built`], the database that
//! follows from both. [`inert`] writes pages of the site so that they can do nothing.

mod at;
mod built;
mod change;
mod columns;
mod inert;
mod job;
mod keep;
mod open;
mod overview;
mod page;
mod repair;
mod routes;
mod secret;
mod server;
mod session;
mod table;
mod why;

pub(crate) use open::{Opened, open};
pub(crate) use server::{Address, serve};
pub(crate) use session::Studio;
