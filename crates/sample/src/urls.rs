//! The site's addresses: URL and file name of every page.

use crate::slug::percent_encode;

/// Scheme and host of the generated site.
pub const ORIGIN: &str = "http://books.example";

/// Where a page lives on the web and in a saved folder.
pub(crate) struct Address {
    pub(crate) url: String,
    pub(crate) path: String,
}

fn address(url: String, path: String) -> Address {
    Address { url: format!("{ORIGIN}{url}"), path }
}

pub(crate) fn home() -> Address {
    address("/".into(), "index.html".into())
}

pub(crate) fn book(slug: &str) -> Address {
    address(format!("/book/{slug}.html"), format!("book/{slug}.html"))
}

pub(crate) fn author(slug: &str) -> Address {
    address(format!("/author/{slug}.html"), format!("author/{slug}.html"))
}

/// Page `page` (from 1) of a category.
pub(crate) fn category(slug: &str, page: usize) -> Address {
    match page {
        1 => address(format!("/category/{slug}/"), format!("category/{slug}/index.html")),
        _ => address(format!("/category/{slug}/?page={page}"), format!("category/{slug}/page-{page}.html")),
    }
}

/// Page `page` (from 1) of the results of search number `number`.
pub(crate) fn search(query: &str, number: usize, page: usize) -> Address {
    let tail = if page == 1 { String::new() } else { format!("&page={page}") };
    let q = percent_encode(query);
    address(format!("/search?q={q}{tail}"), format!("search/q{number:02}-{page}.html"))
}

pub(crate) fn grid(name: &str) -> Address {
    address(format!("/{name}.html"), format!("{name}.html"))
}

pub(crate) fn cover(slug: &str) -> String {
    format!("{ORIGIN}/img/cover/{slug}.jpg")
}

pub(crate) fn portrait(slug: &str) -> String {
    format!("{ORIGIN}/img/portrait/{slug}.jpg")
}

/// How a family writes links to its own site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkStyle {
    Absolute,
    RootRelative,
    PageRelative,
}

/// The link from one page to another in a given style.
pub(crate) fn href(style: LinkStyle, from: &str, to: &str) -> String {
    let Some(target) = to.strip_prefix(ORIGIN) else { return to.to_string() };
    match style {
        LinkStyle::Absolute => to.to_string(),
        LinkStyle::RootRelative => target.to_string(),
        LinkStyle::PageRelative => {
            let path = from.strip_prefix(ORIGIN).unwrap_or(from);
            let folders = path.split('?').next().unwrap_or(path).matches('/').count().saturating_sub(1);
            let up = if folders == 0 { "./".to_string() } else { "../".repeat(folders) };
            up + target.trim_start_matches('/')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_resolve_to_the_same_page_in_every_style() {
        let pages = [home(), book("x"), category("c", 2), search("a b", 1, 2), grid("new")];
        for from in &pages {
            for to in &pages {
                for style in [LinkStyle::Absolute, LinkStyle::RootRelative, LinkStyle::PageRelative] {
                    let base = url::Url::parse(&from.url).expect("own URLs are valid");
                    let link = href(style, &from.url, &to.url);
                    assert_eq!(base.join(&link).expect("own links are valid").as_str(), to.url, "{link}");
                }
            }
        }
    }
}
