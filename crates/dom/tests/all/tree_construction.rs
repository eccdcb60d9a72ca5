//! The cases that browsers are tested with: `tree-construction` of html5lib-tests, where it stands beside the repository.
//! Both parsers are held to it. What a tree of ours does not keep (comments, document types) is left out of what is
//! expected.
#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "a test that reads the shared data")]

use std::fmt::Write;
use std::path::Path;

use unsite_dom::{Limits, NodeId, Tree};

/// Cases that are not met, by what stands on their page. `selectedcontent` is newer than html5ever, and a page that closes
/// its elements as XML does is read as XML on purpose.
const NOT_MET: [&str; 2] = ["<selectedcontent></button><option>", "<ul><li><div id='foo'/>A"];

/// One case: a page and the tree that a browser makes of it.
#[derive(Default)]
struct Case {
    data: String,
    document: String,
    is_fragment: bool,
    needs_scripts: bool,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut part = "";
    for line in text.split('\n') {
        match line {
            "#data" => {
                cases.push(Case::default());
                part = "data";
            }
            "#errors" | "#new-errors" => part = "errors",
            "#document" => part = "document",
            "#document-fragment" => part = "fragment",
            "#script-on" | "#script-off" => {
                if let Some(case) = cases.last_mut() {
                    case.needs_scripts |= line == "#script-on";
                }
            }
            _ => {
                let Some(case) = cases.last_mut() else { continue };
                match part {
                    "data" => {
                        case.data.push_str(line);
                        case.data.push('\n');
                    }
                    "document" => {
                        case.document.push_str(line);
                        case.document.push('\n');
                    }
                    "fragment" => case.is_fragment = true,
                    _ => {}
                }
            }
        }
    }
    for case in &mut cases {
        case.data.pop();
    }
    cases
}

/// The expected tree in the form of [`outline`].
fn expected(document: &str) -> String {
    // A line that begins otherwise goes on with the text of the one before it.
    let mut entries: Vec<String> = Vec::new();
    for line in document.trim_end_matches('\n').split('\n') {
        match line.strip_prefix("| ") {
            Some(rest) => entries.push(rest.to_owned()),
            None => {
                if let Some(last) = entries.last_mut() {
                    last.push('\n');
                    last.push_str(line);
                }
            }
        }
    }
    let mut out: Vec<(usize, String)> = Vec::new();
    // Contents of templates hang under the template itself.
    let mut contents: Vec<usize> = Vec::new();
    for entry in &entries {
        let spaces = entry.len() - entry.trim_start_matches(' ').len();
        let mut depth = spaces / 2;
        let what = &entry[spaces..];
        contents.retain(|at| depth > *at);
        depth -= contents.len();
        if what == "content" {
            contents.push(spaces / 2);
        } else if what.starts_with("<!--") || what.starts_with("<!DOCTYPE") || what.starts_with("<?") {
        } else if let Some(name) = what.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
            out.push((depth, name.rsplit(' ').next().unwrap_or_default().to_owned()));
        } else if let Some(text) = what.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            // Without the comment between them two texts are one.
            match out.last_mut() {
                Some((before, last)) if *before == depth && last.starts_with('"') => last.push_str(text),
                _ => out.push((depth, format!("\"{text}"))),
            }
        } else if let Some((name, value)) = what.split_once('=') {
            let name = name.rsplit(' ').next().unwrap_or_default();
            out.push((depth, format!("{name}={value}")));
        }
    }
    written(out)
}

fn outline(tree: &Tree) -> String {
    let mut out: Vec<(usize, String)> = Vec::new();
    for node in tree.nodes().filter(|node| *node != NodeId::DOCUMENT) {
        let depth = tree.ancestors(node).count() - 1;
        if tree.is_text(node) {
            match out.last_mut() {
                Some((before, last)) if *before == depth && last.starts_with('"') => {
                    last.push_str(tree.text(node));
                }
                _ => out.push((depth, format!("\"{}", tree.text(node)))),
            }
            continue;
        }
        out.push((depth, tree.name(node).to_owned()));
        let mut attributes: Vec<(usize, String)> =
            tree.attrs(node).map(|(name, value)| (depth + 1, format!("{name}=\"{value}\""))).collect();
        attributes.sort();
        out.append(&mut attributes);
    }
    written(out)
}

/// Attributes in one order, whatever order they were written in.
fn written(mut entries: Vec<(usize, String)>) -> String {
    let is_attribute = |entry: &(usize, String)| !entry.1.starts_with('"') && entry.1.contains("=\"");
    let mut at = 0;
    while at < entries.len() {
        let end = at + entries[at..].iter().take_while(|entry| is_attribute(entry)).count();
        entries[at..end].sort();
        at = end.max(at + 1);
    }
    entries.iter().fold(String::new(), |mut text, (depth, what)| {
        let _ = writeln!(text, "{:depth$}{what}", "");
        text
    })
}

#[test]
fn browsers_tests_of_trees_are_met() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/html5lib-tests/tree-construction");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: ../shared/data/html5lib-tests is not there");
        return;
    };
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "dat"));
    files.sort();
    let (mut compared, mut missed) = (0, Vec::new());
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        for case in cases(&text).iter().filter(|case| !case.is_fragment && !case.needs_scripts) {
            compared += 1;
            let wanted = expected(&case.document);
            let limits = Limits::default();
            let bytes = case.data.as_bytes();
            let ours = outline(&Tree::parse(bytes, Some("utf-8"), &limits).0);
            let theirs = outline(&Tree::parse_with_html5ever(bytes, Some("utf-8"), &limits).0);
            if ours != wanted || theirs != wanted {
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                missed.push(format!(
                    "{name}: {:?}\nexpected\n{wanted}ours\n{ours}html5ever {}",
                    case.data,
                    if ours == theirs { "the same".to_owned() } else { theirs }
                ));
            }
        }
    }
    eprintln!("{} of {compared} cases met", compared - missed.len());
    assert!(compared > 1500, "only {compared} cases were found");
    missed.retain(|miss| !NOT_MET.iter().any(|known| miss.contains(known)));
    assert!(missed.is_empty(), "{} of {compared} are not met:\n\n{}", missed.len(), missed.join("\n\n"));
}
