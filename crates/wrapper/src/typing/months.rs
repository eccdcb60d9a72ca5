//! The names of the months.

use std::sync::LazyLock;

/// January to December in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish and Russian
/// (genitives where dates use them).
const NAMES: [&[&str]; 12] = [
    &[
        "january",
        "januar",
        "jänner",
        "janvier",
        "enero",
        "gennaio",
        "janeiro",
        "januari",
        "stycznia",
        "января",
    ],
    &["february", "februar", "février", "febrero", "febbraio", "fevereiro", "februari", "lutego", "февраля"],
    &["march", "märz", "mars", "marzo", "março", "maart", "marca", "марта"],
    &["april", "avril", "abril", "aprile", "kwietnia", "апреля"],
    &["may", "mai", "mayo", "maggio", "maio", "mei", "maja", "maj", "мая"],
    &["june", "juni", "juin", "junio", "giugno", "junho", "czerwca", "июня"],
    &["july", "juli", "juillet", "julio", "luglio", "julho", "lipca", "июля"],
    &["august", "août", "agosto", "augustus", "sierpnia", "augusti", "августа"],
    &["september", "septembre", "septiembre", "settembre", "setembro", "września", "сентября"],
    &["october", "oktober", "octobre", "octubre", "ottobre", "outubro", "października", "октября"],
    &["november", "novembre", "noviembre", "novembro", "listopada", "ноября"],
    &["december", "dezember", "décembre", "diciembre", "dicembre", "dezembro", "grudnia", "декабря"],
];

/// All names in order, each with the number of its month.
static SORTED: LazyLock<Vec<(&str, i32)>> = LazyLock::new(|| {
    let numbered =
        NAMES.iter().zip(1..).flat_map(|(names, month)| names.iter().map(move |&name| (name, month)));
    let mut sorted: Vec<(&str, i32)> = numbered.collect();
    sorted.sort_unstable();
    sorted
});

/// Letters of the shortest abbreviation.
const SHORTEST: usize = 3;

/// The month that a word names: whole, or cut to three letters or more as long as only one month begins so.
pub(super) fn month(word: &str) -> Option<i32> {
    let word = word.to_lowercase();
    if word.chars().count() < SHORTEST {
        return None;
    }
    // A whole name stands before those that go on.
    let start = SORTED.partition_point(|&(name, _)| name < word.as_str());
    let mut fitting = SORTED[start..].iter().take_while(|(name, _)| name.starts_with(word.as_str()));
    let &(name, month) = fitting.next()?;
    (name == word || fitting.all(|&(_, other)| other == month)).then_some(month)
}

#[cfg(test)]
mod tests {
    use super::month;

    #[test]
    fn whole_and_cut_names() {
        assert_eq!(
            (month("Sept"), month("März"), month("août"), month("Dez")),
            (Some(9), Some(3), Some(8), Some(12))
        );
        assert_eq!(
            (month("mai"), month("mar"), month("juillet"), month("июля")),
            (Some(5), Some(3), Some(7), Some(7))
        );
        assert_eq!((month("jui"), month("monday"), month("ma"), month("mayor")), (None, None, None, None));
    }
}
