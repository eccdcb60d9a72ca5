//! Forms and their fields.

use rustc_hash::FxHashMap;
use url::Url;

use crate::links::{Budget, resolve};
use crate::names::Role;
use crate::text::collapse;
use crate::tree::{NodeId, Tree};

/// Labels and the texts of options are cut here, in bytes.
const LABEL_LIMIT: usize = 500;

/// A form and what can be filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The `form` element.
    pub node: NodeId,
    /// Its `id`; empty where there is none.
    pub id: String,
    /// Where it is sent: its `action`, or the page itself, resolved.
    pub action: Option<Url>,
    /// How it is sent.
    pub method: Method,
    /// How its body is written (`application/x-www-form-urlencoded` unless said otherwise).
    pub enctype: String,
    /// Its fields in document order, those outside that name it with `form=` included.
    pub fields: Vec<Field>,
}

/// How a form is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// In the address. Asking again is harmless.
    Get,
    /// In the body.
    Post,
    /// Not at all: it closes a dialog.
    Dialog,
}

/// What a field takes. Types that browsers do not know are `Text`, as in browsers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldKind {
    /// A line of text.
    Text,
    /// A line of text to search for.
    Search,
    /// An email address, a web address or a telephone number.
    Contact,
    /// A number, by digits or by a slider.
    Number,
    /// A date, a time or parts of them.
    Date,
    /// A colour.
    Color,
    /// A secret.
    Password,
    /// Sent but not shown.
    Hidden,
    /// On or off.
    Checkbox,
    /// One of those with the same name.
    Radio,
    /// One of `options`.
    Select,
    /// Any of `options`.
    SelectMany,
    /// Several lines of text.
    TextArea,
    /// A file.
    File,
    /// Sends the form (images that do so included).
    Submit,
    /// Empties the form, or does what a script says.
    Button,
}

/// A control of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The `input`, `select`, `textarea` or `button` element.
    pub node: NodeId,
    /// What it takes.
    pub kind: FieldKind,
    /// The name under which it is sent; empty where there is none and it is not sent.
    pub name: String,
    /// What it holds before anybody touches it.
    pub value: String,
    /// What people read beside it: its `label`, or `aria-label`, `placeholder`, `title`.
    pub label: String,
    /// Checkboxes and radio buttons: set from the start.
    pub checked: bool,
    /// Greyed out: cannot be changed and is not sent.
    pub disabled: bool,
    /// What can be chosen, for selections.
    pub options: Vec<Choice>,
}

/// An entry of a selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What is sent.
    pub value: String,
    /// What people read.
    pub text: String,
    /// Chosen from the start.
    pub selected: bool,
}

impl Tree {
    /// Every form in document order. Fields belong to the form that a browser gives them to, even where
    /// broken markup (a form between table rows) leaves them outside its element.
    ///
    /// ```
    /// use unsite_dom::{FieldKind, Limits, Tree};
    /// let html = b"<form action=/find><label>Title <input name=q type=search></label><input type=submit></form>";
    /// let (tree, _) = Tree::parse(html, None, &Limits::default());
    /// let form = tree.forms("https://shop.example/").remove(0);
    /// assert_eq!(form.action.unwrap().as_str(), "https://shop.example/find");
    /// assert_eq!(form.fields[0].kind, FieldKind::Search);
    /// assert_eq!(form.fields[0].label, "Title");
    /// ```
    pub fn forms(&self, page_url: &str) -> Vec<Form> {
        let base = self.base_url(page_url);
        let mut forms: Vec<Form> = self.elements("form").map(|node| self.form(node, base.as_ref())).collect();
        if forms.is_empty() {
            return forms;
        }
        let mut budget = Budget::of(self);
        let labels = self.labels(&mut budget);
        let nodes: Vec<NodeId> = forms.iter().map(|form| form.node).collect();
        for (form, node, kind) in self.controls_of(&nodes) {
            let field = self.field(node, kind, &labels, &mut budget);
            forms[form].fields.push(field);
        }
        forms
    }

    /// The names of the lines of text in forms that put them into the address, in document order.
    ///
    /// ```
    /// use unsite_dom::{Limits, Tree};
    /// let html = b"<form><input name=q><input type=hidden name=lang></form><form method=post><input name=user></form>";
    /// let (tree, _) = Tree::parse(html, None, &Limits::default());
    /// assert_eq!(tree.text_field_names(), ["q"]);
    /// ```
    pub fn text_field_names(&self) -> Vec<&str> {
        let forms: Vec<NodeId> = self.elements("form").collect();
        if forms.is_empty() {
            return Vec::new();
        }
        let sends: Vec<bool> = forms.iter().map(|&form| self.method(form) == Method::Get).collect();
        let controls = self.controls_of(&forms).into_iter();
        let lines = controls
            .filter(|(form, _, kind)| sends[*form] && matches!(kind, FieldKind::Text | FieldKind::Search));
        lines.filter_map(|(_, node, _)| self.attr(node, "name")).filter(|name| !name.is_empty()).collect()
    }

    /// The controls of forms in document order, each with the place of its form among those given.
    fn controls_of(&self, forms: &[NodeId]) -> Vec<(usize, NodeId, FieldKind)> {
        let by_node: FxHashMap<NodeId, usize> = forms.iter().copied().zip(0..).collect();
        let mut by_id: FxHashMap<&str, usize> = FxHashMap::default();
        for (&form, at) in forms.iter().zip(0..) {
            if let Some(id) = self.attr(form, "id") {
                by_id.entry(id).or_insert(at);
            }
        }
        let owners: FxHashMap<NodeId, NodeId> = self.owners.iter().copied().collect();
        let owner = |node: NodeId| match self.attr(node, "form") {
            Some(id) => by_id.get(id),
            None => owners.get(&node).and_then(|form| by_node.get(form)),
        };
        let is_control = self.by_name(is_control);
        let controls = self.nodes().filter(|&node| is_control.of(node));
        controls.filter_map(|node| Some((*owner(node)?, node, self.field_kind(node)?))).collect()
    }

    fn form(&self, node: NodeId, base: Option<&Url>) -> Form {
        let enctype = match self.attr(node, "enctype").map(|kind| kind.trim().to_ascii_lowercase()).as_deref()
        {
            Some("multipart/form-data") => "multipart/form-data",
            Some("text/plain") => "text/plain",
            _ => "application/x-www-form-urlencoded",
        };
        Form {
            node,
            id: self.attr(node, "id").unwrap_or_default().to_owned(),
            action: resolve(base, self.attr(node, "action").unwrap_or_default().trim()),
            method: self.method(node),
            enctype: enctype.to_owned(),
            fields: Vec::new(),
        }
    }

    fn method(&self, form: NodeId) -> Method {
        match self.attr(form, "method").map(|method| method.trim().to_ascii_lowercase()).as_deref() {
            Some("post") => Method::Post,
            Some("dialog") => Method::Dialog,
            _ => Method::Get,
        }
    }

    fn field_kind(&self, node: NodeId) -> Option<FieldKind> {
        let kind = || self.attr(node, "type").unwrap_or_default().trim().to_ascii_lowercase();
        Some(match self.name(node) {
            "textarea" => FieldKind::TextArea,
            "select" if self.attr(node, "multiple").is_some() => FieldKind::SelectMany,
            "select" => FieldKind::Select,
            "button" => match kind().as_str() {
                "button" | "reset" => FieldKind::Button,
                _ => FieldKind::Submit,
            },
            "input" => match kind().as_str() {
                "search" => FieldKind::Search,
                "email" | "url" | "tel" => FieldKind::Contact,
                "number" | "range" => FieldKind::Number,
                "date" | "month" | "week" | "time" | "datetime-local" => FieldKind::Date,
                "color" => FieldKind::Color,
                "password" => FieldKind::Password,
                "hidden" => FieldKind::Hidden,
                "checkbox" => FieldKind::Checkbox,
                "radio" => FieldKind::Radio,
                "file" => FieldKind::File,
                "submit" | "image" => FieldKind::Submit,
                "button" | "reset" => FieldKind::Button,
                _ => FieldKind::Text,
            },
            _ => return None,
        })
    }

    fn field(
        &self,
        node: NodeId,
        kind: FieldKind,
        labels: &FxHashMap<NodeId, String>,
        budget: &mut Budget,
    ) -> Field {
        let attr = |name| self.attr(node, name).unwrap_or_default().to_owned();
        let options = match kind {
            FieldKind::Select | FieldKind::SelectMany => self.choices(node, kind, budget),
            _ => Vec::new(),
        };
        let value = match kind {
            FieldKind::TextArea => self.children(node).map(|text| self.text(text)).collect(),
            FieldKind::Select => options
                .iter()
                .find(|choice| choice.selected)
                .map_or_else(String::new, |choice| choice.value.clone()),
            FieldKind::Checkbox | FieldKind::Radio => self.attr(node, "value").unwrap_or("on").to_owned(),
            _ => attr("value"),
        };
        let mut label = labels.get(&node).cloned().unwrap_or_default();
        if label.is_empty() && self.name(node) == "button" {
            label = budget.text(self, node, LABEL_LIMIT).replace('\n', " ");
        }
        for name in ["aria-label", "placeholder", "title", "alt"] {
            if label.is_empty() {
                label = self.attr(node, name).map(collapse).unwrap_or_default().into_owned();
            }
        }
        Field {
            node,
            kind,
            name: attr("name"),
            value,
            label,
            checked: self.attr(node, "checked").is_some(),
            disabled: self.attr(node, "disabled").is_some(),
            options,
        }
    }

    fn choices(&self, select: NodeId, kind: FieldKind, budget: &mut Budget) -> Vec<Choice> {
        let below =
            budget.nodes(self, select).filter(|&node| self.name(node) == "option").collect::<Vec<_>>();
        let mut choices: Vec<Choice> = below
            .into_iter()
            .map(|option| {
                let text = match self.attr(option, "label").map(collapse) {
                    Some(label) if !label.is_empty() => label.into_owned(),
                    _ => budget.text(self, option, LABEL_LIMIT).replace('\n', " "),
                };
                let value = self.attr(option, "value").map_or_else(|| text.clone(), str::to_owned);
                Choice { value, text, selected: self.attr(option, "selected").is_some() }
            })
            .collect();
        // A drop-down shows its first entry where the page picks none.
        if kind == FieldKind::Select
            && !choices.iter().any(|choice| choice.selected)
            && let Some(first) = choices.first_mut()
        {
            first.selected = true;
        }
        choices
    }

    /// The label of every field that has one: a `label` that names it, or the innermost one around it.
    fn labels(&self, budget: &mut Budget) -> FxHashMap<NodeId, String> {
        let mut labels: FxHashMap<NodeId, String> = FxHashMap::default();
        let mut named: FxHashMap<&str, String> = FxHashMap::default();
        // Open labels that name nothing: they speak for the first field inside.
        let mut open: Vec<(NodeId, Option<String>)> = Vec::new();
        let mut by_id: Vec<(NodeId, &str)> = Vec::new();
        let kinds = self.by_name(|name| (name == "label", is_control(name)));
        for node in self.nodes() {
            while open.pop_if(|(label, _)| self.end(*label) <= node).is_some() {}
            let (is_label, is_control) = kinds.of(node);
            if is_label {
                let text = self.label_text(node, budget);
                match self.attr(node, "for") {
                    Some(id) => drop(named.entry(id).or_insert(text)),
                    None => open.push((node, Some(text))),
                }
            } else if is_control {
                if let Some(text) = open.last_mut().and_then(|(_, text)| text.take()) {
                    labels.insert(node, text);
                }
                if let Some(id) = self.attr(node, "id") {
                    by_id.push((node, id));
                }
            }
        }
        for (node, id) in by_id {
            if let Some(text) = named.remove(id) {
                labels.insert(node, text);
            }
        }
        labels
    }

    /// The text of a label without that of the fields in it.
    fn label_text(&self, label: NodeId, budget: &mut Budget) -> String {
        let mut text = String::new();
        let mut skip_until = label;
        for node in budget.nodes(self, label) {
            if node < skip_until || text.len() >= LABEL_LIMIT {
                continue;
            }
            if matches!(self.name(node), "select" | "button")
                || self.names.role(self.name_id(node)) == Role::Skipped
            {
                skip_until = self.end(node);
            } else if self.is_text(node) {
                let part = collapse(self.text(node));
                if !part.is_empty() {
                    text.push_str(if text.is_empty() { "" } else { " " });
                    text.push_str(&part);
                }
            }
        }
        text.truncate(text.floor_char_boundary(LABEL_LIMIT));
        text
    }
}

fn is_control(name: &str) -> bool {
    matches!(name, "input" | "select" | "textarea" | "button")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn forms(html: &str) -> Vec<Form> {
        Tree::parse(html.as_bytes(), None, &Limits::default()).0.forms("http://a.example/dir/list")
    }

    #[test]
    fn fields_with_kinds_values_and_labels() {
        let form = forms(
            "<form id=f method=POST enctype=' Multipart/Form-Data'>\
             <label for=t>Title:</label><input id=t name=title value=x>\
             <label>Country <select name=c><option value=at>Austria<option selected>Norway</select></label>\
             <input type=checkbox name=new checked><textarea name=note placeholder=Note>\na b</textarea>\
             <select multiple name=m><option>1<option>2</select><button>Go <b>on</b></button>\
             <input type=hidden name=token value=7><input type=novel name=n></form>",
        )
        .remove(0);
        assert_eq!(form.method, Method::Post);
        assert_eq!(form.enctype, "multipart/form-data");
        assert_eq!(form.action.map(String::from).as_deref(), Some("http://a.example/dir/list"));
        let fields: Vec<_> = form
            .fields
            .iter()
            .map(|f| (f.kind, f.name.as_str(), f.value.as_str(), f.label.as_str()))
            .collect();
        assert_eq!(
            fields,
            [
                (FieldKind::Text, "title", "x", "Title:"),
                (FieldKind::Select, "c", "Norway", "Country"),
                (FieldKind::Checkbox, "new", "on", ""),
                (FieldKind::TextArea, "note", "a b", "Note"),
                (FieldKind::SelectMany, "m", "", ""),
                (FieldKind::Submit, "", "", "Go on"),
                (FieldKind::Hidden, "token", "7", ""),
                (FieldKind::Text, "n", "", ""),
            ]
        );
        assert_eq!(form.fields[1].options[0].value, "at");
        assert!(form.fields[2].checked);
    }

    #[test]
    fn fields_find_their_form_through_broken_markup() {
        let forms = forms(
            "<input name=lost><table><form id=a><tr><td><input name=in></td></tr></form></table>\
             <form id=b></form><input name=far form=b><input name=nowhere form=c>",
        );
        let names: Vec<Vec<_>> =
            forms.iter().map(|form| form.fields.iter().map(|field| field.name.as_str()).collect()).collect();
        assert_eq!(names, [vec!["in"], vec!["far"]]);
    }

    #[test]
    fn a_drop_down_shows_its_first_entry() {
        let form =
            forms("<form><select name=s><optgroup label=g><option>A<option>B</optgroup></select></form>")
                .remove(0);
        assert_eq!(form.fields[0].value, "A");
        assert_eq!(form.fields[0].options.len(), 2);
    }
}
