//! Which form is asked, and which forms never are.

use unsite_dom::{Field, FieldKind, Form, Method, Tree};
use url::Url;

use crate::search_form::search_score;

/// Parts of words by which forms that change something give themselves away. What looks like them is never sent,
/// whatever else it looks like.
const CHANGES: [&str; 40] = [
    "login",
    "logon",
    "signin",
    "sign in",
    "log in",
    "logout",
    "signup",
    "sign up",
    "regist",
    "subscri",
    "newsletter",
    "password",
    "passwd",
    "checkout",
    "payment",
    "creditcard",
    "credit card",
    "cardnumber",
    "iban",
    "donat",
    "add to cart",
    "addtocart",
    "buy now",
    "purchase",
    "comment",
    "reply",
    "post message",
    "send message",
    "upload",
    "delete",
    "remove",
    "anmeld",
    "registrier",
    "kauf",
    "kommentar",
    "connexion",
    "acheter",
    "войти",
    "регистра",
    "登录",
];

/// A form that was found.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// The page that it stands on.
    pub(super) page: Url,
    /// The form.
    pub(super) form: Form,
    /// Where it is sent.
    pub(super) action: Url,
    /// How surely it searches.
    pub(super) score: f64,
}

/// The form of a page that most surely searches, or the one that was asked for: by its number from 1, its id or its
/// name. `Err` says why the wanted form is not sent.
pub(super) fn choose(tree: &Tree, page: &Url, wanted: Option<&str>) -> Result<Option<Found>, String> {
    let forms = tree.forms(page.as_str());
    if let Some(wanted) = wanted {
        let named = wanted.trim_start_matches('#');
        let matches = |(at, form): (usize, &Form)| {
            (at + 1).to_string() == named
                || form.id == named
                || tree.attr(form.node, "name") == Some(named)
                || tree.attr(form.node, "action") == Some(wanted)
        };
        let Some(at) = forms.iter().enumerate().position(|(at, form)| matches((at, form))) else {
            return Ok(None);
        };
        let form = forms[at].clone();
        return match refusal(tree, &form, page) {
            Some(why) => Err(why.to_owned()),
            None => Ok(found(tree, page, form)),
        };
    }
    let usable = forms.into_iter().filter(|form| refusal(tree, form, page).is_none());
    let scored = usable.filter_map(|form| found(tree, page, form)).filter(|found| found.score > 0.0);
    // The first of equally good ones: searches stand at the top.
    Ok(scored.rev().max_by(|a, b| a.score.total_cmp(&b.score)))
}

fn found(tree: &Tree, page: &Url, form: Form) -> Option<Found> {
    let score = search_score(tree, &form);
    Some(Found { page: page.clone(), action: form.action.clone()?, score, form })
}

/// Why a form is never sent.
pub(super) fn refusal(tree: &Tree, form: &Form, page: &Url) -> Option<&'static str> {
    let Some(action) = &form.action else { return Some("it leads nowhere") };
    if form.method == Method::Dialog || !matches!(action.scheme(), "http" | "https") {
        return Some("it is not sent to a web address");
    }
    if action.host_str() != page.host_str() {
        return Some("it is sent to another site");
    }
    let has = |kind: FieldKind| form.fields.iter().any(|field| field.kind == kind && !field.disabled);
    if has(FieldKind::Password) {
        return Some("it asks for a password");
    }
    if has(FieldKind::File) {
        return Some("it uploads a file");
    }
    let posts = form.method == Method::Post;
    if posts && has(FieldKind::TextArea) {
        return Some("it looks like one that posts a text");
    }
    if posts && has(FieldKind::Contact) {
        return Some("it asks for an address");
    }
    if !form.fields.iter().any(|field| can_be_filled(field) || is_choice(field)) {
        return Some("there is nothing to fill in");
    }
    let speaks = |text: &str| {
        let text = text.to_lowercase();
        CHANGES.iter().any(|part| text.contains(part))
    };
    let attributes = ["id", "class", "name", "action", "aria-label"];
    let named = attributes.iter().any(|name| tree.attr(form.node, name).is_some_and(speaks));
    let in_fields = form.fields.iter().any(|field| {
        let is_button = matches!(field.kind, FieldKind::Submit | FieldKind::Button);
        (posts || is_button)
            && (speaks(&field.name) || speaks(&field.label) || (is_button && speaks(&field.value)))
    });
    (named || in_fields).then_some("it looks like one that signs in, signs up, pays or posts")
}

/// Whether a word can be written into a field.
pub(super) fn can_be_filled(field: &Field) -> bool {
    matches!(field.kind, FieldKind::Text | FieldKind::Search | FieldKind::TextArea)
        && !field.disabled
        && !field.name.is_empty()
}

/// Whether something can be chosen in a field.
pub(super) fn is_choice(field: &Field) -> bool {
    field.kind == FieldKind::Select && !field.disabled && !field.name.is_empty() && field.options.len() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::Limits;

    fn chosen(html: &str, wanted: Option<&str>) -> Result<Option<String>, String> {
        let (tree, _) = Tree::parse(html.as_bytes(), None, &Limits::default());
        let page = Url::parse("http://a.test/").expect("is an address");
        choose(&tree, &page, wanted).map(|found| found.map(|found| found.form.id))
    }

    const LOGIN: &str =
        "<form id=l method=post action=/login><input name=u><input type=password name=p></form>";
    const SEARCH: &str = "<form id=s action=/find><input type=search name=q></form>";

    #[test]
    fn the_search_is_chosen() {
        assert_eq!(chosen(&format!("{LOGIN}{SEARCH}"), None), Ok(Some("s".into())));
        assert_eq!(chosen(LOGIN, None), Ok(None));
    }

    #[test]
    fn another_one_can_be_asked_for_but_not_any() {
        let html = format!("{SEARCH}<form id=t><input name=zip></form>{LOGIN}");
        assert_eq!(chosen(&html, Some("2")), Ok(Some("t".into())));
        assert_eq!(chosen(&html, Some("#t")), Ok(Some("t".into())));
        assert_eq!(chosen(&html, Some("nothing")), Ok(None));
        assert!(chosen(&html, Some("l")).is_err_and(|why| why.contains("password")));
    }

    #[test]
    fn forms_that_change_something_are_never_sent() {
        for html in [
            LOGIN,
            "<form class=searchform method=post><input name=q><textarea name=comment></textarea></form>",
            "<form class=search action=/newsletter><input name=q></form>",
            "<form class=search method=post><input name=q><input type=email name=m></form>",
            "<form class=search action=/cart><input name=q><button>Add to cart</button></form>",
            "<form class=search><input name=q><input type=file name=f></form>",
            "<form class=search action=http://b.test/><input name=q></form>",
            "<form class=search action=mailto:a@b.test><input name=q></form>",
            "<form class=search action=/registration><input name=q></form>",
            "<form class=search method=post action=/pay><input name=q><input name=iban></form>",
        ] {
            assert_eq!(chosen(html, None), Ok(None), "{html}");
            assert!(chosen(html, Some("1")).is_err(), "{html}");
        }
    }
}
