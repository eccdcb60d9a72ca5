//! The HTML-free mathematics: vectors, clustering, entropy, graph ranks, evidence, measures.

pub mod correlation;
pub mod evidence;
pub mod measures;
pub mod partitions;
pub mod rng;
pub mod tfidf;
