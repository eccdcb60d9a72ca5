//! How names are made: from words of the site, each given once.

use rustc_hash::FxHashMap;
use unsite_dom::is_mark;

/// A name longer than this is a sentence.
const LONGEST: usize = 40;

/// Hands out each name once.
#[derive(Debug, Default)]
pub struct Namer {
    used: FxHashMap<String, usize>,
}

impl Namer {
    /// Was it given before?
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        self.used.contains_key(name)
    }

    /// The name itself, or with a number behind it when it is taken.
    pub fn unique(&mut self, name: &str) -> String {
        let count = self.used.entry(name.to_owned()).or_default();
        *count += 1;
        if *count == 1 {
            return name.to_owned();
        }
        let numbered = format!("{name}_{count}");
        self.unique(&numbered)
    }
}

/// A name without the numbers that [`Namer::unique`] put behind it.
pub(crate) fn base_name(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((base, number)) if !base.is_empty() && number.parse::<u32>().is_ok() => base_name(base),
        _ => name,
    }
}

/// A name for one of many, as far as a word shows its plural: `book_reviews` becomes `book_review`.
pub(crate) fn singular(name: &str) -> String {
    let base = base_name(name);
    let (before, last) = base.rsplit_once('_').map_or(("", base), |(before, last)| (before, last));
    let one = match last {
        word if word.len() < 4
            || ["ss", "us", "is", "news", "series"].iter().any(|end| word.ends_with(end)) =>
        {
            word.to_owned()
        }
        word if word.ends_with("ies") => format!("{}y", &word[..word.len() - 3]),
        word if ["ches", "shes", "xes", "sses"].iter().any(|end| word.ends_with(end)) => {
            word[..word.len() - 2].to_owned()
        }
        word if word.ends_with('s') => word[..word.len() - 1].to_owned(),
        word => word.to_owned(),
    };
    if before.is_empty() { one } else { format!("{before}_{one}") }
}

/// `Published on:` becomes `published_on`; letters of any script stay.
pub fn slug(text: &str) -> Option<String> {
    let mut slug = String::new();
    let spaced = words_apart(text);
    for c in spaced.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() || (is_mark(c) && slug.ends_with(|before: char| before != '_')) {
            slug.push(c);
        } else if !slug.ends_with('_') && !slug.is_empty() {
            slug.push('_');
        }
        if slug.len() >= LONGEST {
            break;
        }
    }
    let slug = slug.trim_matches('_').to_owned();
    slug.chars().any(char::is_alphabetic).then_some(slug)
}

/// `datePublished` is two words; `ISBN` and `iPhone` are one.
fn words_apart(text: &str) -> String {
    let mut apart = String::with_capacity(text.len());
    let mut before = [' '; 2];
    for c in text.chars() {
        if c.is_uppercase() && before.iter().all(|c| c.is_lowercase()) {
            apart.push(' ');
        }
        apart.push(c);
        before = [before[1], c];
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_called_after_one_thing() {
        for (many, one) in
            [("books", "book"), ("categories", "category"), ("news", "news"), ("job_listings", "job_listing")]
        {
            assert_eq!(singular(many), one);
        }
        assert_eq!(singular("status"), "status");
        assert_eq!(singular("boxes_2"), "box");
    }

    #[test]
    fn words_of_markup_come_apart() {
        assert_eq!(slug("datePublished").as_deref(), Some("date_published"));
        assert_eq!(slug("isPartOf").as_deref(), Some("is_part_of"));
        assert_eq!(slug("ISBN").as_deref(), Some("isbn"));
        assert_eq!(slug("iPhone").as_deref(), Some("iphone"));
    }

    #[test]
    fn labels_become_names() {
        assert_eq!(slug("Published on:").as_deref(), Some("published_on"));
        assert_eq!(slug("  (ISBN-13) ").as_deref(), Some("isbn_13"));
        assert_eq!(slug("价格：").as_deref(), Some("价格"));
        assert_eq!(slug("12:30"), None);
        assert_eq!(slug("ที่อยู่:").as_deref(), Some("ที่อยู่"));
        assert_eq!(slug("प्रकाशन वर्ष").as_deref(), Some("प्रकाशन_वर्ष"));
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        let mut namer = Namer::default();
        let names: Vec<String> = ["a", "a", "a_2", "a"].iter().map(|name| namer.unique(name)).collect();
        assert_eq!(names, ["a", "a_2", "a_2_2", "a_3"]);
        assert!(names.iter().all(|name| base_name(name) == "a"));
    }
}
