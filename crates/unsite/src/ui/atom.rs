//! An Atom feed (RFC 4287) of changes.

use std::fmt::Write;

use unsite_store::changes::Changes;

/// One entry.
pub(crate) struct Entry {
    /// What tells it from all others, the same whenever it is told.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// When it happened.
    pub at: String,
    /// Where it can be seen.
    pub url: String,
    /// What it says.
    pub text: String,
}

/// The whole feed. It was updated when the newest page was captured.
pub(crate) fn feed(title: &str, found: &Changes, since: &str, entries: &[Entry]) -> String {
    let updated = found.until.as_deref().unwrap_or(since);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <title>{}</title>\n<id>urn:unsite:{}</id>\n<updated>{updated}</updated>\n\
         <author><name>unsite</name></author>\n<generator version=\"{}\">unsite</generator>\n",
        escaped(&plain(title)),
        name(title),
        env!("CARGO_PKG_VERSION"),
    );
    for entry in entries {
        let _ = write!(
            out,
            "<entry>\n<id>urn:unsite:{}</id>\n<title>{}</title>\n<updated>{}</updated>\n",
            name(&entry.id),
            escaped(&plain(&entry.title)),
            entry.at
        );
        if entry.url.starts_with("http") {
            let _ = writeln!(out, "<link href=\"{}\"/>", escaped(&plain(&entry.url)));
        }
        let _ = write!(out, "<content type=\"text\">{}</content>\n</entry>\n", escaped(&plain(&entry.text)));
    }
    out + "</feed>\n"
}

/// Text that is no markup.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// XML holds no other control characters.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}'))
        .collect()
}

/// A text as a part of a URN.
fn name(text: &str) -> String {
    let mut name = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => name.push(char::from(byte)),
            byte => drop(write!(name, "%{byte:02X}")),
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_value_is_markup() {
        let entry = Entry {
            id: "changed book 1".into(),
            title: "a<b>&\u{0}".into(),
            at: "2019-01-02T00:00:00Z".into(),
            url: "http://a.test/?x=1&y=\"2\"".into(),
            text: "</content><script>".into(),
        };
        let feed = feed("Changes", &Changes::default(), "2019-01-01T00:00:00Z", &[entry]);
        assert!(feed.contains("<title>a&lt;b&gt;&amp;</title>"), "{feed}");
        assert!(feed.contains("&lt;/content&gt;&lt;script&gt;"), "{feed}");
        assert!(feed.contains("urn:unsite:changed%20book%201"), "{feed}");
        assert!(!feed.contains('\u{0}') && feed.contains("y=&quot;2&quot;"), "{feed}");
    }
}
