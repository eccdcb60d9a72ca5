//! Trees from outside.

mod encodings;
mod hostile;
mod html5ever;
mod parse;
mod soup;
mod tree_construction;
