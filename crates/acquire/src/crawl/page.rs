//! What a crawl wants to know about a page.

use unsite_dom::{Limits, Tree, Url};
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_64_with_seed};

use super::normal::normal;
use super::shown::{media, shown};

/// Addresses that one page may add. No honest page has more; a generated one may have millions.
const MOST_LINKS: usize = 10_000;

/// Titles are cut here, in bytes; they are for people who look through a list.
const LONGEST_TITLE: usize = 200;

/// A page as far as a crawl is concerned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadPage {
    /// Its title.
    pub title: String,
    /// Where it leads to, normal, each once, in the order of the page.
    pub links: Vec<Url>,
    /// Where it leads to and asks that nobody follow (`nofollow`).
    pub withheld: Vec<Url>,
    /// It asks that none of its links be followed.
    pub no_follow: bool,
    /// Feeds that it announces.
    pub feeds: Vec<Url>,
    /// The address that it calls its own, if that is another one.
    pub canonical: Option<Url>,
    /// It asks not to be kept (`noindex`, `noarchive`, `none`).
    pub no_index: bool,
    /// The same for two pages that show the same: text, links, images; scripts and tokens do not count.
    pub content: u64,
    /// Hashes of its texts and media, for telling whether it shows anything new. Years, days, counts in parentheses and
    /// the numbers of its own address count as the same.
    pub texts: Vec<u64>,
    /// The same where all numbers and all words of its own address count as the same.
    pub texts_beside_address: Vec<u64>,
    /// It is empty until a script has run.
    pub is_shell: bool,
    /// Why it was not rendered, where that was wanted.
    pub trouble: Option<String>,
}

/// Reads a page. `robots` are the values of `X-Robots-Tag`, `agent` the name that directives may address.
pub fn read_page(bytes: &[u8], charset: Option<&str>, url: &Url, robots: &[&str], agent: &str) -> ReadPage {
    let (tree, _) = Tree::parse(bytes, charset, &Limits::default());
    let meta = tree.meta(url.as_str());
    let mut directives = Directives::default();
    for value in robots {
        directives.add_header(value, agent);
    }
    for (name, content) in &meta.properties {
        if name == "robots" || name.eq_ignore_ascii_case(agent) {
            directives.add(content);
        }
    }
    let mut content = Xxh3::new();
    let mut page = ReadPage {
        title: meta.title,
        no_index: directives.no_index,
        no_follow: directives.no_follow,
        ..ReadPage::default()
    };
    page.is_shell = tree.is_script_shell();
    page.title.truncate(page.title.floor_char_boundary(LONGEST_TITLE));
    let mut seen = rustc_hash::FxHashSet::default();
    for link in tree.links(url.as_str()) {
        let Some(target) = link.url.filter(|_| link.web).and_then(|target| normal(&target)) else { continue };
        content.update(last_part(&target).as_bytes());
        let no_follow = directives.no_follow || link.rel.split(' ').any(|word| word == "nofollow");
        let links = if no_follow { &mut page.withheld } else { &mut page.links };
        if links.len() < MOST_LINKS
            && seen.insert(xxh3_64_with_seed(target.as_str().as_bytes(), u64::from(no_follow)))
        {
            links.push(target);
        }
    }
    media(&tree).for_each(|medium| content.update(&medium.to_le_bytes()));
    let text = tree.root().map(|root| tree.visible_text(root)).unwrap_or_default();
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines().for_each(|line| content.update(line.as_bytes()));
    page.content =
        if lines().next().is_none() && seen.is_empty() { xxh3_64(bytes) } else { content.digest() };
    (page.texts, page.texts_beside_address) = shown(&tree, url);
    let base = tree.base_url(url.as_str());
    for link in tree.elements("link") {
        let (rel, kind) =
            (tree.attr(link, "rel").unwrap_or_default(), tree.attr(link, "type").unwrap_or_default());
        let is_feed = rel.eq_ignore_ascii_case("alternate")
            && matches!(kind.trim(), "application/rss+xml" | "application/atom+xml" | "application/rdf+xml");
        let target = tree.attr(link, "href").and_then(|href| base.as_ref()?.join(href.trim()).ok());
        if let Some(feed) = target.filter(|_| is_feed).and_then(|feed| normal(&feed)) {
            page.feeds.push(feed);
        }
    }
    page.canonical = meta.canonical.as_ref().and_then(normal).filter(|canonical| canonical != url);
    page
}

/// The end of an address. Where a relative link leads depends on where the page stands; how it ends does not, and so
/// a copy of a page in another folder or on another host is known for one. Tokens in the query are left out: a site that
/// writes a fresh one into every link shows the same page all the same.
fn last_part(url: &Url) -> String {
    let path = url.path().trim_end_matches('/');
    let last = &path[path.rfind('/').unwrap_or(0)..];
    let mut out = last.to_owned();
    for (at, pair) in url.query().into_iter().flat_map(|query| query.split('&')).enumerate() {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        out.push(if at == 0 { '?' } else { '&' });
        out.push_str(name);
        out.push('=');
        out.push_str(if is_token(value) { "*" } else { value });
    }
    out
}

/// Whether letters and digits take turns as they do in dice and not in names.
fn is_token(value: &str) -> bool {
    const MANY_TURNS: usize = 4;
    // Long ones are let through with fewer: some dice fall so.
    const LONG: usize = 12;
    let bytes = value.as_bytes();
    let turns = |pair: &&[u8]| {
        pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic()
            || pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit()
    };
    let turns = bytes.windows(2).filter(turns).count();
    turns >= MANY_TURNS || turns >= 2 && bytes.len() >= LONG
}

/// Whether the canonical address may well be the same page: the path is the same but for a slash, an index file or
/// letters in another case, whatever host of the site and query it has. Sites that call their front page the canonical
/// form of everything are known, and not believed.
pub fn is_plausible_canonical(url: &Url, canonical: &Url) -> bool {
    let plain = |url: &Url| {
        let path = url.path().to_lowercase();
        let path = path.trim_end_matches('/');
        let last = path.rsplit('/').next().unwrap_or_default();
        let is_index = matches!(last.split('.').next(), Some("index" | "default"));
        if is_index {
            path[..path.len() - last.len()].trim_end_matches('/').to_owned()
        } else {
            path.to_owned()
        }
    };
    plain(url) == plain(canonical)
}

/// What robots are asked to leave.
#[derive(Default)]
struct Directives {
    no_index: bool,
    no_follow: bool,
}

impl Directives {
    /// `X-Robots-Tag: agent: noindex, nofollow` or without the agent.
    fn add_header(&mut self, value: &str, agent: &str) {
        match value.split_once(':') {
            // `unavailable_after: date` has a colon too, and says nothing of interest.
            Some((name, rest)) if name.trim().eq_ignore_ascii_case(agent) => self.add(rest),
            Some((name, _)) if !name.contains(',') => {}
            _ => self.add(value),
        }
    }

    fn add(&mut self, value: &str) {
        for word in value.split([',', ' ']).map(str::trim) {
            match word.to_ascii_lowercase().as_str() {
                "noindex" | "noarchive" => self.no_index = true,
                "nofollow" => self.no_follow = true,
                "none" => (self.no_index, self.no_follow) = (true, true),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> ReadPage {
        read_page(
            html.as_bytes(),
            None,
            &Url::parse("http://a.test/dir/?m=11&y=2026").unwrap(),
            &[],
            "unsite",
        )
    }

    fn links(html: &str) -> Vec<String> {
        read(html).links.into_iter().map(String::from).collect()
    }

    #[test]
    fn links_are_followed_unless_they_ask_not_to() {
        assert_eq!(
            links(
                "<a href=x#1>1</a><a href=x>2</a><a href=y rel='Nofollow noopener'>3</a><a href='mailto:a@b'>4</a>"
            ),
            ["http://a.test/dir/x"]
        );
        let withheld = read("<meta name=ROBOTS content='Index, NoFollow'><a href=x><a href=x>");
        assert!(withheld.links.is_empty() && withheld.withheld.len() == 1);
        assert!(links("<meta name=unsite content=none><a href=x>").is_empty());
        assert_eq!(links("<meta name=otherbot content=none><a href=x>").len(), 1);
        assert_eq!(links(&"<a href=x>".repeat(20_000)).len(), 1);
    }

    #[test]
    fn directives_come_from_headers_too() {
        let url = Url::parse("http://a.test/").unwrap();
        let no_index = |value: &str| read_page(b"<p>x", None, &url, &[value], "unsite").no_index;
        assert!(no_index("noindex") && no_index("unsite: noindex, nofollow") && no_index("all, NOARCHIVE"));
        assert!(!no_index("otherbot: noindex") && !no_index("unavailable_after: 25 Jun 2030 15:00:00 PST"));
    }

    #[test]
    fn a_calendar_says_nothing_new() {
        let november = read("<h1>Month 11/2026</h1><p>1 2 3 30<a href=?m=12>next</a>");
        let december = read("<h1>Month 12/2026</h1><p>1 2 3 30<a href=?m=13>next</a>");
        assert_eq!(november.texts, december.texts);
        assert_ne!(november.content, december.content);
    }

    #[test]
    fn tokens_and_scripts_do_not_make_another_page() {
        let one = read("<body data-token=1><script>var nonce='1'</script><p>Tea<input type=hidden value=1>");
        let two = read("<body data-token=2><script>var nonce='2'</script><p>Tea<input type=hidden value=2>");
        assert_eq!(one.content, two.content);
        assert_ne!(one.content, read("<p>Coffee").content);
        assert_ne!(
            read("<div id=app></div><script src=1>").content,
            read("<div id=app></div><script src=2>").content
        );
    }

    #[test]
    fn tokens_in_links_do_not_make_another_page() {
        let of = |link: &str| read(&format!("<p>Tea<a href='{link}'>more</a>")).content;
        assert_eq!(of("/x?visit=9f3ab81c77d0&a=1"), of("/x?visit=0b77aa13fe5d&a=1"));
        assert_eq!(of("/x?v=p4QwE91ja8Z"), of("/x?v=Zq81Kd20sla3"));
        assert_ne!(of("/x?v=17"), of("/x?v=18"));
        assert_ne!(of("/x?name=tea-500g"), of("/x?name=tea-250g"));
        assert_ne!(read("<img src=1.png>").content, read("<img src=2.png>").content);
    }

    #[test]
    fn only_plausible_canonicals_are_believed() {
        let is = |a: &str, b: &str| is_plausible_canonical(&Url::parse(a).unwrap(), &Url::parse(b).unwrap());
        assert!(is("http://a.test/Tea/?ref=1", "https://www.a.test/tea"));
        assert!(is("http://a.test/tea/index.html", "http://a.test/tea/"));
        assert!(!is("http://a.test/tea", "http://a.test/"));
    }

    #[test]
    fn feeds_are_announced() {
        let page = read(
            "<link rel=alternate type='application/rss+xml' href='/feed'><link rel=alternate hreflang=de href=/de>",
        );
        assert_eq!(page.feeds.len(), 1);
    }
}
