//! Addresses: of pages, of mail, of telephones.

use std::borrow::Cow;

/// Longest address that mail systems take.
const LONGEST_EMAIL: usize = 254;

/// An absolute URL; `www.` stands for one.
pub(super) fn url(text: &str) -> Option<Cow<'_, str>> {
    // Nearly all are ASCII without spaces, which many bytes at a time can be seen of.
    let is_odd = text.bytes().fold(false, |odd, byte| odd | (byte <= b' ') | (byte >= 0x80));
    if text.is_empty() || (is_odd && (text.contains(char::is_whitespace) || text.contains('\0'))) {
        return None;
    }
    match text.split_once(':') {
        Some((scheme, rest)) if !rest.is_empty() && is_scheme(scheme) => Some(text.into()),
        _ if text.len() > 4 && text[..text.floor_char_boundary(4)].eq_ignore_ascii_case("www.") => {
            Some(format!("http://{text}").into())
        }
        _ => None,
    }
}

/// Whether an absolute URL leads to a picture, by its ending.
pub fn is_picture(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default().to_lowercase();
    [".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".avif", ".bmp"]
        .iter()
        .any(|ending| path.ends_with(ending))
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

/// A mail address, alone or as a `mailto:` link.
pub(super) fn email(text: &str) -> Option<String> {
    let text = text.strip_prefix("mailto:").unwrap_or(text);
    let text = text.split('?').next().unwrap_or(text);
    let (name, host) = text.split_once('@')?;
    let part = |c: char| c.is_alphanumeric() || "._%+-".contains(c);
    let labels: Vec<&str> = host.split('.').collect();
    let is_host = labels.len() > 1 && labels.iter().all(|label| !label.is_empty() && label.chars().all(part));
    (!name.is_empty() && name.chars().all(part) && is_host && text.len() <= LONGEST_EMAIL)
        .then(|| text.to_owned())
}

/// A telephone number, alone or as a `tel:` link: digits in groups, with a `+`, a bracket or a leading zero, or three,
/// three and four digits. Written as `+442079460958`, the sign only where it stands.
pub(super) fn phone(text: &str) -> Option<String> {
    let (linked, text) = match text.strip_prefix("tel:") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    if !text.chars().all(|c| c.is_ascii_digit() || " +-().\u{a0}/".contains(c))
        || text.rfind('+').is_some_and(|at| at > 0)
    {
        return None;
    }
    let groups: Vec<&str> =
        text.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).collect();
    let digits: usize = groups.iter().map(|group| group.len()).sum();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    let like_date = matches!(lengths[..], [1..=2, 1..=2, 2 | 4] | [4, 1..=2, 1..=2]);
    let opened = text.starts_with(['+', '('])
        || (text.starts_with('0') && lengths.len() > 1 && lengths[0] > 1)
        || lengths == [3, 3, 4];
    ((7..=15).contains(&digits) && !like_date && (opened || linked))
        .then(|| format!("{}{}", if text.starts_with('+') { "+" } else { "" }, groups.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_all_kinds() {
        assert_eq!(url("https://a.test/x").as_deref(), Some("https://a.test/x"));
        assert_eq!(url("www.a.test").as_deref(), Some("http://www.a.test"));
        assert_eq!(url("Note: this"), None);
        assert_eq!(email("mailto:a.b@c.test?subject=x").as_deref(), Some("a.b@c.test"));
        assert_eq!(email("@handle"), None);
        assert_eq!(email("a@b"), None);
        assert_eq!(phone("+44 20 7946 0958").as_deref(), Some("+442079460958"));
        assert_eq!(phone("(555) 123-4567").as_deref(), Some("5551234567"));
        assert_eq!(phone("tel:5551234567").as_deref(), Some("5551234567"));
        for text in ["2026-11-15", "01.02.2026", "0-13-110362-8", "9781234567897", "12:30", "1 299", "6-9"] {
            assert_eq!(phone(text), None, "{text}");
        }
        assert!(is_picture("https://a.test/x.PNG?w=3") && !is_picture("https://a.test/png"));
    }
}
