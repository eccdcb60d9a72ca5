//! Numbers and amounts, as people of most places write them.

use std::borrow::Cow;

/// A number of more digits is a code: doubles hold fifteen.
const MOST_DIGITS: usize = 15;

/// The zeros of the scripts that write numbers with digits of their own; nine more follow each.
const ZEROS: [char; 9] =
    ['\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{e50}', '\u{ed0}', '\u{1040}', '\u{17e0}', '\u{ff10}'];

/// Currency signs that stand for one currency, and its ISO 4217 code. `$`, `¥` and `kr` stand for several and are kept
/// as they stand.
const SIGNS: [(&str, &str); 34] = [
    ("us$", "USD"),
    ("au$", "AUD"),
    ("ca$", "CAD"),
    ("nz$", "NZD"),
    ("hk$", "HKD"),
    ("nt$", "TWD"),
    ("mx$", "MXN"),
    ("a$", "AUD"),
    ("c$", "CAD"),
    ("s$", "SGD"),
    ("r$", "BRL"),
    ("€", "EUR"),
    ("£", "GBP"),
    ("₹", "INR"),
    ("rs.", "INR"),
    ("₩", "KRW"),
    ("원", "KRW"),
    ("₽", "RUB"),
    ("руб.", "RUB"),
    ("руб", "RUB"),
    ("₺", "TRY"),
    ("₴", "UAH"),
    ("₪", "ILS"),
    ("฿", "THB"),
    ("₫", "VND"),
    ("₱", "PHP"),
    ("₦", "NGN"),
    ("zł", "PLN"),
    ("kč", "CZK"),
    ("ft", "HUF"),
    ("лв", "BGN"),
    ("元", "CNY"),
    ("円", "JPY"),
    ("fr.", "CHF"),
];

/// Codes of ISO 4217 that shops use. All three-letter words would take `PDF` for money.
const CODES: [&str; 48] = [
    "AED", "ARS", "AUD", "BDT", "BGN", "BHD", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "EGP",
    "EUR", "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "ISK", "JPY", "KES", "KRW", "KWD", "MAD", "MXN", "MYR",
    "NGN", "NOK", "NZD", "PEN", "PHP", "PKR", "PLN", "QAR", "RON", "RUB", "SAR", "SEK", "SGD", "THB", "TRY",
    "TWD", "UAH", "USD",
];

/// A whole number, possibly grouped by thousands. `007` is a code.
pub(super) fn integer(text: &str) -> Option<Cow<'_, str>> {
    if is_plain(text) {
        return (!text.contains('.')).then(|| text.into());
    }
    let (whole, fraction) = read(text, false)?;
    fraction.is_empty().then(|| whole.into())
}

/// A number with or without a fraction, or a percentage.
pub(super) fn decimal(text: &str) -> Option<Cow<'_, str>> {
    let text = text.strip_suffix(['%', '％']).map_or(text, str::trim_end);
    if is_plain(text) {
        return Some(text.into());
    }
    joined(read(text, false)?).map(Cow::Owned)
}

/// `12`, `0.75`: digits and a point as every reading has them.
fn is_plain(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    text.len() <= MOST_DIGITS
        && digits(whole)
        && fraction.is_none_or(digits)
        && (whole.len() == 1 || !whole.starts_with('0'))
}

/// What says that an amount is the least of several (`￥32,000～`, `$20+`).
const AND_MORE: [char; 4] = ['～', '〜', '~', '+'];

/// An amount: the number, and its currency if one stands there.
pub(super) fn money(text: &str) -> Option<(Cow<'_, str>, Option<String>)> {
    let text = text.trim_end_matches(AND_MORE).trim_end();
    let (sign, text) = match text.strip_prefix(['-', '−']) {
        Some(rest) => ("-", rest.trim_start()),
        None => ("", text),
    };
    let first = text.find(is_digit)?;
    let (last, digit) = text.char_indices().rfind(|(_, c)| is_digit(*c))?;
    let last = last + digit.len_utf8();
    // "129,-" and "129.–" mean round amounts.
    let round = [",-", ".-", ",–", ".–", ",—"].iter().find_map(|mark| text[last..].strip_prefix(mark));
    let (before, after) = (text[..first].trim(), round.unwrap_or(&text[last..]));
    let currency = match (before, after.trim()) {
        ("", "") => None,
        (sign, "") | ("", sign) => Some(currency_of(sign)?),
        _ => return None,
    };
    let digits = &text[first..last];
    // Three digits behind a point may be thousands.
    let number = match is_plain(digits) && digits.split_once('.').is_none_or(|(_, rest)| rest.len() != 3) {
        true => digits.into(),
        false => Cow::Owned(joined(read(digits, true)?)?),
    };
    Some((if sign.is_empty() { number } else { format!("{sign}{number}").into() }, currency))
}

/// The currency that a sign, an abbreviation or a code stands for: its ISO code where there is only one, else the sign
/// itself. `None` for any other word.
pub fn currency_of(sign: &str) -> Option<String> {
    // Signs of full width are the same signs.
    let sign = match sign {
        "＄" => "$",
        "￥" => "¥",
        "￡" => "£",
        "￦" => "₩",
        other => other,
    };
    if sign == "$" {
        return Some(sign.to_owned());
    }
    let code = sign.to_uppercase();
    if CODES.contains(&code.as_str()) {
        return Some(code);
    }
    let small = sign.to_lowercase();
    if let Some((_, code)) = SIGNS.iter().find(|(known, _)| *known == small) {
        return Some((*code).to_owned());
    }
    let mut letters = sign.chars();
    match (letters.next(), letters.next()) {
        (Some(only), None) if is_currency_sign(only) => Some(only.to_string()),
        _ => (small == "kr" || small == "kr.").then(|| "kr".to_owned()),
    }
}

/// The Unicode category of currency symbols.
fn is_currency_sign(c: char) -> bool {
    matches!(c, '$' | '¢'..='¥' | '֏' | '؋' | '৲' | '৳' | '૱' | '௹' | '฿' | '៛' | '₠'..='⃀' | '﷼' | '﹩' | '＄' | '￠' | '￡' | '￥' | '￦')
}

/// The shortest way to write a number.
pub(super) fn plain(number: f64) -> String {
    format!("{number}")
}

/// A number at the start of a text, and what follows it.
pub(super) fn leading(text: &str) -> Option<(String, &str)> {
    let sign =
        if text.starts_with(['-', '−', '+']) { text.chars().next().map_or(0, char::len_utf8) } else { 0 };
    let body = &text[sign..];
    let mut end = 0;
    for (at, c) in body.char_indices() {
        if is_digit(c) {
            end = at + c.len_utf8();
        } else if !matches!(c, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}' | '٫' | '٬') {
            break;
        }
    }
    Some((joined(read(&text[..sign + end], false)?)?, &body[end..]))
}

fn joined((whole, fraction): (String, String)) -> Option<String> {
    Some(if fraction.is_empty() { whole } else { format!("{whole}.{fraction}") })
}

fn is_digit(c: char) -> bool {
    digit(c).is_some()
}

/// The value of a digit of any of the known scripts.
fn digit(c: char) -> Option<u32> {
    if c.is_ascii() {
        return c.to_digit(10);
    }
    ZEROS.iter().find_map(|&zero| (c as u32).checked_sub(zero as u32).filter(|value| *value < 10))
}

/// Sign and whole part, and the fraction. `amount` says that three digits after a single point group thousands: prices
/// have no thousandths.
fn read(text: &str, amount: bool) -> Option<(String, String)> {
    let text = ascii_digits(text.trim());
    let (sign, digits) = match text.strip_prefix(['-', '−']) {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(&text)),
    };
    let count = digits.chars().filter(char::is_ascii_digit).count();
    if count == 0 || count > MOST_DIGITS || !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let (whole, fraction) = split_fraction(digits, amount)?;
    // 007 and 02134 are codes, not numbers.
    if whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let whole = if whole.is_empty() { "0" } else { &whole };
    Some((format!("{sign}{whole}"), fraction))
}

/// Digits of other scripts as ASCII, and their separators, and every kind of space as a plain one.
fn ascii_digits(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    let map = |c: char| match c {
        '٫' => ',',
        '٬' | '’' => '\'',
        '\u{a0}' | '\u{202f}' | '\u{2009}' => ' ',
        '，' => ',',
        '．' => '.',
        c => digit(c).and_then(|value| char::from_digit(value, 10)).unwrap_or(c),
    };
    text.chars().map(map).collect::<String>().into()
}

/// The last separator is the decimal one unless exactly three digits follow it and it could group thousands.
fn split_fraction(digits: &str, amount: bool) -> Option<(String, String)> {
    let separators: Vec<(usize, char)> = digits.char_indices().filter(|(_, c)| !c.is_ascii_digit()).collect();
    if separators.iter().any(|(_, c)| !matches!(c, '.' | ',' | ' ' | '\'')) {
        return None;
    }
    let Some(&(last, mark)) = separators.last() else { return Some((digits.to_owned(), String::new())) };
    let tail = &digits[last + 1..];
    let same = separators.iter().all(|(_, c)| *c == mark);
    let first = separators.first().map_or(0, |(at, _)| *at);
    let can_group = mark != '.' || separators.len() > 1 || amount;
    let groups = same && tail.len() == 3 && can_group && (1..=3).contains(&first) && !digits.starts_with('0');
    if matches!(mark, ' ' | '\'') && !groups {
        return None;
    }
    let whole_marked = if groups { digits } else { &digits[..last] };
    let parts: Vec<&str> = whole_marked.split(|c: char| !c.is_ascii_digit()).collect();
    let well_grouped = parts.iter().skip(1).all(|group| group.len() == 3);
    let grouping = whole_marked.chars().filter(|c| !c.is_ascii_digit()).collect::<Vec<_>>();
    let one_mark =
        grouping.windows(2).all(|pair| pair[0] == pair[1]) && (groups || !grouping.contains(&mark));
    if !well_grouped || !one_mark || (parts.len() > 1 && parts[0].len() > 3) || tail.is_empty() {
        return None;
    }
    Some((parts.concat(), if groups { String::new() } else { tail.to_owned() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(decimal("1,299.00").as_deref(), Some("1299.00"));
        assert_eq!(decimal("1.299,50").as_deref(), Some("1299.50"));
        assert_eq!(decimal("1 299,50").as_deref(), Some("1299.50"));
        assert_eq!(decimal("1’299.50").as_deref(), Some("1299.50"));
        assert_eq!(decimal("1\u{202f}299").as_deref(), Some("1299"));
        assert_eq!(decimal(".417").as_deref(), Some("0.417"));
        assert_eq!(decimal("0.417").as_deref(), Some("0.417"));
        assert_eq!(decimal("12,5 %").as_deref(), Some("12.5"));
        assert_eq!(decimal("٣٫٥").as_deref(), Some("3.5"));
        assert_eq!(decimal("−4").as_deref(), Some("-4"));
        assert_eq!(decimal("12.").as_deref(), None);
        assert_eq!(decimal("01.5").as_deref(), None);
        for text in ["12,34,5", "1.2.3", "1,299.", "$5", "1234,567.8", "12 34", "5 stars", "1.299,50,1"] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn whole_numbers_and_codes() {
        assert_eq!(integer("1,299").as_deref(), Some("1299"));
        assert_eq!(integer("１２").as_deref(), Some("12"));
        for text in ["02134", "6-5", "1.5", "", "1234567890123456"] {
            assert_eq!(integer(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_at_the_start() {
        assert_eq!(leading("1,5 kg"), Some(("1.5".into(), " kg")));
        assert_eq!(leading("210g"), Some(("210".into(), "g")));
        assert_eq!(leading("kg"), None);
    }
}
