//! From expert scores to log-odds: histograms, their fusion, and learning them without labels.
//!
//! An expert says in 0..1 how alike two things are. A trained pair of histograms turns the score into
//! `ln P(score | same) - ln P(score | different)`; the sum over experts is what the correlation clustering maximises.
//!
//! - [`histogram`]: CONFHEX's histograms, trained on labelled pairs.
//! - [`fusion`]: weights for experts that say the same thing twice.
//! - [`mixture`]: histograms and prior from unlabelled pairs (Fellegi and Sunter's model, fitted by EM).

pub mod fusion;
pub mod histogram;
mod linear;
pub mod mixture;

pub use fusion::{Fusion, FusionOptions};
pub use histogram::{BINS, Histogram, PairCounter, PairHistograms};
pub use mixture::{Mixture, MixtureOptions};
