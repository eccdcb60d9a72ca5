//! The languages whose stop words and stems are known, and which scripts give them away.

use rust_stemmers::Algorithm;

use crate::text::count_bytes;

/// The languages by ISO 639-1 code; those that share a script and closely compete stand in alphabetic order.
pub(crate) const LANGUAGES: [&str; 46] = [
    "af", "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "ga",
    "gl", "he", "hi", "hr", "hu", "hy", "id", "it", "ja", "ko", "la", "lt", "lv", "ms", "nl", "no", "pl",
    "pt", "ro", "ru", "sk", "sl", "sv", "th", "tr", "uk", "ur", "vi", "zh",
];

/// A language that terms can be made in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(u8);

impl Language {
    /// The language of a tag such as `en`, `pt-BR` or `zh_Hans`; `None` for one that is not known.
    pub fn from_tag(tag: &str) -> Option<Language> {
        let primary = tag.trim().split(['-', '_']).next()?.to_ascii_lowercase();
        let code = match primary.as_str() {
            "nb" | "nn" => "no",
            "iw" => "he",
            "in" => "id",
            "cmn" | "yue" => "zh",
            "sr" | "bs" => "hr",
            other => other,
        };
        LANGUAGES.iter().position(|have| *have == code).map(|index| Language(index as u8))
    }

    /// The ISO 639-1 code.
    pub fn code(self) -> &'static str {
        LANGUAGES[self.index()]
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(crate) fn is_turkic(self) -> bool {
        self.code() == "tr"
    }

    /// True when the language is written in a script that [`Language::of_script`] would have seen.
    pub(crate) fn has_own_script(self) -> bool {
        self.script() != Script::Shared
    }

    /// True when both are written in the same script, so that one may be mistaken for the other.
    pub(crate) fn shares_script(self, other: Language) -> bool {
        let (own, other) = (self.script(), other.script());
        own == other || matches!((own, other), (Script::Kana | Script::Han, Script::Kana | Script::Han))
    }

    fn script(self) -> Script {
        match self.code() {
            "ja" => Script::Kana,
            "zh" => Script::Han,
            "ko" => Script::Hangul,
            "th" => Script::Thai,
            "el" => Script::Greek,
            "he" => Script::Hebrew,
            "hy" => Script::Armenian,
            "hi" => Script::Devanagari,
            "bn" => Script::Bengali,
            _ => Script::Shared,
        }
    }

    /// The language that a text must be in by its script alone; `None` for scripts of many languages
    /// (Latin, Cyrillic, Arabic) and for texts without letters.
    pub fn of_script(text: &str) -> Option<Language> {
        let mut scripts = Scripts::default();
        scripts.add(text);
        scripts.language()
    }
}

/// How many letters of each script a text has.
#[derive(Debug, Default)]
pub(crate) struct Scripts {
    counts: [usize; Script::ALL.len()],
    letters: usize,
}

impl Scripts {
    /// Counts a further piece of the text.
    pub(crate) fn add(&mut self, text: &str) {
        if text.is_ascii() {
            self.letters += count_bytes(text, |byte| (byte | 0x20).wrapping_sub(b'a') < 26);
            return;
        }
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            self.letters += 1;
            if let Some(script) = Script::of(c) {
                self.counts[script as usize] += 1;
            }
        }
    }

    /// See [`Language::of_script`].
    pub(crate) fn language(&self) -> Option<Language> {
        let share = |script: Script| self.counts[script as usize] as f64 / self.letters.max(1) as f64;
        // Kana stand between the Han characters of every Japanese sentence, and in no Chinese one. Product
        // codes and brands are Latin everywhere, so a fifth of the letters is enough.
        let east_asian = share(Script::Kana) + share(Script::Han);
        if east_asian > 0.2 {
            let japanese = share(Script::Kana) > 0.1 * east_asian;
            return Language::from_tag(if japanese { "ja" } else { "zh" });
        }
        Script::ALL
            .into_iter()
            .filter(|&script| share(script) > 0.2)
            .max_by(|&a, &b| share(a).total_cmp(&share(b)))
            .and_then(|script| script.code())
            .and_then(Language::from_tag)
    }
}

/// Scripts that one known language writes, and one for all the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Kana,
    Han,
    Hangul,
    Thai,
    Greek,
    Hebrew,
    Armenian,
    Devanagari,
    Bengali,
    Shared,
}

impl Script {
    const ALL: [Script; 10] = [
        Script::Kana,
        Script::Han,
        Script::Hangul,
        Script::Thai,
        Script::Greek,
        Script::Hebrew,
        Script::Armenian,
        Script::Devanagari,
        Script::Bengali,
        Script::Shared,
    ];

    fn of(c: char) -> Option<Script> {
        Some(match u32::from(c) {
            0x3041..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F => Script::Kana,
            0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x323AF => Script::Han,
            0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7AF => Script::Hangul,
            0x0E00..=0x0E7F => Script::Thai,
            0x0370..=0x03FF | 0x1F00..=0x1FFF => Script::Greek,
            0x0590..=0x05FF => Script::Hebrew,
            0x0530..=0x058F => Script::Armenian,
            0x0900..=0x097F => Script::Devanagari,
            0x0980..=0x09FF => Script::Bengali,
            _ => return None,
        })
    }

    fn code(self) -> Option<&'static str> {
        Some(match self {
            Script::Kana => "ja",
            Script::Han => "zh",
            Script::Hangul => "ko",
            Script::Thai => "th",
            Script::Greek => "el",
            Script::Hebrew => "he",
            Script::Armenian => "hy",
            Script::Devanagari => "hi",
            Script::Bengali => "bn",
            Script::Shared => return None,
        })
    }
}

pub(crate) fn stemmer(code: &str) -> Option<Algorithm> {
    Some(match code {
        "ar" => Algorithm::Arabic,
        "da" => Algorithm::Danish,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "en" => Algorithm::English,
        "es" => Algorithm::Spanish,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "hu" => Algorithm::Hungarian,
        "it" => Algorithm::Italian,
        "nl" => Algorithm::Dutch,
        "no" => Algorithm::Norwegian,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "sv" => Algorithm::Swedish,
        "tr" => Algorithm::Turkish,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_stop_words() {
        for code in LANGUAGES {
            assert!(stop_words::lookup(code).is_some_and(|words| words.len() > 20), "{code}");
        }
    }

    #[test]
    fn tags_and_scripts_lead_to_languages() {
        assert_eq!(Language::from_tag(" PT_br").map(Language::code), Some("pt"));
        assert_eq!(Language::from_tag("nn-NO").map(Language::code), Some("no"));
        assert_eq!(Language::from_tag(""), None);
        assert_eq!(Language::of_script("abc где"), None);
        assert_eq!(Language::of_script("Νέα ABC").map(Language::code), Some("el"));
    }
}
