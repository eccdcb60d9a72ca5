//! Spectra of pages, kept for classification by the Fourier distance.

use serde::{Deserialize, Serialize};

/// Spectra of some pages of each type, and the numbers of tags that they were made with.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Spectra {
    /// The tag names in the order of their numbers.
    pub tags: Vec<String>,
    /// One for each page.
    pub pages: Vec<PageSpectrum>,
    /// For each type, the largest distance at which a page is still of it.
    pub reach: Vec<f64>,
}

/// The spectrum of one page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageSpectrum {
    /// The page's type.
    pub page_type: usize,
    /// Magnitudes, rounded.
    pub magnitudes: Vec<f32>,
}

impl Spectra {
    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }
}
