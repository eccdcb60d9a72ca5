//! The crates and modules: who may use whom, and how large they may be.

use std::collections::BTreeSet;

use super::{files, text};

/// Every crate with those of ours that it may depend on. The graph goes one way: each crate stands below the ones it
/// may use. ARCHITECTURE.md says why.
const MAY_USE: [(&str, &[&str]); 13] = [
    ("dom", &[]),
    ("learn", &[]),
    ("sample", &[]),
    ("wrapper", &["dom"]),
    ("discover", &["dom", "learn", "wrapper"]),
    ("methods", &["dom", "learn", "wrapper", "discover"]),
    ("records", &["learn"]),
    ("acquire", &["dom"]),
    ("store", &["dom", "wrapper"]),
    ("site", &["dom", "wrapper", "discover", "methods"]),
    ("columns", &["dom", "wrapper", "acquire", "store"]),
    ("eval", &["dom", "learn", "sample", "wrapper", "discover", "methods", "records", "acquire", "store"]),
    (
        "unsite",
        &[
            "dom", "learn", "sample", "wrapper", "discover", "methods", "records", "acquire", "store",
            "site", "eval",
        ],
    ),
];

/// The crates without files, network, clock and entropy.
const CORE: [&str; 7] = ["dom", "learn", "sample", "wrapper", "discover", "methods", "records"];

/// The modules of `discover` in the order of the flow: each uses only those before it.
const FLOW: [&str; 17] = [
    "site",
    "naming",
    "vocabulary",
    "experts",
    "evidence",
    "page_types",
    "roles",
    "regions",
    "thing_names",
    "fields",
    "tables",
    "routes",
    "schema",
    "induce",
    "learned",
    "extend",
    "repair",
];

/// Steps backwards that are still there. Nothing is added; what is repaired is struck out.
const DEBTS: [(&str, &str); 0] = [];

/// Lines of a file without its tests.
const LONGEST: usize = 500;

#[test]
fn the_crate_graph_goes_one_way() {
    let there: BTreeSet<String> = files("crates")
        .iter()
        .filter(|path| path.components().count() == 3 && path.ends_with("Cargo.toml"))
        .map(|path| path.iter().nth(1).expect("is below crates").to_string_lossy().into_owned())
        .collect();
    let listed: BTreeSet<String> = MAY_USE.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(there, listed, "a new crate gets a line in MAY_USE and in ARCHITECTURE.md");
    for (at, (name, allowed)) in MAY_USE.iter().enumerate() {
        for used in *allowed {
            let place = MAY_USE.iter().position(|(other, _)| other == used);
            assert!(place.is_some_and(|place| place < at), "{name} may use {used}, which stands behind it");
        }
        for used in dependencies(&text(format!("crates/{name}/Cargo.toml"))) {
            assert!(allowed.contains(&used.as_str()), "{name} depends on {used}");
        }
    }
}

/// Our own crates in the section `[dependencies]`.
fn dependencies(manifest: &str) -> Vec<String> {
    let section = manifest.lines().skip_while(|line| line.trim() != "[dependencies]").skip(1);
    let names =
        section.take_while(|line| !line.starts_with('[')).filter_map(|line| line.strip_prefix("unsite-"));
    names.map(|rest| rest.split(['.', ' ', '=']).next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn dependencies_are_found() {
    let manifest = "[dependencies]\nunsite-dom.workspace = true\nurl = \"2\"\nunsite-learn = { path = \"x\" }\n\n[dev-dependencies]\nunsite-eval.workspace = true\n";
    assert_eq!(dependencies(manifest), ["dom", "learn"]);
}

#[test]
fn modules_of_discover_follow_the_flow() {
    let mut backwards: BTreeSet<(String, String)> = BTreeSet::new();
    for path in files("crates/discover/src") {
        let module = path.iter().nth(3).expect("is below src").to_string_lossy();
        let module = module.trim_end_matches(".rs").to_owned();
        if module == "lib" {
            continue;
        }
        let place = |name: &str| FLOW.iter().position(|known| *known == name);
        let own = place(&module).unwrap_or_else(|| panic!("{module} has no place in FLOW"));
        for used in used_modules(&text(&path)) {
            match place(&used) {
                Some(other) if other <= own => {}
                Some(_) => drop(backwards.insert((module.clone(), used))),
                None => panic!("{} uses crate::{used}, which has no place in FLOW", path.display()),
            }
        }
    }
    let debts: BTreeSet<(String, String)> =
        DEBTS.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    assert!(backwards.is_subset(&debts), "these use modules behind them: {:?}", backwards.difference(&debts));
    assert!(
        debts.is_subset(&backwards),
        "repaired, strike it out of DEBTS: {:?}",
        debts.difference(&backwards)
    );
}

/// The modules after `crate::` that begin with a small letter; items of the crate's root do not.
fn used_modules(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
        for rest in line.split("crate::").skip(1) {
            // `pub(crate)` has no colons; `$crate::` and `unsite_x::` do not end in plain `crate::`.
            let names: Vec<&str> = match rest.strip_prefix('{') {
                Some(group) => group.split('}').next().unwrap_or_default().split(',').collect(),
                None => vec![rest],
            };
            for name in names {
                let name: String =
                    name.trim().chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                if !name.is_empty() {
                    found.insert(name);
                }
            }
        }
    }
    found
}

#[test]
fn used_modules_are_found() {
    let code = "use crate::{fields::x, site};\n// use crate::nothing;\nlet a = crate::regions::f(crate::Site);\npub(crate) fn g() {}";
    assert_eq!(used_modules(code).into_iter().collect::<Vec<_>>(), ["fields", "regions", "site"]);
}

#[test]
fn core_crates_ban_what_is_not_pure() {
    let one = text("crates/dom/clippy.toml");
    for banned in [
        "HashMap",
        "std::fs::File",
        "std::net::TcpStream",
        "std::time::Instant",
        "std::env::var",
        "std::process::Command",
    ] {
        assert!(one.contains(banned), "{banned} is not banned");
    }
    for name in CORE {
        assert_eq!(text(format!("crates/{name}/clippy.toml")), one, "crates/{name}/clippy.toml differs");
    }
    for (name, _) in MAY_USE {
        let manifest = text(format!("crates/{name}/Cargo.toml"));
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name} does not take the workspace's lints");
    }
}

#[test]
fn files_stay_short() {
    for path in files("crates").iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs")) {
        let code = text(path);
        let lines = code.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).count();
        assert!(lines <= LONGEST, "{} has {lines} lines without its tests", path.display());
    }
}

/// A file that no `main.rs` names is never compiled, and its tests never run.
#[test]
fn every_test_file_is_run() {
    for path in files("crates") {
        let mut parts = path.iter().map(|part| part.to_string_lossy().into_owned());
        let (Some(_), Some(name), Some(tests), Some(all), Some(file), None) =
            (parts.next(), parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        if tests != "tests" || all != "all" || file == "main.rs" || !file.ends_with(".rs") {
            continue;
        }
        let main = text(format!("crates/{name}/tests/all/main.rs"));
        let line = format!("mod {};", file.trim_end_matches(".rs"));
        assert!(main.contains(&line), "{} is not in main.rs beside it", path.display());
    }
}

#[test]
fn no_path_of_a_machine() {
    // Put together here so that this file does not find itself.
    let places = ["work", "root", "home", "tmp", "Users"].map(|name| format!("/{name}/"));
    for path in files("") {
        let Ok(content) = std::fs::read_to_string(crate::support::root().join(&path)) else { continue };
        for place in &places {
            assert!(!content.contains(place), "{} names {place}", path.display());
        }
    }
}
