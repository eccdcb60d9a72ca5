//! The studio in a real browser: journeys, hostile pages, what stands in the way of people. Node, playwright-core, axe-core
//! and Chromium are installed by `make studio` and `make browser`; without them the tests say so.

#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use unsite_sample::{Change, Knobs, Site};

use crate::support::{json_lines, root, unsite};

fn knobs() -> Knobs {
    Knobs { books: 40, authors: 10, categories: 4, queries: 4, ..Knobs::default() }
}

/// Where npm put the tools of the journeys; `None` where something is missing.
fn tools() -> Option<(PathBuf, String)> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let tools = target.join("studio");
    let runs =
        |name: &str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    let chromium = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
    let found = chromium.into_iter().find_map(|name| {
        let paths = std::env::var_os("PATH")?;
        std::env::split_paths(&paths).map(|folder| folder.join(name)).find(|path| path.is_file())
    });
    let missing = match &found {
        _ if !tools.join("node_modules/playwright-core").is_dir() => "playwright-core (make studio)",
        None => "Chromium (make browser)",
        Some(_) if !runs("node") => "Node",
        Some(_) if !runs("python3") => "Python",
        Some(path) => return Some((tools, path.to_string_lossy().into_owned())),
    };
    println!("skipped: there is no {missing} here");
    None
}

/// Runs a script with everything that it needs in a folder of its own.
fn run(script: &str) {
    let Some((tools, chromium)) = tools() else { return };
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let script = root().join("crates/unsite/tests/studio").join(script);
    let output = Command::new("node")
        .arg(script)
        .env("UNSITE", env!("CARGO_BIN_EXE_unsite"))
        .env("WORK", folder.path())
        .env("TOOLS", tools)
        .env("CHROMIUM", chromium)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}");
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
}

fn prepare(folder: &Path) {
    let site = Site::generate(&knobs());
    let redesign = BTreeSet::from([Change::RenameClasses, Change::ChangeTags, Change::ReorderBlocks]);
    let redesigned = Site::generate(&Knobs { redesign, ..knobs() });
    for (name, site) in [("site.jsonl", &site), ("redesigned.jsonl", &redesigned)] {
        fs::write(folder.join(name), json_lines(site, 0..site.pages.len())).unwrap();
    }
    let at = |name: &str| folder.join(name);
    unsite(&[&"learn", &at("site.jsonl"), &"-w", &at("learned.unsite"), &"-q"]).ends(0);
    unsite(&[&"extract", &at("site.jsonl"), &"-w", &at("learned.unsite"), &"-o", &at("learned.db"), &"-q"])
        .ends(0);
}

#[test]
fn journeys() {
    run("journeys.mjs");
}

#[test]
fn hostile_pages_do_nothing() {
    run("hostile.mjs");
}

#[test]
fn nothing_stands_in_the_way_of_people() {
    run("access.mjs");
}
