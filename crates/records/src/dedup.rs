//! The whole job: records in, clusters out.

use rayon::prelude::*;

use crate::blocking::{self, BlockingConfig, Candidates};
use crate::cluster::{Decided, cluster, components};
use crate::corpus::Corpus;
use crate::experts::{Judge, Panel};
use crate::groups::Groups;
use crate::kinds::{FieldKind, Schema};
use crate::model::{
    EmConfig, Evidence, Model, Opinion, Scorer, TrainConfig, learn_from_labels, learn_unsupervised,
};
use crate::record::{Message, RecordIndex, RecordSet, RecordsError};

/// How to find duplicates. The default needs nothing: no schema, no labels, no threshold.
#[derive(Debug, Clone, Default)]
pub struct DedupConfig {
    /// Kinds of fields that are known; the others are inferred.
    pub schema: Option<Schema>,
    /// Which experts take part.
    pub panel: Panel,
    /// Limits of blocking.
    pub blocking: BlockingConfig,
    /// Where the worth of scores comes from.
    pub method: Method,
    /// What people decided about pairs.
    pub decided: Decided,
    /// Records known to belong together, one number for each record: the groups are then what is clustered.
    pub groups: Option<Vec<u32>>,
    /// When linking: how many records of each source a cluster may have.
    pub pairing: Pairing,
}

/// How many records of two sources may be one thing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pairing {
    /// Any number of both.
    #[default]
    Many,
    /// Any number of the first source, at most one of the second: mentions and what they mention.
    ManyToOne,
    /// At most one of each.
    OneToOne,
}

/// Where the worth of the experts' scores comes from.
#[derive(Debug, Clone, Default)]
pub enum Method {
    /// Estimated from the records themselves.
    #[default]
    Unsupervised,
    /// The defaults that come with the program.
    Pretrained,
    /// A model trained on labels, or saved earlier.
    Model(Box<Model>),
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Dedup {
    /// The cluster of each record; numbers follow the order of first records.
    pub clusters: Vec<u32>,
    /// How many clusters.
    pub count: usize,
    /// What the scores were worth.
    pub model: Model,
    /// The kind of each field.
    pub kinds: Vec<(String, FieldKind)>,
    /// Pairs compared.
    pub compared: usize,
    /// Estimated share of the true pairs that blocking kept.
    pub completeness: f64,
    /// The pairs that were hardest to decide, the most doubtful first.
    pub doubtful: Vec<DoubtfulPair>,
    /// What the reader should know.
    pub messages: Vec<Message>,
}

/// A pair near the border, with what every expert says.
#[derive(Debug, Clone, PartialEq)]
pub struct DoubtfulPair {
    /// The first record.
    pub a: RecordIndex,
    /// The second record.
    pub b: RecordIndex,
    /// Log-odds that they are the same.
    pub log_odds: f32,
    /// Whether the clustering put them together.
    pub together: bool,
    /// What every expert says, the weightiest first.
    pub opinions: Vec<Opinion>,
}

/// Pairs looked at while estimating; more do not change the histograms visibly.
const LEARNING_PAIRS: usize = 100_000;
/// Pairs whose records are fetched together: few enough to stay in the nearest cache until they are compared.
const FETCHED: usize = 64;
/// Pairs on the review list.
const REVIEW_PAIRS: usize = 200;
/// Pairs whose probability is between 5 % and 95 % are doubtful.
const DOUBTFUL_LOG_ODDS: f32 = 2.944;

/// Rounds of merging groups; each lets the merged ones speak with all their values.
const GROUP_ROUNDS: usize = 5;

/// Finds the duplicates among records.
///
/// With [`DedupConfig::groups`] the clustering is repeated on the merged groups, whose values are then known together, until
/// nothing changes.
pub fn dedup(records: &RecordSet, config: &DedupConfig) -> Result<Dedup, RecordsError> {
    let mut found = dedup_once(records, config)?;
    if config.groups.is_some() {
        for _ in 0..GROUP_ROUNDS {
            let again = DedupConfig {
                method: Method::Model(Box::new(found.model.clone())),
                groups: Some(found.clusters.clone()),
                ..config.clone()
            };
            let next = dedup_once(records, &again)?;
            if next.count == found.count {
                break;
            }
            found = next;
        }
    }
    Ok(found)
}

fn dedup_once(records: &RecordSet, config: &DedupConfig) -> Result<Dedup, RecordsError> {
    if records.len() >= u32::MAX as usize {
        return Err(RecordsError::TooManyRecords(records.len()));
    }
    let corpus = Corpus::new(records, Some(&schema_of(config)));
    let (judges, found, groups) = prepare(&corpus, config);
    let mut messages = found.messages.clone();
    let model = match &config.method {
        Method::Unsupervised => unsupervised(&judges, &found, &mut messages),
        Method::Pretrained => crate::defaults::pretrained(),
        Method::Model(model) => (**model).clone(),
    };
    let scorer = model.scorer(&judges);
    if matches!(config.method, Method::Model(_)) && !judges.is_empty() && !model.knows_a_field(&corpus) {
        messages.push(Message::new(
            "the model knows none of these fields: it was learned from fields of other names",
        ));
    }
    let (clusters, scores) = partition(&corpus, &judges, &scorer, &found, config, groups.as_ref());
    let together = |a: RecordIndex, b: RecordIndex| clusters[a as usize] == clusters[b as usize];
    let completeness = blocking::completeness_estimate(&found, together);
    let mut doubtful = doubtful_pairs(&judges, &scorer, &found, &scores, &clusters);
    let mut of_records = clusters;
    if let Some(groups) = &groups {
        of_records = groups.expand(&of_records);
        for pair in &mut doubtful {
            (pair.a, pair.b) = (groups.representative(pair.a), groups.representative(pair.b));
        }
    }
    let kinds = corpus.columns.iter().map(|c| (c.name.clone(), c.kind)).collect();
    Ok(Dedup {
        count: of_records.iter().max().map_or(0, |m| *m as usize + 1),
        clusters: of_records,
        model,
        kinds,
        compared: found.pairs.len(),
        completeness,
        doubtful,
        messages,
    })
}

/// Learns a model from records whose clusters are known; records without label are left out.
pub fn train<L: Eq>(
    records: &RecordSet,
    truth: &[Option<L>],
    config: &DedupConfig,
    training: &TrainConfig,
) -> Result<Model, RecordsError> {
    let corpus = Corpus::new(records, config.schema.as_ref());
    let (judges, mut found, groups) = prepare(&corpus, config);
    // A group has the label of the record that stands for it.
    let record = |unit: RecordIndex| groups.as_ref().map_or(unit, |g| g.representative(unit));
    let label = |unit: RecordIndex| truth.get(record(unit) as usize).and_then(Option::as_ref);
    found.pairs.retain(|&(a, b)| label(a).is_some() && label(b).is_some());
    let pairs = thinned(&found.pairs, LEARNING_PAIRS);
    let mass = |a: RecordIndex, b: RecordIndex| groups.as_ref().map_or(1.0, |g| g.weight(a, b));
    // Scaled to one on average, so that priors mean the same with and without groups.
    let mean = pairs.iter().map(|&(a, b)| mass(a, b)).sum::<f64>() / pairs.len().max(1) as f64;
    let evidence = Evidence::labelled(&judges, &pairs, |a, b| label(a) == label(b), |a, b| mass(a, b) / mean);
    let labels: Vec<String> = judges.iter().map(Judge::label).collect();
    let mut model = learn_from_labels(&evidence, &labels, training)?;
    model.provenance = format!("trained on {} labelled pairs", pairs.len());
    model.kinds = corpus.columns.iter().map(|c| (c.name.clone(), c.kind)).collect();
    Ok(model)
}

/// What every expert says about two records under a model, and the sum.
pub fn why_same(
    records: &RecordSet,
    config: &DedupConfig,
    model: &Model,
    a: RecordIndex,
    b: RecordIndex,
) -> (f32, Vec<Opinion>) {
    let corpus = Corpus::new(records, Some(&schema_of(config)));
    let judges = config.panel.judges(&corpus);
    let scorer = model.scorer(&judges);
    let opinions = scorer.opinions(&judges, a, b);
    (scorer.bias() + opinions.iter().map(|o| o.log_odds).sum::<f32>(), opinions)
}

/// The log-odds of some pairs under a model, with every expert asked.
pub fn log_odds_of(
    records: &RecordSet,
    config: &DedupConfig,
    model: &Model,
    pairs: &[(RecordIndex, RecordIndex)],
) -> Vec<f32> {
    let corpus = Corpus::new(records, Some(&schema_of(config)));
    let judges = config.panel.judges(&corpus);
    let scorer = model.scorer(&judges);
    pairs.par_iter().map(|&(a, b)| scorer.score_above(f32::NEG_INFINITY, &judges, a, b)).collect()
}

/// The kinds that are given, then those a model was learned with: its judges are of no use for fields of another kind.
fn schema_of(config: &DedupConfig) -> Schema {
    let mut schema = config.schema.clone().unwrap_or_default();
    if let Method::Model(model) = &config.method {
        schema.kinds.extend(model.kinds.iter().cloned());
    }
    schema
}

/// Judges and candidates, of records or of groups of them.
fn prepare<'c>(corpus: &'c Corpus<'c>, config: &DedupConfig) -> (Vec<Judge<'c>>, Candidates, Option<Groups>) {
    let judges = config.panel.judges(corpus);
    let found = blocking::candidates(corpus, &config.blocking);
    match &config.groups {
        None => (judges, found, None),
        Some(labels) => {
            let groups = Groups::new(corpus, labels);
            (groups.judges(judges), groups.candidates(found), Some(groups))
        }
    }
}

fn unsupervised(judges: &[Judge<'_>], found: &Candidates, messages: &mut Vec<Message>) -> Model {
    let pairs = thinned(&found.pairs, LEARNING_PAIRS);
    let labels: Vec<String> = judges.iter().map(Judge::label).collect();
    if pairs.is_empty() {
        messages.push(Message::new("no two records share a key: nothing to compare"));
        return Model::default();
    }
    let evidence = Evidence::gather(judges, &pairs);
    let (mut model, _) =
        learn_unsupervised(&evidence, &labels, &crate::defaults::pretrained(), &EmConfig::default());
    model.provenance = format!("estimated from {} pairs of these records", pairs.len());
    model
}

fn partition(
    corpus: &Corpus<'_>,
    judges: &[Judge<'_>],
    scorer: &Scorer,
    found: &Candidates,
    config: &DedupConfig,
    groups: Option<&Groups>,
) -> (Vec<u32>, Vec<f32>) {
    let units = groups.map_or(corpus.len(), Groups::len);
    let border = config.blocking.second_source;
    let pairing = config.pairing;
    let score = |a: RecordIndex, b: RecordIndex| match border {
        Some(second) if (a < second) == (b < second) => match pairing {
            Pairing::OneToOne => -crate::cluster::DECIDED as f32,
            Pairing::ManyToOne if a >= second => -crate::cluster::DECIDED as f32,
            Pairing::ManyToOne | Pairing::Many => 0.0,
        },
        _ => scorer.score(judges, a, b),
    };
    let mut decided = config.decided.clone();
    if let Some(groups) = groups {
        let lift = |pairs: &mut Vec<(RecordIndex, RecordIndex)>| {
            pairs.iter_mut().for_each(|(a, b)| (*a, *b) = (groups.of[*a as usize], groups.of[*b as usize]));
            pairs.retain(|(a, b)| a != b);
        };
        lift(&mut decided.same);
        lift(&mut decided.different);
    }
    let mut scores = vec![0.0_f32; found.pairs.len()];
    scores.par_chunks_mut(FETCHED).zip(found.pairs.par_chunks(FETCHED)).for_each(|(scores, pairs)| {
        if groups.is_none() {
            corpus.fetch(pairs.iter().map(|pair| pair.1));
        }
        for (score, &(a, b)) in scores.iter_mut().zip(pairs) {
            *score = scorer.score_above(-DOUBTFUL_LOG_ODDS, judges, a, b);
        }
    });
    // How clearly a pair is different matters only where other pairs might merge its records.
    let components = components(units, &found.pairs, &scores, &decided);
    found.pairs.par_iter().zip(&mut scores).for_each(|(&(a, b), value)| {
        if *value < -DOUBTFUL_LOG_ODDS && components[a as usize] == components[b as usize] {
            *value = scorer.score(judges, a, b);
        }
    });
    (cluster(units, &found.pairs, &scores, &decided, &score), scores)
}

fn doubtful_pairs(
    judges: &[Judge<'_>],
    scorer: &Scorer,
    found: &Candidates,
    scores: &[f32],
    clusters: &[u32],
) -> Vec<DoubtfulPair> {
    let together = |a: RecordIndex, b: RecordIndex| clusters[a as usize] == clusters[b as usize];
    let mut near: Vec<usize> = (0..found.pairs.len())
        .filter(|&i| {
            let (a, b) = found.pairs[i];
            // Near the border, or clearly scored one way and clustered the other.
            scores[i].abs() < DOUBTFUL_LOG_ODDS || (scores[i] > 0.0) != together(a, b)
        })
        .collect();
    near.sort_by(|&i, &j| scores[i].abs().total_cmp(&scores[j].abs()).then(i.cmp(&j)));
    near.truncate(REVIEW_PAIRS);
    near.into_iter()
        .map(|i| {
            let (a, b) = found.pairs[i];
            DoubtfulPair {
                a,
                b,
                log_odds: scores[i],
                together: together(a, b),
                opinions: scorer.opinions(judges, a, b),
            }
        })
        .collect()
}

/// Every n-th pair, so that at most `most` are left.
fn thinned(pairs: &[(RecordIndex, RecordIndex)], most: usize) -> Vec<(RecordIndex, RecordIndex)> {
    pairs.iter().copied().step_by(pairs.len().div_ceil(most).max(1)).collect()
}
