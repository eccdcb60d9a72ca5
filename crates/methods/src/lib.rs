//! The published methods that the default of the program is held against: page clusterers, and the frameworks that make
//! tables of texts. Each is what its paper says, so that it can be reproduced and compared. Nothing of it runs unless it
//! is asked for by name. Pure, as what it is compared with.
//!
//! | question | module |
//! |---|---|
//! | which pages are of one kind? | [`page_types`] |
//! | which texts are values of one column, and which columns make a table? | [`data`], [`relations`] |
//! | which items belong together, by vectors or distances? | [`kmeans`], [`kmedoids`], [`internal_similarity`] |
//! | how alike are two sets? | [`minhash`] |
//! | which of a ranking are independent? | [`mwis`] |

pub mod data;
pub mod internal_similarity;
pub mod kmeans;
pub mod kmedoids;
pub mod minhash;
pub mod mwis;
pub mod page_types;
pub mod relations;
mod templates;
