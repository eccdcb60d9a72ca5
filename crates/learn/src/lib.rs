//! The HTML-free mathematics: vectors, clustering, entropy, graph ranks, evidence, measures.

pub mod agglomerative;
pub mod correlation;
pub mod evidence;
pub mod kmeans;
pub mod kmedoids;
pub mod measures;
pub mod partitions;
pub mod rng;
pub mod tfidf;
