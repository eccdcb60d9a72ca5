//! The file of floors: what must be reached, and how each floor came to be.

use super::{Measured, Standing, Verdict};
use crate::{EvalError, Set};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// A new floor stays this far below what was measured, so that a harmless change (one page in five hundred decided
/// the other way) does not break it. Chosen, not calibrated: runs are deterministic, so there is no noise to cover.
pub const MARGIN: f64 = 0.002;

/// The metric that gets a floor of its own accord.
const FIRST_METRIC: &str = ".f1";
/// Numbers that differ by less are the same number.
const ROUNDING: f64 = 1e-9;
/// Stands at the top of the file.
const ABOUT: &str = "What must be measured, as set/suite.metric. A floor is raised by the gate's own command and \
    lowered only with a reason, which stays in its history. The seal is over all floors: an edit by hand breaks it.";

/// All floors.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Floors {
    floors: BTreeMap<String, Floor>,
}

/// What must be reached and every value it had.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floor {
    /// What must be reached: the last step of the history.
    pub floor: f64,
    /// Every value it had, the first one first.
    pub history: Vec<Step>,
}

/// One value of a floor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The value.
    pub value: f64,
    /// Why it went down; a step that goes up needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A floor that moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// `set/suite.metric`.
    pub key: String,
    /// Where it was; nothing for a new one.
    pub from: Option<f64>,
    /// Where it is.
    pub to: f64,
}

impl Floors {
    /// Reads and verifies a file of floors.
    pub fn load(path: &Path) -> Result<Self, EvalError> {
        let text = std::fs::read_to_string(path).map_err(|source| EvalError::Floors {
            action: "read",
            path: path.to_path_buf(),
            source,
        })?;
        Self::parse(&text).map_err(|what| EvalError::Seal { path: path.to_path_buf(), what })
    }

    /// Verifies the text of a file of floors; the error says what contradicts what.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: File = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let floors = Floors { floors: file.floors };
        for (key, floor) in &floors.floors {
            floor.verify().map_err(|what| format!("{key}: {what}"))?;
            if set_and_suite(key).is_none() {
                return Err(format!("`{key}` is not of the form set/suite.metric"));
            }
        }
        if file.seal != floors.seal() {
            return Err("the seal does not fit the floors: they were edited by hand".to_string());
        }
        Ok(floors)
    }

    /// Writes the file.
    pub fn save(&self, path: &Path) -> Result<(), EvalError> {
        std::fs::write(path, self.text()).map_err(|source| EvalError::Floors {
            action: "write",
            path: path.to_path_buf(),
            source,
        })
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let file = File { about: ABOUT.to_string(), floors: self.floors.clone(), seal: self.seal() };
        // Maps with text keys and finite numbers always serialise.
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }

    /// The keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.floors.keys().map(String::as_str)
    }

    /// A floor by its key.
    pub fn get(&self, key: &str) -> Option<&Floor> {
        self.floors.get(key)
    }

    /// Compares every floor with what was measured. A floor whose suite is in `present` must have a number.
    pub fn check(&self, measured: &Measured, present: &BTreeSet<String>) -> Vec<Verdict> {
        let verdict = |(key, floor): (&String, &Floor)| {
            let value = measured.get(key).copied();
            let there = set_and_suite(key).is_some_and(|(_, suite)| present.contains(suite));
            let standing = match value {
                Some(value) if value + ROUNDING >= floor.floor => Standing::Held,
                None if !there => Standing::Skipped,
                _ => Standing::Broken,
            };
            Verdict { key: key.clone(), floor: floor.floor, measured: value, standing }
        };
        self.floors.iter().map(verdict).collect()
    }

    /// Raises floors to what was measured, rounded down to three digits, less [`MARGIN`]. A floor that would not rise
    /// stays; what has no floor gets one for its F1.
    pub fn raise(&mut self, measured: &Measured) -> Vec<Change> {
        let mut changes = Vec::new();
        for (key, &value) in measured {
            let to = three_digits(((value + ROUNDING) * 1000.0).floor() / 1000.0 - MARGIN);
            let from = self.floors.get(key).map(|floor| floor.floor);
            let rises = match from {
                Some(from) => to > from + ROUNDING,
                None => to > 0.0 && key.ends_with(FIRST_METRIC) && set_and_suite(key).is_some(),
            };
            if rises && to.is_finite() {
                self.push(key, Step { value: to, reason: None });
                changes.push(Change { key: key.clone(), from, to });
            }
        }
        changes
    }

    /// Lowers one floor. Refused without a reason, for an unknown key, and for a value that is not lower.
    pub fn lower(&mut self, key: &str, value: f64, reason: &str) -> Result<Change, EvalError> {
        let refuse = |what: String| Err(EvalError::Refused(what));
        let Some(floor) = self.floors.get(key) else {
            return refuse(format!(
                "there is no floor `{key}`; the floors are {}",
                self.keys().collect::<Vec<_>>().join(", ")
            ));
        };
        let (from, to) = (floor.floor, three_digits(value));
        if reason.trim().is_empty() {
            return refuse(format!("lowering {key} needs a reason; say why, it stays in the file"));
        }
        if !(0.0..from).contains(&to) {
            return refuse(format!("{key} stands at {from:.3}; {to:.3} is not a lower floor"));
        }
        self.push(key, Step { value: to, reason: Some(reason.trim().to_string()) });
        Ok(Change { key: key.to_string(), from: Some(from), to })
    }

    fn push(&mut self, key: &str, step: Step) {
        let floor = self.floors.entry(key.to_string()).or_insert(Floor { floor: 0.0, history: Vec::new() });
        floor.floor = step.value;
        floor.history.push(step);
    }

    /// A checksum over every floor with its history. It is no secret and stops nobody who recomputes it on purpose; it
    /// stops an edit from passing unnoticed.
    fn seal(&self) -> String {
        let mut text = String::new();
        for (key, floor) in &self.floors {
            text.push_str(&format!("{key:?} {:.6}\n", floor.floor));
            for step in &floor.history {
                text.push_str(&format!("  {:.6} {:?}\n", step.value, step.reason));
            }
        }
        format!("{:016x}", xxh3_64(text.as_bytes()))
    }
}

impl Floor {
    /// The history rises but where a reason stands, and ends with the floor.
    fn verify(&self) -> Result<(), String> {
        let mut before = 0.0;
        for step in &self.history {
            if !(0.0..=1.0).contains(&step.value) {
                return Err(format!("{} is not between 0 and 1", step.value));
            }
            let explained = step.reason.as_deref().is_some_and(|reason| !reason.trim().is_empty());
            if step.value < before && !explained {
                return Err(format!("went down from {before} to {} without a reason", step.value));
            }
            before = step.value;
        }
        match self.history.last() {
            Some(last) if last.value == self.floor => Ok(()),
            Some(last) => {
                Err(format!("the floor {} is not the last of its history, {}", self.floor, last.value))
            }
            None => Err("has no history".to_string()),
        }
    }
}

/// The file as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    about: String,
    floors: BTreeMap<String, Floor>,
    seal: String,
}

/// Takes `set/suite.metric` apart.
pub(super) fn set_and_suite(key: &str) -> Option<(Set, &str)> {
    let (set, rest) = key.split_once('/')?;
    let (suite, metric) = rest.rsplit_once('.')?;
    (!suite.is_empty() && !metric.is_empty()).then_some((set.parse().ok()?, suite))
}

fn three_digits(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const SWDE: &str = "swde/swde.f1";

    fn measured(value: f64) -> Measured {
        Measured::from([(SWDE.to_string(), value)])
    }

    fn raised(values: &[f64]) -> Floors {
        let mut floors = Floors::default();
        for &value in values {
            floors.raise(&measured(value));
        }
        floors
    }

    #[test]
    fn floors_rise_to_the_measure_less_the_margin_and_never_fall() {
        let mut floors = raised(&[0.9129]);
        assert_eq!(floors.get(SWDE).unwrap().floor, 0.910);
        assert!(floors.raise(&measured(0.85)).is_empty());
        assert!(floors.raise(&measured(0.9129)).is_empty());
        assert_eq!(
            floors.raise(&measured(0.913)),
            [Change { key: SWDE.into(), from: Some(0.910), to: 0.911 }]
        );
        let values: Vec<f64> = floors.get(SWDE).unwrap().history.iter().map(|step| step.value).collect();
        assert_eq!(values, [0.910, 0.911]);
    }

    #[test]
    fn only_f1_gets_a_floor_of_its_own_accord() {
        let mut floors = Floors::default();
        let all = Measured::from([
            ("pages/live.f1".to_string(), 0.5),
            ("pages/live.ari".to_string(), 0.5),
            ("pages/other.f1".to_string(), 0.001),
        ]);
        floors.raise(&all);
        assert_eq!(floors.keys().collect::<Vec<_>>(), ["pages/live.f1"]);
    }

    #[test]
    fn verdicts() {
        let floors = raised(&[0.9]);
        let standing = |measured: Measured, present: &[&str]| {
            floors.check(&measured, &present.iter().map(|s| s.to_string()).collect())[0].standing
        };
        assert_eq!(standing(measured(0.898), &["swde"]), Standing::Held);
        assert_eq!(standing(measured(0.8979), &["swde"]), Standing::Broken);
        assert_eq!(standing(Measured::new(), &["swde"]), Standing::Broken);
        assert_eq!(standing(Measured::new(), &["live"]), Standing::Skipped);
        assert_eq!(standing(measured(f64::NAN), &["swde"]), Standing::Broken);
    }

    #[test]
    fn the_file_can_be_read_back() {
        let mut floors = raised(&[0.8, 0.9]);
        floors.lower(SWDE, 0.85, "the labels of two sites were wrong").unwrap();
        assert_eq!(Floors::parse(&floors.text()), Ok(floors.clone()));
        assert_eq!(floors.raise(&measured(0.9))[0].to, 0.898);
        assert_eq!(Floors::parse(&floors.text()), Ok(floors));
    }

    #[test]
    fn lowering_needs_a_reason() {
        let mut floors = raised(&[0.9]);
        for (key, value, reason) in
            [(SWDE, 0.5, " "), (SWDE, 0.95, "why"), (SWDE, f64::NAN, "why"), ("no/such.f1", 0.1, "why")]
        {
            assert!(floors.lower(key, value, reason).is_err(), "{key} {value} {reason}");
        }
        assert_eq!(floors, raised(&[0.9]));
    }

    #[test]
    fn every_edit_by_hand_is_noticed() {
        let mut floors = raised(&[0.8, 0.9]);
        floors.raise(&Measured::from([("pages/live.f1".to_string(), 0.5)]));
        let text = floors.text();
        // The floor alone; the floor and its step; the last step removed; a whole floor removed; the seal.
        let step = "        {\n          \"value\": 0.798\n        },\n";
        assert!(text.contains(step), "{text}");
        for (from, to) in [
            ("\"floor\": 0.898", "\"floor\": 0.7"),
            ("0.898", "0.85"),
            ("0.898", "0.7"),
            ("0.498", "0.4"),
            (step, ""),
            ("pages/live.f1", "pages/dead.f1"),
            ("\"seal\": \"", "\"seal\": \"0"),
            ("\"floors\": {", "\"more\": 1, \"floors\": {"),
        ] {
            let edited = text.replace(from, to);
            assert_ne!(edited, text, "{from}");
            assert!(Floors::parse(&edited).is_err(), "{from} -> {to}");
        }
    }

    #[test]
    fn a_history_that_falls_without_a_reason_is_refused_even_with_a_new_seal() {
        let step = |value| Step { value, reason: None };
        let floor = Floor { floor: 0.8, history: vec![step(0.9), step(0.8)] };
        let sealed = |floor: Floor| Floors { floors: BTreeMap::from([(SWDE.to_string(), floor)]) }.text();
        let error = Floors::parse(&sealed(floor)).unwrap_err();
        assert!(error.contains("went down from 0.9 to 0.8 without a reason"), "{error}");
        let floor = Floor { floor: 0.9, history: vec![step(0.9), step(0.95)] };
        assert!(Floors::parse(&sealed(floor)).unwrap_err().contains("not the last of its history"));
        let floor = Floor { floor: 0.9, history: Vec::new() };
        assert!(Floors::parse(&sealed(floor)).unwrap_err().contains("no history"));
    }
}
