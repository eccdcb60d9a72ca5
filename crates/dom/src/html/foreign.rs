//! The rules for SVG inside HTML.

use super::element::{BREAKOUT, Tag};
use super::scan::Token;
use super::stack::{Open, Space};
use super::{Next, Parser};

/// Elements of SVG with capitals in their names, which tags are read without.
const ELEMENTS: [&str; 37] = [
    "altGlyph",
    "altGlyphDef",
    "altGlyphItem",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "clipPath",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "foreignObject",
    "glyphRef",
    "linearGradient",
    "radialGradient",
    "textPath",
];

/// The same for attributes.
const ATTRIBUTES: [&str; 58] = [
    "attributeName",
    "attributeType",
    "baseFrequency",
    "baseProfile",
    "calcMode",
    "clipPathUnits",
    "diffuseConstant",
    "edgeMode",
    "filterUnits",
    "glyphRef",
    "gradientTransform",
    "gradientUnits",
    "kernelMatrix",
    "kernelUnitLength",
    "keyPoints",
    "keySplines",
    "keyTimes",
    "lengthAdjust",
    "limitingConeAngle",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "maskContentUnits",
    "maskUnits",
    "numOctaves",
    "pathLength",
    "patternContentUnits",
    "patternTransform",
    "patternUnits",
    "pointsAtX",
    "pointsAtY",
    "pointsAtZ",
    "preserveAlpha",
    "preserveAspectRatio",
    "primitiveUnits",
    "refX",
    "refY",
    "repeatCount",
    "repeatDur",
    "requiredExtensions",
    "requiredFeatures",
    "specularConstant",
    "specularExponent",
    "spreadMethod",
    "startOffset",
    "stdDeviation",
    "stitchTiles",
    "surfaceScale",
    "systemLanguage",
    "tableValues",
    "targetX",
    "targetY",
    "textLength",
    "viewBox",
    "viewTarget",
    "xChannelSelector",
    "yChannelSelector",
    "zoomAndPan",
];

/// The name with its capitals.
fn with_capitals(names: &[&'static str], name: &str) -> Option<&'static str> {
    names.iter().find(|known| known.eq_ignore_ascii_case(name)).copied()
}

/// The local part of a name with a prefix that is known.
fn without_prefix(name: &str) -> Option<&'static str> {
    Some(match name {
        "xlink:actuate" => "actuate",
        "xlink:arcrole" => "arcrole",
        "xlink:href" => "href",
        "xlink:role" => "role",
        "xlink:show" => "show",
        "xlink:title" => "title",
        "xlink:type" => "type",
        "xml:lang" => "lang",
        "xml:space" => "space",
        "xmlns:xlink" => "xlink",
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn in_foreign(&self) -> bool {
        self.current().space != Space::Html
    }

    pub(super) fn is_foreign_tag(&self, is_start: bool) -> bool {
        match self.current().space {
            Space::Html => false,
            Space::Svg => true,
            Space::SvgWithHtml => !is_start,
        }
    }

    pub(super) fn is_foreign_text(&self) -> bool {
        self.current().space == Space::Svg
    }

    pub(super) fn start_svg(&mut self, token: Token) {
        self.insert_svg(token, Space::Svg);
    }

    pub(super) fn foreign_start(&mut self, token: Token) -> Next {
        if token.tag.has(BREAKOUT) || token.tag == Tag::Font && self.is_styled(&token) {
            self.close_svg();
            return self.start_in_mode(token);
        }
        let name = self.arena.names.get(token.name);
        let (name, space) = match with_capitals(&ELEMENTS, name) {
            Some(capitals) => {
                let space = if capitals == "foreignObject" { Space::SvgWithHtml } else { Space::Svg };
                (self.intern(capitals), space)
            }
            None if matches!(name, "desc" | "title") => (token.name, Space::SvgWithHtml),
            None => (token.name, Space::Svg),
        };
        self.insert_svg(Token { name, ..token }, space);
        Next::Done
    }

    pub(super) fn foreign_end(&mut self, token: Token) -> Next {
        if matches!(token.tag, Tag::Br | Tag::P) {
            self.close_svg();
            return self.end_in_mode(token);
        }
        let html = self.html;
        let name = &html[self.tag_name.clone()];
        for at in (1..self.open.len()).rev() {
            let open = self.open[at];
            if open.space == Space::Html && at + 1 < self.open.len() {
                return self.end_in_mode(token);
            }
            if self.arena.names.get(open.name).eq_ignore_ascii_case(name) {
                self.open.truncate(at);
                return Next::Done;
            }
        }
        Next::Done
    }

    /// HTML came up that does not belong into a drawing.
    fn close_svg(&mut self) {
        while self.is_foreign_text() {
            self.open.pop();
        }
    }

    fn is_styled(&self, token: &Token) -> bool {
        let names = &self.arena.names;
        self.arena
            .attr_slice(token.attrs)
            .iter()
            .any(|attr| matches!(names.get(attr.name), "color" | "face" | "size"))
    }

    fn insert_svg(&mut self, token: Token, space: Space) {
        // Its own attributes, because elements of HTML may share what is written.
        let attrs = self.arena.copied_attrs(token.attrs);
        for at in attrs.0..attrs.0 + attrs.1 {
            let name = self.arena.names.get(self.arena.attrs[at as usize].name);
            if let Some(adjusted) = with_capitals(&ATTRIBUTES, name).or_else(|| without_prefix(name)) {
                self.arena.attrs[at as usize].name = self.intern(adjusted);
            }
        }
        let node = self.insert_closed(Token { tag: Tag::Other, attrs, ..token });
        if !token.self_closing {
            self.open.push(Open { node, name: token.name, tag: Tag::Other, space });
        }
    }
}
