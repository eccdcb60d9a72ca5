//! Record linkage and deduplication by experts; knows records, not HTML.

pub mod blocking;
pub mod cluster;
pub mod corpus;
pub mod edit;
pub mod experts;
pub mod kinds;
pub mod model;
pub mod record;
pub mod text;
pub mod values;
pub mod dedup;
pub mod defaults;
pub mod evaluate;
mod groups;
pub mod dirty;
pub mod canonical;
pub mod link;
pub mod review;
pub mod cora;
