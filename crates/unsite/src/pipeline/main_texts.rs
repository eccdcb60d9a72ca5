//! The main texts of a site's pages, by what was learned about their types.

use unsite_discover::main_text;
use unsite_discover::regions::{TypeText, main_markdown, type_texts};
use unsite_dom::{Terms, Tree};

use super::Learned;

/// Reads the main texts of pages.
pub struct MainTexts {
    types: Vec<TypeText>,
}

impl MainTexts {
    /// Learns where the texts of each page type stand.
    pub fn learn(learned: &Learned) -> MainTexts {
        MainTexts { types: type_texts(&learned.site, &learned.type_of, learned.wrapper.types.len()) }
    }

    /// The main text of a page; one of no known type is read by itself.
    pub fn of(&self, page_type: Option<usize>, tree: &Tree) -> String {
        match page_type.and_then(|at| self.types.get(at)) {
            Some(learned) => learned.main_text(tree, Terms::shared()),
            None => main_text(tree),
        }
    }

    /// The same as Markdown; `page_url` makes links absolute.
    pub fn markdown(&self, page_type: Option<usize>, tree: &Tree, page_url: &str) -> String {
        match page_type.and_then(|at| self.types.get(at)) {
            Some(learned) => learned.main_markdown(tree, page_url, Terms::shared()),
            None => main_markdown(tree, page_url),
        }
    }
}
