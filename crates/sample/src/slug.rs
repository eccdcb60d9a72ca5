//! URL segments and query strings.

/// Lower-case Latin letters and digits, words joined by hyphens; umlauts written out, other letters dropped.
pub(crate) fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.to_lowercase().chars() {
        match c {
            'a'..='z' | '0'..='9' => out.push(c),
            'ä' => out.push_str("ae"),
            'ö' => out.push_str("oe"),
            'ü' => out.push_str("ue"),
            'ß' => out.push_str("ss"),
            'é' | 'ë' => out.push('e'),
            'ñ' => out.push('n'),
            'ú' => out.push('u'),
            '\'' => {}
            _ if !out.is_empty() && !out.ends_with('-') => out.push('-'),
            _ => {}
        }
    }
    out.trim_end_matches('-').to_string()
}

/// Percent-encodes everything but unreserved characters (RFC 3986), as browsers do for a query value.
pub(crate) fn percent_encode(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_plain_ascii() {
        assert_eq!(slug("The Keeper's Garden & Salt"), "the-keepers-garden-salt");
        assert_eq!(slug("Die Brücke in Görlitz"), "die-bruecke-in-goerlitz");
        assert_eq!(slug("寂静的港湾"), "");
    }

    #[test]
    fn queries_are_percent_encoded() {
        assert_eq!(percent_encode("a b&港"), "a%20b%26%E6%B8%AF");
    }
}
