//! Pages that are empty until a script has run, and the data that such pages carry for their scripts.

use serde_json::Value;

use crate::embedded::{EmbeddedKind, JsonWalk, Leaf, parse_json};
use crate::text::is_blank;
use crate::tree::{NodeId, Tree};

/// Letters that a shell may show: a name, "Loading", a line for those without scripts. The shortest pages that say
/// something themselves (error pages with a link back) have more.
const SHELL_LETTERS: usize = 120;

/// Values with state that are read from one page; frameworks write one or two.
const MAX_STATES: usize = 8;

/// Bytes before an equals sign in which a variable's name is looked for.
const LONGEST_NAME: usize = 80;

/// Names of variables that hold state, in part.
const STATE_NAMES: [&str; 8] =
    ["__", "STATE", "state", "initialData", "initial_data", "pageData", "bootstrap", "preload"];

impl Tree {
    /// Whether the page is an empty shell that a script fills: next to no text of its own, scripts, and an element
    /// that waits to be filled.
    ///
    /// ```
    /// use unsite_dom::{Limits, Tree};
    /// let shell = |html: &str| Tree::parse(html.as_bytes(), None, &Limits::default()).0.is_script_shell();
    /// assert!(shell("<title>Shop</title><div id=app></div><script src=/app.js></script>"));
    /// assert!(!shell("<div id=app></div>"));
    /// assert!(!shell("<div id=app><p>Two lamps</p></div><form><input name=q></form><script src=/x.js></script>"));
    /// ```
    pub fn is_script_shell(&self) -> bool {
        let mut scripts = false;
        let mut waits = false;
        let mut fallback_until = 0;
        for node in self.nodes() {
            if node.0 < fallback_until {
                continue;
            }
            match self.name(node) {
                "noscript" => fallback_until = self.end(node).0,
                "script" => scripts |= self.is_code(node),
                // What can be used, seen or followed without a script is no shell.
                "input" | "table" | "img" | "frame" | "frameset" => return false,
                "div" | "main" | "section" | "body" => waits |= self.is_hollow(node),
                name => waits |= name.contains('-') && self.is_hollow(node),
            }
        }
        scripts && waits && self.shown_letters() <= SHELL_LETTERS
    }

    /// The leaves of data that scripts find on the page: JSON in a script element, or assigned to a variable whose name
    /// says that it holds state (`window.__INITIAL_STATE__ = {...}`).
    pub fn state(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        let mut item = 0;
        let mut left = MAX_STATES;
        for script in self.elements("script") {
            let text: String = self.children(script).map(|text| self.text(text)).collect();
            let kind = self.attr(script, "type").unwrap_or_default().trim().to_ascii_lowercase();
            let values = match kind.split(';').next().unwrap_or_default().trim() {
                "application/json" | "text/json" => parse_json(&text),
                "application/ld+json" => continue,
                _ if self.is_code(script) => assigned(&text, left),
                _ => continue,
            };
            for value in values.iter().take(left) {
                let kind = EmbeddedKind::State;
                let path = String::new();
                JsonWalk { kind, script, leaves: &mut leaves, item: &mut item, path }.top_level(value);
            }
            left -= values.len().min(left);
        }
        leaves
    }

    /// A script that a browser runs, with something in it.
    fn is_code(&self, script: NodeId) -> bool {
        let kind = self.attr(script, "type").unwrap_or_default().trim().to_ascii_lowercase();
        let runs = kind.is_empty() || kind == "module" || kind.contains("javascript");
        let has_body = || self.children(script).any(|text| !is_blank(self.text(text)));
        runs && (self.attr(script, "src").is_some() || has_body())
    }

    /// Nothing but scripts and blank texts below.
    fn is_hollow(&self, element: NodeId) -> bool {
        self.children(element).all(|child| match self.is_text(child) {
            true => is_blank(self.text(child)),
            false => matches!(self.name(child), "script" | "noscript" | "style" | "template"),
        })
    }

    /// Letters of the visible text without what is shown to browsers without scripts, counted as far as it matters.
    fn shown_letters(&self) -> usize {
        let fallbacks: Vec<(NodeId, NodeId)> =
            self.elements("noscript").map(|node| (node, self.end(node))).collect();
        let is_fallback = |node: NodeId| {
            let at = fallbacks.partition_point(|(start, _)| *start < node);
            at > 0 && node < fallbacks[at - 1].1
        };
        let mut letters = 0;
        for (node, text) in self.visible_texts() {
            if !is_fallback(node) {
                letters += text.chars().filter(|c| c.is_alphanumeric()).count();
            }
            if letters > SHELL_LETTERS {
                break;
            }
        }
        letters
    }
}

/// JSON values that a script assigns to variables which sound like state.
fn assigned(code: &str, most: usize) -> Vec<Value> {
    let mut values = Vec::new();
    let mut at = 0;
    while values.len() < most
        && let Some(found) = code[at..].find('=')
    {
        let equals = at + found;
        at = equals + 1;
        let before = code[code.floor_char_boundary(equals.saturating_sub(LONGEST_NAME))..equals].trim_end();
        let name =
            before.rsplit(|c: char| c.is_whitespace() || ";,({".contains(c)).next().unwrap_or_default();
        let value = code[at..].trim_start();
        if !value.starts_with(['{', '[']) || !STATE_NAMES.iter().any(|part| name.contains(part)) {
            continue;
        }
        let mut read = serde_json::Deserializer::from_str(value).into_iter::<Value>();
        if let Some(Ok(json)) = read.next() {
            at = code.len() - value.len() + read.byte_offset();
            values.push(json);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Limits;

    fn tree(html: &str) -> Tree {
        Tree::parse(html.as_bytes(), None, &Limits::default()).0
    }

    #[test]
    fn shells_are_recognised() {
        for html in [
            "<div id=root></div><script type=module src=/m.js></script>",
            "<body><app-root>Loading</app-root><my-app></my-app><script src=x.js></script>",
            "<body><noscript><p>This page needs a browser that runs scripts, and here is a long text about how to switch them on \
             in every browser there is or was, with all the menus that one has to open.</p><img src=pixel.gif></noscript>\
             <div id=app></div><script>start()</script>",
            "<body><script src=/bundle.js></script></body>",
        ] {
            assert!(tree(html).is_script_shell(), "{html}");
        }
    }

    #[test]
    fn pages_that_say_something_are_not() {
        let long = format!("<div></div><p>{}</p><script src=x.js></script>", "word ".repeat(60));
        for html in [
            "",
            "<p>short",
            "<div id=x></div><script type=application/json>{}</script>",
            "<div id=x></div><table><tr><td>1</table><script src=x.js></script>",
            &long,
        ] {
            assert!(!tree(html).is_script_shell(), "{html}");
        }
    }

    #[test]
    fn state_is_read() {
        let found: Vec<String> = tree(
            "<script id=__NEXT_DATA__ type=application/json>{\"props\": {\"name\": \"Larkspur\"}}</script>
             <script>var x = {a: 1}; window.__STATE__ = {\"items\": [{\"id\": 7}, {\"id\": 8}]}; go(x == {});</script>
             <script type=application/ld+json>{\"@type\": \"Book\"}</script>",
        )
        .state()
        .iter()
        .map(|leaf| format!("{} {}={}", leaf.item, leaf.path, leaf.value))
        .collect();
        assert_eq!(found, ["0 props.name=Larkspur", "1 items.id=7", "1 items.id=8"]);
    }

    #[test]
    fn hostile_scripts_end() {
        let code = format!("<script>{}</script>", "window.__x__={".repeat(20_000));
        assert!(tree(&code).state().is_empty());
    }
}
