//! The HTML-free mathematics: vectors, clustering, entropy, graph ranks, evidence, measures.

pub mod measures;
pub mod rng;
pub mod tfidf;
