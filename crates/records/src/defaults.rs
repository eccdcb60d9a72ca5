//! The model that comes with the program, for data too small to learn from.

use std::collections::BTreeMap;

use crate::dedup::{DedupConfig, train};
use crate::dirty::{DirtyConfig, Shape, generate};
use crate::model::{BINS, Histogram, JudgeModel, Model, TrainConfig};
use crate::record::RecordsError;

/// Made by `cargo run --release -p unsite-records --example pretrain`.
const DEFAULTS: &str = include_str!("defaults.json");

/// The pre-trained defaults: for each general expert, whatever the field.
///
/// # What it does
/// Reads the embedded model; if it were broken, every expert would be silent and nothing merged.
/// # Assumes
/// Mistakes like those of the generator: slips, abbreviations, missing and swapped values.
/// # When it fails
/// The thesis's citation experts are not in it: they need labels or enough records to estimate from.
/// # Paper
/// Ours.
pub fn pretrained() -> Model {
    Model::from_json(DEFAULTS).unwrap_or_default()
}

/// Learns the defaults from generated records of both shapes at three levels of noise.
pub fn pretrain() -> Result<Model, RecordsError> {
    let mut gathered: BTreeMap<String, Vec<JudgeModel>> = BTreeMap::new();
    let (mut bias, mut runs) = (0.0, 0.0);
    for (seed, shape) in [(101, Shape::People), (102, Shape::Books)] {
        for noise in [0.05, 0.15, 0.3] {
            let (records, truth) =
                generate(&DirtyConfig { shape, records: 4_000, noise, seed, ..DirtyConfig::default() });
            let truth: Vec<Option<u32>> = truth.into_iter().map(Some).collect();
            let model = train(&records, &truth, &DedupConfig::default(), &TrainConfig::default())?;
            bias += model.bias;
            runs += 1.0;
            for judge in model.judges {
                let expert = judge.label.split(':').next().unwrap_or("").to_owned();
                gathered.entry(expert).or_default().push(judge);
            }
        }
    }
    let judges = gathered
        .into_iter()
        .map(|(expert, all)| {
            let mean = |of: &dyn Fn(&JudgeModel) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
            JudgeModel {
                label: format!("{expert}:*"),
                within: Histogram(std::array::from_fn::<f64, BINS, _>(|bin| mean(&|j| j.within.0[bin]))),
                between: Histogram(std::array::from_fn::<f64, BINS, _>(|bin| mean(&|j| j.between.0[bin]))),
                weight: mean(&|j| j.weight),
            }
        })
        .collect();
    let provenance =
        "generated people and books, 4,000 records each at 5, 15 and 30 % noise, seeds 101 and 102"
            .to_owned();
    Ok(Model { provenance, judges, bias: bias / runs, kinds: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_sound() {
        let model = pretrained();
        assert!(model.provenance.contains("generated"));
        assert!(model.judges.iter().any(|j| j.label == "word_set:*"));
    }
}
