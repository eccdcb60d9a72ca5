//! The wrapper file as text: what goes in comes out, and nothing that is not one is taken for one.

use unsite_dom::{Limits, RawPage, Tree};
use unsite_wrapper::{
    ClassMap, ColumnInfo, FORMAT, PageMarks, PageTypeInfo, Read, Recogniser, SavedError, SavedWrapper, Spec,
    TableInfo, Template, TemplateNode, Training, TypeModel, VERSION, What, Wrapper,
};

const HTML: &str = "<html><body><h1>One</h1></body></html>";

fn page() -> RawPage {
    RawPage { url: "http://a.test/1".into(), reference: "1".into(), bytes: HTML.into(), ..RawPage::default() }
}

/// A wrapper that reads the heading of a page.
fn saved() -> SavedWrapper {
    let classes = ClassMap::default();
    let (tree, _) = Tree::parse(HTML.as_bytes(), None, &Limits::default());
    let signature = |name: &str| classes.signature(&tree, tree.elements(name).next().unwrap());
    let spec = |signature: u64, node: usize| Spec { signature, node, ..Spec::default() };
    let node = |step: &str, parent: usize, specs: Vec<Spec>| TemplateNode {
        step: step.into(),
        parent,
        specs,
        ..Default::default()
    };
    let mut nodes = vec![
        node("document", 0, vec![spec(signature("html"), 1)]),
        node("html", 0, vec![spec(signature("body"), 2)]),
        node("body", 1, vec![spec(signature("h1"), 3)]),
        node("h1", 2, vec![]),
    ];
    nodes[3].reads = vec![Read { what: What::Prose, table: 0, column: 0 }];
    nodes[3].aliases = vec![(u64::MAX, 7)];
    let mut wrapper = Wrapper::default();
    wrapper.schema.page_types.push(PageTypeInfo {
        name: "item \"quoted\"".into(),
        pages: 1,
        ..Default::default()
    });
    let columns = vec![ColumnInfo { name: "title".into(), ..ColumnInfo::default() }];
    wrapper.schema.tables.push(TableInfo { name: "item".into(), columns, ..TableInfo::default() });
    wrapper.recogniser = Recogniser::learn(&[PageMarks::of(&tree, "http://a.test/1", &classes)], &[0], 1).0;
    wrapper.training = Training::new([(&page(), 0)]);
    wrapper.types.push(TypeModel {
        template: Template { nodes, ..Template::default() },
        page_table: Some(0),
        index_logit: 0.25,
        ..TypeModel::default()
    });
    let mut saved =
        SavedWrapper { format: FORMAT.into(), version: VERSION, wrapper, ..SavedWrapper::default() };
    saved.profile.types.push(Default::default());
    saved
}

#[test]
fn what_goes_in_comes_out() {
    let saved = saved();
    let text = saved.to_text();
    let again = SavedWrapper::from_text(&text).unwrap();
    assert_eq!(again, saved);
    assert_eq!(again.to_text(), text);
    let rows = again.wrapper.extract(&page(), &Limits::default()).rows;
    assert_eq!(rows[0].cells[0].value, "One");
    assert!(text.lines().all(|line| line.len() < 2000), "lines for people");
}

#[test]
fn a_file_that_stops_is_an_error_wherever_it_stops() {
    let text = saved().to_text();
    for end in 0..text.len() - 2 {
        let error = SavedWrapper::from_text(&text[..end]).unwrap_err();
        assert!(matches!(error, SavedError::Truncated { .. } | SavedError::NotOne(_)), "{end}: {error}");
    }
    let late = SavedWrapper::from_text(&text[..text.len() / 2]).unwrap_err();
    assert!(late.to_string().contains("cut off at line"), "{late}");
}

#[test]
fn other_versions_and_other_files_are_told() {
    let text = saved().to_text();
    let newer = SavedWrapper::from_text(&text.replacen("\"version\": 1", "\"version\": 2", 1)).unwrap_err();
    assert!(newer.to_string().contains("version 2") && newer.to_string().contains("newer"), "{newer}");
    let other = SavedWrapper::from_text("{\"format\": \"x\", \"version\": 1}").unwrap_err();
    assert!(other.to_string().contains("not a wrapper file"), "{other}");
    assert!(SavedWrapper::from_text(&"[".repeat(1 << 20)).is_err());
}

#[test]
fn numbers_that_point_outside_are_refused_and_nothing_panics() {
    let text = saved().to_text();
    let places: Vec<usize> =
        text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
    let mut refused = 0;
    for at in places {
        for digits in ["9", "77777", "-1", "1e308"] {
            let hostile = format!("{}{digits}{}", &text[..at], &text[at + 1..]);
            match SavedWrapper::from_text(&hostile) {
                Ok(saved) => drop(saved.wrapper.extract(&page(), &Limits::default())),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 20, "{refused}");
}
