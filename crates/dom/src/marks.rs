//! Marks that belong to the letter before them.

/// Blocks whose characters are marks. Within the Indic blocks letters and marks alternate: what is not a letter or digit
/// there is a mark, but for the few signs of punctuation.
const MARKS: [(char, char); 22] = [
    ('\u{300}', '\u{36f}'),
    ('\u{483}', '\u{489}'),
    ('\u{591}', '\u{5bd}'),
    ('\u{5bf}', '\u{5bf}'),
    ('\u{5c1}', '\u{5c7}'),
    ('\u{610}', '\u{61a}'),
    ('\u{64b}', '\u{65f}'),
    ('\u{670}', '\u{670}'),
    ('\u{6d6}', '\u{6ed}'),
    ('\u{711}', '\u{74a}'),
    ('\u{7a6}', '\u{7b0}'),
    ('\u{900}', '\u{dff}'),
    ('\u{e31}', '\u{e3a}'),
    ('\u{e47}', '\u{e4e}'),
    ('\u{eb1}', '\u{ece}'),
    ('\u{f18}', '\u{f19}'),
    ('\u{f71}', '\u{f87}'),
    ('\u{102b}', '\u{103e}'),
    ('\u{17b4}', '\u{17d3}'),
    ('\u{1ab0}', '\u{1aff}'),
    ('\u{20d0}', '\u{20ff}'),
    ('\u{3099}', '\u{309a}'),
];

/// Punctuation inside those blocks: dandas, the signs for abbreviation and rupee, Sinhala's kunddaliya.
const PUNCTUATION: [char; 8] =
    ['\u{964}', '\u{965}', '\u{970}', '\u{9f2}', '\u{9f3}', '\u{af0}', '\u{df4}', '\u{f85}'];

/// Whether a character is written on the letter before it: Thai tones, Indic viramas, accents that stand alone. Such a mark
/// is part of a word though it is no letter.
///
/// ```
/// assert!(unsite_dom::is_mark('\u{e48}') && unsite_dom::is_mark('\u{94d}'));
/// assert!(!unsite_dom::is_mark('-') && !unsite_dom::is_mark('\u{964}'));
/// ```
pub fn is_mark(c: char) -> bool {
    c >= MARKS[0].0
        && MARKS.iter().any(|&(first, last)| (first..=last).contains(&c))
        && !PUNCTUATION.contains(&c)
}
