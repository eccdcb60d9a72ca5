//! Tag and attribute names of one page, each once.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

/// What a page with more than 65,000 distinct names gets for the rest of them.
const OTHER: u16 = u16::MAX - 2;
/// Stands for comments and processing instructions while a page is parsed; no tree has any.
pub(crate) const IGNORED: u16 = u16::MAX - 3;

/// An empty place of the table.
const FREE: u16 = u16::MAX;
/// Places of the table of a page with few names, a power of two.
const FEWEST_SLOTS: usize = 128;

/// The names and, beside each, what it says about text below an element so called. Every page has its own, so they are made
/// with few allocations: one text, one table of places.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    text: String,
    /// Where each name ends in the text.
    ends: Vec<u32>,
    roles: Vec<Role>,
    /// Numbers of names, each at the place that its hash says or at the next free one; never more than half full.
    slots: Vec<u16>,
}

impl Names {
    pub(crate) fn intern(&mut self, name: &str) -> u16 {
        if self.slots.is_empty() {
            self.slots = vec![FREE; FEWEST_SLOTS];
        }
        let slot = self.slot(name);
        if self.slots[slot] != FREE {
            return self.slots[slot];
        }
        if self.ends.len() >= IGNORED as usize {
            return OTHER;
        }
        let id = self.ends.len() as u16;
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        self.roles.push(role(name));
        self.slots[slot] = id;
        if 2 * self.ends.len() > self.slots.len() {
            self.grow();
        }
        id
    }

    /// Where a name is, or where it would go.
    fn slot(&self, name: &str) -> usize {
        let mask = self.slots.len() - 1;
        // The upper bits are the good ones of this hash.
        let mut slot = (FxBuildHasher.hash_one(name) >> 32) as usize & mask;
        while self.slots[slot] != FREE && self.get(self.slots[slot]) != name {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![FREE; 2 * self.slots.len()];
        for id in 0..self.ends.len() as u16 {
            let slot = self.slot(self.get(id));
            self.slots[slot] = id;
        }
    }

    pub(crate) fn get(&self, id: u16) -> &str {
        let Some(&end) = self.ends.get(id as usize) else { return "" };
        let start = (id as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..end as usize]
    }

    pub(crate) fn find(&self, name: &str) -> Option<u16> {
        if self.slots.is_empty() {
            return None;
        }
        Some(self.slots[self.slot(name)]).filter(|&id| id != FREE)
    }

    pub(crate) fn role(&self, id: u16) -> Role {
        self.roles.get(id as usize).copied().unwrap_or(Role::Inline)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u16).map(|id| self.get(id))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.text.len()
            + self.ends.len() * (size_of::<u32>() + size_of::<Role>())
            + self.slots.len() * size_of::<u16>()
    }
}

/// How the text of an element stands on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Inline,
    /// Starts on a new line.
    Block,
    /// Next to the one before it, but never glued to it.
    Cell,
    /// Never rendered as text.
    Skipped,
    /// Drawings: only their `text` elements are read.
    Drawing,
    /// The text of a drawing.
    DrawingText,
}

fn role(name: &str) -> Role {
    match name {
        "head" | "script" | "style" | "template" | "textarea" | "iframe" | "noembed" | "noframes"
        | "datalist" | "audio" | "video" | "canvas" | "object" => Role::Skipped,
        "svg" => Role::Drawing,
        "text" => Role::DrawingText,
        "td" | "th" | "option" | "button" => Role::Cell,
        "address" | "article" | "aside" | "blockquote" | "body" | "br" | "caption" | "center" | "dd"
        | "details" | "dialog" | "dir" | "div" | "dl" | "dt" | "fieldset" | "figcaption" | "figure"
        | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hgroup" | "hr"
        | "html" | "legend" | "li" | "main" | "menu" | "nav" | "ol" | "optgroup" | "p" | "pre" | "search"
        | "section" | "select" | "summary" | "table" | "tbody" | "tfoot" | "thead" | "tr" | "ul" => {
            Role::Block
        }
        _ => Role::Inline,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_number() {
        let mut names = Names::default();
        assert_eq!(names.find("a"), None);
        let words: Vec<String> = (0..1000).map(|n| format!("n{n}")).collect();
        let ids: Vec<u16> = words.iter().map(|word| names.intern(word)).collect();
        assert_eq!(ids, (0..1000).collect::<Vec<u16>>());
        for (word, id) in words.iter().zip(ids) {
            assert_eq!((names.intern(word), names.find(word), names.get(id)), (id, Some(id), word.as_str()));
        }
        assert_eq!((names.find("x"), names.get(1000), names.len()), (None, "", 1000));
        assert!(names.iter().eq(words.iter()));
    }

    #[test]
    fn names_beyond_the_last_number_share_one() {
        let mut names = Names::default();
        let last = (0..70_000).map(|n| names.intern(&n.to_string())).max();
        assert_eq!((last, names.len()), (Some(OTHER), IGNORED as usize));
        assert_eq!(names.intern("0"), 0);
    }
}
