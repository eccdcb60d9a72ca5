//! What was learned about a site, and how to apply it to a page.
//!
//! A [`Template`] is a tree of steps. [`apply`] lays it over a page from the top down and reads the rows;
//! discovery grows it with the same matcher, so what is learned is what is extracted.

mod across_tags;
mod addresses;
mod apply;
mod classes;
mod data;
mod database;
pub mod drift;
pub mod edits;
mod epochs;
mod errors;
mod frame;
mod hex;
mod json;
mod kinds;
mod known;
mod lists;
mod matching;
mod model;
mod output;
mod page_links;
mod parts;
mod plan;
pub mod profile;
mod reader;
mod reading_order;
mod recognise;
mod roles;
mod routes;
mod saved;
mod spectra;
pub mod structure;
mod template;
mod trail;
mod training;
mod traits;
mod typing;
mod view;

pub use addresses::{Addresses, Paging, without_parameter};
pub use apply::{Visit, apply, base_url, value, walk};
pub use classes::{ClassMap, Names, Signer, family, raw_names, raw_names_of};
pub use data::Datum;
pub use database::{Database, Pairs, Place, Reading, RowKey, Way};
pub use epochs::{Designs, Epoch, Seen, TypeChange};
pub use errors::is_error;
pub use kinds::Kinds;
pub use known::{KNOWN_PAGES, KNOWN_ROWS, KnownPage, KnownRow, cut};
pub use lists::ListIndex;
pub use matching::{
    Introduced, Introduction, SAME_SHAPE, SHAPE_DEPTH, inline_label, introduce, label_in, leading_words,
    match_children, shape, shape_feature, shape_where, similarity, tag_shape,
};
pub use model::{TypeModel, Wrapper};
pub use output::{
    Cell, ColumnInfo, PageRecord, PageTypeInfo, Row, Schema, Storage, TableInfo, TableKind, Typed, ValueType,
};
pub use page_links::{PageLinks, address_key};
pub use parts::{Part, split};
pub use reader::PageReader;
pub use reading_order::{Behind, Stretch, holder, stretches};
pub use recognise::{Family, Mark, PageMarks, Prototype, Recognised, Recogniser, fingerprint, mark_names};
pub use roles::{INDEX_BIAS, INDEX_WEIGHTS, LAMIS_WEIGHT, LEADS_NOWHERE, page_logit, sigmoid};
pub use routes::{Anchor, Route, RouteFinder, node_at};
pub use saved::{FORMAT, Provenance, SavedError, SavedWrapper, VERSION};
pub use spectra::{PageSpectrum, Spectra};
pub use template::{Inherit, Kind, Read, Spec, Template, TemplateNode, What};
pub use training::Training;
pub use traits::{PageTraits, Surroundings, TRAIT_NAMES, TRAITS};
pub use typing::{beside, currency_of, is_picture, typed, unit_of};
pub use view::{TEXT_SIGNATURE, View, ViewText};
