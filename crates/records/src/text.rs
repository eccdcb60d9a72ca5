//! Folding of text: what must not matter when two values are compared.

/// Characters of a value that are compared; what comes after (a field of a megabyte) only counts for equality.
///
/// Chosen so that an abstract fits whole and a pair costs microseconds at most.
pub const COMPARED_CHARS: usize = 1_000;

/// Lower case without accents, every run of other characters than letters and digits made one space.
///
/// A hyphen at a line end inside a word ("learn-ing") cannot be told from a real one; both become a space, and the
/// experts that compare without spaces see through it. Each Chinese, Japanese or Korean character is a word.
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(4 * COMPARED_CHARS));
    let mut pending_space = false;
    let mut length = 0_usize;
    for c in text.chars() {
        if length >= COMPARED_CHARS {
            break;
        }
        // An apostrophe joins: "O'Neil" and "ONeil" are one word.
        if matches!(c, '\'' | '’' | '`' | '´') {
            continue;
        }
        if !c.is_alphanumeric() {
            pending_space = true;
            continue;
        }
        let ideograph = is_ideograph(c);
        if (pending_space || ideograph) && !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
            length += 1;
        }
        pending_space = ideograph;
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
            length += 1;
        } else {
            length += push_folded(c, &mut out);
        }
    }
    out
}

/// The words of a folded text.
pub fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(' ').filter(|w| !w.is_empty())
}

/// Folded text without its spaces, cut to `limit` characters.
pub fn squeeze(folded: &str, limit: usize) -> String {
    folded.chars().filter(|c| *c != ' ').take(limit).collect()
}

/// A fingerprint of the whole text, however long, with case and white space at the ends ignored.
pub fn fingerprint(text: &str) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    for c in text.trim().chars().flat_map(char::to_lowercase) {
        hasher.write_u32(c as u32);
    }
    hasher.finish()
}

fn is_ideograph(c: char) -> bool {
    matches!(c as u32, 0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff
        | 0x20000..=0x2ffff)
}

/// Writes a letter in lower case without its accent; returns how many characters that took.
fn push_folded(c: char, out: &mut String) -> usize {
    let mut written = 0;
    for lower in c.to_lowercase() {
        let plain = match lower {
            'à'..='å' | 'ā' | 'ă' | 'ą' => "a",
            'æ' => "ae",
            'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
            'ď' | 'đ' | 'ð' => "d",
            'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
            'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
            'ĥ' | 'ħ' => "h",
            'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
            'ĵ' => "j",
            'ķ' => "k",
            'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => "l",
            'ñ' | 'ń' | 'ņ' | 'ň' => "n",
            'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => "o",
            'œ' => "oe",
            'ŕ' | 'ŗ' | 'ř' => "r",
            'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
            'ß' => "ss",
            'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
            'þ' => "th",
            'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
            'ŵ' => "w",
            'ý' | 'ÿ' | 'ŷ' => "y",
            'ź' | 'ż' | 'ž' => "z",
            // Combining marks that lower-casing leaves behind.
            '\u{300}'..='\u{36f}' => "",
            other => {
                out.push(other);
                written += 1;
                continue;
            }
        };
        out.push_str(plain);
        written += plain.len();
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_and_punctuation_go() {
        assert_eq!(fold("  The Cascade-Correlation\tArchitecture."), "the cascade correlation architecture");
        assert_eq!(fold("Łukasz O'Neil, Straße"), "lukasz oneil strasse");
        assert_eq!(fold("東京 tower"), "東 京 tower");
        assert_eq!(fold("...!?"), "");
    }

    #[test]
    fn a_megabyte_is_cut() {
        let long = "word ".repeat(300_000);
        assert!(fold(&long).chars().count() <= COMPARED_CHARS + 1);
        assert_ne!(fingerprint(&long), fingerprint(&format!("{long}x")));
        assert_eq!(fingerprint("Abc "), fingerprint("abc"));
    }

    #[test]
    fn squeezing_joins_words() {
        assert_eq!(squeeze("back propagation nets", 8), "backprop");
        assert_eq!(words("a  b").collect::<Vec<_>>(), ["a", "b"]);
    }
}
