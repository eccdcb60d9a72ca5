//! What a thing is known by: the address of its page, without what only says which part of a long page it is.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// How the addresses of a site name its things.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Addresses {
    /// How the addresses of the parts of one thing differ, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paging: Vec<Paging>,
    /// Parameters that only say how somebody came to a thing, or how it is shown, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

/// One way in which the parts of a long list are numbered.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Paging {
    /// `?page=2`: a parameter of this name.
    Parameter(String),
    /// `/page/2/`: a number behind this word in the path.
    Segment(String),
}

impl Addresses {
    /// The address of the thing that a page shows or a link leads to.
    pub fn of<'u>(&self, url: &'u str) -> Cow<'u, str> {
        let url = url.split('#').next().unwrap_or(url);
        let mut address = Cow::Borrowed(url);
        for way in &self.paging {
            if let Some((shorter, _)) = way.without(&address) {
                address = Cow::Owned(shorter);
            }
        }
        for name in &self.options {
            if let Some((shorter, _)) = without_parameter(&address, name) {
                address = Cow::Owned(shorter);
            }
        }
        address
    }
}

/// An address without a parameter, and its value; `None` where it has none.
pub fn without_parameter<'u>(url: &'u str, name: &str) -> Option<(String, &'u str)> {
    let (before, query) = url.split_once('?')?;
    let is_this = |pair: &&str| pair.split_once('=').is_some_and(|(key, _)| key == name);
    let value = query.split(['&', ';']).find(is_this)?.split_once('=')?.1;
    let kept: Vec<&str> = query.split(['&', ';']).filter(|pair| !is_this(pair)).collect();
    let url = if kept.is_empty() { before.to_owned() } else { format!("{before}?{}", kept.join("&")) };
    Some((url, value))
}

impl Paging {
    /// An address without the number of the part, and the number; `None` where it has none.
    pub fn without(&self, url: &str) -> Option<(String, u64)> {
        match self {
            Paging::Parameter(name) => {
                let (url, value) = without_parameter(url, name)?;
                Some((url, value.parse().ok()?))
            }
            Paging::Segment(word) => {
                let (path, query) = match url.find('?') {
                    Some(at) => url.split_at(at),
                    None => (url, ""),
                };
                let parts: Vec<&str> = path.split('/').collect();
                let at = (3..parts.len().saturating_sub(1)).find(|&at| parts[at] == word)?;
                let number = parts[at + 1].parse().ok()?;
                let mut kept = parts[..at].to_vec();
                kept.extend(&parts[at + 2..]);
                let mut path = kept.join("/");
                // `/list/page/2` is a part of `/list`, `/list/page/2/` of `/list/`.
                if kept.len() == 3 {
                    path.push('/');
                }
                Some((path + query, number))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_list_have_the_address_of_the_list() {
        let paging = vec![Paging::Parameter("page".into()), Paging::Segment("page".into())];
        let addresses = Addresses { paging, options: vec!["search".into()] };
        let of = |url| addresses.of(url).into_owned();
        assert_eq!(of("https://a.example/list?page=2"), "https://a.example/list");
        assert_eq!(of("https://a.example/list?q=x&page=2#top"), "https://a.example/list?q=x");
        assert_eq!(of("https://a.example/tag/x/page/3/"), "https://a.example/tag/x/");
        assert_eq!(of("https://a.example/page/3/?s=x"), "https://a.example/?s=x");
        assert_eq!(of("https://a.example/page/two/"), "https://a.example/page/two/");
        assert_eq!(of("https://a.example/list?page=all"), "https://a.example/list?page=all");
        assert_eq!(of("https://a.example/x?search=two+words&v=1"), "https://a.example/x?v=1");
    }
}
