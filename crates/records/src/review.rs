//! The review list: doubtful pairs for people to decide, and what they decided.

use rustc_hash::FxHashMap;

use crate::cluster::Decided;
use crate::dedup::{Dedup, DoubtfulPair};
use crate::record::{Message, RecordIndex, RecordSet};

/// The columns of a review list that come before the experts'.
pub const REVIEW_COLUMNS: [&str; 6] = ["id_a", "id_b", "decision", "together", "probability", "log_odds"];

/// A review list as a table of text: a header and one row for each pair.
///
/// `decision` is for people: `same`, `different` or empty. Rows decided earlier are kept at the top, so that the file can be
/// given again and again. After the fixed columns come the values of both records side by side and, for each judge, its score
/// and what it is worth (`0.85 (+1.2)`).
pub fn review_table(records: &RecordSet, found: &Dedup, earlier: &[Decision]) -> Vec<Vec<String>> {
    let judges: Vec<String> = found.model.judges.iter().map(|j| j.label.clone()).collect();
    let mut header: Vec<String> = REVIEW_COLUMNS.map(str::to_owned).to_vec();
    for field in records.fields() {
        header.extend([format!("{field} (a)"), format!("{field} (b)")]);
    }
    header.extend(judges.iter().cloned());
    let mut table = vec![header];
    let mut decided: Vec<(&str, &str)> = Vec::new();
    for decision in earlier {
        decided.push(ordered(&decision.id_a, &decision.id_b));
        let mut row = vec![decision.id_a.clone(), decision.id_b.clone(), decision.verdict.name().to_owned()];
        row.resize(table[0].len(), String::new());
        table.push(row);
    }
    decided.sort_unstable();
    for pair in &found.doubtful {
        let ids = ordered(records.id(pair.a), records.id(pair.b));
        if decided.binary_search(&ids).is_err() {
            table.push(review_row(records, pair, &judges));
        }
    }
    table
}

fn review_row(records: &RecordSet, pair: &DoubtfulPair, judges: &[String]) -> Vec<String> {
    let mut row = vec![
        records.id(pair.a).to_owned(),
        records.id(pair.b).to_owned(),
        String::new(),
        if pair.together { "yes" } else { "no" }.to_owned(),
        format!("{:.3}", 1.0 / (1.0 + (-pair.log_odds).exp())),
        format!("{:.2}", pair.log_odds),
    ];
    for (a, b) in records.row(pair.a).zip(records.row(pair.b)) {
        row.extend([a.unwrap_or("").to_owned(), b.unwrap_or("").to_owned()]);
    }
    let said: FxHashMap<&str, (f32, f32)> =
        pair.opinions.iter().filter_map(|o| o.score.map(|s| (o.judge.as_str(), (s, o.log_odds)))).collect();
    row.extend(judges.iter().map(|label| {
        said.get(label.as_str()).map_or(String::new(), |(score, odds)| format!("{score:.2} ({odds:+.1})"))
    }));
    row
}

fn ordered<'a>(a: &'a str, b: &'a str) -> (&'a str, &'a str) {
    if a <= b { (a, b) } else { (b, a) }
}

/// What someone decided about a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The first record's id.
    pub id_a: String,
    /// The second record's id.
    pub id_b: String,
    /// The answer.
    pub verdict: Verdict,
}

/// The two answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// One and the same.
    Same,
    /// Two different things.
    Different,
}

impl Verdict {
    /// The word in the file.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Different => "different",
        }
    }

    /// Reads what people write: same, yes, y, 1, match; different, no, n, 0.
    pub fn from_text(text: &str) -> Option<Verdict> {
        match text.trim().to_lowercase().as_str() {
            "same" | "yes" | "y" | "1" | "match" | "true" => Some(Verdict::Same),
            "different" | "no" | "n" | "0" | "distinct" | "false" => Some(Verdict::Different),
            _ => None,
        }
    }
}

/// Reads decisions from a review list: a header with `id_a`, `id_b` and `decision`, then rows. Rows without a decision are
/// passed over; words that are no decision are reported with their line.
pub fn read_decisions(table: &[Vec<String>]) -> (Vec<Decision>, Vec<Message>) {
    let (mut decisions, mut messages) = (Vec::new(), Vec::new());
    let Some(header) = table.first() else { return (decisions, messages) };
    let column = |name: &str| header.iter().position(|c| c.trim() == name);
    let (Some(a), Some(b), Some(verdict)) = (column("id_a"), column("id_b"), column("decision")) else {
        messages.push(Message::new(
            "the review list has no columns id_a, id_b and decision: nothing was read from it",
        ));
        return (decisions, messages);
    };
    for (line, row) in table.iter().enumerate().skip(1) {
        let cell = |at: usize| row.get(at).map_or("", String::as_str);
        let word = cell(verdict);
        if word.trim().is_empty() {
            continue;
        }
        match Verdict::from_text(word) {
            Some(verdict) => {
                decisions.push(Decision { id_a: cell(a).to_owned(), id_b: cell(b).to_owned(), verdict });
            }
            None => messages.push(Message::new(format!(
                "line {}: `{}` is no decision (write same or different)",
                line + 1,
                word.chars().take(40).collect::<String>()
            ))),
        }
    }
    (decisions, messages)
}

/// Decisions by id turned into decisions by position; ids that are not there and contradictions are reported.
pub fn apply_decisions(records: &RecordSet, decisions: &[Decision]) -> (Decided, Vec<Message>) {
    let places: FxHashMap<&str, RecordIndex> =
        (0..records.len() as RecordIndex).map(|r| (records.id(r), r)).collect();
    let (mut verdicts, mut messages): (std::collections::BTreeMap<(u32, u32), Verdict>, Vec<Message>) =
        Default::default();
    let mut missing = 0_usize;
    for decision in decisions {
        let (Some(&a), Some(&b)) = (places.get(decision.id_a.as_str()), places.get(decision.id_b.as_str()))
        else {
            missing += 1;
            continue;
        };
        if a == b {
            continue;
        }
        let before = verdicts.insert((a.min(b), a.max(b)), decision.verdict);
        if before.is_some_and(|before| before != decision.verdict) {
            messages.push(Message::new(format!(
                "`{}` and `{}` are decided both ways; the later decision ({}) counts",
                decision.id_a,
                decision.id_b,
                decision.verdict.name()
            )));
        }
    }
    if missing > 0 {
        messages.push(Message::new(format!("{missing} decisions name ids that are not among the records")));
    }
    let of =
        |wanted: Verdict| verdicts.iter().filter(|(_, v)| **v == wanted).map(|(pair, _)| *pair).collect();
    (Decided { same: of(Verdict::Same), different: of(Verdict::Different) }, messages)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter().map(|r| r.iter().map(|c| (*c).to_owned()).collect()).collect()
    }

    #[test]
    fn decisions_are_read_and_applied() {
        let rows = table(&[
            &["id_b", "id_a", "decision"],
            &["2", "1", "same"],
            &["3", "1", ""],
            &["3", "2", "perhaps"],
            &["9", "1", "no"],
        ]);
        let (decisions, messages) = read_decisions(&rows);
        assert_eq!(decisions.len(), 2);
        assert!(messages[0].text.starts_with("line 4"));
        let mut set = RecordSet::default();
        for id in ["1", "2", "3"] {
            set.push_named(id, &[("x", id)]);
        }
        let (decided, messages) = apply_decisions(&set, &decisions);
        assert_eq!(decided.same, [(0, 1)]);
        assert!(decided.different.is_empty());
        assert!(messages[0].text.starts_with("1 decisions"));
    }

    #[test]
    fn a_list_without_the_columns_is_refused_politely() {
        assert_eq!(read_decisions(&table(&[&["a", "b"]])).1.len(), 1);
        assert_eq!(read_decisions(&[]), (vec![], vec![]));
    }
}
