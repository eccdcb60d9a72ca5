//! Which forms of a page search the site.

use unsite_dom::{Field, FieldKind, Form, Method, NodeId, Tree};

/// For each `<form>` of a page, in document order: whether it is a search form.
///
/// ```
/// use unsite_acquire::search_forms;
/// use unsite_dom::{Limits, Tree};
///
/// let html = b"<form action=/find><input name=q></form><form method=post><input type=password name=p></form>";
/// let (tree, _) = Tree::parse(html, None, &Limits::default());
/// assert_eq!(search_forms(&tree, "http://shop.test/"), [true, false]);
/// ```
pub fn search_forms(tree: &Tree, url: &str) -> Vec<bool> {
    tree.forms(url).iter().map(|form| search_score(tree, form) > 0.0).collect()
}

/// How surely a form searches the site it stands on: above 0 it rather does.
///
/// # What it does
/// Adds up small clues: which fields there are, how the form is sent, and whether its names, addresses and labels
/// speak of searching or of something else. The sum is a logit.
/// # Assumes
/// One line of text is enough to search, and somebody named something after what it does, in one of the languages
/// of the table.
/// # When it fails
/// Search by many fields (flights, cars) looks like any other long form; a form whose only clue is a picture has none.
/// # Paper
/// None is followed; the clues are of the kind that form classifiers learn, with a weight for each that can be read.
pub fn search_score(tree: &Tree, form: &Form) -> f64 {
    let reading = Reading::of(tree, form);
    BIAS + CLUES.iter().filter(|clue| (clue.holds)(&reading)).map(|clue| clue.weight).sum::<f64>()
}

/// Whether a text speaks of searching, in one of the languages of the table.
pub(crate) fn speaks_of_searching(text: &str) -> bool {
    let mut words = Words::default();
    words.read(text);
    words.searches
}

/// Something that a form does or does not have.
struct Clue {
    weight: f64,
    holds: fn(&Reading) -> bool,
}

/// What speaks against a form before anything is known of it.
const BIAS: f64 = -3.0;

/// The clues with their weights: a logistic regression with a quadratic penalty, rounded to quarters, on 477 pages
/// with labelled forms. It was fitted on the half of the pages that an even CRC-32 of the host's last two labels
/// picks, so no site is on both sides.
const CLUES: [Clue; 13] = [
    Clue { weight: -0.25, holds: |form| form.text_fields == 0 },
    Clue { weight: 0.25, holds: |form| form.text_fields == 1 },
    Clue { weight: -0.75, holds: |form| form.password },
    Clue { weight: -0.75, holds: |form| form.body_fields },
    Clue { weight: -0.5, holds: |form| form.contact },
    Clue { weight: 1.5, holds: |form| form.get },
    // Not fitted: pages of that time hardly use it, but it says what it says.
    Clue { weight: 2.0, holds: |form| form.declared },
    Clue { weight: 2.75, holds: |form| form.named.searches },
    Clue { weight: 2.5, holds: |form| form.field.searches },
    Clue { weight: 1.5, holds: |form| form.submit.searches },
    Clue { weight: 1.25, holds: |form| form.parameter },
    Clue { weight: -1.75, holds: |form| form.named.differs || form.submit.differs },
    Clue { weight: -1.25, holds: |form| form.field.differs },
];

/// What the clues look at.
#[derive(Default)]
struct Reading {
    /// Fields for one line of text.
    text_fields: usize,
    password: bool,
    /// Long texts and files, which are written and not searched.
    body_fields: bool,
    /// Addresses and telephone numbers.
    contact: bool,
    /// Sent in the address.
    get: bool,
    /// The page itself says so: `role=search`, `<search>`, `type=search`.
    declared: bool,
    /// The names of the form and where it is sent.
    named: Words,
    /// The names and labels of its text fields.
    field: Words,
    /// What its buttons say.
    submit: Words,
    /// A text field is sent under a name that queries usually have.
    parameter: bool,
}

impl Reading {
    fn of(tree: &Tree, form: &Form) -> Reading {
        let mut reading = Reading { get: form.method == Method::Get, ..Reading::default() };
        reading.declared = std::iter::once(form.node)
            .chain(tree.ancestors(form.node).take(DECLARING_ANCESTORS))
            .any(|node| tree.name(node) == "search" || tree.attr(node, "role") == Some("search"));
        for name in ["id", "class", "name", "action", "aria-label", "onsubmit", "title"] {
            reading.named.read(tree.attr(form.node, name).unwrap_or_default());
        }
        for field in &form.fields {
            reading.add(tree, field);
        }
        reading
    }

    fn add(&mut self, tree: &Tree, field: &Field) {
        let of_words: [&str; 3] = [&field.name, &field.label, &field.value];
        match field.kind {
            FieldKind::Text | FieldKind::Search => {
                self.text_fields += 1;
                self.declared |= field.kind == FieldKind::Search;
                self.parameter |= PARAMETERS.contains(&field.name.to_lowercase().as_str());
                of_words.into_iter().for_each(|text| self.field.read(text));
                self.field.read_attributes(tree, field.node);
            }
            FieldKind::Submit | FieldKind::Button => {
                of_words.into_iter().for_each(|text| self.submit.read(text));
                self.submit.read_attributes(tree, field.node);
            }
            FieldKind::Password => self.password = true,
            FieldKind::TextArea | FieldKind::File => self.body_fields = true,
            FieldKind::Contact => self.contact = true,
            _ => {}
        }
    }
}

/// What some words of a form speak of.
#[derive(Default)]
struct Words {
    searches: bool,
    differs: bool,
}

impl Words {
    fn read(&mut self, text: &str) {
        let text = text.to_lowercase();
        let has = |parts: &[&str], words: &[&str]| {
            parts.iter().any(|part| text.contains(part))
                || text.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
        };
        self.searches |= has(&SEARCH_PARTS, &SEARCH_WORDS);
        self.differs |= has(&OTHER_PARTS, &OTHER_WORDS);
    }

    fn read_attributes(&mut self, tree: &Tree, node: NodeId) {
        for name in ["id", "class", "placeholder", "title", "alt", "src", "aria-label", "onfocus"] {
            self.read(tree.attr(node, name).unwrap_or_default());
        }
    }
}

/// How far above a form `role=search` may stand; further up it holds for more than the form.
const DECLARING_ANCESTORS: usize = 2;

/// Names under which queries are sent, whole.
const PARAMETERS: [&str; 22] = [
    "q", "s", "k", "kw", "qs", "wd", "st", "key", "keys", "word", "words", "query", "keyword", "keywords",
    "term", "terms", "text", "w", "p", "str", "story", "phrase",
];

/// Parts of words for searching, each long enough to stand for nothing else.
const SEARCH_PARTS: [&str; 37] = [
    "search",
    "srch",
    "keyword",
    "lookup",
    "suche",
    "buscar",
    "busca",
    "búsqueda",
    "recherche",
    "ricerca",
    "pesquis",
    "procura",
    "zoek",
    "søg",
    "søk",
    "sök",
    "szukaj",
    "hledat",
    "hledání",
    "hľada",
    "keresés",
    "căuta",
    "caută",
    "поиск",
    "искать",
    "найти",
    "пошук",
    "търс",
    "αναζήτ",
    "検索",
    "搜",
    "검색",
    "بحث",
    "جستجو",
    "חיפוש",
    "ค้นหา",
    "tìm kiếm",
];

/// Words for searching that are parts of others, whole.
const SEARCH_WORDS: [&str; 12] =
    ["find", "finder", "query", "cerca", "haku", "hae", "ara", "cari", "tìm", "खोज", "traži", "paieška"];

/// Parts of words for what other forms do: sign in, sign up, subscribe, contact, buy, comment.
const OTHER_PARTS: [&str; 35] = [
    "login",
    "logon",
    "signin",
    "sign in",
    "log in",
    "signup",
    "sign up",
    "regist",
    "subscri",
    "newsletter",
    "mail",
    "password",
    "passwd",
    "comment",
    "contact",
    "coupon",
    "basket",
    "checkout",
    "abonn",
    "anmeld",
    "suscri",
    "iscri",
    "voucher",
    "quantity",
    "username",
    "captcha",
    "passwor",
    "unsubs",
    "войти",
    "подпис",
    "登录",
    "登錄",
    "ログイン",
    "订阅",
    "로그인",
];

/// Such words that are parts of others, whole.
const OTHER_WORDS: [&str; 12] =
    ["cart", "user", "usr", "join", "phone", "vote", "poll", "qty", "zip", "postcode", "captcha", "pwd"];

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    fn verdicts(html: &str) -> Vec<bool> {
        search_forms(&Tree::parse(html.as_bytes(), None, &Limits::default()).0, "http://a.test/")
    }

    #[test]
    fn forms_that_search() {
        for html in [
            "<form action=/search><input name=q><input type=submit value=Go></form>",
            "<form method=post class=searchform><input name=words placeholder=Search></form>",
            "<form><input name=text><button>Найти</button></form>",
            "<form action=/s><input name=wd><input type=submit value=\"搜索\"></form>",
            "<form role=search><input name=x></form>",
            "<form id=Suche><input name=begriff></form>",
        ] {
            assert_eq!(verdicts(html), [true], "{html}");
        }
    }

    #[test]
    fn forms_that_do_not() {
        for html in [
            "<form></form>",
            "<form method=post action=/login><input name=user><input type=password name=p></form>",
            "<form action=/newsletter><input name=email><button>Subscribe</button></form>",
            "<form method=post><input name=name><input type=email name=m><textarea name=t></textarea></form>",
            "<form method=post action=/cart><input name=qty value=1><button>Add to cart</button></form>",
        ] {
            assert_eq!(verdicts(html), [false], "{html}");
        }
    }

    #[test]
    fn there_is_one_verdict_for_each_form_in_order() {
        let html =
            "<form method=post><input type=password></form><form action=/find><input name=q></form><form>";
        assert_eq!(verdicts(html), [false, true, false]);
        assert!(verdicts("<p>none").is_empty());
    }

    #[test]
    fn more_clues_score_higher() {
        let score = |html: &str| {
            let tree = Tree::parse(html.as_bytes(), None, &Limits::default()).0;
            let forms = tree.forms("http://a.test/");
            search_score(&tree, &forms[0])
        };
        let plain = score("<form><input name=x></form>");
        assert!(score("<form><input name=q></form>") > plain);
        assert!(score("<form method=post><input name=x></form>") < plain);
    }
}
