//! Page types from outside: their experts, what they are trained on, why a page is of its type, pictures.

use std::fs;
use std::path::PathBuf;

use crate::support::{gold_site, json_lines, number, small_site, unsite};
use tempfile::TempDir;

/// A folder with a small site as `site.jsonl`.
fn with_site() -> (TempDir, PathBuf) {
    let site = small_site();
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("site.jsonl");
    fs::write(&source, json_lines(&site, 0..site.pages.len())).unwrap();
    (folder, source)
}

#[test]
fn experts_are_listed_and_can_be_switched() {
    let (folder, source) = with_site();
    let listed = unsite(&[&"experts", &"--json"]).ends(0).json();
    let names: Vec<&str> =
        listed["experts"].as_array().unwrap().iter().map(|expert| expert["name"].as_str().unwrap()).collect();
    assert!(names.len() >= 13 && names.contains(&"url") && names.contains(&"layout"), "{names:?}");
    let text = unsite(&[&"experts"]).ends(0).stdout;
    assert_eq!(text.lines().count(), 1 + names.len(), "one line each: {text}");
    for flags in [["--only", "path-set,heading"], ["--without", "url"]] {
        let types = unsite(&[&"pages", &source, &flags[0], &flags[1], &"--json"]).ends(0).json();
        assert!(types["page_types"].as_array().unwrap().len() > 1, "{flags:?}: {types}");
    }
    let db = folder.path().join("out.db");
    unsite(&[&"run", &source, &"-o", &db, &"-q", &"--without", &"url,list", &"--types", &"4"]).ends(0);
    assert_eq!(number(&db, "SELECT count(*) FROM _page_types"), 4);
    assert_eq!(number(&db, "SELECT count(*) FROM _meta WHERE key = 'without' AND value = 'url,list'"), 1);
    unsite(&[&"tables", &source, &"--only", &"url", &"--json"]).ends(0);
}

#[test]
fn wrong_names_and_flags_without_effect_are_told() {
    let (_folder, source) = with_site();
    for command in ["pages", "tables"] {
        unsite(&[&command, &source, &"--only", &"headings"]).ends(2).says(&[
            "there is no such expert",
            "did you mean heading?",
            "path-set",
        ]);
        unsite(&[&command, &source, &"--without", &"url,magic"]).ends(2).says(&["there is no such expert"]);
        unsite(&[&command, &source, &"--method", &"keyclos"]).ends(2).says(&["did you mean keyclus?"]);
        unsite(&[&command, &source, &"--types", &"0"]).ends(2).says(&["at least 1"]);
    }
    unsite(&[&"pages", &source, &"--method", &"thor", &"--only", &"url"])
        .ends(0)
        .says(&["thor hears no experts"]);
    unsite(&[&"pages", &source, &"--method", &"confhex", &"--without", &"url"]).ends(0);
}

#[test]
fn types_have_names_patterns_confidence_and_pages_that_show_them() {
    let (_folder, source) = with_site();
    let json = unsite(&[&"pages", &source, &"--json"]).ends(0).json();
    assert_eq!(json["unclassified"], 0);
    for kind in json["page_types"].as_array().unwrap() {
        let confidence = kind["confidence"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&confidence), "{kind}");
        assert!(
            !kind["name"].as_str().unwrap().is_empty() && !kind["url_pattern"].as_str().unwrap().is_empty()
        );
        let typical = kind["typical"].as_array().unwrap();
        assert!(!typical.is_empty(), "{kind}");
        assert!(kind["doubtful"].as_array().unwrap().iter().all(|page| !typical.contains(page)), "{kind}");
    }
    for method in ["keyclus", "thor"] {
        let json = unsite(&[&"pages", &source, &"--method", &method, &"--json"]).ends(0).json();
        assert!(!json["page_types"][0]["typical"].as_array().unwrap().is_empty(), "{method}: {json}");
    }
}

#[test]
fn a_page_can_be_asked_why() {
    let (_folder, source) = with_site();
    let site = small_site();
    let url = &site.pages.iter().find(|page| page.url.contains("/author")).unwrap_or(&site.pages[3]).url;
    let why = unsite(&[&"why-page", &source, url, &"--json"]).ends(0).json();
    assert_eq!(why["url"], **url);
    assert!(why["page_type"].is_string() && why["runner_up"].is_string(), "{why}");
    assert_ne!(why["page_type"], why["runner_up"]);
    let experts = why["experts"].as_array().unwrap();
    let sum: f64 = experts.iter().map(|expert| expert["log_odds"].as_f64().unwrap()).sum();
    let total = why["log_odds"].as_f64().unwrap();
    assert!((sum + why["bias"].as_f64().unwrap() - total).abs() < 1e-6, "{why}");
    assert!(total > why["runner_up_log_odds"].as_f64().unwrap(), "{why}");
    let text = unsite(&[&"why-page", &source, url, &"--without", &"url"]).ends(0).stdout;
    for part in ["type", "runner-up", "path-set", "together"] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    assert!(!text.lines().any(|line| line.starts_with("url ")), "{text}");
    // A page that was not learned from is judged too.
    let far = unsite(&[&"why-page", &source, url, &"--sample", &"20", &"--json"]).ends(0).json();
    assert!(far["nearest"].is_string(), "{far}");
    unsite(&[&"why-page", &source, &"http://elsewhere.test/x"])
        .ends(1)
        .says(&["has no page", "some that it has"]);
    unsite(&[&"why-page", &source, url, &"--method", &"thor"]).ends(1).says(&["leave --method out"]);
}

#[test]
fn key_paths_and_the_matrix() {
    let (folder, source) = with_site();
    let json = unsite(&[&"pages", &source, &"--key-paths", &"--json"]).ends(0).json();
    let marked: Vec<&serde_json::Value> =
        json["page_types"].as_array().unwrap().iter().filter(|kind| kind["key_path"].is_object()).collect();
    assert!(!marked.is_empty(), "{json}");
    for kind in marked {
        let mark = &kind["key_path"];
        assert!(mark["share"].as_f64() > mark["elsewhere"].as_f64(), "{mark}");
        assert!(!mark["path"].as_str().unwrap().is_empty() && mark["examples"].is_array());
    }
    let picture = folder.path().join("out.svg");
    let text = unsite(&[&"pages", &source, &"--key-paths", &"--matrix", &picture]).ends(0).stdout;
    assert!(text.contains("key path") && text.contains("holds"), "{text}");
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    let types = json["page_types"].as_array().unwrap();
    assert_eq!(svg.matches("stroke=").count(), types.len(), "one frame a type");
    unsite(&[&"pages", &source, &"--matrix", &folder.path().join("no/such/out.svg")])
        .ends(1)
        .says(&["cannot write"]);
}

#[test]
fn search_logs_are_read_and_bad_ones_explained() {
    let (folder, source) = with_site();
    let site = small_site();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let mut log = String::from("Top queries,Landing Page,Clicks,Impressions,CTR,Position\n");
    for page in &site.pages {
        log += &format!("\"words, of {}\",{},\"1,204\",9000,13.4%,1.2\n", page.url.len(), page.url);
    }
    let console = file("console.csv", &log);
    for method in ["auto", "keyclus"] {
        let run = unsite(&[&"pages", &source, &"--search-log", &console, &"--method", &method]).ends(0);
        assert!(!run.stderr.contains("search"), "{}", run.stderr);
    }
    unsite(&[&"pages", &source, &"--search-log", &console, &"--method", &"url"])
        .ends(0)
        .says(&["url reads no search log"]);
    let broken = file("broken.tsv", &format!("query\turl\ntea\t{}\nno page\n", site.pages[0].url));
    unsite(&[&"pages", &source, &"--search-log", &broken]).ends(0).says(&["line 3 has no query or no URL"]);
    let queries_only = file("queries.csv", "Top queries,Clicks,Impressions,CTR,Position\ntea,3,40,7.5%,2\n");
    unsite(&[&"pages", &source, &"--search-log", &queries_only])
        .ends(2)
        .says(&["no column for the url", "query,url[,clicks]"]);
    unsite(&[&"pages", &source, &"--search-log", &"no-such.csv"]).ends(2).says(&["cannot read it"]);
}

#[test]
fn training_writes_a_model_that_other_commands_take() {
    let (folder, source) = with_site();
    let gold = folder.path().join("shop.tar.zst");
    fs::write(&gold, gold_site(&small_site())).unwrap();
    let (model, again) = (folder.path().join("model.json"), folder.path().join("again.json"));
    let told = unsite(&[&"train", &gold, &"-o", &model, &"--json"]).ends(0).json();
    assert_eq!(told["sites"], 1);
    assert!(told["weights"]["path-set"].is_number(), "{told}");
    let text = unsite(&[&"train", &gold, &"-o", &again]).ends(0).says(&["hint: use it"]).stdout;
    assert!(text.contains("path-set"), "{text}");
    assert_eq!(fs::read(&model).unwrap(), fs::read(&again).unwrap(), "the same lessons, the same model");
    let types = unsite(&[&"pages", &source, &"--model", &model, &"--json"]).ends(0).json();
    assert!(types["page_types"].as_array().unwrap().len() > 1, "{types}");
    unsite(&[&"why-page", &source, &small_site().pages[0].url, &"--model", &model]).ends(0);
    unsite(&[&"eval", &gold, &"--set", &"pages", &"--model", &model, &"--without", &"url"]).ends(0);
    unsite(&[&"pages", &source, &"--model", &source]).ends(2).says(&["no model that `unsite train"]);
    unsite(&[&"train", &source, &"-o", &model]).ends(1);
}

#[test]
fn every_command_that_clusters_switches_experts() {
    let (folder, source) = with_site();
    let gold = folder.path().join("shop.tar.zst");
    fs::write(&gold, gold_site(&small_site())).unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (db, wrapper, url) = (file("x.db"), file("x.unsite"), small_site().pages[3].url.clone());
    let (source, gold) = (source.display().to_string(), gold.display().to_string());
    let commands: [&[&str]; 8] = [
        &["run", &source, "-o", &db, "-q"],
        &["learn", &source, "-w", &wrapper, "-q"],
        &["pages", &source, "-q"],
        &["tables", &source, "-q"],
        &["roles", &source, "-q"],
        &["regions", &source, "-q"],
        &["why-page", &source, &url, "-q"],
        &["eval", &gold, "--set", "pages", "-q"],
    ];
    for command in commands {
        let with = |flags: &[&str]| {
            let words: Vec<&str> = command.iter().chain(flags).copied().collect();
            let words: Vec<&dyn AsRef<std::ffi::OsStr>> =
                words.iter().map(|word| word as &dyn AsRef<std::ffi::OsStr>).collect();
            unsite(&words)
        };
        with(&["--only", "path-set,tag-signature"]).ends(0);
        with(&["--without", "url,in-links"]).ends(0);
        with(&["--without", "magic"]).ends(2).says(&["there is no such expert", "path-set"]);
    }
    // What is switched off has no say: one expert alone tells other types apart than all.
    let types = |flags: &[&str]| {
        let mut words: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"roles", &source, &"--json"];
        words.extend(flags.iter().map(|word| word as &dyn AsRef<std::ffi::OsStr>));
        let json = unsite(&words).ends(0).json();
        json["page_types"].as_array().map_or(0, Vec::len)
    };
    assert!(types(&["--types", "2"]) == 2 && types(&[]) > 2);
}

#[test]
fn every_method_gives_types_with_and_without_their_number() {
    let (_folder, source) = with_site();
    let listed = unsite(&[&"methods", &"--json"]).ends(0).json();
    let methods = listed["methods"].as_array().unwrap();
    assert!(methods.len() >= 19, "{listed}");
    let takes_a_number =
        ["auto", "thor", "raw-tags", "content", "raw-content", "url", "size", "random", "fourier"];
    for method in methods.iter().map(|method| method["name"].as_str().unwrap()) {
        let found = unsite(&[&"pages", &source, &"--method", &method, &"--json"]).ends(0).json();
        let types = found["page_types"].as_array().unwrap();
        assert!(!types.is_empty(), "{method}");
        let pages: u64 = types.iter().map(|kind| kind["pages"].as_u64().unwrap()).sum();
        assert_eq!(
            pages + found["unclassified"].as_u64().unwrap(),
            found["pages"].as_u64().unwrap(),
            "{method}"
        );
        let mut names: Vec<&str> = types.iter().map(|kind| kind["name"].as_str().unwrap()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), types.len(), "{method}: names are different");
        if takes_a_number.contains(&method) {
            let three = unsite(&[&"pages", &source, &"--method", &method, &"--types", &"3", &"--json"])
                .ends(0)
                .json();
            assert_eq!(three["page_types"].as_array().unwrap().len(), 3, "{method}");
        }
    }
}

#[test]
fn names_are_those_that_people_would_give() {
    let (_folder, source) = with_site();
    let json = unsite(&[&"pages", &source, &"--json"]).ends(0).json();
    let names: Vec<&str> =
        json["page_types"].as_array().unwrap().iter().map(|kind| kind["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"home") && names.contains(&"search"), "{names:?}");
    let numbered = |name: &&&str| name.rsplit('_').next().is_some_and(|last| last.parse::<u32>().is_ok());
    assert_eq!(names.iter().filter(numbered).count(), 0, "{names:?}");
    // Other pages of the same site: the same names.
    let half = unsite(&[&"pages", &source, &"--sample", &"60", &"--json"]).ends(0).json();
    for kind in half["page_types"].as_array().unwrap().iter().filter(|kind| kind["pages"].as_u64() > Some(10))
    {
        assert!(names.contains(&kind["name"].as_str().unwrap()), "{names:?} but {kind}");
    }
}

#[test]
fn a_page_that_fits_nothing_is_unclassified() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("site.jsonl");
    let stranger = "ftp://elsewhere.test/x/y/z/feed.rss?format=2&kind=3";
    let mut lines = String::new();
    for n in 0..90 {
        let (kind, body) = match n % 3 {
            0 => ("tea", format!("<h1>Tea {n}</h1><table><tr><th>Price<td>{n}</table><p>Warm and good.")),
            1 => ("shop", format!("<h1>Shop {n}</h1><ul><li><a href=/tea/{}>tea</a><li>open</ul>", n - 1)),
            _ => ("note", format!("<h2>Note {n}</h2><blockquote>It rained {n} days.</blockquote>")),
        };
        let html = format!("<title>{kind} {n}</title><body class={kind}><div id={kind}>{body}</div>");
        lines += &serde_json::json!({"url": format!("http://a.test/{kind}/{n}"), "html": html}).to_string();
        lines += "\n";
    }
    let html = "<rss><channel><item><guid>1</guid><item><guid>2</guid></channel></rss>";
    lines += &serde_json::json!({"url": stranger, "html": html}).to_string();
    fs::write(&source, lines).unwrap();
    // The sample is drawn by hash; some seed leaves the stranger out.
    let outside = (1..20u32).find_map(|seed| {
        let seed = seed.to_string();
        let why = unsite(&[&"why-page", &source, &stranger, &"--sample", &"60", &"--seed", &seed, &"--json"]);
        let why = why.ends(0).json();
        why["page_type"].is_null().then_some((seed, why))
    });
    let (seed, why) = outside.expect("a sample without the stranger");
    assert!(why["nearest"].is_string(), "{why}");
    let text =
        unsite(&[&"why-page", &source, &stranger, &"--sample", &"60", &"--seed", &seed]).ends(0).stdout;
    assert!(text.contains("unclassified: it fits no type"), "{text}");
    let json = unsite(&[&"pages", &source, &"--sample", &"60", &"--seed", &seed, &"--json"]).ends(0).json();
    assert_eq!(json["unclassified"], 1, "{json}");
    let text = unsite(&[&"pages", &source, &"--sample", &"60", &"--seed", &seed]).ends(0).stdout;
    assert!(text.contains("unclassified: 1 page that fit"), "{text}");
}
