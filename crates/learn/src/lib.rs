//! The HTML-free mathematics: vectors, clustering, entropy, graph ranks, evidence, measures.
//!
//! Everything here works on numbers, labels and strings; nothing knows what a page is. Every function is a pure function of
//! its input and its seed: no clock, no files, no hidden randomness, the same answer for any number of threads.
//!
//! | question | module |
//! |---|---|
//! | how alike are two bags of features? | [`tfidf`] |
//! | how alike are two sequences? | [`edit`], [`dft`] |
//! | which items belong together, by distances? | [`agglomerative`] |
//! | which items belong together, by evidence on pairs? | [`evidence`], [`correlation`], [`partitions`], [`union_find`] |
//! | what carries information, and who points to it? | [`entropy`], [`graph`] |
//! | how good is the result? | [`measures`] |
//! | where does randomness come from? | [`rng`] |

pub mod agglomerative;
pub mod correlation;
pub mod dft;
pub mod edit;
pub mod entropy;
pub mod evidence;
pub mod graph;
pub mod measures;
pub mod partitions;
pub mod rng;
pub mod tfidf;
pub mod union_find;
