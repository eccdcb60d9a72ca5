//! Tables and columns with a selector each, for tools that take selectors.

use serde_json::{Map, Value, json};

use super::Target;
use super::css::css;
use super::plan::{Frame, How, PagePlan, ReadPlan};
use super::steps::Piece;
use crate::harmless::escaped;

/// One JSON object: page types with their address pattern, columns and lists, as deep as they are nested.
pub(super) fn listing(pages: &[PagePlan], target: Target, name: &str) -> String {
    let pages: Vec<Value> = pages
        .iter()
        .filter(|page| page.columns() > 0)
        .map(|page| {
            let mut object = frame(&page.own, target, true);
            object.insert("page_type".into(), json!(page.name));
            object.insert("url".into(), json!(page.url_pattern));
            object.insert("table".into(), json!(page.table));
            if let Some(links) = &page.links {
                let written = |path: &String| match target {
                    Target::Css => path.replace('/', " > "),
                    _ => format!("/{path}"),
                };
                let paths: Vec<String> = links.paths.iter().map(written).collect();
                object.insert(
                    "links".into(),
                    json!({"table": links.table, "columns": links.columns, "paths": paths}),
                );
            }
            if !page.inherits.is_empty() {
                object.insert("taken_over".into(), json!(page.inherits));
            }
            Value::Object(object)
        })
        .collect();
    let kind = if target == Target::Css { "css" } else { "xpath" };
    let all = json!({
        "site": name,
        "selectors": kind,
        "tree": "as browsers build it: rows of a table stand in a tbody",
        "pages": pages,
    });
    // Maps of texts always become text.
    escaped(&serde_json::to_string_pretty(&all).unwrap_or_default()) + "\n"
}

fn frame(frame: &Frame, target: Target, is_page: bool) -> Map<String, Value> {
    let columns: Map<String, Value> = frame
        .columns
        .iter()
        .map(|column| {
            let reads: Vec<Value> = column.reads.iter().map(|read| describe(read, target, is_page)).collect();
            (column.name.clone(), Value::from(reads))
        })
        .collect();
    let lists: Vec<Value> = frame
        .lists
        .iter()
        .map(|list| {
            let rows: Vec<Value> = list
                .rows
                .iter()
                .map(|row| {
                    let mut object = self::frame(&row.own, target, false);
                    object.insert("rows".into(), json!(path(&row.path, target, is_page)));
                    let inner: Vec<String> =
                        row.inner.iter().map(|inner| path(inner, target, false)).collect();
                    if !inner.is_empty() {
                        object.insert("inner_rows".into(), json!(inner));
                    }
                    if row.continues {
                        object.insert("continues".into(), json!(true));
                    }
                    if row.again {
                        object.insert("again".into(), json!(true));
                    }
                    Value::Object(object)
                })
                .collect();
            json!({"table": list.table, "records": rows})
        })
        .collect();
    let mut object = Map::new();
    object.insert("columns".into(), Value::Object(columns));
    if !lists.is_empty() {
        object.insert("lists".into(), Value::from(lists));
    }
    object
}

fn describe(read: &ReadPlan, target: Target, is_page: bool) -> Value {
    let mut object = json!({"path": path(&read.path, target, is_page)});
    describe_how(&read.how, &mut object, target);
    if read.flows {
        object["flows"] = json!(true);
    }
    object
}

fn describe_how(how: &How, object: &mut Value, target: Target) {
    match how {
        How::Text => object["read"] = json!("text"),
        How::Prose => object["read"] = json!("visible text, blocks on lines of their own"),
        How::Words => object["read"] = json!("all texts, spaces between them"),
        How::Word => {
            object["read"] = json!("the word that its text begins, with what goes on with it behind")
        }
        How::Attribute(name) => object["attribute"] = json!(name),
        How::Trail => object["read"] = json!("the crumbs that lead to the page, \" > \" between them"),
        How::Lead(whole) => {
            describe_how(whole, object, target);
            object["part"] = json!("first paragraph");
        }
        How::Data(path) => *object = json!({"read": "JSON-LD", "value": path}),
        How::Address => *object = json!({"read": "the page's own address"}),
        How::Head(name) if name == "title" => object["path"] = json!(head("title", target)),
        How::Head(name) => {
            object["path"] = json!(head(name, target));
            object["attribute"] = json!("content");
        }
        How::Behind(behind, landmarks) => {
            let value = json!({"landmark": behind.landmark, "tag": behind.tag, "index": behind.index});
            *object = json!({"read": "texts in reading order", "behind": value, "landmarks": landmarks});
        }
        How::Part(whole, constants, index) => {
            describe_how(whole, object, target);
            object["part"] = json!({"constants": constants, "index": index});
        }
    }
}

fn head(name: &str, target: Target) -> String {
    match (name, target) {
        ("title", Target::Css) => "title".to_owned(),
        ("title", _) => "//title".to_owned(),
        (name, Target::Css) => format!("meta[name=\"{name}\"], meta[property=\"{name}\"]"),
        (name, _) => {
            let name = super::names::literal(name);
            format!("//meta[@name = {name} or @property = {name}]")
        }
    }
}

fn path(path: &[Piece], target: Target, is_page: bool) -> String {
    if target == Target::Css {
        return css(path, is_page).unwrap_or_default();
    }
    if path.is_empty() {
        return ".".to_owned();
    }
    let start = if is_page { "" } else { "." };
    path.iter().fold(start.to_owned(), |text, piece| text + &piece.plain())
}
