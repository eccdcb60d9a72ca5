//! robots.txt.
//!
//! # What it does
//! Reads the groups of rules and finds the one for a program's name. The longest rule that matches decides; of two
//! equally long ones the one that allows. Rules and addresses are compared in one spelling: letters, digits and `-._~` as
//! they are, everything beyond ASCII and everything that stands for something in a query as an escape (2.2.2).
//!
//! # Assumes
//! UTF-8, which anything else is replaced by. `Crawl-delay` and `Sitemap` are read although the standard leaves them
//! out: sites use them.
//!
//! # When it fails
//! Rules behind the first 500 KiB are not read, as the standard permits.
//!
//! # Paper
//! RFC 9309, Robots Exclusion Protocol.

use std::time::Duration;

use url::{Position, Url};

/// What RFC 9309 obliges readers to take in.
pub const LONGEST_ROBOTS: usize = 500 << 10;

/// A pause that a site may ask for. Longer ones are mistakes (milliseconds taken for seconds) or mean "go away".
const LONGEST_DELAY: f64 = 120.0;

/// What a site allows one program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Robots {
    rules: Vec<Rule>,
    /// The pause between requests that the site asks for.
    pub crawl_delay: Option<Duration>,
    /// Addresses of sitemaps as they are written; they belong to no group.
    pub sitemaps: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
struct Rule {
    allow: bool,
    pattern: String,
}

impl Robots {
    /// Everything is forbidden: what holds while robots.txt cannot be had because of the server's trouble.
    pub fn closed() -> Robots {
        Robots { rules: vec![Rule { allow: false, pattern: "/".to_owned() }], ..Robots::default() }
    }

    /// The rules for a program; `agent` is its product name, such as `unsite`.
    pub fn parse(bytes: &[u8], agent: &str) -> Robots {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_ROBOTS)]);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let agent = product(agent);
        let (mut own, mut any) = (Group::default(), Group::default());
        let mut sitemaps = Vec::new();
        let (mut in_own, mut in_any, mut naming) = (false, false, false);
        for line in text.split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match key.trim().to_ascii_lowercase().as_str() {
                "user-agent" => {
                    if !naming {
                        (in_own, in_any) = (false, false);
                    }
                    naming = true;
                    in_any |= value == "*";
                    let is_own = !agent.is_empty() && product(value) == agent;
                    in_own |= is_own;
                    own.named |= is_own;
                }
                "sitemap" => sitemaps.push(value.to_owned()),
                key @ ("allow" | "disallow" | "crawl-delay") => {
                    naming = false;
                    for group in [(in_own, &mut own), (in_any, &mut any)].into_iter().filter(|group| group.0)
                    {
                        group.1.add(key, value);
                    }
                }
                _ => {}
            }
        }
        let group = if own.named { own } else { any };
        Robots { rules: group.rules, crawl_delay: group.delay, sitemaps }
    }

    /// Whether the address may be fetched.
    pub fn allows(&self, url: &Url) -> bool {
        let path = &url[Position::BeforePath..Position::AfterQuery];
        if path == "/robots.txt" {
            return true;
        }
        let path = &spelled(path, false);
        let longest = self
            .rules
            .iter()
            .filter(|rule| matches(&rule.pattern, path))
            .max_by_key(|rule| (rule.pattern.len(), rule.allow));
        longest.is_none_or(|rule| rule.allow)
    }
}

#[derive(Default)]
struct Group {
    named: bool,
    rules: Vec<Rule>,
    delay: Option<Duration>,
}

impl Group {
    fn add(&mut self, key: &str, value: &str) {
        match key {
            "crawl-delay" => {
                let seconds = value.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
                self.delay =
                    seconds.map(|seconds| Duration::from_secs_f64(seconds.min(LONGEST_DELAY))).or(self.delay);
            }
            // An empty rule forbids nothing.
            _ if value.is_empty() => {}
            _ => self.rules.push(Rule { allow: key == "allow", pattern: spelled(value, true) }),
        }
    }
}

/// The letters before the version: `unsite/0.1 (+mail)` is `unsite`.
fn product(agent: &str) -> String {
    let is_name = |c: &char| c.is_ascii_alphabetic() || matches!(c, '-' | '_');
    agent.trim().chars().take_while(is_name).collect::<String>().to_ascii_lowercase()
}

/// Characters that separate parts of a query; the others with a meaning in addresses are escaped there.
const QUERY_MARKS: &[u8] = b"&=+";

/// A path with its query in the one spelling in which they are compared. In a rule `*`, and `$` at its end, stay what
/// they are.
fn spelled(text: &str, is_rule: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_query = false;
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        let code = text.as_bytes().get(at + 1..at + 3).filter(|_| byte == b'%');
        let escaped = code.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        let is_mark = is_rule && (byte == b'*' || byte == b'$' && at + 1 == text.len());
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        match escaped {
            Some(value) => {
                bytes.nth(1);
                match is_plain(value) {
                    true => out.push(char::from(value)),
                    false => out.push_str(&format!("%{value:02X}")),
                }
            }
            None if is_mark || is_plain(byte) => out.push(char::from(byte)),
            None if byte == b'?' && !in_query => {
                in_query = true;
                out.push('?');
            }
            None if in_query && QUERY_MARKS.contains(&byte) => out.push(char::from(byte)),
            None if !in_query && b"/:@!$&'()*+,;=%".contains(&byte) => out.push(char::from(byte)),
            None => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// A rule from the start of the path; `*` stands for anything, `$` for the end. Never slower than the product of the
/// lengths: parts are looked for from left to right.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, at_end) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return !at_end || rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    if at_end { rest.ends_with(last) } else { rest.contains(last) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(robots: &str, path: &str) -> bool {
        let url = Url::parse("http://a.test").unwrap().join(path).unwrap();
        Robots::parse(robots.as_bytes(), "unsite/0.1 (+x)").allows(&url)
    }

    #[test]
    fn the_group_of_ones_own_name_holds_alone() {
        let robots = "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-Agent: UNSITE/9\nDisallow: /x # why\nCrawl-delay: 2.5";
        assert!(allows(robots, "/a") && !allows(robots, "/x/y"));
        assert_eq!(Robots::parse(robots.as_bytes(), "unsite").crawl_delay, Some(Duration::from_millis(2500)));
        assert!(!allows("User-agent: *\nDisallow: /", "/a"));
        assert!(allows("User-agent: unsitely\nDisallow: /", "/a"));
        assert!(allows("User-agent: *\nDisallow: /\nUser-agent: unsite\nDisallow:", "/a"));
    }

    #[test]
    fn the_longest_rule_decides() {
        let robots = "user-agent:*\nallow:/p\ndisallow:/\nallow:/page\ndisallow:/*.htm\ndisallow: /end$";
        assert!(allows(robots, "/page") && !allows(robots, "/page.htm") && !allows(robots, "/other"));
        let tie = "User-agent: *\nDisallow: /same\nAllow: /same";
        assert!(allows(tie, "/same"));
        let end = "User-agent: *\nDisallow: /fish$\nDisallow: /*?s=\nDisallow: /a*b*c$";
        assert!(
            !allows(end, "/fish")
                && allows(end, "/fish/x")
                && !allows(end, "/q?s=1")
                && allows(end, "/q?t=1")
        );
        assert!(!allows(end, "/aXbXc") && allows(end, "/aXbXcX"));
    }

    #[test]
    fn rules_and_addresses_have_one_spelling() {
        // The table of RFC 9309, 2.2.2, and what else was seen.
        for (rule, path) in [
            ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
            ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"),
            ("/foo/bar?baz=https%3a%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar"),
            ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
            ("/foo/bar/%E3%83%84", "/foo/bar/ツ"),
            ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
            ("/caf%c3%a9", "/café/1"),
            ("/straße", "/stra%C3%9Fe"),
            ("/%7Eold", "/~old/x"),
            ("/~old", "/%7eold/x"),
            ("/%70rivate", "/private"),
            ("/a b", "/a%20b"),
            ("/{x}", "/{x}"),
            ("/*straße$", "/alte-stra%c3%9fe"),
            ("/list?*name='x'", "/list?a=1&name='x'"),
        ] {
            let robots = format!("User-agent: *\nDisallow: {rule}");
            assert!(!allows(&robots, path), "{rule} does not hold {path}");
        }
        for (rule, path) in [("/a%2Fb", "/a/b"), ("/a%2Ab", "/axb"), ("/a%24", "/a"), ("/100%", "/100")] {
            let robots = format!("User-agent: *\nDisallow: {rule}");
            assert!(allows(&robots, path), "{rule} holds {path}");
        }
        assert!(!allows("User-agent: *\nDisallow: /a%2Ab", "/a%2ab"));
        assert!(!allows("User-agent: *\nDisallow: /100%", "/100%"));
    }

    #[test]
    fn odd_files_are_read_as_far_as_they_go() {
        for odd in [
            "",
            "\u{feff}",
            "<html>not found</html>",
            "Disallow: /x",
            "User-agent\nDisallow /",
            "\0\0\0",
            "::::\n:",
        ] {
            assert!(allows(odd, "/x"), "{odd:?}");
        }
        assert!(!allows("\u{feff}User-agent: *\r\rDisallow: /x\r\n", "/x"));
        let long = format!("User-agent: *\n{}Disallow: /x", "# pad\n".repeat(200_000));
        assert!(allows(&long, "/x"));
        assert!(!Robots::closed().allows(&Url::parse("http://a.test/").unwrap()));
        let slow = format!("User-agent: *\nDisallow: /{}", "*a".repeat(10_000));
        assert!(allows(&slow, &format!("/{}", "a".repeat(1000))));
    }

    #[test]
    fn sitemaps_and_delays_stand_anywhere() {
        let robots = Robots::parse(b"Sitemap: http://a.test/s.xml\nUser-agent: x\nDisallow: /\nSITEMAP:/t.xml\nUser-agent: *\nCrawl-delay: 1e9", "unsite");
        assert_eq!(robots.sitemaps, ["http://a.test/s.xml", "/t.xml"]);
        assert_eq!(robots.crawl_delay, Some(Duration::from_secs(120)));
        assert_eq!(Robots::parse(b"User-agent: *\nCrawl-delay: nan", "unsite").crawl_delay, None);
    }
}
