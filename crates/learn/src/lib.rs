//! The HTML-free mathematics: vectors, clustering, entropy, graph ranks, evidence, measures.
