//! Names of people: surnames, initials, lists cut short.

use std::borrow::Cow;

use super::word_match::{Leniency, overlap};
use super::{Expert, ExpertSet, for_columns, nearly};
use crate::corpus::{Corpus, Token};
use crate::kinds::FieldKind;

/// # What it does
/// Matches the words of two lists of people; an initial stands for any word that begins with it. The score is the
/// mean of shared over all and shared over the shorter list, because lists are often cut ("et al.").
/// # Assumes
/// Order of given name and surname does not matter.
/// # When it fails
/// Different people of one surname and initial.
/// # Paper
/// Names and initials expert of the CONFHEX frame; Winkler 1994 for frequency weighting.
pub(super) const EXPERT: Expert = Expert {
    name: "names",
    about: "people: surnames, initials, lists cut short",
    set: ExpertSet::General,
    cost: 4,
    judges: |corpus| {
        for_columns(
            corpus,
            "names",
            |c| c.kind == FieldKind::Names,
            |column| {
                Box::new(move |a, b| {
                    score(corpus, &people(corpus, column.tokens(a)), &people(corpus, column.tokens(b)))
                })
            },
        )
    },
};

fn score(corpus: &Corpus<'_>, a: &[Token], b: &[Token]) -> Option<f32> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let shared = overlap(corpus, a, b, |t| t.rarity, Leniency::Initials);
    Some(if shared.equal { 1.0 } else { nearly(0.5 * shared.dice() + 0.5 * shared.containment()) })
}

/// The words that name people, without those between them.
fn people<'t>(corpus: &Corpus<'_>, tokens: &'t [Token]) -> Cow<'t, [Token]> {
    if tokens.iter().any(|t| is_filler(corpus, t)) {
        Cow::Owned(tokens.iter().copied().filter(|t| !is_filler(corpus, t)).collect())
    } else {
        Cow::Borrowed(tokens)
    }
}

fn is_filler(corpus: &Corpus<'_>, token: &Token) -> bool {
    let outline = &token.outline;
    match outline.head.get(..usize::from(outline.length)) {
        Some(word) => {
            const SHORT: [&[u8]; 12] =
                [b"and", b"et", b"al", b"mr", b"mrs", b"ms", b"dr", b"prof", b"jr", b"sr", b"eds", b"ed"];
            SHORT.contains(&word)
        }
        None => outline.length == 7 && &outline.head == b"edit" && corpus.word(token.word) == "editors",
    }
}
