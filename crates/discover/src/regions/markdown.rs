//! The main text as Markdown: headings, lists, quotations, code, links and emphasis are kept.

use unsite_dom::{NodeId, Tree, Url, collapse};

use super::blocks::Block;
use super::main_text::main_blocks;

/// The main text of a page as Markdown, its blocks parted by blank lines. `page_url` makes links absolute.
pub fn main_markdown(tree: &Tree, page_url: &str) -> String {
    markdown(tree, page_url, &main_blocks(tree))
}

/// Blocks of a page as Markdown.
pub(super) fn markdown(tree: &Tree, page_url: &str, blocks: &[Block]) -> String {
    let base = tree.base_url(page_url);
    let mut out = String::new();
    let mut after_item = false;
    for block in blocks {
        let kind = kind(tree, block);
        let is_item = matches!(kind, Kind::Item(_));
        if !out.is_empty() {
            out.push_str(if is_item && after_item { "\n" } else { "\n\n" });
        }
        after_item = is_item;
        let text = match kind {
            Kind::Code => block.text.to_string(),
            _ => inline(tree, block, base.as_ref()),
        };
        match kind {
            Kind::Heading(level) => {
                out.push_str(&format!("{} {}", "#".repeat(level), text.replace('\n', " ")))
            }
            Kind::Item(marker) => out.push_str(&format!("{marker} {}", text.replace('\n', "\n  "))),
            Kind::Quote => out.push_str(&format!("> {}", text.replace('\n', "\n> "))),
            Kind::Code => out.push_str(&format!("```\n{text}\n```")),
            Kind::Paragraph => out.push_str(&text.replace('\n', "  \n")),
        }
    }
    out
}

enum Kind {
    Heading(usize),
    Item(&'static str),
    Quote,
    Code,
    Paragraph,
}

/// How far above a block its list or quotation may begin.
const LOOKED_AT: usize = 4;

fn kind(tree: &Tree, block: &Block) -> Kind {
    let name = tree.name(block.element);
    if let Some(level) =
        name.strip_prefix('h').and_then(|level| level.parse().ok()).filter(|level| *level < 7)
    {
        return Kind::Heading(level);
    }
    let above = || std::iter::once(block.element).chain(tree.ancestors(block.element)).take(LOOKED_AT);
    for node in above() {
        match tree.name(node) {
            "pre" => return Kind::Code,
            "li" => {
                let list = tree.parent(node).map_or("", |list| tree.name(list));
                return Kind::Item(if list == "ol" { "1." } else { "-" });
            }
            "blockquote" => return Kind::Quote,
            _ => {}
        }
    }
    Kind::Paragraph
}

/// The text of a block with its links, emphasis and code. Falls back to the plain text where marks would be nested wrongly.
fn inline(tree: &Tree, block: &Block, base: Option<&Url>) -> String {
    let mut out = String::new();
    let mut last: Option<NodeId> = None;
    let mut open: Vec<(NodeId, String)> = Vec::new();
    for node in block.texts.iter().copied() {
        while let Some((_, mark)) = open.pop_if(|(element, _)| tree.end(*element) <= node) {
            close(&mut out, &mark);
        }
        if let Some(last) = last {
            for between in (last.0 + 1..node.0).map(NodeId) {
                match tree.name(between) {
                    "br" => out.push('\n'),
                    _ if tree.is_text(between) => out.push(' '),
                    _ => {}
                }
            }
        }
        last = Some(node);
        let raw = tree.text(node);
        if raw.starts_with(char::is_whitespace) {
            out.push(' ');
        }
        let mut above: Vec<NodeId> =
            tree.ancestors(node).take_while(|&above| above > block.element).collect();
        above.reverse();
        for element in above {
            if open.iter().any(|(known, _)| *known == element) {
                continue;
            }
            let mark = match tree.name(element) {
                "b" | "strong" => "**".to_owned(),
                "i" | "em" => "*".to_owned(),
                "code" | "kbd" | "tt" => "`".to_owned(),
                "a" => match tree.attr(element, "href").and_then(|href| base?.join(href.trim()).ok()) {
                    Some(url) => format!("]({url})"),
                    None => continue,
                },
                _ => continue,
            };
            out.push_str(if mark.starts_with(']') { "[" } else { &mark });
            open.push((element, mark));
        }
        let in_code = open.iter().any(|(_, mark)| mark == "`");
        out.push_str(&if in_code { collapse(raw).into_owned() } else { escaped(&collapse(raw)) });
        if raw.ends_with(char::is_whitespace) {
            out.push(' ');
        }
    }
    while let Some((_, mark)) = open.pop() {
        close(&mut out, &mark);
    }
    let lines = out.split('\n').map(|line| collapse(line).into_owned()).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// Closing marks stand directly behind the text.
fn close(out: &mut String, mark: &str) {
    let had_space = out.ends_with(' ');
    out.truncate(out.trim_end_matches(' ').len());
    out.push_str(mark);
    if had_space {
        out.push(' ');
    }
}

/// What Markdown would take for marks gets a backslash.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let is_mark = matches!(c, '\\' | '*' | '_' | '`' | '[' | ']' | '<')
            || (at == 0 && matches!(c, '#' | '>' | '+' | '-'));
        if is_mark {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    #[test]
    fn structure_is_kept() {
        let long =
            "The harbour was quiet that morning, and nobody on the pier expected the ferry before noon";
        let html = format!(
            "<article><p>{long}, said <a href=/ann>Ann <b>Example</b></a> of *The Gazette*.</p><h2>Noon</h2>\
             <ul><li>{long}, first.<li>{long}, second.</ul><blockquote><p>{long}, he said.</p></blockquote><p>{long}.</p></article>"
        );
        let tree = Tree::parse(html.as_bytes(), None, &Limits::default()).0;
        assert_eq!(
            main_markdown(&tree, "http://s.test/x/"),
            format!(
                "{long}, said [Ann **Example**](http://s.test/ann) of \\*The Gazette\\*.\n\n## Noon\n\n- {long}, first.\n- {long}, second.\n\n> {long}, he said.\n\n{long}."
            )
        );
        assert_eq!(main_markdown(&Tree::parse(b"", None, &Limits::default()).0, ""), "");
    }
}
