//! Parts of pages: what is template and what informs, what is the main text, and what answers a search.

mod blocks;
mod furniture;
mod informative;
mod lines;
mod main_text;
mod markdown;
mod page_texts;
mod pagelets;
mod repeated;
mod samples;
mod shared_blocks;
mod site_regions;
mod type_text;

pub use informative::{InformativeSet, Region};
pub use main_text::main_text;
pub use markdown::main_markdown;
pub use pagelets::{
    Answer, ClusterTraits, Pagelet, PageletModel, Pagelets, Shape, clusters_forwarded, pagelets,
    rank_clusters,
};
pub use shared_blocks::{PlacedTexts, SharedBlocks};
pub use site_regions::{Listed, SiteRegions, TypeRegions, site_regions};
pub use type_text::{TypeText, type_texts};
