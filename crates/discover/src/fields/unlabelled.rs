//! Values without the label that stands in front of them in the same text: `In Stock` of `Availability: In Stock`; and without
//! the marks around them: `984 bytes` of `[984 bytes]`.
//!
//! # What it does
//! Where all values of a column begin with the same words and a colon, or with the colon of a label that stands in an element
//! before them (`<b>Subject</b>: x`), the column says what comes behind. Marks that join or enclose texts and that all values
//! begin or end with (`Ada <`, before her address) are the template's.
//! # Assumes
//! A label has a colon; words without one may be the beginning of names.
//! # When it fails
//! A column of one value that happens to have a colon keeps it, because it cannot be seen to be a label.

use unsite_wrapper::{Part, What, inline_label};

use super::columns::Slot;
use super::grow::Grown;
use super::parts::{is_known, values_by_row};

/// What nearly every text could have once, two have by accident only where their pages are copies.
const SEVERAL: usize = 2;

/// Takes the label off the values of all slots that have the same one everywhere. The line with its label stays beside its value,
/// as other lines with constant words do: which of them is told is decided where all that says the same is.
pub(super) fn take_labels_off(grown: &Grown, slots: &mut Vec<Slot>) {
    let known = values_by_row(slots.iter());
    let mut found: Vec<Slot> = Vec::with_capacity(slots.len());
    for slot in slots.drain(..) {
        // Paragraphs that go on with each other are one text, whatever each of them begins with.
        let flows = grown.template.nodes[slot.step].flows;
        let reads_a_line = !flows && matches!(slot.what, What::Text | What::Prose);
        if let Some((part, values)) = bare(&slot.examples).filter(|_| reads_a_line) {
            let rows = slot.example_rows.clone();
            let unlabelled = slot.part(What::Part(Box::new(slot.what.clone()), part), values, rows, 1.0);
            if !is_known(&unlabelled, &known) {
                found.push(unlabelled);
            }
        }
        found.push(slot);
    }
    *slots = found;
}

/// The values without the label that all of them have.
fn bare(values: &[String]) -> Option<(Part, Vec<String>)> {
    let opening = label_of_all(values).or_else(|| marks_before(values)).unwrap_or_default();
    let closing = marks_behind(values).unwrap_or_default();
    if opening.is_empty() && closing.is_empty() {
        return None;
    }
    let part = Part { constants: vec![opening.to_owned(), closing.to_owned()], index: 0 };
    let bare: Option<Vec<String>> = values.iter().map(|value| Some(part.read(value)?.to_owned())).collect();
    Some((part, bare?))
}

/// The label that all values begin with: words and a colon, or a colon alone.
fn label_of_all(values: &[String]) -> Option<&str> {
    let first = values.first().filter(|_| values.len() >= SEVERAL)?;
    let label = match first.strip_prefix([':', '：']) {
        Some(rest) => &first[..first.len() - rest.len()],
        None => inline_label(first)?,
    };
    let has_it = |value: &String| match label.chars().count() {
        1 => value.starts_with(label),
        _ => inline_label(value) == Some(label),
    };
    values.iter().all(has_it).then_some(label)
}

/// Marks that join a text to what stands before it, or open a bracket around it, and those that join it to what follows, or
/// close one. Signs of numbers and ends of sentences are part of what is said.
const BEFORE: [char; 16] =
    [',', ';', '|', '·', '•', '–', '—', '»', '(', '[', '<', '（', '【', '，', '、', '；'];
const BEHIND: [char; 17] =
    [',', ';', '|', '·', '•', '–', '—', '«', ')', ']', '>', '<', '（', '）', '】', '，', '：'];
const BRACKETS: [(char, char); 5] = [('(', ')'), ('[', ']'), ('<', '>'), ('（', '）'), ('【', '】')];

/// The marks that all values begin with.
fn marks_before(values: &[String]) -> Option<&str> {
    let first = values.first().filter(|_| values.len() >= SEVERAL)?;
    let marks = &first[..first.len() - first.trim_start_matches(BEFORE).len()];
    let all = !marks.is_empty()
        && values.iter().all(|value| value.starts_with(marks) && opens_and_closes_once(value, marks));
    all.then_some(marks)
}

/// The marks that all values end with.
fn marks_behind(values: &[String]) -> Option<&str> {
    let first = values.first().filter(|_| values.len() >= SEVERAL)?;
    let marks = &first[first.trim_end_matches(BEHIND).len()..];
    let all = !marks.is_empty()
        && values.iter().all(|value| value.ends_with(marks) && opens_and_closes_once(value, marks));
    all.then_some(marks)
}

/// Of a bracket among the marks, the other half is at the other end of the text, or in another text.
fn opens_and_closes_once(text: &str, marks: &str) -> bool {
    BRACKETS.iter().filter(|(open, close)| marks.contains([*open, *close])).all(|&(open, close)| {
        let (opened, closed) = (text.matches(open).count(), text.matches(close).count());
        opened + closed == 1 || opened == 1 && closed == 1 && text.starts_with(open) && text.ends_with(close)
    })
}

/// Is this part what stands behind a label, and nothing else of the text?
pub(super) fn label_of(part: &Part) -> Option<&str> {
    match part.constants.as_slice() {
        [label, end] if !has_words(end) && (label.ends_with([':', '：']) || !has_words(label)) => {
            Some(label)
        }
        _ => None,
    }
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(values: &[&str]) -> Option<String> {
        let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
        label_of_all(&values).map(str::to_owned)
    }

    #[test]
    fn what_all_values_begin_with_is_their_label() {
        assert_eq!(
            label(&["Availability: In Stock", "Availability: 3 days"]).as_deref(),
            Some("Availability:")
        );
        assert_eq!(label(&["評価：4.1点", "評価：3点"]).as_deref(), Some("評価："));
        assert_eq!(label(&["颜色：红", "颜色：蓝"]).as_deref(), Some("颜色："));
        assert_eq!(label(&[": Red hat", ": Blue hat"]).as_deref(), Some(":"));
        assert_eq!(label(&["Dune: Part One", "Alien: Covenant"]), None);
        assert_eq!(label(&["12:30", "12:45"]), None);
        assert_eq!(label(&["Size: 5"]), None);
    }

    fn without(values: &[&str]) -> Option<Vec<String>> {
        let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
        bare(&values).map(|(_, values)| values)
    }

    #[test]
    fn marks_around_all_values_come_off() {
        let said = |values: &[&str]| Some(values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>());
        assert_eq!(without(&["[984 bytes]", "[12 bytes]"]), said(&["984 bytes", "12 bytes"]));
        assert_eq!(without(&[": Ada <", ": Bo <"]), said(&["Ada", "Bo"]));
        assert_eq!(without(&["(3)", "(17)"]), said(&["3", "17"]));
        assert_eq!(without(&["Sold (2)", "Sold (3)"]), None);
        assert_eq!(without(&["(a) or (b)", "(c) or (d)"]), None);
        assert_eq!(without(&["-5", "-7"]), None);
        assert_eq!(without(&["Ada, Bo", "Cy, Di"]), None);
        assert_eq!(without(&["well.", "so."]), None);
    }
}
