//! Python code: the paths as data, and the helper that reads them.

use std::fmt::Write;

use super::css::css;
use super::plan::{Frame, How, ListPlan, PagePlan, ReadPlan};
use super::recognising::TypesPlan;
use super::steps::Piece;
use super::{Parser, Target};
use crate::harmless::{escaped, is_obeyed};

/// What every module begins with; nothing in it knows the site.
const HELPER: [&str; 7] = [
    include_str!("code/items.py"),
    include_str!("code/reads.py"),
    include_str!("code/types.py"),
    include_str!("code/matching.py"),
    include_str!("code/texts.py"),
    include_str!("code/data.py"),
    include_str!("code/tree.py"),
];
const SPIDER: &str = include_str!("code/spider.py");

/// A module that reads the pages.
pub(super) fn module(
    recognised: &TypesPlan,
    pages: &[PagePlan],
    (target, parser): (Target, Parser),
    name: &str,
) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut lists = Lists::default();
    let mut types = String::from("PAGE_TYPES = [\n");
    for page in pages.iter().filter(|page| page.columns() > 0) {
        let table = page.table.as_ref().map_or_else(|| "None".to_owned(), |table| quoted(table));
        let _ = write!(
            types,
            "    {{\n        \"name\": {},\n        \"url\": {},\n        \"table\": {table},\n",
            quoted(&page.name),
            quoted(&page.url_pattern)
        );
        let _ = writeln!(types, "        \"names\": {},", lists.names(&page.names));
        frame(&mut types, &page.own, 8, target, &mut lists, true);
        if let Some(links) = &page.links {
            let _ = writeln!(
                types,
                "        \"links\": {{\"table\": {}, \"columns\": {}, \"paths\": {}}},",
                quoted(&links.table),
                list(&links.columns),
                list(&links.paths)
            );
        }
        let rules: Vec<String> = page
            .inherits
            .iter()
            .map(|rule| format!("({})", rule.each_ref().map(|name| quoted(name)).join(", ")))
            .collect();
        let _ = writeln!(types, "        \"inherits\": [{}],", rules.join(", "));
        types += "    },\n";
    }
    types += "]\n";
    types += &types_code(recognised, &mut lists);
    let translator = match target {
        Target::Css => {
            "from parsel.csstranslator import HTMLTranslator\n\ncss = HTMLTranslator().css_to_xpath\n"
        }
        _ => "",
    };
    let (import, parsed) = match parser {
        Parser::Lxml => ("", "Selector(text=html).root"),
        Parser::Html5lib => (
            "import html5lib\n",
            "html5lib.parse(html, treebuilder=\"lxml\", namespaceHTMLElements=False).getroot()",
        ),
    };
    let scrapy = if target == Target::Scrapy { "import scrapy\n" } else { "" };
    let mut out = format!(
        "\"\"\"Reads the tables of {} off its pages. Written by unsite {version}.\n\n    extract(html, url)  # gives one item a page\n\"\"\"\n\n\
         import json\nimport math\nimport re\nimport sys\nimport threading\n\
         from urllib.parse import parse_qsl, quote, urljoin, urlsplit, urlunsplit\n\n\
         {import}{scrapy}from lxml import etree\nfrom parsel import Selector\n{translator}\n{}\n\ndef parsed(html):\n    return {parsed}\n\n\n\
         # --- what stands where on the pages of this site ---\n\n",
        name.chars()
            .map(|c| if is_obeyed(c) { ' ' } else { c })
            .collect::<String>()
            .replace(['"', '\\'], "'"),
        HELPER.join("\n\n")
    );
    for (name, list) in &lists.all {
        let _ = writeln!(out, "{name} = {list}");
    }
    out += &types;
    if target == Target::Scrapy {
        out += &SPIDER.replace("@NAME@", &quoted(&spider_name(name)));
    }
    out + "\n\nif __name__ == \"__main__\":\n    main()\n"
}

/// How page types are told apart.
fn types_code(types: &TypesPlan, lists: &mut Lists) -> String {
    let pages: Vec<String> = types.pages.iter().map(u32::to_string).collect();
    let mut out = format!(
        "TYPES = {{\n    \"all\": {},\n    \"pages\": [{}],\n    \"names\": {},\n    \"marks\": [\n",
        list(&types.all),
        pages.join(", "),
        lists.names(&types.names)
    );
    for (family, name, counts) in &types.marks {
        let counts: Vec<String> = counts.iter().map(|(at, pages)| format!("{at}: {pages}")).collect();
        let _ = writeln!(out, "        ({}, {}, {{{}}}),", quoted(family), quoted(name), counts.join(", "));
    }
    out + "    ],\n}\n"
}

/// The lists that paths speak of, each written once: name and list.
#[derive(Default)]
struct Lists {
    all: Vec<(String, String)>,
}

impl Lists {
    fn labels(&mut self, labels: &[String]) -> String {
        self.name("LABELS", list(labels))
    }

    fn shapes(&mut self, shapes: &[Vec<String>]) -> String {
        let shapes: Vec<String> =
            shapes.iter().map(|paths| parted(paths).unwrap_or_else(|| "[]".to_owned())).collect();
        self.name("SHAPES", format!("[\n    {},\n]", shapes.join(",\n    ")))
    }

    fn names(&mut self, [known, families]: &[Vec<String>; 2]) -> String {
        let set = |names: &[String]| format!("set({})", parted(names).unwrap_or_default());
        self.name("NAMES", format!("{}, {}", set(known), set(families)))
    }

    fn name(&mut self, sort: &str, written: String) -> String {
        if let Some((name, _)) =
            self.all.iter().find(|(name, list)| *list == written && name.starts_with(sort))
        {
            return name.clone();
        }
        let before = self.all.iter().filter(|(name, _)| name.starts_with(sort)).count();
        let name = format!("{sort}_{}", before + 1);
        self.all.push((name.clone(), written));
        name
    }
}

/// Names as a list that is written in one text; none if there are none. Parted at plain spaces alone: otherwise Python
/// parts at marks that stand inside of names.
fn parted(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| format!("{}.split(\" \")", quoted(&names.join(" "))))
}

fn list(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", quoted.join(", "))
}

fn frame(out: &mut String, frame: &Frame, depth: usize, target: Target, lists: &mut Lists, is_page: bool) {
    let pad = " ".repeat(depth);
    let _ = writeln!(out, "{pad}\"columns\": {{");
    for column in &frame.columns {
        let reads: Vec<String> =
            column.reads.iter().map(|read| read_code(read, target, lists, is_page)).collect();
        match reads.as_slice() {
            [one] => {
                let _ = writeln!(out, "{pad}    {}: [{one}],", quoted(&column.name));
            }
            many => {
                let _ = writeln!(out, "{pad}    {}: [", quoted(&column.name));
                for read in many {
                    let _ = writeln!(out, "{pad}        {read},");
                }
                let _ = writeln!(out, "{pad}    ],");
            }
        }
    }
    let _ = writeln!(out, "{pad}}},\n{pad}\"lists\": [");
    for list in &frame.lists {
        list_code(out, list, depth + 4, target, lists, is_page);
    }
    let _ = writeln!(out, "{pad}],");
}

fn list_code(
    out: &mut String,
    list: &ListPlan,
    depth: usize,
    target: Target,
    lists: &mut Lists,
    is_page: bool,
) {
    let pad = " ".repeat(depth);
    let _ = writeln!(out, "{pad}{{\n{pad}    \"table\": {},\n{pad}    \"rows\": [", quoted(&list.table));
    for row in &list.rows {
        let path = path_code(&row.path, target, lists, is_page);
        let continues = if row.continues { "True" } else { "False" };
        let _ = writeln!(out, "{pad}        {{\n{pad}            \"path\": {path},");
        let _ = writeln!(out, "{pad}            \"continues\": {continues},");
        if row.again {
            let _ = writeln!(out, "{pad}            \"again\": True,");
        }
        let inner: Vec<String> = row.inner.iter().map(|path| path_code(path, target, lists, false)).collect();
        let _ = writeln!(out, "{pad}            \"inner\": [{}],", inner.join(", "));
        frame(out, &row.own, depth + 12, target, lists, false);
        let _ = writeln!(out, "{pad}        }},");
    }
    let _ = writeln!(out, "{pad}    ],\n{pad}}},");
}

fn read_code(read: &ReadPlan, target: Target, lists: &mut Lists, is_page: bool) -> String {
    let path = path_code(&read.path, target, lists, is_page);
    let flows = if read.flows { ", flows=True" } else { "" };
    how_code(&read.how, &path, flows, lists)
}

fn how_code(how: &How, path: &str, flows: &str, lists: &mut Lists) -> String {
    match how {
        How::Text => format!("text({path}{flows})"),
        How::Prose => format!("prose({path}{flows})"),
        How::Words => format!("words({path}{flows})"),
        How::Word => format!("word({path}{flows})"),
        How::Attribute(name) => format!("attribute({}, {path}{flows})", quoted(name)),
        How::Head(name) => format!("head({})", quoted(name)),
        How::Data(path) => format!("data({})", quoted(path)),
        How::Address => "address()".to_owned(),
        How::Trail => format!("trail({path})"),
        How::Behind(behind, landmarks) => {
            let (landmark, tag) = (quoted(&behind.landmark), quoted(&behind.tag));
            format!("behind({landmark}, {tag}, {}, {})", behind.index, lists.labels(landmarks))
        }
        How::Lead(whole) => format!("lead({})", how_code(whole, path, flows, lists)),
        How::Part(whole, constants, index) => {
            let constants: Vec<String> = constants.iter().map(|constant| quoted(constant)).collect();
            format!("part([{}], {index}, {})", constants.join(", "), how_code(whole, path, flows, lists))
        }
    }
}

/// A path as a Python expression. Paths of a page begin at its top, those of a row at the row.
fn path_code(path: &[Piece], target: Target, lists: &mut Lists, is_page: bool) -> String {
    if path.is_empty() {
        return quoted(".");
    }
    if target == Target::Css {
        return format!("css({})", quoted(&css(path, is_page).unwrap_or_default()));
    }
    let mut parts: Vec<String> = Vec::new();
    let mut text = String::from(if is_page { "" } else { "." });
    for piece in path {
        let call = match piece {
            Piece::Elements { parsel, .. } if target.compares() => {
                text += &format!("/{parsel}");
                continue;
            }
            Piece::Labelled { label, labels, .. } if target.compares() => {
                format!("labelled({}, {})", quoted(label), lists.labels(labels))
            }
            Piece::Unlabelled { others, labels, .. } if target.compares() => {
                format!("unlabelled({}, {})", lists.labels(others), lists.labels(labels))
            }
            Piece::NoLabel { labels } if target.compares() => {
                format!("no_label({})", lists.labels(labels))
            }
            Piece::Shaped { shapes, which } => format!("shaped({}, {which})", lists.shapes(shapes)),
            piece => {
                text += &piece.plain();
                continue;
            }
        };
        parts.push(quoted(&std::mem::take(&mut text)));
        parts.push(call);
    }
    if !text.is_empty() {
        parts.push(quoted(&text));
    }
    parts.join(" + ")
}

/// A Python string, which JSON's are too. What a terminal or an editor would obey is written as an escape.
fn quoted(text: &str) -> String {
    if text.contains('"') && !text.contains(['\'', '\\']) && !text.chars().any(is_obeyed) {
        return format!("'{text}'");
    }
    escaped(&serde_json::Value::from(text).to_string())
}

fn spider_name(name: &str) -> String {
    let stem = name.split('.').next().unwrap_or_default();
    let plain: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    if plain.is_empty() { "site".to_owned() } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_obeyed_reaches_the_code() {
        for text in ["a\u{9b}b", "a\u{85}b", "a\u{2028}b\"", "a\u{202e}b", "a\u{7f}\"b", "it's \"x\" \\"] {
            let code = quoted(text);
            assert!(!code.chars().any(is_obeyed), "{code:?}");
        }
        assert_eq!(quoted("say \"x\""), "'say \"x\"'");
        assert_eq!(quoted("a\u{2028}b"), "\"a\\u2028b\"");
    }

    #[test]
    fn names_are_parted_by_plain_spaces() {
        let mut lists = Lists::default();
        lists.names(&[vec!["a\u{2028}b".to_owned(), "c".to_owned()], Vec::new()]);
        assert_eq!(lists.all[0].1, "set(\"a\\u2028b c\".split(\" \")), set()");
    }
}
