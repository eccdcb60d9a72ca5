//! Free text from sentence patterns.

use crate::rng::Rng;
use crate::words::{Language, Lexicon};

/// A run of text inside a paragraph, with the inline tag it may wear.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Run {
    pub(crate) text: String,
    pub(crate) mark: Mark,
}

/// How a run is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Plain,
    Emphasis,
    Strong,
}

/// A paragraph: runs in reading order.
pub(crate) type Paragraph = Vec<Run>;

/// Share of filled slots that templates set in italics or bold, so that free text contains inline tags.
const MARKED_SHARE: f64 = 0.3;

/// The text of paragraphs as a reader sees it: runs joined, paragraphs separated by one space.
pub(crate) fn plain(paragraphs: &[Paragraph]) -> String {
    let lines: Vec<String> =
        paragraphs.iter().map(|p| p.iter().map(|run| run.text.as_str()).collect()).collect();
    lines.join(" ")
}

/// Draws sentences without repeating one within the same text.
pub(crate) struct Writer<'a> {
    language: Language,
    lexicon: &'static Lexicon,
    rng: &'a mut Rng,
    name: String,
}

impl<'a> Writer<'a> {
    /// `name` fills the `{name}` slot.
    pub(crate) fn new(language: Language, rng: &'a mut Rng, name: &str) -> Self {
        Writer { language, lexicon: language.lexicon(), rng, name: name.to_string() }
    }

    /// `paragraphs` paragraphs of two to four sentences.
    pub(crate) fn text(&mut self, patterns: &[&'static str], paragraphs: usize) -> Vec<Paragraph> {
        let mut order = self.rng.sample(patterns.len(), patterns.len()).into_iter();
        let mut text = Vec::with_capacity(paragraphs);
        for _ in 0..paragraphs {
            let wanted = self.rng.between(2, 4);
            let chosen: Vec<usize> = order.by_ref().take(wanted).collect();
            if !chosen.is_empty() {
                text.push(self.paragraph(patterns, &chosen));
            }
        }
        text
    }

    /// One unmarked line of one to three sentences.
    pub(crate) fn line(&mut self, patterns: &[&'static str]) -> String {
        let wanted = self.rng.between(1, 3);
        let chosen = self.rng.sample(patterns.len(), wanted);
        plain(&[self.paragraph(patterns, &chosen)])
    }

    fn paragraph(&mut self, patterns: &[&'static str], chosen: &[usize]) -> Paragraph {
        let mut runs = Vec::new();
        for (position, &index) in chosen.iter().enumerate() {
            if position > 0 {
                push(&mut runs, self.language.sentence_gap(), Mark::Plain);
            }
            self.sentence(patterns[index], &mut runs);
        }
        runs
    }

    fn sentence(&mut self, pattern: &str, runs: &mut Paragraph) {
        let mut rest = pattern;
        while let Some((before, tail)) = rest.split_once('{') {
            let (slot, after) = tail.split_once('}').unwrap_or((tail, ""));
            push(runs, before, Mark::Plain);
            let value = match slot {
                "hero" => self.rng.word(self.lexicon.heroes),
                "place" => self.rng.word(self.lexicon.places),
                "thing" => self.rng.word(self.lexicon.things),
                "job" => self.rng.word(self.lexicon.jobs),
                _ => self.name.as_str(),
            };
            let mark = match (self.rng.chance(MARKED_SHARE), slot) {
                (true, "thing") => Mark::Emphasis,
                (true, "hero") => Mark::Strong,
                _ => Mark::Plain,
            };
            push(runs, value, mark);
            rest = after;
        }
        push(runs, rest, Mark::Plain);
    }
}

fn push(runs: &mut Paragraph, text: &str, mark: Mark) {
    if text.is_empty() {
        return;
    }
    match runs.last_mut() {
        Some(last) if last.mark == mark => last.text.push_str(text),
        _ => runs.push(Run { text: text.to_string(), mark }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_is_filled_in_every_language() {
        for language in Language::ALL {
            let lexicon = language.lexicon();
            let mut rng = Rng::new(1, "prose");
            let mut writer = Writer::new(language, &mut rng, "Ann");
            for patterns in [lexicon.story, lexicon.opinions, lexicon.bio] {
                let text = plain(&writer.text(patterns, 9));
                assert!(!text.is_empty() && !text.contains(['{', '}']), "{text}");
                assert!(!text.contains("  "), "{text}");
            }
        }
    }
}
