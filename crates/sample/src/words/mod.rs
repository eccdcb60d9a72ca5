//! The words that fill the tables and the labels that stand around them, one file a language.

mod de;
mod en;
mod labels;
mod zh;

use serde::{Deserialize, Serialize};

use crate::rng::Rng;

pub(crate) use labels::Labels;

/// Language of a generated site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English: `12 March 2014`, `£12.99`.
    #[default]
    En,
    /// German: `12. März 2014`, `12,99 €`.
    De,
    /// Chinese: `2014年3月12日`, `¥59.00`.
    Zh,
}

/// A calendar day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Date {
    pub(crate) year: usize,
    pub(crate) month: usize,
    pub(crate) day: usize,
}

/// All the words of one language. Patterns have slots: `{hero}`, `{place}`, `{thing}`, `{job}`, `{name}`.
pub(crate) struct Lexicon {
    pub(crate) labels: Labels,
    pub(crate) months: &'static [&'static str],
    pub(crate) categories: &'static [&'static str],
    pub(crate) category_blurbs: &'static [&'static str],
    pub(crate) given: &'static [&'static str],
    pub(crate) family: &'static [&'static str],
    pub(crate) full_name: fn(given: &str, family: &str) -> String,
    pub(crate) heroes: &'static [&'static str],
    pub(crate) places: &'static [&'static str],
    pub(crate) things: &'static [&'static str],
    pub(crate) jobs: &'static [&'static str],
    pub(crate) title: fn(&mut Rng) -> String,
    /// Words of titles that visitors search for.
    pub(crate) search_words: fn() -> Vec<&'static str>,
    /// Words that no title has.
    pub(crate) no_match: &'static [&'static str],
    pub(crate) subtitles: &'static [&'static str],
    pub(crate) series: &'static [&'static str],
    pub(crate) publishers: &'static [&'static str],
    pub(crate) languages: &'static [&'static str],
    pub(crate) bindings: &'static [&'static str],
    pub(crate) stock: &'static [&'static str],
    pub(crate) story: &'static [&'static str],
    pub(crate) opinions: &'static [&'static str],
    pub(crate) bio: &'static [&'static str],
    pub(crate) faq: &'static [(&'static str, &'static str)],
    pub(crate) ads: &'static [(&'static str, &'static str)],
    pub(crate) promos: &'static [&'static str],
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 3] = [Language::En, Language::De, Language::Zh];

    /// The code for the `lang` attribute.
    pub fn code(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::De => "de",
            Language::Zh => "zh",
        }
    }

    pub(crate) fn lexicon(self) -> &'static Lexicon {
        match self {
            Language::En => &en::LEXICON,
            Language::De => &de::LEXICON,
            Language::Zh => &zh::LEXICON,
        }
    }

    /// A day as this language writes it.
    pub(crate) fn date(self, date: Date) -> String {
        let Date { year, month, day } = date;
        let name = self.lexicon().months.get(month - 1).copied().unwrap_or_default();
        match self {
            Language::En => format!("{day} {name} {year}"),
            Language::De => format!("{day}. {name} {year}"),
            Language::Zh => format!("{year}年{month}月{day}日"),
        }
    }

    /// A price given in hundredths.
    pub(crate) fn price(self, cents: usize) -> String {
        let (whole, part) = (cents / 100, cents % 100);
        match self {
            Language::En => format!("£{whole}.{part:02}"),
            Language::De => format!("{whole},{part:02} €"),
            Language::Zh => format!("¥{whole}.{part:02}"),
        }
    }

    pub(crate) fn page_count(self, pages: usize) -> String {
        match self {
            Language::En => pages.to_string(),
            Language::De => format!("{pages} Seiten"),
            Language::Zh => format!("{pages}页"),
        }
    }

    pub(crate) fn weight(self, grams: usize) -> String {
        match self {
            Language::En => format!("{grams} g"),
            Language::De => format!("0,{:02} kg", grams / 10),
            Language::Zh => format!("{grams}克"),
        }
    }

    pub(crate) fn stars(self, stars: usize) -> String {
        match self {
            Language::En => format!("{stars} out of 5"),
            Language::De => format!("{stars} von 5"),
            Language::Zh => format!("{stars}星"),
        }
    }

    /// The price level of the language's country, in hundredths: (lowest, highest) price of a book.
    pub(crate) fn price_range(self) -> (usize, usize) {
        match self {
            Language::En => (399, 3499),
            Language::De => (599, 3999),
            Language::Zh => (1800, 14800),
        }
    }

    /// Several names in one text.
    pub(crate) fn names(self, names: &[&str]) -> String {
        names.join(if self == Language::Zh { "、" } else { ", " })
    }

    /// Sentences in one paragraph.
    pub(crate) fn sentence_gap(self) -> &'static str {
        if self == Language::Zh { "" } else { " " }
    }
}

impl Date {
    /// The day for a `datetime` attribute.
    pub(crate) fn iso(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_follow_the_language() {
        let date = Date { year: 2014, month: 3, day: 12 };
        let written = |l: Language| (l.date(date), l.price(1299));
        assert_eq!(written(Language::En), ("12 March 2014".into(), "£12.99".into()));
        assert_eq!(written(Language::De), ("12. März 2014".into(), "12,99 €".into()));
        assert_eq!(written(Language::Zh), ("2014年3月12日".into(), "¥12.99".into()));
        assert_eq!(date.iso(), "2014-03-12");
    }

    #[test]
    fn word_lists_have_no_duplicates() {
        for language in Language::ALL {
            let lexicon = language.lexicon();
            let search_words = (lexicon.search_words)();
            let lists: [&[&str]; 12] = [
                lexicon.months,
                lexicon.categories,
                lexicon.given,
                lexicon.family,
                lexicon.places,
                lexicon.things,
                lexicon.subtitles,
                lexicon.series,
                lexicon.publishers,
                lexicon.story,
                lexicon.opinions,
                &search_words,
            ];
            for list in lists {
                let mut sorted = list.to_vec();
                sorted.sort_unstable();
                sorted.dedup();
                assert_eq!(sorted.len(), list.len(), "{language:?}: {list:?}");
            }
            assert_eq!(lexicon.months.len(), 12);
            assert!(lexicon.categories.len() >= 12);
        }
    }
}
