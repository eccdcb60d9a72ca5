//! The names of the months.

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

/// Letters of the shortest abbreviation.
const SHORTEST: usize = 3;

/// The month that a word names: whole, or cut to three letters or more as long as only one month begins so.
pub(super) fn month(word: &str) -> Option<i32> {
    let word = word.to_lowercase();
    if word.chars().count() < SHORTEST {
        return None;
    }
    if let Some(at) = NAMES.iter().position(|names| names.contains(&word.as_str())) {
        return Some(at as i32 + 1);
    }
    let begins = |names: &&[&str]| names.iter().any(|name| name.starts_with(word.as_str()));
    let mut fitting = NAMES.iter().enumerate().filter(|(_, names)| begins(names));
    match (fitting.next(), fitting.next()) {
        (Some((at, _)), None) => Some(at as i32 + 1),
        _ => None,
    }
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
