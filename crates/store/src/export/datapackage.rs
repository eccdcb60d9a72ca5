//! The descriptor beside files: which tables there are, what their columns hold, and how they refer to each other.
//!
//! # Paper
//! The Data Package, Data Resource and Table Schema specifications of Frictionless Data.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::plan::{Field, Kind, Relation};
use crate::{Format, Meta};

/// The name that readers look for.
pub(crate) const DESCRIPTOR: &str = "datapackage.json";

/// One file of the package.
pub(super) struct Resource<'a> {
    pub(super) relation: &'a Relation,
    /// Relative to the descriptor.
    pub(super) path: String,
    pub(super) bytes: u64,
    /// For each column how many of its values are not of its type.
    pub(super) misfits: Vec<u64>,
}

/// The descriptor as text.
pub(super) fn describe(target: &str, resources: &[Resource<'_>], format: Format, meta: &Meta) -> String {
    let names: HashMap<&str, String> = resources
        .iter()
        .enumerate()
        .map(|(at, resource)| (resource.relation.name.as_str(), resource_name(&resource.relation.name, at)))
        .collect();
    let described: Vec<Value> =
        resources.iter().map(|resource| describe_one(resource, format, &names)).collect();
    let stem = target.split('.').next().unwrap_or_default();
    let about: Map<String, Value> =
        meta.entries().map(|(key, value)| (key.to_owned(), Value::from(value))).collect();
    let package = json!({"name": resource_name(stem, 0), "unsite": about, "resources": described});
    // A map of texts and numbers always becomes text.
    serde_json::to_string_pretty(&package).unwrap_or_default() + "\n"
}

fn describe_one(resource: &Resource<'_>, format: Format, names: &HashMap<&str, String>) -> Value {
    let relation = resource.relation;
    let fields: Vec<Value> = relation
        .fields
        .iter()
        .zip(&resource.misfits)
        .map(|(field, misfits)| describe_field(field, *misfits > 0, format))
        .collect();
    let mut schema = json!({"fields": fields, "missingValues": [""]});
    if relation.has_key {
        schema["primaryKey"] = json!([relation.fields[0].name]);
    }
    let keys: Vec<Value> = relation
        .fields
        .iter()
        .filter_map(|field| {
            let to = field.reference.as_ref()?;
            let name = names.get(to.table.as_str())?;
            Some(json!({"fields": [field.name], "reference": {"resource": name, "fields": [to.column]}}))
        })
        .collect();
    if !keys.is_empty() {
        schema["foreignKeys"] = Value::from(keys);
    }
    let mut described = json!({
        "name": names[relation.name.as_str()],
        "title": relation.original.as_deref().unwrap_or(&relation.name),
        "path": resource.path,
        "format": format.ending(),
        "mediatype": media_type(format),
        "bytes": resource.bytes,
        "profile": "tabular-data-resource",
        "schema": schema,
    });
    if format != Format::Parquet {
        described["encoding"] = json!("utf-8");
    }
    if format == Format::Csv {
        described["dialect"] = json!({"delimiter": ",", "quoteChar": "\"", "doubleQuote": true, "lineTerminator": "\r\n", "header": true});
    }
    described
}

/// A column that holds something else than its type says so, instead of making the whole file invalid; in Parquet such
/// values are null.
fn describe_field(field: &Field, has_misfits: bool, format: Format) -> Value {
    let name = match field.kind {
        _ if has_misfits && format == Format::Csv => "string",
        _ if has_misfits && format == Format::JsonLines => "any",
        Kind::Integer => "integer",
        Kind::Real => "number",
        Kind::Date => "date",
        Kind::Text => "string",
    };
    let mut described = json!({"name": field.name, "type": name});
    if let Some((original, label)) = &field.original {
        if *original != field.name {
            described["title"] = json!(original);
        }
        if let Some(label) = label {
            described["description"] = json!(format!("introduced by {label:?}"));
        }
    }
    described
}

/// Names of resources are lower case; a table with another name is numbered, and its title says what it is called.
fn resource_name(name: &str, at: usize) -> String {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._/".contains(c);
    if !name.is_empty() && name.chars().all(is_plain) { name.to_owned() } else { format!("table-{}", at + 1) }
}

fn media_type(format: Format) -> &'static str {
    match format {
        Format::Csv => "text/csv",
        Format::Parquet => "application/vnd.apache.parquet",
        _ => "application/jsonl",
    }
}
