//! What the targets share: a source of pages made of random bytes, read to its end.

#[cfg(feature = "sources")]
mod sources;

#[cfg(feature = "sources")]
pub use sources::read_source;
use unsite_dom::Limits;
use unsite_sample::Site;
use unsite_wrapper::SavedWrapper;

/// Small limits, so that a case ends soon; what is cut at them is read on all the same.
pub const LIMITS: Limits = Limits { page_bytes: 64 << 10, depth: 64, nodes: 5_000 };

/// A small bookshop.
pub fn books() -> Site {
    Site::generate(&serde_json::from_str(include_str!("books.json")).expect("knobs of ours"))
}

/// What was learned from it: `cargo run -p unsite-sample --example write -- books fuzz/books.json --gold`, then
/// `unsite learn books -w books_wrapper.json`, then `zstd books_wrapper.json`.
pub fn books_wrapper() -> SavedWrapper {
    let text = zstd::decode_all(&include_bytes!("books_wrapper.json.zst")[..]).expect("a file of ours");
    SavedWrapper::from_text(&String::from_utf8(text).expect("JSON")).expect("a wrapper of this version")
}
