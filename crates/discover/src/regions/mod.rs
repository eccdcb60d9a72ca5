//! Parts of pages: what is template and what informs, what is the main text, and what answers a search.

mod blocks;
mod furniture;
mod informative;
mod main_text;
mod markdown;
mod pagelets;
mod repeated;
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
pub(crate) use site_regions::spread;
pub use site_regions::{Listed, SiteRegions, TypeRegions, site_regions};
pub use type_text::{TypeText, type_texts};
