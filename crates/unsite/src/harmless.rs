//! Text that comes from a site nobody vouches for.

/// Whether a terminal or an editor obeys the character instead of showing it: control characters, line ends of Unicode,
/// and marks that turn the direction of writing.
pub fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}'
        )
}

/// JSON in which such characters are written as escapes. They stand inside of its texts alone, but for line ends between
/// them, which stay.
pub fn escaped(json: &str) -> String {
    if !json.chars().any(|c| is_obeyed(c) && c != '\n') {
        return json.to_owned();
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        match c {
            '\n' => out.push(c),
            c if is_obeyed(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_obeyed_is_escaped_and_reads_the_same() {
        let text = "a\u{9b}31m\u{85}b\u{2028}c\u{202e}d\u{7f}e\u{1b}f\ng é 日";
        let json = escaped(&serde_json::Value::from(text).to_string());
        assert!(!json.chars().any(is_obeyed), "{json:?}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        assert_eq!(escaped("{\n  \"a\": 1\n}"), "{\n  \"a\": 1\n}");
    }
}
