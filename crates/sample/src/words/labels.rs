//! The fixed texts of a site: what templates print around values.

/// Labels of one language. `{n}`, `{m}` and `{q}` are slots for numbers and for a query.
pub(crate) struct Labels {
    pub(crate) shop: &'static str,
    pub(crate) tagline: &'static str,
    pub(crate) welcome: &'static str,
    pub(crate) home: &'static str,
    pub(crate) categories: &'static str,
    pub(crate) new_arrivals: &'static str,
    pub(crate) bargains: &'static str,
    pub(crate) help: &'static str,
    pub(crate) search: &'static str,
    pub(crate) popular_searches: &'static str,
    pub(crate) bestsellers: &'static str,
    pub(crate) featured: &'static str,
    pub(crate) by: &'static str,
    pub(crate) price: &'static str,
    pub(crate) was: &'static str,
    pub(crate) series: &'static str,
    pub(crate) add_to_basket: &'static str,
    pub(crate) availability: &'static str,
    pub(crate) details: &'static str,
    pub(crate) description: &'static str,
    pub(crate) reviews: &'static str,
    pub(crate) no_reviews: &'static str,
    pub(crate) related: &'static str,
    pub(crate) about_author: &'static str,
    pub(crate) born: &'static str,
    pub(crate) birthplace: &'static str,
    pub(crate) books_by: &'static str,
    pub(crate) previous: &'static str,
    pub(crate) next: &'static str,
    pub(crate) page_of: &'static str,
    pub(crate) count: &'static str,
    pub(crate) results_for: &'static str,
    pub(crate) nothing_found: &'static str,
    pub(crate) nothing_hint: &'static str,
    pub(crate) sponsored: &'static str,
    pub(crate) newsletter: &'static str,
    pub(crate) rights: &'static str,
    pub(crate) isbn: &'static str,
    pub(crate) publisher: &'static str,
    pub(crate) published: &'static str,
    pub(crate) pages: &'static str,
    pub(crate) language: &'static str,
    pub(crate) binding: &'static str,
    pub(crate) weight: &'static str,
    pub(crate) dimensions: &'static str,
}

/// A label with its slots filled.
pub(crate) fn fill(pattern: &str, slots: &[(&str, &str)]) -> String {
    let mut text = pattern.to_string();
    for (slot, value) in slots {
        text = text.replace(slot, value);
    }
    text
}

impl Labels {
    pub(crate) fn page_of(&self, page: usize, pages: usize) -> String {
        fill(self.page_of, &[("{n}", &page.to_string()), ("{m}", &pages.to_string())])
    }

    pub(crate) fn count(&self, books: usize) -> String {
        fill(self.count, &[("{n}", &books.to_string())])
    }

    pub(crate) fn results_for(&self, query: &str) -> String {
        fill(self.results_for, &[("{q}", query)])
    }

    pub(crate) fn nothing_found(&self, query: &str) -> String {
        fill(self.nothing_found, &[("{q}", query)])
    }

    pub(crate) fn books_by(&self, name: &str) -> String {
        fill(self.books_by, &[("{q}", name)])
    }
}
