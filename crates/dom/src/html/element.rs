//! Elements that the rules of parsing name, and what they say about each.

use super::key::Key;

macro_rules! elements {
    ($($variant:ident $name:literal $($flag:ident)*;)*) => {
        /// An element with rules of its own; all others are alike.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Tag {
            $(#[doc = $name] $variant,)*
            /// Any other HTML element, and every element of SVG.
            Other,
        }

        const NAMES: &[(&str, Tag)] = &[$(($name, Tag::$variant)),*];
        const FLAGS: &[u32] = &[$(0 $(| $flag)*),*, 0];
    };
}

/// Ends a search for an element in scope.
pub(super) const SCOPE: u32 = 1;
/// Closed without an end tag of its own.
pub(super) const IMPLIED: u32 = 1 << 1;
/// "Special": an end tag of another name does not reach past it.
pub(super) const SPECIAL: u32 = 1 << 2;
/// Never has content.
pub(super) const VOID: u32 = 1 << 3;
/// `h1` to `h6`.
pub(super) const HEADING: u32 = 1 << 4;
/// Text directly in here stands before the table.
pub(super) const FOSTER: u32 = 1 << 5;
/// Ends SVG when its start tag comes up inside.
pub(super) const BREAKOUT: u32 = 1 << 6;
/// Belongs to the form around it.
pub(super) const CONTROL: u32 = 1 << 7;
/// Where the rows of a table begin: ends a search in table scope.
pub(super) const TABLE_SCOPE: u32 = 1 << 8;

/// Begins and ends a block: its start tag closes a paragraph, its end tag closes all that is open inside.
pub(super) const BLOCK: u32 = 1 << 9;
/// Goes on behind the end of the block it began in.
pub(super) const FORMATTING: u32 = 1 << 10;
/// Belongs into the head, and is read by its rules wherever it stands.
pub(super) const OF_HEAD: u32 = 1 << 11;

elements! {
    A "a" FORMATTING;
    Address "address" SPECIAL BLOCK;
    Applet "applet" SCOPE SPECIAL;
    Area "area" SPECIAL VOID;
    Article "article" SPECIAL BLOCK;
    Aside "aside" SPECIAL BLOCK;
    B "b" BREAKOUT FORMATTING;
    Base "base" SPECIAL VOID OF_HEAD;
    Basefont "basefont" SPECIAL OF_HEAD;
    Bgsound "bgsound" SPECIAL OF_HEAD;
    Big "big" BREAKOUT FORMATTING;
    Blockquote "blockquote" SPECIAL BREAKOUT BLOCK;
    Body "body" SPECIAL BREAKOUT;
    Br "br" SPECIAL VOID BREAKOUT;
    Button "button" SPECIAL CONTROL;
    Caption "caption" SCOPE SPECIAL;
    Center "center" SPECIAL BREAKOUT BLOCK;
    Code "code" BREAKOUT FORMATTING;
    Col "col" SPECIAL VOID;
    Colgroup "colgroup" SPECIAL;
    Dd "dd" SPECIAL IMPLIED BREAKOUT;
    Details "details" SPECIAL BLOCK;
    Dialog "dialog" BLOCK;
    Dir "dir" SPECIAL BLOCK;
    Div "div" SPECIAL BREAKOUT BLOCK;
    Dl "dl" SPECIAL BREAKOUT BLOCK;
    Dt "dt" SPECIAL IMPLIED BREAKOUT;
    Em "em" BREAKOUT FORMATTING;
    Embed "embed" SPECIAL VOID BREAKOUT;
    Fieldset "fieldset" SPECIAL CONTROL BLOCK;
    Figcaption "figcaption" SPECIAL BLOCK;
    Figure "figure" SPECIAL BLOCK;
    Font "font" FORMATTING;
    Footer "footer" SPECIAL BLOCK;
    Form "form" SPECIAL;
    Frame "frame" SPECIAL;
    Frameset "frameset" SPECIAL;
    H1 "h1" SPECIAL HEADING BREAKOUT;
    H2 "h2" SPECIAL HEADING BREAKOUT;
    H3 "h3" SPECIAL HEADING BREAKOUT;
    H4 "h4" SPECIAL HEADING BREAKOUT;
    H5 "h5" SPECIAL HEADING BREAKOUT;
    H6 "h6" SPECIAL HEADING BREAKOUT;
    Head "head" SPECIAL BREAKOUT;
    Header "header" SPECIAL BLOCK;
    Hgroup "hgroup" SPECIAL BLOCK;
    Hr "hr" SPECIAL VOID BREAKOUT;
    Html "html" SCOPE SPECIAL TABLE_SCOPE;
    I "i" BREAKOUT FORMATTING;
    Iframe "iframe" SPECIAL;
    Image "image";
    Img "img" SPECIAL VOID BREAKOUT CONTROL;
    Input "input" SPECIAL VOID CONTROL;
    Isindex "isindex" SPECIAL;
    Keygen "keygen";
    Li "li" SPECIAL IMPLIED BREAKOUT;
    Link "link" SPECIAL VOID OF_HEAD;
    Listing "listing" SPECIAL BREAKOUT;
    Main "main" SPECIAL BLOCK;
    Marquee "marquee" SCOPE SPECIAL;
    Math "math";
    Menu "menu" SPECIAL BREAKOUT BLOCK;
    Meta "meta" SPECIAL VOID BREAKOUT OF_HEAD;
    Nav "nav" SPECIAL BLOCK;
    Nobr "nobr" BREAKOUT FORMATTING;
    Noembed "noembed" SPECIAL;
    Noframes "noframes" SPECIAL OF_HEAD;
    Noscript "noscript" SPECIAL;
    Object "object" SCOPE SPECIAL CONTROL;
    Ol "ol" SPECIAL BREAKOUT BLOCK;
    Optgroup "optgroup" IMPLIED;
    Option "option" IMPLIED;
    Output "output" CONTROL;
    P "p" SPECIAL IMPLIED BREAKOUT;
    Param "param" SPECIAL VOID;
    Plaintext "plaintext" SPECIAL;
    Pre "pre" SPECIAL BREAKOUT;
    Rb "rb" IMPLIED;
    Rp "rp" IMPLIED;
    Rt "rt" IMPLIED;
    Rtc "rtc" IMPLIED;
    Ruby "ruby" BREAKOUT;
    S "s" BREAKOUT FORMATTING;
    Script "script" SPECIAL OF_HEAD;
    Search "search" BLOCK;
    Section "section" SPECIAL BLOCK;
    Select "select" SCOPE SPECIAL CONTROL;
    Small "small" BREAKOUT FORMATTING;
    Source "source" SPECIAL VOID;
    Span "span" BREAKOUT;
    Strike "strike" BREAKOUT FORMATTING;
    Strong "strong" BREAKOUT FORMATTING;
    Style "style" SPECIAL OF_HEAD;
    Sub "sub" BREAKOUT;
    Summary "summary" SPECIAL BLOCK;
    Sup "sup" BREAKOUT;
    Svg "svg";
    Table "table" SCOPE SPECIAL FOSTER BREAKOUT TABLE_SCOPE;
    Tbody "tbody" SPECIAL FOSTER;
    Td "td" SCOPE SPECIAL;
    Template "template" SCOPE SPECIAL TABLE_SCOPE;
    Textarea "textarea" SPECIAL CONTROL;
    Tfoot "tfoot" SPECIAL FOSTER;
    Th "th" SCOPE SPECIAL;
    Thead "thead" SPECIAL FOSTER;
    Title "title" SPECIAL OF_HEAD;
    Tr "tr" SPECIAL FOSTER;
    Track "track" SPECIAL VOID;
    Tt "tt" BREAKOUT FORMATTING;
    U "u" BREAKOUT FORMATTING;
    Ul "ul" SPECIAL BREAKOUT BLOCK;
    Var "var" BREAKOUT;
    Wbr "wbr" SPECIAL VOID;
    Xmp "xmp" SPECIAL;
}

/// How many kinds there are.
pub(super) const KINDS: usize = FLAGS.len();

/// Where short names are looked up: open addressing, a quarter full.
const SLOTS: usize = 512;

/// The keys of the kinds; that of all others, and of those with long names, is empty.
static KEYS: [Key; KINDS] = {
    let mut keys = [NO_KEY; KINDS];
    let mut at = 0;
    while at < NAMES.len() {
        if let Some(key) = Key::of(NAMES[at].0.as_bytes()) {
            keys[at] = key;
        }
        at += 1;
    }
    keys
};

static BY_KEY: [Tag; SLOTS] = {
    let mut tags = [Tag::Other; SLOTS];
    let mut at = 0;
    while at < NAMES.len() {
        if let Some(key) = Key::of(NAMES[at].0.as_bytes()) {
            let mut slot = key.slot(SLOTS);
            while !matches!(tags[slot], Tag::Other) {
                slot = (slot + 1) % SLOTS;
            }
            tags[slot] = NAMES[at].1;
        }
        at += 1;
    }
    tags
};

const NO_KEY: Key = match Key::of(b"") {
    Some(key) => key,
    None => panic!("is short"),
};

impl Tag {
    /// The element with this name in small letters.
    pub(super) fn called(name: &[u8]) -> Tag {
        match Key::of(name) {
            Some(key) => Tag::of_key(key),
            None => {
                NAMES.iter().find(|(known, _)| known.as_bytes() == name).map_or(Tag::Other, |&(_, tag)| tag)
            }
        }
    }

    /// The same by its key.
    pub(super) fn of_key(key: Key) -> Tag {
        let mut slot = key.slot(SLOTS);
        loop {
            let tag = BY_KEY[slot];
            if tag == Tag::Other || KEYS[tag as usize].is(key) {
                return tag;
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    pub(super) fn has(self, flag: u32) -> bool {
        FLAGS[self as usize] & flag != 0
    }

    /// The name of an element that stands on the page without a tag.
    pub(super) fn name(self) -> &'static str {
        NAMES.get(self as usize).map_or("", |&(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_found_by_its_name() {
        for &(name, tag) in NAMES {
            assert_eq!(Tag::called(name.as_bytes()), tag, "{name}");
            assert_eq!(tag.name(), name);
        }
        assert_eq!([Tag::called(b"x-y"), Tag::called(b""), Tag::called(b"blockquotes")], [Tag::Other; 3]);
        assert!(Tag::Table.has(FOSTER) && !Tag::Other.has(SPECIAL));
    }
}
