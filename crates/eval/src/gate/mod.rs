//! The gate: measured quality against floors that only rise.
//!
//! The floors stand in a committed file, keyed `set/suite.metric` (`swde/swde.f1`). [`gate`] measures what they ask
//! for and compares; it can also raise them. Lowering one is [`Floors::lower`] and takes a written reason, which
//! stays in the file.

mod floors;

pub use floors::{Change, Floor, Floors, MARGIN, Step};

use crate::{EvalError, Meta, MethodError, Observed, Report, Set, evaluate};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What gets a floor when floors are raised: the sets that a suite has labels for.
const PLAN: [(&str, &[Set]); 8] = [
    ("swde", &[Set::Swde, Set::Fields, Set::Open]),
    ("live", &[Set::Fields, Set::Records, Set::Pages, Set::Roles, Set::Schema]),
    ("redesign", &[Set::Fields, Set::Records, Set::Pages, Set::Roles]),
    ("page-types", &[Set::Pages]),
    ("records", &[Set::Records]),
    ("news-roles", &[Set::Pages, Set::Roles]),
    ("main-text", &[Set::MainText]),
    ("forms", &[Set::Forms]),
];

/// Numbers by `set/suite.metric`; each is better when higher.
pub type Measured = BTreeMap<String, f64>;

/// Where the floors and the labelled data are, and what to do.
#[derive(Debug, Clone)]
pub struct GateOptions {
    /// The committed file.
    pub floors: PathBuf,
    /// The folder with a folder for each suite.
    pub data: PathBuf,
    /// Only these suites; all if empty.
    pub suites: Vec<String>,
    /// Whether to raise floors after measuring.
    pub action: Action,
}

/// What the gate does with what it measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Compare only.
    Check,
    /// Raise the floors that measured higher, and give one to what has none yet. Refused while a floor is broken.
    Raise,
}

/// What came out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GateOutcome {
    /// One for each floor.
    pub verdicts: Vec<Verdict>,
    /// Floors that rose.
    pub changes: Vec<Change>,
    /// The measurements behind them.
    #[serde(skip)]
    pub reports: Vec<Report>,
}

/// One floor against what was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// `set/suite.metric`.
    pub key: String,
    /// What must be reached.
    pub floor: f64,
    /// What was; nothing if the measure gave no number.
    pub measured: Option<f64>,
    /// Whether it holds.
    pub standing: Standing,
}

/// Whether a floor holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Measured at the floor or above.
    Held,
    /// Measured below, or the data is there and gave no number.
    Broken,
    /// Not measured: the suite is not there, or was not asked for.
    Skipped,
}

/// Measures what the floors ask for, compares, and raises the floors if asked to.
///
/// A suite whose folder is missing is skipped and said so. The method is run once for each site.
pub fn gate(
    options: &GateOptions,
    mut method: impl FnMut(&Path, &Meta) -> Result<Observed, MethodError>,
) -> Result<GateOutcome, EvalError> {
    let mut floors = match options.action {
        Action::Raise if !options.floors.exists() => Floors::default(),
        _ => Floors::load(&options.floors)?,
    };
    let mut measured = Measured::new();
    let mut present = BTreeSet::new();
    let mut reports = Vec::new();
    for (suite, sets) in asked(&floors, options.action) {
        let folder = options.data.join(&suite);
        if !folder.is_dir() || !(options.suites.is_empty() || options.suites.contains(&suite)) {
            continue;
        }
        let sets: Vec<Set> = sets.into_iter().collect();
        for report in evaluate(&[folder], &sets, &mut method)? {
            measured.extend(numbers(&report, &suite));
            reports.push(report);
        }
        present.insert(suite);
    }
    let verdicts = floors.check(&measured, &present);
    let broken: Vec<&str> =
        verdicts.iter().filter(|v| v.standing == Standing::Broken).map(|v| v.key.as_str()).collect();
    let mut changes = Vec::new();
    if options.action == Action::Raise {
        if !broken.is_empty() {
            let what = format!("nothing was raised: below their floors are {}", broken.join(", "));
            return Err(EvalError::Refused(what));
        }
        changes = floors.raise(&measured);
        floors.save(&options.floors)?;
    }
    Ok(GateOutcome { verdicts, changes, reports })
}

/// The numbers of a report that can have a floor.
pub fn numbers(report: &Report, suite: &str) -> Measured {
    let mean = &report.mean;
    if mean.sites == 0 {
        return Measured::new();
    }
    let fixed = [
        ("precision", mean.prf.precision),
        ("recall", mean.prf.recall),
        ("f1", mean.prf.f1),
        ("well_served", mean.well_served),
    ];
    let more = mean.more.iter().map(|(name, value)| (*name, *value));
    fixed.into_iter().chain(more).map(|(metric, value)| (key(report.set, suite, metric), value)).collect()
}

/// The key of a floor.
pub fn key(set: Set, suite: &str, metric: &str) -> String {
    format!("{set}/{suite}.{metric}")
}

impl GateOutcome {
    /// True when no floor is broken.
    pub fn passed(&self) -> bool {
        self.verdicts.iter().all(|verdict| verdict.standing != Standing::Broken)
    }

    /// A table with what is broken last, and a sentence about the whole.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let count = |standing| self.verdicts.iter().filter(|v| v.standing == standing).count();
        for standing in [Standing::Skipped, Standing::Held, Standing::Broken] {
            for verdict in self.verdicts.iter().filter(|verdict| verdict.standing == standing) {
                let measured = verdict.measured.map_or("  -  ".to_string(), |value| format!("{value:.3}"));
                let word = match standing {
                    Standing::Held => "held",
                    Standing::Broken => "BROKEN",
                    Standing::Skipped => "skipped, no data",
                };
                let _ = writeln!(
                    out,
                    "{:32} floor {:.3} measured {measured}  {word}",
                    verdict.key, verdict.floor
                );
            }
        }
        for change in &self.changes {
            let before = change.from.map_or("none".to_string(), |value| format!("{value:.3}"));
            let _ = writeln!(out, "{:32} floor raised from {before} to {:.3}", change.key, change.to);
        }
        let (held, broken, skipped) =
            (count(Standing::Held), count(Standing::Broken), count(Standing::Skipped));
        let _ = writeln!(out, "{held} floors held, {broken} broken, {skipped} skipped.");
        out
    }
}

/// The suites to measure and their sets.
fn asked(floors: &Floors, action: Action) -> BTreeMap<String, BTreeSet<Set>> {
    let mut asked: BTreeMap<String, BTreeSet<Set>> = BTreeMap::new();
    for (set, suite) in floors.keys().filter_map(floors::set_and_suite) {
        asked.entry(suite.to_string()).or_default().insert(set);
    }
    if action == Action::Raise {
        for (suite, sets) in PLAN {
            asked.entry(suite.to_string()).or_default().extend(sets);
        }
    }
    asked
}
