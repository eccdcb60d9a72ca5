//! The documents: what they show is what the program says, what they name is there.

use std::fs;

use super::{files, text};
use crate::support::{program, root, unsite};

/// Set to anything to write the generated parts anew instead of comparing them: `make readme`.
const UPDATE: &str = "UNSITE_UPDATE";

/// The documents whose paths are checked.
fn documents() -> Vec<String> {
    let mut all: Vec<String> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned).to_vec();
    if root().join("docs").is_dir() {
        let docs =
            files("docs").into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "md"));
        all.extend(docs.map(|path| path.to_string_lossy().into_owned()));
    }
    all
}

#[test]
fn readme_shows_the_help_text() {
    generated("help", &format!("$ unsite --help\n{}", unsite(&[&"--help"]).ends(0).stdout));
}

#[test]
fn readme_shows_what_the_demo_prints() {
    let folder = tempfile::tempdir().unwrap();
    let output = program().arg("demo").current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.path().join("demo.db").is_file());
    generated("demo", &format!("$ unsite demo\n{}", String::from_utf8(output.stdout).unwrap()));
}

/// Compares the part of README.md between two marks with what it must be, or writes it.
fn generated(part: &str, content: &str) {
    let readme = text("README.md");
    let (begin, end) = (format!("<!-- {part}:begin -->\n"), format!("<!-- {part}:end -->"));
    let block = format!("```text\n{}\n```\n", content.trim_end());
    let (before, rest) = readme.split_once(&begin).unwrap_or_else(|| panic!("README.md has no {begin}"));
    let (shown, after) = rest.split_once(&end).unwrap_or_else(|| panic!("README.md has no {end}"));
    if shown == block {
        return;
    }
    if std::env::var_os(UPDATE).is_some() {
        fs::write(root().join("README.md"), format!("{before}{begin}{block}{end}{after}")).unwrap();
        return;
    }
    let differs = shown.lines().zip(block.lines()).find(|(a, b)| a != b);
    panic!("README.md shows something else than {part}; `make readme` writes it anew. First: {differs:#?}");
}

#[test]
fn paths_in_documents_exist() {
    let mut checked = 0;
    for document in documents() {
        for path in named_paths(&text(&document)) {
            checked += 1;
            assert!(root().join(&path).exists(), "{document} names {path}, which is not there");
        }
    }
    assert!(checked > 20, "only {checked} paths were found");
}

/// What stands in backticks or behind a link and looks like a path of the repository.
fn named_paths(document: &str) -> Vec<String> {
    let quoted = document.split('`').skip(1).step_by(2);
    let linked = document.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_');
    let is_ours = |path: &&str| {
        let begins = ["crates/", "docs/", ".ci/"].iter().any(|folder| path.starts_with(folder));
        let stands_alone =
            ["Makefile", "Cargo.toml", "Cargo.lock", "floors.json", "rustfmt.toml"].contains(path);
        begins || stands_alone || path.ends_with(".md")
    };
    quoted.chain(linked).filter(|path| path.chars().all(is_name)).filter(is_ours).map(str::to_owned).collect()
}

#[test]
fn paths_are_found() {
    let document = "`crates/dom` and [x](CHANGELOG.md), not `site.db`, `--set`, [y](https://a.test/b.md) or `crates/<x>`";
    assert_eq!(named_paths(document), ["crates/dom", "CHANGELOG.md"]);
}

#[test]
fn commands_in_documents_exist() {
    let help = unsite(&[&"--help"]).stdout;
    for document in documents().iter().filter(|name| *name != "CHANGELOG.md") {
        for rest in text(document).split("unsite ").skip(1) {
            let word: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
            let is_command = rest[word.len()..].starts_with([' ', '`', '\n']);
            let is_in_code = text(document).contains(&format!("`unsite {word}"))
                || text(document).contains(&format!("\nunsite {word}"));
            if is_command && is_in_code && !word.is_empty() && !word.starts_with('-') {
                assert!(
                    help.contains(&format!("\n  {word} ")),
                    "{document} shows `unsite {word}`, which is no command"
                );
            }
        }
    }
}

#[test]
fn the_changelog_has_a_place_for_this_version() {
    let changelog = text("CHANGELOG.md");
    assert!(
        changelog.contains("\n## [Unreleased]")
            || changelog.contains(&format!("\n## [{}]", env!("CARGO_PKG_VERSION")))
    );
}

#[test]
fn every_crate_has_its_place_in_the_map() {
    let map = text("ARCHITECTURE.md");
    for path in files("crates").iter().filter(|path| path.ends_with("Cargo.toml")) {
        let folder = path.parent().expect("is in a folder").to_string_lossy().into_owned();
        assert!(map.contains(&format!("`{folder}`")), "ARCHITECTURE.md does not name {folder}");
    }
}

#[test]
fn the_licences_are_there() {
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        assert!(text(name).len() > 1000);
    }
}
