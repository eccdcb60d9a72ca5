//! Scores that can be worked out on paper, for every set.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use unsite_eval::{GoldSite, Observed, Scorer, Set, TargetScore};

fn site(pages: &[Value]) -> GoldSite {
    let lines: String = pages.iter().map(|page| format!("{page}\n")).collect();
    GoldSite::from_parts("x.tar.zst", br#"{"name": "x", "suite": "s"}"#, lines.as_bytes()).unwrap()
}

fn score(set: Set, gold: &[Value], found: &Observed) -> Vec<TargetScore> {
    Scorer::new(&site(gold).pages, found).score(set)
}

fn rounded(target: &TargetScore) -> [f64; 3] {
    [target.prf.precision, target.prf.recall, target.prf.f1].map(|x| (x * 1000.0).round() / 1000.0)
}

fn books() -> Vec<Value> {
    (0..4)
        .map(|i| {
            let fields =
                json!({"title": [format!("Book {i}")], "phone": [format!("Phone: 555-{i}")], "rare": []});
            json!({"file": format!("pages/{i}.html"), "page_type": "book", "fields": fields})
        })
        .collect()
}

#[test]
fn a_value_with_its_label_is_right_by_page_but_not_by_value() {
    let mut found = Observed::default();
    for i in 0..4 {
        let page = format!("{i}.html");
        found.add_cell(&page, "book", "1", "phone", &format!("555-{i}"));
        if i < 3 {
            found.add_cell(&page, "book", "1", "title", &format!(" Book\u{a0}{i}\n"));
        }
    }
    found.add_cell("0.html", "book", "2", "title", "Advertisement");
    found.add_cell("9.html", "book", "3", "title", "not a labelled page");

    let by_page = score(Set::Swde, &books(), &found);
    assert_eq!(by_page.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(), ["phone", "title"]);
    assert_eq!(rounded(&by_page[0]), [1.0, 1.0, 1.0]);
    // Page 0 is wrong for the advertisement, page 3 has nothing: 2 of 3, and 2 of 4.
    assert_eq!(rounded(&by_page[1]), [0.667, 0.5, 0.571]);
    let wrong: Vec<&str> = by_page[1].misses.iter().map(|miss| miss.page.as_str()).collect();
    assert_eq!(wrong, ["0.html", "3.html"]);
    assert_eq!(by_page[1].misses[0].got, [" Book\u{a0}0\n", "Advertisement"]);

    let by_value = score(Set::Fields, &books(), &found);
    assert_eq!((rounded(&by_value[0]), by_value[0].matched.as_deref()), ([0.0; 3], None));
    assert_eq!(by_value[0].misses.len(), 3);
    // 3 of 4 cells on labelled pages are right, 3 of 4 values are found.
    assert_eq!((rounded(&by_value[1]), by_value[1].matched.as_deref()), ([0.75; 3], Some("book.title")));
    assert!(score(Set::Open, &books(), &found).is_empty());
}

#[test]
fn of_equal_columns_the_smaller_one_serves_by_value_and_the_first_one_by_page() {
    let mut found = Observed::default();
    for i in 0..4 {
        let (page, title) = (format!("{i}.html"), format!("Book {i}"));
        found.add_cell(&page, "z", "1", "full", &title);
        found.add_cell(&page, "b", "1", "full", &title);
        found.add_cell(&page, "a", "1", "wide", &title);
        found.add_cell(&page, "a", "1", "wide", "more");
    }
    let title = |set| score(set, &books(), &found).into_iter().find(|target| target.name == "title").unwrap();
    assert_eq!(title(Set::Fields).matched.as_deref(), Some("b.full"));
    assert_eq!(title(Set::Swde).matched.as_deref(), Some("z.full"));
    assert!(title(Set::Fields).misses.is_empty());
}

#[test]
fn several_page_types_are_named() {
    let mut gold = books();
    for i in 4..8 {
        gold.push(
            json!({"file": format!("{i}.html"), "page_type": "film", "open_fields": {"Year": ["1999"]},
            "fields": {"title": [format!("Film {i}")]}}),
        );
    }
    let names: Vec<String> =
        score(Set::Fields, &gold, &Observed::default()).into_iter().map(|target| target.name).collect();
    assert_eq!(names, ["book.phone", "book.title", "film.title"]);
    assert_eq!(score(Set::Open, &gold, &Observed::default())[0].name, "Year");
}

#[test]
fn a_record_is_found_when_one_row_holds_it() {
    let records =
        json!([{"a": "Emma", "b": "9"}, {"a": "Persuasion", "b": "12"}, {"a": "Sanditon", "b": "7"}]);
    let gold =
        [json!({"file": "l.html", "page_type": "list", "records": records}), json!({"file": "m.html"})];
    let mut found = Observed::default();
    found.add_cell("l.html", "nav", "1", "x", "Home");
    for (row, title, price) in [("1", "Emma", "9 pounds"), ("2", "Persuasion", "120"), ("3", "Sanditon", "7")]
    {
        found.add_cell("l.html", "rows", row, "title", title);
        found.add_cell("l.html", "rows", row, "price", price);
    }
    found.add_cell("l.html", "rows", "4", "title", "Advertisement");
    found.add_cell("m.html", "rows", "5", "title", "on a page without labels");
    let scores = score(Set::Records, &gold, &found);
    assert_eq!(scores.len(), 1);
    // 12 is not a word of 120: two records in four rows.
    assert_eq!((rounded(&scores[0]), scores[0].matched.as_deref()), ([0.5, 0.667, 0.571], Some("rows")));
    assert_eq!(scores[0].misses.len(), 1);
    assert_eq!(scores[0].misses[0].expected, ["Persuasion", "12"]);
    assert_eq!(scores[0].misses[0].got, ["Persuasion", "120"]);
}

#[test]
fn page_types_over_pairs() {
    // KeyClus's worked example: clusters 000111 against classes 001122.
    let classes = ["a", "a", "b", "b", "c", "c"];
    let mut gold: Vec<Value> =
        (0..6).map(|i| json!({"file": format!("{i}.html"), "page_type": classes[i]})).collect();
    gold.push(json!({"file": "7.html", "page_type": "unknown"}));
    gold.push(json!({"file": "8.html"}));
    let mut found = Observed::default();
    // Pages 3 to 5 were not read or got no type: one group.
    for i in 0..3 {
        found.add_page(&format!("pages/{i}.html"), Some("x"), None);
    }
    found.add_page("3.html", None, None);
    let scores = score(Set::Pages, &gold, &found);
    assert_eq!(rounded(&scores[0]), [0.333, 0.667, 0.444]);
    assert!((scores[0].more["ari"] - 8.0 / 33.0).abs() < 1e-12);
    assert!(scores[0].note.starts_with("ARI 0.242 entropy ") && scores[0].note.ends_with(" k 2/3"));
    assert_eq!(scores[0].misses[0].page, "2.html");
    assert_eq!(scores[0].misses[0].expected, ["b"]);
}

#[test]
fn index_pages_by_rank() {
    let roles = ["index", "article", "index", "search", "article", "index"];
    let gold: Vec<Value> = (0..6).map(|i| json!({"file": format!("{i}.html"), "role": roles[i]})).collect();
    let mut found = Observed::default();
    // Page 3 is neither; page 2 and 4 tie, the first one wins; page 5 was not read.
    for (i, value) in [(0, Some(0.9)), (1, Some(0.8)), (2, Some(0.5)), (3, Some(1.0)), (4, Some(0.5))] {
        found.add_page(&format!("{i}.html"), None, value);
    }
    let scores = score(Set::Roles, &gold, &found);
    assert_eq!(rounded(&scores[0]), [0.667; 3]);
    assert_eq!(scores[0].note, "3 index pages of 5");
    let misses: Vec<(&str, &str)> =
        scores[0].misses.iter().map(|miss| (miss.page.as_str(), miss.expected[0].as_str())).collect();
    assert_eq!(misses, [("1.html", "article"), ("5.html", "index")]);
    assert!(score(Set::Roles, &books(), &found).is_empty());
}

#[test]
fn main_text_by_runs_of_four_words() {
    let gold = [
        json!({"file": "0.html", "main_text": "a b c d e"}),
        json!({"file": "1.html", "main_text": "a b c d"}),
        json!({"file": "2.html"}),
    ];
    let texts = [("pages/0.html", "a b, c d e f!"), ("pages/2.html", "not labelled")];
    let main_text = texts.map(|(page, text)| (page.to_string(), text.to_string()));
    let found = Observed { main_text: Some(BTreeMap::from(main_text)), ..Observed::default() };
    let scores = score(Set::MainText, &gold, &found);
    // Precision only of the page with a text, 2/3; recall 1 and 0.
    assert_eq!(rounded(&scores[0]), [0.667, 0.5, 0.571]);
    assert_eq!(scores[0].misses[0].page, "1.html");
    assert_eq!(scores[0].more["exact"], 0.0);
    assert_eq!(score(Set::MainText, &gold, &Observed::default())[0].prf.f1, 0.0);
    assert!(score(Set::MainText, &gold[2..], &found).is_empty());
}

#[test]
fn search_forms_by_position() {
    let gold = [
        json!({"file": "0.html", "form_types": ["s", "l"]}),
        json!({"file": "1.html", "form_types": ["X", "s", "-"]}),
        json!({"file": "2.html", "form_types": ["l"]}),
        json!({"file": "3.html", "form_types": ["s"]}),
    ];
    let forms: [(&str, &[&str]); 3] =
        [("pages/0.html", &["s", "o"]), ("pages/1.html", &["s", "o", "s"]), ("pages/2.html", &["l", "s"])];
    let forms = forms.map(|(page, kinds)| (page.to_string(), kinds.iter().map(|k| k.to_string()).collect()));
    let found = Observed { forms: Some(BTreeMap::from(forms)), ..Observed::default() };
    let scores = score(Set::Forms, &gold, &found);
    // Given: page 0 rightly and a form of page 2 that is not there; forms nobody labelled do not count.
    assert_eq!(rounded(&scores[0]), [0.5, 0.333, 0.4]);
    assert_eq!(scores[0].note, "found on 1 of 3 pages");
    assert_eq!(scores[0].misses.len(), 3);
    assert_eq!(score(Set::Forms, &gold, &Observed::default())[0].prf.f1, 0.0);
    assert!(score(Set::Forms, &gold[2..3], &found).is_empty());
}

#[test]
fn sets_have_names() {
    for set in Set::ALL {
        assert_eq!(set.name().parse(), Ok(set));
        assert_eq!(serde_json::json!(set), set.name());
    }
    assert!("no".parse::<Set>().unwrap_err().to_string().contains("main-text"));
}
