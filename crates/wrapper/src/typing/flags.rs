//! Yes and no.

const YES: [&str; 20] = [
    "yes", "true", "on", "ja", "oui", "sí", "si", "sim", "sì", "да", "tak", "ano", "evet", "是", "有",
    "はい", "예", "✓", "✔", "✅",
];

const NO: [&str; 19] = [
    "no",
    "false",
    "off",
    "nein",
    "non",
    "não",
    "nao",
    "nee",
    "nej",
    "нет",
    "nie",
    "ne",
    "hayır",
    "否",
    "无",
    "いいえ",
    "아니요",
    "✗",
    "✘",
];

/// Whether a text says yes or no.
pub(super) fn flag(text: &str) -> Option<bool> {
    let word = text.to_lowercase();
    if YES.contains(&word.as_str()) {
        return Some(true);
    }
    (NO.contains(&word.as_str()) || word == "❌").then_some(false)
}

#[cfg(test)]
mod tests {
    use super::flag;

    #[test]
    fn yes_and_no_in_many_languages() {
        assert_eq!(
            (flag("Yes"), flag("Nein"), flag("是"), flag("✗")),
            (Some(true), Some(false), Some(true), Some(false))
        );
        assert_eq!((flag("maybe"), flag("1"), flag("")), (None, None, None));
    }
}
