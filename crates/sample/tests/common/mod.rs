//! A crude reader of generated pages. It insists on well-formed markup, where the tag stack is the tree, so that
//! a test can trust what it sees without a tree builder.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use unsite_sample::{Change, Family, Knobs, Language, Site};
use url::Url;

/// What can be read off one page.
#[derive(Default)]
pub(crate) struct Seen {
    /// Texts of text nodes outside scripts and styles, in page order.
    pub(crate) texts: Vec<String>,
    /// Texts of whole elements.
    pub(crate) elements: BTreeSet<String>,
    /// Links and images, resolved.
    pub(crate) targets: BTreeSet<String>,
    /// Links in page order: (resolved target, text).
    pub(crate) links: Vec<(String, String)>,
    /// What is wrong with the markup.
    pub(crate) faults: Vec<String>,
    /// Number of elements by name.
    pub(crate) tags: Vec<String>,
    /// All classes used.
    pub(crate) classes: BTreeSet<String>,
}

impl Seen {
    /// True when the value is the whole text of a node or element, or an attribute.
    pub(crate) fn has(&self, value: &str) -> bool {
        self.elements.contains(value)
            || self.targets.contains(value)
            || self.texts.iter().any(|text| text == value)
    }

    /// True when the value stands in some text between non-letters.
    pub(crate) fn has_within(&self, value: &str) -> bool {
        let free = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        self.texts.iter().any(|text| {
            text.match_indices(value).any(|(at, _)| {
                free(text[..at].chars().next_back()) && free(text[at + value.len()..].chars().next())
            })
        })
    }
}

/// White space collapsed.
pub(crate) fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads a page.
pub(crate) fn read(url: &str, html: &str) -> Seen {
    let base = Url::parse(url).expect("page URLs are valid");
    let reader = Reader { base, state: RefCell::default() };
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    let tokenizer = Tokenizer::new(reader, TokenizerOpts { exact_errors: true, ..TokenizerOpts::default() });
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    let state = tokenizer.sink.state.into_inner();
    let mut seen = state.seen;
    if !state.open.is_empty() {
        seen.faults
            .push(format!("never closed: {:?}", state.open.iter().map(|o| &o.name).collect::<Vec<_>>()));
    }
    seen
}

struct Open {
    name: String,
    text: String,
    target: Option<String>,
}

#[derive(Default)]
struct State {
    seen: Seen,
    open: Vec<Open>,
    node: String,
}

struct Reader {
    base: Url,
    state: RefCell<State>,
}

const VOID: [&str; 6] = ["br", "hr", "img", "input", "link", "meta"];
const INLINE: [&str; 14] =
    ["a", "abbr", "b", "cite", "em", "font", "i", "s", "small", "span", "strong", "sup", "time", "u"];
const BLOCK: [&str; 14] = [
    "div", "p", "table", "ul", "ol", "dl", "h1", "h2", "h3", "section", "article", "center", "aside",
    "figure",
];

impl TokenSink for Reader {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let state = &mut *self.state.borrow_mut();
        match token {
            Token::CharacterTokens(text) => {
                state.node.push_str(&text);
                TokenSinkResult::Continue
            }
            Token::TagToken(tag) => state.tag(&self.base, &tag),
            Token::ParseError(error) => {
                state.seen.faults.push(error.to_string());
                TokenSinkResult::Continue
            }
            _ => TokenSinkResult::Continue,
        }
    }
}

impl State {
    fn tag(&mut self, base: &Url, tag: &Tag) -> TokenSinkResult<()> {
        self.end_text();
        let name = tag.name.to_string();
        // A block's border separates words as a line break would.
        if !INLINE.contains(&name.as_str()) {
            self.open.iter_mut().for_each(|open| open.text.push(' '));
        }
        if tag.kind == TagKind::EndTag {
            return self.close(&name);
        }
        let attribute =
            |wanted: &str| tag.attrs.iter().find(|a| &*a.name.local == wanted).map(|a| a.value.to_string());
        let target =
            attribute("href").or_else(|| attribute("src")).and_then(|t| base.join(&t).ok()).map(String::from);
        self.seen.targets.extend(target.clone());
        let classes = attribute("class").unwrap_or_default();
        self.seen.classes.extend(classes.split(' ').filter(|c| !c.is_empty()).map(str::to_string));
        self.check_parent(&name);
        self.seen.tags.push(name.clone());
        if VOID.contains(&name.as_str()) {
            return TokenSinkResult::Continue;
        }
        let raw = match name.as_str() {
            "script" => Some(RawKind::ScriptData),
            "style" => Some(RawKind::Rawtext),
            "title" => Some(RawKind::Rcdata),
            _ => None,
        };
        self.open.push(Open { name, text: String::new(), target });
        raw.map_or(TokenSinkResult::Continue, TokenSinkResult::RawData)
    }

    /// Rules whose breach would make a browser build another tree than the tags say.
    fn check_parent(&mut self, name: &str) {
        let parent = self.open.last().map(|open| open.name.as_str());
        let inside = |wanted: &str| self.open.iter().any(|open| open.name == wanted);
        let wrong = match name {
            "tr" => parent != Some("table"),
            "td" => parent != Some("tr"),
            "li" => !matches!(parent, Some("ul" | "ol")),
            "dt" | "dd" => parent != Some("dl"),
            "a" | "form" | "button" => inside(name),
            _ => false,
        };
        let in_table =
            matches!(parent, Some("table")) && name != "tr" || matches!(parent, Some("tr")) && name != "td";
        if wrong || in_table || BLOCK.contains(&name) && inside("p") {
            self.seen.faults.push(format!("<{name}> inside {parent:?}"));
        }
    }

    fn end_text(&mut self) {
        let node = std::mem::take(&mut self.node);
        let hidden = self.open.iter().any(|open| matches!(open.name.as_str(), "script" | "style" | "head"));
        if hidden || node.is_empty() {
            return;
        }
        self.open.iter_mut().for_each(|open| open.text.push_str(&node));
        let text = collapse(&node);
        if !text.is_empty() {
            self.seen.texts.push(text);
        }
    }

    fn close(&mut self, name: &str) -> TokenSinkResult<()> {
        match self.open.pop() {
            Some(open) if open.name == name => {
                let text = collapse(&open.text);
                if name == "a" {
                    self.seen.links.push((open.target.unwrap_or_default(), text.clone()));
                }
                self.seen.elements.insert(text);
            }
            other => self.seen.faults.push(format!("</{name}> closes {:?}", other.map(|open| open.name))),
        }
        TokenSinkResult::Continue
    }
}

/// A small site of every family in every language, clean, noisy and redesigned, with what its pages show.
/// Made once for all tests of a file.
pub(crate) fn variants() -> &'static [(Site, Vec<Seen>)] {
    static VARIANTS: OnceLock<Vec<(Site, Vec<Seen>)>> = OnceLock::new();
    VARIANTS.get_or_init(|| {
        let with_pages = |knobs| {
            let site = Site::generate(&knobs);
            let seen = site.pages.iter().map(|page| read(&page.url, &page.html)).collect();
            (site, seen)
        };
        variant_knobs().into_iter().map(with_pages).collect()
    })
}

fn variant_knobs() -> Vec<Knobs> {
    let mut all = vec![Knobs::default()];
    for family in Family::ALL {
        for language in Language::ALL {
            for (noise, redesign) in [(0.0, vec![]), (0.9, vec![]), (0.3, Change::ALL.to_vec())] {
                let redesign = redesign.into_iter().collect();
                let small = Knobs {
                    books: 12,
                    authors: 5,
                    categories: 3,
                    page_size: 3,
                    queries: 3,
                    ..Knobs::default()
                };
                all.push(Knobs { family, language, noise, redesign, ..small });
            }
        }
        for (index, change) in Change::ALL.into_iter().enumerate() {
            let language = Language::ALL[index % Language::ALL.len()];
            let small =
                Knobs { books: 8, authors: 3, categories: 2, page_size: 3, queries: 2, ..Knobs::default() };
            all.push(Knobs { family, language, redesign: [change].into(), ..small });
        }
    }
    all
}
