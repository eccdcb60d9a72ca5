//! The mathematics from outside.

mod correlation_scale;
mod outside_scorer;
