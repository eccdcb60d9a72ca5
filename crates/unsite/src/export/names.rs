//! The kinds of elements of a step, as conditions of XPath and CSS.

use unsite_wrapper::Kind;

/// A text as an XPath string.
pub(super) fn literal(text: &str) -> String {
    if !text.contains('"') {
        return format!("\"{text}\"");
    }
    let parts: Vec<String> = text.split('"').map(|part| format!("\"{part}\"")).collect();
    format!("concat({})", parts.join(", '\"', "))
}

/// The step of a path that finds elements of these kinds and not of those others.
pub(super) fn node_test(kinds: &[&Kind], others: &[&Kind]) -> String {
    tested(kinds, |kind| conditions(kind, others).join(" and "))
}

/// The same for code that knows which names count: `div[named("price")]`. Elements without names are told from others
/// where there are any.
pub(super) fn named_test(kinds: &[&Kind], has_named: impl Fn(&str) -> bool) -> String {
    tested(kinds, |kind| {
        let names: Vec<String> = kind.names.iter().map(|name| literal(name)).collect();
        let is_told = !names.is_empty() || has_named(&kind.tag);
        if is_told { format!("named({})", names.join(", ")) } else { String::new() }
    })
}

fn tested(kinds: &[&Kind], one: impl Fn(&Kind) -> String) -> String {
    let tag = &kinds[0].tag;
    if kinds.iter().all(|kind| kind.tag == *tag) {
        let mut alternatives: Vec<String> = kinds.iter().map(|kind| one(kind)).collect();
        alternatives.sort();
        alternatives.dedup();
        return match alternatives.as_slice() {
            _ if alternatives.iter().any(String::is_empty) => tag.clone(),
            [only] => format!("{tag}[{only}]"),
            many => format!("{tag}[{}]", many.join(" or ")),
        };
    }
    let alternatives: Vec<String> = kinds
        .iter()
        .map(|kind| match one(kind) {
            all if all.is_empty() => format!("self::{}", kind.tag),
            all => format!("self::{}[{all}]", kind.tag),
        })
        .collect();
    format!("*[{}]", alternatives.join(" or "))
}

/// What an element of a kind has, and what tells others with more names apart from it.
fn conditions(kind: &Kind, others: &[&Kind]) -> Vec<String> {
    let (classes, rest): (Vec<&String>, Vec<&String>) =
        kind.names.iter().partition(|name| is_plain_class(name));
    let mut conditions: Vec<String> = classes.into_iter().chain(rest).map(|name| has(name)).collect();
    let mut more: Vec<String> =
        others.iter().filter_map(|other| extra(kind, other)).map(|name| has(name)).collect();
    more.sort();
    more.dedup();
    if !more.is_empty() {
        conditions.push(format!("not({})", more.join(" or ")));
    }
    conditions
}

/// A name by which an element of another kind, which has all of this one's, is told from it.
pub(super) fn extra<'a>(kind: &Kind, other: &'a Kind) -> Option<&'a String> {
    let has_all = other.tag == kind.tag && kind.names.iter().all(|name| other.names.contains(name));
    other.names.iter().find(|name| has_all && !kind.names.contains(name))
}

fn is_plain_class(name: &str) -> bool {
    !name.contains('#') && !name.ends_with('*')
}

/// The condition for one name: a class, an id (`#main`), digits folded (`post-#`), or a family (`category-*`).
fn has(name: &str) -> String {
    if is_plain_class(name) {
        let padded = literal(&format!(" {name} "));
        return format!("contains(concat(\" \", normalize-space(@class), \" \"), {padded})");
    }
    if let Some(family) = name.strip_prefix('#').and_then(|id| id.strip_suffix('*')) {
        let start = literal(family.split('#').next().unwrap_or_default());
        return format!("starts-with(normalize-space(@id), {start})");
    }
    if let Some(id) = name.strip_prefix('#') {
        return match id.split_once('#') {
            None => format!("normalize-space(@id) = {}", literal(id)),
            Some((before, _)) => {
                format!("starts-with({}, {})", translated("@id"), literal(&format!("{before}#")))
            }
        };
    }
    if let Some(family) = name.strip_suffix('*') {
        let start = literal(&format!(" {}", family.split('#').next().unwrap_or_default()));
        return format!("contains(concat(\" \", normalize-space(@class)), {start})");
    }
    let before = name.split('#').next().unwrap_or_default();
    format!("contains(concat(\" \", {}), {})", translated("@class"), literal(&format!(" {before}#")))
}

fn translated(attribute: &str) -> String {
    format!("translate(normalize-space({attribute}), \"0123456789\", \"##########\")")
}

/// The same kind as a compound CSS selector; `None` where CSS cannot say it.
pub(super) fn css_test(kind: &Kind, others: &[&Kind]) -> Option<String> {
    let mut css = kind.tag.clone();
    for name in &kind.names {
        css.push_str(&css_name(name)?);
    }
    let mut more = Vec::new();
    for name in others.iter().filter_map(|other| extra(kind, other)) {
        more.push(format!(":not({})", css_name(name)?));
    }
    more.sort();
    more.dedup();
    Some(css + &more.concat())
}

fn css_name(name: &str) -> Option<String> {
    let is_word = |text: &str| {
        !text.is_empty()
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
            && !text.starts_with(|c: char| c.is_ascii_digit())
            && !text.starts_with("--")
    };
    match (name.strip_prefix('#'), name.strip_suffix('*')) {
        (Some(id), _) if is_word(id) => Some(format!("#{id}")),
        (None, Some(family)) if is_word(family) => Some(format!("[class*=\"{family}\"]")),
        (None, None) if is_word(name) => Some(format!(".{name}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(tag: &str, names: &[&str]) -> Kind {
        Kind { signature: 0, tag: tag.into(), names: names.iter().map(|name| (*name).to_owned()).collect() }
    }

    #[test]
    fn names_become_conditions() {
        let (price, old) = (kind("p", &["price"]), kind("p", &["old", "price"]));
        let has =
            |class: &str| format!("contains(concat(\" \", normalize-space(@class), \" \"), \" {class} \")");
        assert_eq!(node_test(&[&old], &[&price]), format!("p[{} and {}]", has("old"), has("price")));
        assert_eq!(node_test(&[&price], &[&old]), format!("p[{} and not({})]", has("price"), has("old")));
        assert_eq!(
            node_test(&[&kind("li", &["category-*"])], &[]),
            "li[contains(concat(\" \", normalize-space(@class)), \" category-\")]"
        );
        assert_eq!(
            node_test(&[&kind("h2", &[]), &kind("h3", &["#x"])], &[]),
            "*[self::h2 or self::h3[normalize-space(@id) = \"x\"]]"
        );
    }

    #[test]
    fn code_asks_for_names() {
        let is_heading = |tag: &str| tag == "h2";
        assert_eq!(
            named_test(&[&kind("li", &["#c#", "post-#"])], is_heading),
            "li[named(\"#c#\", \"post-#\")]"
        );
        assert_eq!(
            named_test(&[&kind("h2", &[]), &kind("h3", &[])], is_heading),
            "*[self::h2[named()] or self::h3]"
        );
    }

    #[test]
    fn css_says_what_it_can() {
        assert_eq!(css_test(&kind("p", &["#main", "price"]), &[]).as_deref(), Some("p#main.price"));
        assert_eq!(css_test(&kind("p", &[]), &[&kind("p", &["x"])]).as_deref(), Some("p:not(.x)"));
        assert_eq!(css_test(&kind("p", &["w-[3px]"]), &[]), None);
        assert_eq!(css_test(&kind("p", &["post-#"]), &[]), None);
    }

    #[test]
    fn quotes_of_both_kinds_fit_into_a_literal() {
        assert_eq!(literal("a'b"), "\"a'b\"");
        assert_eq!(literal("a\"b'"), "concat(\"a\", '\"', \"b'\")");
    }
}
