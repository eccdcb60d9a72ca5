//! The page as a signal.
//!
//! # What it does
//! One minus the relative difference of the spectra of the tag sequence, in 64 bands; tags are numbers times their
//! depth, negative for end tags.
//! # Assumes
//! Types have their own rhythm of tags.
//! # When it fails
//! Lists of different lengths.
//! # Paper
//! Flesca and others (Fourier similarity of XML documents); banding is ours.

use unsite_learn::dft::Spectrum;

use super::page_view::hash;
use super::{Expert, Feature, Features, PageView, Weights};

pub(super) const EXPERT: Expert = Expert {
    name: "fourier",
    about: "the spectrum of the sequence of tags",
    read,
    weigh: |_| Weights::default(),
    weight: |_, band| Some(f64::from(band.value)),
    score,
};

/// Tags looked at: the beginning of a long page tells its template.
const MAX_TAGS: usize = 2048;
/// Bands that the spectrum is averaged over.
const BANDS: usize = 64;

fn read(page: &PageView<'_>) -> Features {
    let series: Vec<f64> = page
        .tree
        .skeleton()
        .take(MAX_TAGS)
        .map(|tag| {
            let code = 1.0 + (hash(&[page.tree.name(tag.node)]) % 64) as f64 / 64.0;
            let code = code * f64::from(tag.level + 1);
            if tag.end { -code } else { code }
        })
        .collect();
    let spectrum = Spectrum::of(&series);
    let grid = spectrum.magnitudes();
    let width = grid.len().div_ceil(BANDS).max(1);
    Features::new(
        grid.chunks(width)
            .enumerate()
            .map(|(band, values)| {
                Feature::new(band as u64, (values.iter().sum::<f64>() / values.len() as f64) as f32)
            })
            .collect(),
    )
}

fn score(_: &Weights, a: &Features, b: &Features) -> Option<f64> {
    let (mut apart, mut all) = (0.0, 0.0);
    a.beside(b, |x, y| {
        let (x, y) = (x.map_or(0.0, |x| f64::from(x.weight)), y.map_or(0.0, |y| f64::from(y.weight)));
        apart += (x - y).abs();
        all += x.abs() + y.abs();
    });
    (all > 0.0).then(|| 1.0 - apart / all)
}
