//! Pages that say that something went wrong.

use unsite_dom::{NodeId, Tree};

/// An error page has at most this many bytes of visible text in its body: an article about errors has more.
const SHORT: usize = 1_500;

/// A title or heading that says so is at most this long.
const SHORT_TITLE: usize = 120;

/// Codes of HTTP that pages print for people.
const CODES: [&str; 9] = ["400", "401", "403", "404", "410", "500", "502", "503", "504"];

/// How errors are announced, in lower case. The list is short on purpose: where the status is known it decides.
const PHRASES: [&str; 34] = [
    "not found",
    "page not found",
    "does not exist",
    "doesn't exist",
    "server error",
    "internal error",
    "bad request",
    "bad gateway",
    "forbidden",
    "access denied",
    "service unavailable",
    "something went wrong",
    "nicht gefunden",
    "existiert nicht",
    "zugriff verweigert",
    "serverfehler",
    "introuvable",
    "non trouvée",
    "accès refusé",
    "no encontrada",
    "no encontrado",
    "no existe",
    "non trovata",
    "não encontrada",
    "niet gevonden",
    "nie znaleziono",
    "не найдена",
    "bulunamadı",
    "غير موجودة",
    "找不到",
    "未找到",
    "不存在",
    "見つかりません",
    "찾을 수 없",
];

/// Whether a page is an error: by its HTTP status where that is known, else by a title or first heading that names a code or
/// says so on a short page.
pub fn is_error(tree: &Tree, status: Option<u16>) -> bool {
    if let Some(status) = status {
        return status >= 400;
    }
    let title = tree.elements("title").next().map(|title| tree.visible_text(title));
    let heading = ["h1", "h2"].iter().find_map(|name| first_text(tree, name));
    title.into_iter().chain(heading).any(|text| announces(&text)) && is_short(tree)
}

fn is_short(tree: &Tree) -> bool {
    let mut bytes = 0;
    !tree.visible_texts().any(|(_, text)| {
        bytes += text.len();
        bytes > SHORT
    })
}

fn first_text(tree: &Tree, name: &str) -> Option<String> {
    let text: NodeId = tree.elements(name).next()?;
    Some(tree.visible_text(text)).filter(|text| !text.is_empty())
}

fn announces(text: &str) -> bool {
    if text.len() > SHORT_TITLE {
        return false;
    }
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let names_code = lower.contains("error")
        && words.clone().any(|word| CODES.contains(&word))
        && words.any(|word| word == "error");
    let is_code = |code: &&str| {
        lower.trim() == *code || lower.strip_prefix(code).is_some_and(|rest| rest.starts_with(' '))
    };
    names_code || CODES.iter().any(is_code) || has_phrase(lower.as_bytes())
}

/// Whether one of the [`PHRASES`] stands in a text; faster on a short one than to search for each.
fn has_phrase(text: &[u8]) -> bool {
    text.windows(2).enumerate().any(|(at, first)| {
        // Without a way out of the loop all phrases are looked at in a few steps.
        let may_start =
            BEGINNINGS.iter().fold(false, |found, &[a, b]| found | (a == first[0]) & (b == first[1]));
        may_start && PHRASES.iter().any(|phrase| text[at..].starts_with(phrase.as_bytes()))
    })
}

/// The first two bytes of each phrase.
const BEGINNINGS: [[u8; 2]; PHRASES.len()] = {
    let mut beginnings = [[0; 2]; PHRASES.len()];
    let mut at = 0;
    while at < PHRASES.len() {
        let phrase = PHRASES[at].as_bytes();
        beginnings[at] = [phrase[0], phrase[1]];
        at += 1;
    }
    beginnings
};

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    fn is(html: &str, status: Option<u16>) -> bool {
        is_error(&Tree::parse(html.as_bytes(), None, &Limits::default()).0, status)
    }

    #[test]
    fn the_status_decides_where_it_is_known() {
        assert!(is("<h1>Welcome</h1>", Some(503)));
        assert!(!is("<title>404 Not Found</title>", Some(200)));
    }

    #[test]
    fn short_pages_that_say_so_are_errors() {
        assert!(is("<title>404 Not Found</title><h1>Not Found</h1><p>The URL was not found.", None));
        assert!(is("<title>Shop</title><h1>Seite nicht gefunden</h1>", None));
        assert!(is("<title>找不到页面</title>", None));
        assert!(is("<h1>Error 500</h1>", None));
        assert!(!is("<title>Peugeot 404 for sale</title><p>Red, 1968", None));
        assert!(!is("<h1>Search</h1><p>Page not found is what people fear.", None));
        let long = "How to write a page for errors. ".repeat(80);
        assert!(!is(&format!("<title>404 Not Found, explained</title><p>{long}"), None));
        assert!(!is("", None));
    }
}
