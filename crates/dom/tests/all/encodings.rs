//! Which characters a page's bytes stand for.

use unsite_dom::{Limits, Tree, decode};

fn name(bytes: &[u8], declared: Option<&str>) -> &'static str {
    decode(bytes, declared).1.name()
}

fn encoded(label: &str, text: &str) -> Vec<u8> {
    encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into_owned()
}

const RUSSIAN: &str =
    "Это книга, которую она написала, когда они жили в старом доме у моря, и все были счастливы.";

#[test]
fn a_byte_order_mark_beats_everything() {
    assert_eq!(decode(b"\xEF\xBB\xBFx", Some("windows-1251")).0, "x");
    assert_eq!(decode(b"\xFF\xFEh\0i\0", Some("utf-8")).0, "hi");
    assert_eq!(decode(b"\xFE\xFF\0h\0i", None).0, "hi");
    assert_eq!(name(b"\xFE\xFF\0h\0i", None), "UTF-16BE");
}

#[test]
fn declarations_are_believed() {
    let page = encoded("gbk", "<meta charset=gb2312><p>图书馆");
    assert_eq!(decode(&page, None).0, "<meta charset=gb2312><p>图书馆");
    let page =
        encoded("shift_jis", "<meta http-equiv=Content-Type content='text/html; charset=Shift_JIS'>図書館");
    assert!(decode(&page, None).0.ends_with("図書館"));
    let page = encoded("windows-1251", RUSSIAN);
    assert_eq!(decode(&page, Some("Windows-1251")).0, RUSSIAN);
    // The transport goes before the page.
    let page = encoded("windows-1251", &format!("<meta charset=iso-8859-1>{RUSSIAN}"));
    assert!(decode(&page, Some("cp1251")).0.ends_with(RUSSIAN));
}

#[test]
fn undeclared_bytes_are_recognised() {
    assert_eq!(decode(&encoded("windows-1251", RUSSIAN), None).0, RUSSIAN);
    assert_eq!(decode("naïve".as_bytes(), None).0, "naïve");
    let late = format!("{}{RUSSIAN}", "<p>ascii</p>".repeat(5000));
    assert!(decode(&encoded("windows-1251", &late), None).0.ends_with(RUSSIAN));
}

#[test]
fn wrong_declarations_do_not_spoil_the_page() {
    // UTF-8 that calls itself Latin-1, and the other way round.
    assert_eq!(decode("<p>Žluťoučký кůň 図書館".as_bytes(), Some("iso-8859-1")).0, "<p>Žluťoučký кůň 図書館");
    assert_eq!(decode(&encoded("windows-1251", RUSSIAN), Some("utf-8")).0, RUSSIAN);
    // UTF-8 but for one broken byte.
    let mut page = RUSSIAN.as_bytes().to_vec();
    page.push(0xFF);
    assert_eq!(decode(&page, Some("utf-8")).0, format!("{RUSSIAN}\u{FFFD}"));
    // A meta element cannot be in UTF-16, and an unknown label is none.
    assert_eq!(decode("<meta charset=utf-16>ü".as_bytes(), None).0, "<meta charset=utf-16>ü");
    assert_eq!(decode("ü".as_bytes(), Some("no-such-charset")).0, "ü");
}

#[test]
fn empty_and_cut_pages() {
    assert_eq!(decode(b"", None).0, "");
    assert_eq!(name(b"plain", Some("gbk")), "GBK");
    // The byte limit may cut a character in two.
    let limits = Limits { page_bytes: 4, ..Limits::default() };
    let (tree, _) = Tree::parse("üüü€".as_bytes(), None, &limits);
    assert!(tree.nodes().any(|node| tree.text(node) == "üü"));
    let limits = Limits { page_bytes: 5, ..Limits::default() };
    let (tree, _) = Tree::parse("üüü€".as_bytes(), None, &limits);
    assert!(tree.nodes().any(|node| tree.text(node).starts_with("üü")));
}
