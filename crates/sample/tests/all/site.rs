//! The site as a whole: closed link graph, reproducible bytes, families that differ, redesigns that change markup only.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{read, variants};
use unsite_sample::{Change, Family, Knobs, Language, ORIGIN, Site};

#[test]
fn the_link_graph_is_closed_and_connected() {
    for (site, seen) in variants() {
        let urls: BTreeSet<&str> = site.pages.iter().map(|p| p.url.as_str()).collect();
        assert_eq!(urls.len(), site.pages.len(), "two pages share a URL");
        let mut graph: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (page, seen) in site.pages.iter().zip(seen) {
            let targets = seen.links.iter().map(|(target, _)| target);
            let own: BTreeSet<String> =
                targets.filter(|target| target.starts_with(ORIGIN)).cloned().collect();
            for target in &own {
                assert!(urls.contains(target.as_str()), "{} leads to {target}, which is no page", page.url);
            }
            graph.insert(&page.url, own);
        }
        let mut reached = BTreeSet::from([site.pages[0].url.clone()]);
        let mut todo: Vec<String> = reached.iter().cloned().collect();
        while let Some(url) = todo.pop() {
            todo.extend(graph[url.as_str()].iter().filter(|t| reached.insert((*t).clone())).cloned());
        }
        let lost: Vec<_> = urls.iter().filter(|url| !reached.contains(**url)).collect();
        assert!(lost.is_empty(), "not reachable from home: {lost:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for family in Family::ALL {
        let knobs = Knobs { family, ..Knobs::default() };
        assert_eq!(Site::generate(&knobs), Site::generate(&knobs));
    }
    let other = Site::generate(&Knobs { seed: 43, ..Knobs::default() });
    assert_ne!(other.tables, Site::generate(&Knobs::default()).tables);
}

#[test]
fn file_names_are_unique_and_relative() {
    for (site, _) in variants() {
        let paths: BTreeSet<&str> = site.pages.iter().map(|p| p.path.as_str()).collect();
        assert_eq!(paths.len(), site.pages.len());
        assert!(
            paths
                .iter()
                .all(|p| p.is_ascii() && !p.starts_with('/') && !p.contains("..") && !p.contains(['?', ':']))
        );
    }
}

#[test]
fn families_show_the_same_tables_with_other_markup() {
    let sites: Vec<Site> =
        Family::ALL.map(|family| Site::generate(&Knobs { family, ..Knobs::default() })).to_vec();
    for pair in sites.windows(2) {
        assert_eq!(pair[0].tables, pair[1].tables);
        assert_eq!(pair[0].gold, pair[1].gold);
        let tags = |site: &Site| {
            let book = site.gold.iter().position(|g| g.page_type == "book").expect("a book");
            read(&site.pages[book].url, &site.pages[book].html).tags
        };
        assert_ne!(tags(&pair[0]), tags(&pair[1]));
    }
}

#[test]
fn a_redesign_keeps_gold_and_changes_markup() {
    for family in Family::ALL {
        let before = Site::generate(&Knobs { family, ..Knobs::default() });
        for change in Change::ALL {
            let after = Site::generate(&Knobs { family, redesign: [change].into(), ..Knobs::default() });
            assert_eq!(before.gold, after.gold, "{family:?} {change:?}");
            // Old-fashioned pages have no classes to rename.
            if (family, change) != (Family::Antique, Change::RenameClasses) {
                assert_ne!(before.pages, after.pages, "{family:?} {change:?}");
            }
        }
    }
}

#[test]
fn renamed_classes_share_no_name() {
    for family in [Family::Modern, Family::Hashed] {
        let classes = |redesign: &[Change]| -> BTreeSet<String> {
            let redesign = redesign.iter().copied().collect();
            let site = Site::generate(&Knobs { family, redesign, books: 12, ..Knobs::default() });
            site.pages.iter().flat_map(|p| read(&p.url, &p.html).classes).collect()
        };
        let (before, after) = (classes(&[]), classes(&[Change::RenameClasses]));
        assert_eq!(before.len(), after.len());
        assert!(before.is_disjoint(&after), "{family:?}");
    }
}

#[test]
fn merged_facts_stand_in_one_text_node() {
    let knobs = Knobs { redesign: [Change::MergeFields].into(), missing: 0.0, ..Knobs::default() };
    let site = Site::generate(&knobs);
    let book = site.gold.iter().position(|g| g.page_type == "book").expect("a book");
    let texts = read(&site.pages[book].url, &site.pages[book].html).texts;
    assert!(texts.iter().any(|t| t.starts_with("Pages: ") && t.contains(" | Language: ")), "{texts:?}");
}

#[test]
fn noise_adds_and_cleanliness_does_not() {
    let length = |noise| -> usize {
        let site = Site::generate(&Knobs { noise, ..Knobs::default() });
        site.pages.iter().map(|p| read(&p.url, &p.html).tags.len()).sum()
    };
    assert!(length(0.0) < length(0.3) && length(0.3) < length(1.0));
}

#[test]
fn json_ld_is_valid_and_can_be_switched_off() {
    for json_ld in [true, false] {
        let site = Site::generate(&Knobs { json_ld, ..Knobs::default() });
        for (page, gold) in site.pages.iter().zip(&site.gold) {
            let data = page.html.split_once("<script type=\"application/ld+json\">").map(|(_, rest)| rest);
            assert_eq!(data.is_some(), json_ld && gold.page_type == "book");
            if let Some(data) = data {
                let json = data.split_once("</script>").expect("scripts end").0;
                let value: serde_json::Value = serde_json::from_str(json).expect("JSON-LD is JSON");
                assert_eq!(value["name"], gold.fields["title"][0].as_str());
            }
        }
    }
}

#[test]
fn extreme_knobs_generate() {
    let none = Knobs { books: 0, authors: 0, categories: 0, page_size: 0, queries: 0, ..Knobs::default() };
    let all = Knobs { missing: 7.0, noise: f64::INFINITY, redesign: Change::ALL.into(), ..Knobs::default() };
    for knobs in [none, all] {
        for language in Language::ALL {
            let site = Site::generate(&Knobs { language, ..knobs.clone() });
            assert!(site.gold.iter().any(|g| g.page_type == "book"));
        }
    }
}

#[test]
fn long_lists_link_only_to_their_neighbours() {
    for family in Family::ALL {
        let knobs = Knobs { family, books: 600, categories: 1, page_size: 2, queries: 0, ..Knobs::default() };
        let site = Site::generate(&knobs);
        let urls: BTreeSet<&str> = site.pages.iter().map(|p| p.url.as_str()).collect();
        let lists = site.pages.iter().zip(&site.gold).filter(|(_, g)| g.page_type == "category");
        for (page, _) in lists {
            let links = read(&page.url, &page.html).links;
            assert!(
                links.iter().all(|(target, _)| !target.starts_with(ORIGIN) || urls.contains(target.as_str()))
            );
            let pages = links.iter().filter(|(target, _)| target.contains("?page=")).count();
            assert!((1..=9).contains(&pages), "{pages} links to other pages on {}", page.url);
        }
    }
}

#[test]
fn random_knobs_generate_clean_sites() {
    for seed in 0..12 {
        let site = Site::generate(&Knobs::random(seed));
        for page in &site.pages {
            assert!(read(&page.url, &page.html).faults.is_empty(), "seed {seed}: {}", page.url);
        }
    }
}

#[test]
fn saved_pages_say_where_they_came_from() {
    let site = Site::generate(&Knobs { books: 5, ..Knobs::default() });
    for ((path, bytes), page) in site.saved_files().into_iter().zip(&site.pages) {
        let text = String::from_utf8(bytes).expect("pages are UTF-8");
        let mark = format!("<!-- saved from url=({:04}){} -->", page.url.len(), page.url);
        assert_eq!(text.lines().nth(1), Some(mark.as_str()));
        assert_eq!(text.replacen(&(mark + "\n"), "", 1), page.html);
        assert_eq!(path, page.path);
    }
}
