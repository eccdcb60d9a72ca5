//! What the experts' scores are worth: histograms, weights, and how they are learned.

mod em;
mod evidence;
mod histogram;
mod regression;
mod train;
mod votes;

use serde::{Deserialize, Serialize};

use crate::corpus::Corpus;
use crate::experts::{Judge, cost_of};
use crate::kinds::FieldKind;
use crate::record::{RecordIndex, RecordsError};

pub use em::{EmConfig, learn_unsupervised};
pub use evidence::Evidence;
pub use histogram::{BINS, Histogram, NO_OPINION, bin_of};
pub use train::{TrainConfig, learn_from_labels};

/// Everything learned: for each judge its histograms and weight, and a constant.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Where it comes from: data, method, date.
    pub provenance: String,
    /// One for each judge.
    pub judges: Vec<JudgeModel>,
    /// Log-odds before any evidence.
    pub bias: f64,
    /// What the fields were that it was learned from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<(String, FieldKind)>,
}

/// What one judge's scores are worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgeModel {
    /// `expert:field`, or `expert:*` for any field.
    pub label: String,
    /// How scores are distributed over pairs that are the same.
    pub within: Histogram,
    /// How they are distributed over pairs that are not.
    pub between: Histogram,
    /// Share of its log-odds that counts: experts that repeat each other share one vote.
    pub weight: f64,
}

impl JudgeModel {
    /// The log-odds of each bin, weighted.
    pub fn log_odds(&self) -> [f64; BINS] {
        std::array::from_fn(|bin| self.weight * (self.within.0[bin] / self.between.0[bin]).ln())
    }
}

/// A model laid out for the judges of one set of records.
#[derive(Debug, Clone, PartialEq)]
pub struct Scorer {
    tables: Vec<[f32; BINS + 1]>,
    bias: f32,
    /// Judges worth asking, those that decide most for their cost first.
    order: Vec<usize>,
    /// After each of them, the most that the others can still add.
    hope: Vec<f32>,
}

/// Log-odds below which a pair is beyond hope and the remaining judges need not be asked (odds of one to three thousand).
const HOPELESS: f32 = -8.0;

/// What one judge said about a pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Opinion {
    /// `expert:field`.
    pub judge: String,
    /// 0 to 1; `None` for no opinion.
    pub score: Option<f32>,
    /// What that score is worth.
    pub log_odds: f32,
}

impl Model {
    /// Lays the model out for these judges; a judge that the model does not know stays silent.
    pub fn scorer(&self, judges: &[Judge<'_>]) -> Scorer {
        let tables = judges
            .iter()
            .map(|judge| {
                let mut table = [0.0_f32; BINS + 1];
                if let Some(known) = self.judge(&judge.label()) {
                    for (slot, value) in table.iter_mut().zip(known.log_odds()) {
                        *slot = value as f32;
                    }
                }
                table
            })
            .collect();
        Scorer::new(tables, judges, self.bias as f32)
    }

    /// What is known of a judge `expert:field`: of this one, or of the expert on any field.
    pub fn judge(&self, label: &str) -> Option<&JudgeModel> {
        let expert = label.split(':').next().unwrap_or(label);
        let is_any = |known: &JudgeModel| known.label.strip_suffix(":*") == Some(expert);
        self.judges.iter().find(|j| j.label == label).or_else(|| self.judges.iter().find(|j| is_any(j)))
    }

    /// Whether one of these fields was among those that it was learned from. A model that does not say what those were
    /// is for any fields.
    pub(crate) fn knows_a_field(&self, corpus: &Corpus<'_>) -> bool {
        let known = |name: &str| self.kinds.iter().any(|(field, _)| field == name);
        self.kinds.is_empty() || corpus.columns.iter().any(|column| known(&column.name))
    }

    /// Reads a saved model.
    pub fn from_json(text: &str) -> Result<Model, RecordsError> {
        let model: Model = serde_json::from_str(text).map_err(|e| RecordsError::BadModel(e.to_string()))?;
        let sound = model.bias.is_finite()
            && model
                .judges
                .iter()
                .all(|j| j.weight.is_finite() && j.within.is_sound() && j.between.is_sound());
        if sound {
            Ok(model)
        } else {
            Err(RecordsError::BadModel("a probability is not between 0 and 1".into()))
        }
    }

    /// The model as JSON, for a file.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl Scorer {
    fn new(tables: Vec<[f32; BINS + 1]>, judges: &[Judge<'_>], bias: f32) -> Scorer {
        let highest = |k: usize| tables[k].iter().copied().fold(f32::MIN, f32::max);
        let lowest = |k: usize| tables[k].iter().copied().fold(f32::MAX, f32::min);
        let range = |k: usize| highest(k) - lowest(k);
        let mut order: Vec<usize> = (0..tables.len()).filter(|&k| range(k) > 0.0).collect();
        let worth = |k: usize| range(k) / f32::from(cost_of(judges[k].expert));
        order.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)).then(a.cmp(&b)));
        let mut hope = vec![0.0; order.len()];
        for place in (1..order.len()).rev() {
            hope[place - 1] = hope[place] + highest(order[place]);
        }
        Scorer { tables, bias, order, hope }
    }

    /// The log-odds that two records are the same; for pairs beyond hope an upper bound of them.
    pub fn score(&self, judges: &[Judge<'_>], a: RecordIndex, b: RecordIndex) -> f32 {
        self.score_above(HOPELESS, judges, a, b)
    }

    /// The log-odds if they are above `floor`, otherwise an upper bound of them that is below it: no judge is asked once
    /// the answer is clear.
    pub fn score_above(&self, floor: f32, judges: &[Judge<'_>], a: RecordIndex, b: RecordIndex) -> f32 {
        let mut sum = self.bias;
        for (&k, &hope) in self.order.iter().zip(&self.hope) {
            sum += self.tables[k][bin_of((judges[k].compare)(a, b)) as usize];
            if sum + hope < floor {
                return sum + hope;
            }
        }
        sum
    }

    /// The log-odds of a pair whose scores are already in bins.
    pub fn score_bins(&self, bins: &[u8]) -> f32 {
        bins.iter().zip(&self.tables).fold(self.bias, |sum, (bin, table)| sum + table[*bin as usize])
    }

    /// What every judge says about a pair, the weightiest first.
    pub fn opinions(&self, judges: &[Judge<'_>], a: RecordIndex, b: RecordIndex) -> Vec<Opinion> {
        let mut out: Vec<Opinion> = judges
            .iter()
            .zip(&self.tables)
            .map(|(judge, table)| {
                let score = (judge.compare)(a, b);
                Opinion { judge: judge.label(), score, log_odds: table[bin_of(score) as usize] }
            })
            .collect();
        out.sort_by(|x, y| y.log_odds.abs().total_cmp(&x.log_odds.abs()));
        out
    }

    /// The log-odds before any evidence.
    pub fn bias(&self) -> f32 {
        self.bias
    }
}
