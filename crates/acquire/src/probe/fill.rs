//! A form filled in, as a request.

use unsite_dom::{Field, FieldKind, Form, Method};
use url::Url;

use super::form::{can_be_filled, is_choice};
use crate::fetch::Request;

/// Ways to fill in a form that are tried; forms with more fields than that ask for things that words do not answer.
const MAX_PLANS: usize = 24;

/// Options of one selection that are tried.
const MAX_OPTIONS: usize = 8;

/// Names of fields that usually take the query, whole.
const QUERY_NAMES: [&str; 12] = [
    "q",
    "s",
    "query",
    "search",
    "keyword",
    "keywords",
    "term",
    "text",
    "words",
    "wd",
    "search_text",
    "_search",
];

/// One way to fill in a form: where the word goes, and what is chosen instead of what the page proposes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plan {
    /// The number of the field that takes the word; `None` for a form of selections alone.
    pub(super) field: Option<usize>,
    /// A selection and the option chosen in it.
    pub(super) choice: Option<(usize, usize)>,
}

/// The ways to fill in a form, the most likely first: the field that looks most like a query, the other fields for text,
/// and the first one together with each option of the selections.
pub(super) fn plans(form: &Form) -> Vec<Plan> {
    let fillable = form.fields.iter().enumerate().filter(|(_, field)| can_be_filled(field));
    let mut fields: Vec<usize> = fillable.map(|(at, _)| at).collect();
    fields.sort_by_key(|&at| std::cmp::Reverse(likeness(&form.fields[at])));
    let main = fields.first().copied();
    let mut plans: Vec<Plan> = fields.into_iter().map(|at| Plan { field: Some(at), choice: None }).collect();
    for (at, field) in form.fields.iter().enumerate().filter(|(_, field)| is_choice(field)) {
        let others = field.options.iter().enumerate().filter(|(_, option)| !option.selected);
        plans.extend(
            others.take(MAX_OPTIONS).map(|(option, _)| Plan { field: main, choice: Some((at, option)) }),
        );
    }
    plans.truncate(MAX_PLANS);
    plans
}

/// How much a field looks like one for queries.
fn likeness(field: &Field) -> u32 {
    let name = field.name.trim_start_matches(['@', ':']).to_lowercase();
    let speaks = |text: &str| text.to_lowercase().contains("search");
    u32::from(field.kind == FieldKind::Search) * 4
        + u32::from(QUERY_NAMES.contains(&name.as_str())) * 3
        + u32::from(speaks(&field.name) || speaks(&field.label)) * 2
        + u32::from(field.kind != FieldKind::TextArea)
}

/// What is sent when the word is filled in after the plan: as a browser does when Enter is pressed.
pub(super) fn pairs(form: &Form, plan: &Plan, word: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut has_button = false;
    for (at, field) in form.fields.iter().enumerate() {
        if field.name.is_empty() || field.disabled {
            continue;
        }
        let chosen = plan.choice.filter(|(select, _)| *select == at).map(|(_, option)| option);
        let value = match field.kind {
            _ if plan.field == Some(at) => Some(word),
            FieldKind::Checkbox | FieldKind::Radio => field.checked.then_some(field.value.as_str()),
            FieldKind::Select => {
                let option = chosen.and_then(|option| field.options.get(option));
                Some(option.map_or(field.value.as_str(), |option| option.value.as_str()))
            }
            FieldKind::SelectMany => {
                for option in field.options.iter().filter(|option| option.selected) {
                    pairs.push((field.name.clone(), option.value.clone()));
                }
                None
            }
            // Enter presses the first button.
            FieldKind::Submit => {
                let first = !std::mem::replace(&mut has_button, true);
                first.then_some(field.value.as_str())
            }
            FieldKind::Button | FieldKind::File | FieldKind::Password => None,
            _ => Some(field.value.as_str()),
        };
        pairs.extend(value.map(|value| (field.name.clone(), value.to_owned())));
    }
    pairs
}

/// The request of a form that is sent with these values.
pub(super) fn request(form: &Form, action: &Url, pairs: &[(String, String)]) -> Request {
    let borrowed = || pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    if form.method != Method::Post {
        let mut url = action.clone();
        url.set_fragment(None);
        // What the action's own query says is replaced, as in browsers.
        url.query_pairs_mut().clear().extend_pairs(borrowed());
        return Request::get(url);
    }
    if form.enctype == "multipart/form-data" {
        let mut request = Request::post_form(action.clone(), borrowed());
        let (boundary, body) = multipart(pairs);
        request.headers.retain(|(name, _)| name != "content-type");
        request.body = body;
        return request.with("content-type", &format!("multipart/form-data; boundary={boundary}"));
    }
    Request::post_form(action.clone(), borrowed())
}

/// The body of a form in parts (RFC 7578), and the line between them, which stands nowhere in the values.
fn multipart(pairs: &[(String, String)]) -> (String, Vec<u8>) {
    let mut boundary = String::from("unsite-form-part");
    while pairs.iter().any(|(name, value)| name.contains(&boundary) || value.contains(&boundary)) {
        boundary.push('x');
    }
    let mut body = String::new();
    for (name, value) in pairs {
        let name = name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
        body.push_str(&format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        ));
    }
    body.push_str(&format!("--{boundary}--\r\n"));
    (boundary, body.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use unsite_dom::{Limits, Tree};

    fn form(html: &str) -> Form {
        let (tree, _) = Tree::parse(html.as_bytes(), None, &Limits::default());
        tree.forms("http://a.test/dir/").remove(0)
    }

    const FULL: &str = "<form action='/find?old=1'><input type=hidden name=token value=t1><input name=author>
        <input type=search name=query><select name=kind><option value=''>all<option value=b>books</select>
        <input type=checkbox name=exact checked><input type=checkbox name=deep>
        <input type=radio name=r value=1><input type=radio name=r value=2 checked>
        <input disabled name=no value=x><button name=go value=1>Go</button><button name=lucky>Lucky</button></form>";

    #[test]
    fn everything_is_sent_that_a_browser_sends() {
        let form = form(FULL);
        let plans = plans(&form);
        let sent = request(&form, form.action.as_ref().unwrap(), &pairs(&form, &plans[0], "green tea"));
        assert_eq!(
            sent.url.as_str(),
            "http://a.test/find?token=t1&author=&query=green+tea&kind=&exact=on&r=2&go=1"
        );
    }

    #[test]
    fn other_fields_and_options_follow() {
        let form = form(FULL);
        let sent: Vec<String> = plans(&form)
            .iter()
            .map(|plan| {
                let named = pairs(&form, plan, "w");
                let of = |name: &str| {
                    named.iter().find(|pair| pair.0 == name).map_or("", |pair| &pair.1).to_owned()
                };
                format!("{}|{}|{}", of("query"), of("author"), of("kind"))
            })
            .collect();
        assert_eq!(sent, ["w||", "|w|", "w||b"]);
    }

    #[test]
    fn posted_forms_have_a_body() {
        let form = form(
            "<form method=post action=x><input name=q value=old><input type=hidden name=h value='a&b'></form>",
        );
        let sent = request(&form, form.action.as_ref().unwrap(), &pairs(&form, &plans(&form)[0], "ä"));
        assert_eq!(String::from_utf8(sent.body).unwrap(), "q=%C3%A4&h=a%26b");
    }

    #[test]
    fn parts_are_told_apart() {
        let form = form("<form method=post enctype=multipart/form-data action=x><input name='a\"b'></form>");
        let sent = request(
            &form,
            form.action.as_ref().unwrap(),
            &pairs(&form, &plans(&form)[0], "unsite-form-part"),
        );
        let body = String::from_utf8(sent.body).unwrap();
        assert!(body.contains("name=\"a%22b\"\r\n\r\nunsite-form-part\r\n--unsite-form-partx--"), "{body}");
        let kind = sent.headers.iter().find(|(name, _)| name == "content-type").unwrap();
        assert_eq!(kind.1, "multipart/form-data; boundary=unsite-form-partx");
    }
}
