//! Tag and attribute names of one page, each once.

use rustc_hash::FxHashMap;

/// What a page with more than 65,000 distinct names gets for the rest of them.
const OTHER: u16 = u16::MAX - 2;
/// Stands for comments and processing instructions while a page is parsed; no tree has any.
pub(crate) const IGNORED: u16 = u16::MAX - 3;

/// The names and, beside each, what it says about text below an element so called.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    names: Vec<Box<str>>,
    roles: Vec<Role>,
    ids: FxHashMap<Box<str>, u16>,
}

impl Names {
    pub(crate) fn intern(&mut self, name: &str) -> u16 {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        if self.names.len() >= IGNORED as usize {
            return OTHER;
        }
        let id = self.names.len() as u16;
        self.names.push(name.into());
        self.roles.push(role(name));
        self.ids.insert(name.into(), id);
        id
    }

    pub(crate) fn get(&self, id: u16) -> &str {
        self.names.get(id as usize).map_or("", |name| name)
    }

    pub(crate) fn find(&self, name: &str) -> Option<u16> {
        self.ids.get(name).copied()
    }

    pub(crate) fn role(&self, id: u16) -> Role {
        self.roles.get(id as usize).copied().unwrap_or(Role::Inline)
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.names.iter().map(|name| 2 * (name.len() + size_of::<Box<str>>()) + 8).sum()
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
