//! The inverse problem: known tables through templates to a web site, with its gold.
