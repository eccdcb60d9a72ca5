//! Where pages come from: folders, WARC, WACZ, JSON Lines, gold sites, standard input.
