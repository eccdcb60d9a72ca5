//! Text to terms: words in any script, lower case, without stop words, stemmed by language.

use std::borrow::Cow;
use std::sync::LazyLock;

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};
use rust_stemmers::Stemmer;
use rustc_hash::{FxHashMap, FxHashSet};
use unicode_segmentation::UnicodeSegmentation;

use crate::language::{LANGUAGES, Language, Scripts, stemmer};
use crate::tree::Tree;
use crate::words::{Chunk, chunks, runs, spaceless};

/// Longer words are kept as they are but cut here, in bytes: they are data URLs and the like, and stemmers
/// were not made for them.
const MAX_WORD: usize = 64;

/// Runs of a script without spaces are segmented in pieces of this many bytes, which bounds the memory
/// of the segmenter; a word at a cut may be split.
const MAX_RUN: usize = 8 * 1024;

/// How many words the vote on the language looks at. A few hundred decide it on nearly every page.
const VOTE_WORDS: usize = 2000;

/// Turns text into terms. Costly to make and cheap to use: make one and share it among pages and threads.
///
/// ```
/// use unsite_dom::{Language, Terms};
/// let terms = Terms::new();
/// let english = Language::from_tag("en-GB");
/// assert_eq!(terms.terms("The connected Books", english), ["connect", "book"]);
/// ```
pub struct Terms {
    segmenter: WordSegmenterBorrowed<'static>,
    /// For every stop word the languages that have it, one bit each.
    stop_words: FxHashMap<&'static str, u64>,
    stemmers: Vec<Option<Stemmer>>,
    english: Stemmer,
}

impl std::fmt::Debug for Terms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terms").field("stop_words", &self.stop_words.len()).finish_non_exhaustive()
    }
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

impl Terms {
    /// Loads segmenters, stop words and stemmers.
    pub fn new() -> Self {
        let mut stop_words: FxHashMap<&'static str, u64> = FxHashMap::default();
        for (bit, code) in LANGUAGES.iter().enumerate() {
            for word in stop_words::lookup(code).unwrap_or_default() {
                *stop_words.entry(word).or_default() |= 1 << bit;
            }
        }
        Terms {
            segmenter: WordSegmenter::new_auto(WordBreakInvariantOptions::default()),
            stop_words,
            stemmers: LANGUAGES.iter().map(|code| stemmer(code).map(Stemmer::create)).collect(),
            english: Stemmer::create(rust_stemmers::Algorithm::English),
        }
    }

    /// The one that everybody can share, loaded on first use.
    pub fn shared() -> &'static Terms {
        static SHARED: LazyLock<Terms> = LazyLock::new(Terms::new);
        &SHARED
    }

    /// Calls `each` for every word as it stands, in order: Unicode word boundaries, and for scripts that
    /// write no spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) a dictionary or a model.
    pub fn words<'t>(&self, text: &'t str, mut each: impl FnMut(&'t str)) {
        for chunk in chunks(text) {
            match chunk {
                Chunk::Word(word) => each(word),
                Chunk::Mixed(mixed) => self.words_of_mixed(mixed, &mut each),
            }
        }
    }

    /// The words of a text that may have any character.
    fn words_of_mixed<'t>(&self, text: &'t str, each: &mut impl FnMut(&'t str)) {
        for run in runs(text) {
            if !run.starts_with(spaceless) {
                run.unicode_words().for_each(&mut *each);
                continue;
            }
            let mut rest = run;
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(rest.floor_char_boundary(MAX_RUN.min(rest.len())));
                let mut start = 0;
                for end in self.segmenter.segment_str(piece) {
                    if end > start && piece[start..end].starts_with(char::is_alphanumeric) {
                        each(&piece[start..end]);
                    }
                    start = end;
                }
                rest = after;
            }
        }
    }

    /// The terms of a text: its words in lower case, without the stop words of the language, stemmed by
    /// its rules. Without a language nothing is removed and nothing is stemmed.
    pub fn terms(&self, text: &str, language: Option<Language>) -> Vec<String> {
        let mut terms = Vec::new();
        self.words(text, |word| terms.extend(self.term(word, language)));
        terms
    }

    /// The term of a word; `None` for a stop word.
    pub(crate) fn term(&self, word: &str, language: Option<Language>) -> Option<String> {
        let word = &word[..word.floor_char_boundary(MAX_WORD.min(word.len()))];
        let mut lower = lower_case(word, language);
        if language.is_some_and(|language| self.is_stop_word(&lower, language)) {
            return None;
        }
        let stemmer = language.and_then(|language| self.stemmers[language.index()].as_ref());
        if let Some(stemmer) = stemmer
            && lower.chars().all(char::is_alphabetic)
        {
            lower = stemmer.stem(&lower).into_owned();
        }
        (!lower.is_empty()).then_some(lower)
    }

    /// Terms as THOR's evaluation has them: lower case, split at everything that is neither letter nor
    /// digit, English (Porter's) stemming, stop words kept.
    ///
    /// ```
    /// let terms = unsite_dom::Terms::new();
    /// assert_eq!(terms.plain_terms("The cats' 2nd-hand ponies"), ["the", "cat", "2nd", "hand", "poni"]);
    /// ```
    pub fn plain_terms(&self, text: &str) -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(|word| {
                let lower = lower_case(&word[..word.floor_char_boundary(MAX_WORD.min(word.len()))], None);
                self.english.stem(&lower).into_owned()
            })
            .collect()
    }

    /// True for a stop word, given in lower case.
    pub fn is_stop_word(&self, word: &str, language: Language) -> bool {
        self.stop_words.get(word).is_some_and(|languages| languages >> language.index() & 1 == 1)
    }

    /// The language of a page: what its `html` element declares, unless the script of its text speaks
    /// against that; then the script where it decides; then the vote of stop words.
    pub fn language(&self, tree: &Tree) -> Option<Language> {
        let texts: Vec<Cow<'_, str>> = sample(tree.visible_texts().map(|(_, text)| text)).collect();
        self.language_of_texts(tree, texts.iter().map(|text| &**text))
    }

    /// [`Terms::language`] of a page whose visible texts were read before.
    pub fn language_of_texts<'t>(
        &self,
        tree: &Tree,
        texts: impl Iterator<Item = &'t str> + Clone,
    ) -> Option<Language> {
        let declared =
            tree.root().and_then(|html| tree.language_tag(html)).and_then(|tag| Language::from_tag(&tag));
        let mut scripts = Scripts::default();
        sample(texts.clone()).for_each(|text| scripts.add(text));
        match (declared, scripts.language()) {
            (Some(declared), None) if !declared.has_own_script() => Some(declared),
            (Some(declared), Some(script)) if declared.shares_script(script) => Some(declared),
            (_, Some(script)) => Some(script),
            _ => self.vote(&sample(texts).collect::<Vec<_>>().join("\n")),
        }
    }

    /// The language of a text by its script and by the vote of its stop words; `None` where neither says
    /// enough. A stop word of many languages counts for each of them, but less.
    pub fn guess_language(&self, text: &str) -> Option<Language> {
        Language::of_script(text).or_else(|| self.vote(text))
    }

    /// The vote of the stop words.
    fn vote(&self, text: &str) -> Option<Language> {
        let mut votes = [0f64; LANGUAGES.len()];
        let mut seen = 0;
        let mut hits = 0;
        let mut distinct: FxHashSet<&str> = FxHashSet::default();
        for word in text.unicode_words().take(VOTE_WORDS) {
            seen += 1;
            let Some((stop_word, &languages)) =
                self.stop_words.get_key_value(lower_case(word, None).as_str())
            else {
                continue;
            };
            hits += 1;
            distinct.insert(stop_word);
            for (bit, vote) in votes.iter_mut().enumerate() {
                if languages >> bit & 1 == 1 {
                    *vote += 1.0 / f64::from(languages.count_ones());
                }
            }
        }
        // A list of names has a stray hit or two; running text has one word in four.
        if distinct.len() < 3 || hits * 20 < seen {
            return None;
        }
        let best = votes.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)))?;
        Language::from_tag(LANGUAGES[best.0])
    }
}

/// Lower case that does no harm: Turkish text by Turkish rules, and elsewhere the dotted capital I becomes
/// a plain i instead of an i with a combining dot.
fn lower_case(word: &str, language: Option<Language>) -> String {
    if word.is_ascii() && language.is_none_or(|language| !language.is_turkic()) {
        return word.to_ascii_lowercase();
    }
    if language.is_some_and(Language::is_turkic) {
        return word.replace('I', "ı").replace('İ', "i").to_lowercase();
    }
    word.replace('İ', "i").to_lowercase()
}

/// The first texts of a page, enough to tell its language from.
fn sample<T: AsRef<str>>(texts: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    let mut bytes = 0;
    texts.take_while(move |text| {
        let is_enough = bytes > VOTE_WORDS * 8;
        bytes += text.as_ref().len() + 1;
        !is_enough
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn words(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        Terms::new().words(text, |word| words.push(word));
        words
    }

    #[test]
    fn words_in_scripts_with_and_without_spaces() {
        assert_eq!(words("It can't cost 12.50, naïve!"), ["It", "can't", "cost", "12.50", "naïve"]);
        assert_eq!(words("こんにちは世界"), ["こんにちは", "世界"]);
        assert_eq!(words("ทุกสองสัปดาห์"), ["ทุก", "สอง", "สัปดาห์"]);
        let chinese = words("Rust语言，图书馆在北京。");
        assert_eq!(chinese.concat(), "Rust语言图书馆在北京");
        assert!(chinese.contains(&"语言") && chinese.contains(&"北京"), "{chinese:?}");
        assert_eq!(words(" \n"), [""; 0]);
    }

    #[test]
    fn long_runs_are_cut_and_lose_nothing() {
        let text = "北京".repeat(20_000);
        assert_eq!(words(&text).concat(), text);
    }

    #[test]
    fn stop_words_and_stems_go_by_language() {
        let terms = Terms::new();
        let of = |text, tag| terms.terms(text, Language::from_tag(tag));
        assert_eq!(of("the running dogs", "en"), ["run", "dog"]);
        assert_eq!(of("die Häuser und Gärten", "de"), ["haus", "gart"]);
        assert_eq!(of("книги и журналы", "ru-RU"), ["книг", "журнал"]);
        assert_eq!(of("the running dogs", "xx"), ["the", "running", "dogs"]);
        assert_eq!(of("ISBN 12.50 a1b2s", "en"), ["isbn", "12.50", "a1b2s"]);
    }

    #[test]
    fn the_turkish_i_does_no_harm() {
        assert_eq!(lower_case("İSTANBUL", None), "istanbul");
        assert_eq!(lower_case("TITLE", Language::from_tag("en")), "title");
        assert_eq!(lower_case("DIŞ İÇ", Language::from_tag("tr")), "dış iç");
    }

    #[test]
    fn languages_are_guessed() {
        let terms = Terms::new();
        let guess = |text| terms.guess_language(text).map(Language::code);
        for (text, code) in [
            ("This is the book that she wrote when they were in the old house by the sea.", "en"),
            ("Das ist das Buch, das sie geschrieben hat, als sie noch in dem alten Haus am Meer war.", "de"),
            ("C'est le livre qu'elle a écrit quand ils étaient dans la vieille maison près de la mer.", "fr"),
            ("Este es el libro que ella escribió cuando estaban en la casa vieja junto al mar.", "es"),
            ("Questo è il libro che ha scritto quando erano nella vecchia casa vicino al mare.", "it"),
            ("Este é o livro que ela escreveu quando eles estavam na casa velha junto ao mar.", "pt"),
            ("Dit is het boek dat zij schreef toen ze nog in het oude huis aan de zee waren.", "nl"),
            ("To jest książka, którą ona napisała, kiedy oni byli w starym domu nad morzem.", "pl"),
            ("Это книга, которую она написала, когда они были в старом доме у моря.", "ru"),
            ("Bu, o eski evde oldukları zaman yazdığı kitap ve çok güzel bir şey için.", "tr"),
            ("これは彼女が書いた本です。", "ja"),
            ("这是她写的书。", "zh"),
            ("นี่คือหนังสือ", "th"),
            ("이것은 책입니다", "ko"),
        ] {
            assert_eq!(guess(text), Some(code), "{text}");
        }
        assert_eq!(guess("Zxqv Brrt 123 Klmn Pqrs Tttt"), None);
        assert_eq!(guess(""), None);
    }

    #[test]
    fn a_declaration_is_believed_unless_the_script_denies_it() {
        let terms = Terms::new();
        let of = |html: &str| {
            let (tree, _) = Tree::parse(html.as_bytes(), None, &Limits::default());
            terms.language(&tree).map(Language::code)
        };
        assert_eq!(of("<html lang=de-AT><p>the book of the house and the sea"), Some("de"));
        assert_eq!(of("<html lang=en><p>这是一本关于图书馆的书，写得很好。"), Some("zh"));
        assert_eq!(of("<html lang=uk><p>Це книга про старий будинок біля моря"), Some("uk"));
        assert_eq!(of("<p>the book of the house and the sea"), Some("en"));
        assert_eq!(of(""), None);
    }

    #[test]
    fn one_object_serves_all_threads() {
        fn shared<T: Send + Sync>() {}
        shared::<Terms>();
        shared::<Tree>();
    }

    #[test]
    fn plain_terms_split_at_everything_else() {
        let terms = Terms::new();
        assert_eq!(terms.plain_terms("Connections, CONNECTED; e-mail"), ["connect", "connect", "e", "mail"]);
    }
}
