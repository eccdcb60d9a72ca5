//! The descriptor beside files says what is in them.

use crate::common::*;
use serde_json::{Value, json};
use unsite_wrapper::{Schema, TableInfo, ValueType};

fn descriptor(path: impl Into<std::path::PathBuf>) -> Value {
    serde_json::from_str(&read(path)).unwrap()
}

fn resource<'a>(package: &'a Value, name: &str) -> &'a Value {
    let resources = package["resources"].as_array().unwrap();
    resources.iter().find(|resource| resource["name"] == name).unwrap_or_else(|| panic!("{name}: {package}"))
}

#[test]
fn tables_columns_and_keys_are_described() {
    for (ending, media) in
        [("csv", "text/csv"), ("jsonl", "application/jsonl"), ("parquet", "application/vnd.apache.parquet")]
    {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join(format!("site.{ending}/"));
        write(&out, &bookshop_schema(), &bookshop_pages());
        let package = descriptor(out.join("datapackage.json"));
        assert_eq!((&package["name"], &package["unsite"]["seed"]), (&json!("site"), &json!("42")));
        let review = resource(&package, "review");
        assert_eq!((&review["format"], &review["mediatype"]), (&json!(ending), &json!(media)));
        let schema = &review["schema"];
        assert_eq!(schema["primaryKey"], json!(["id"]));
        assert_eq!(
            schema["foreignKeys"],
            json!([
                {"fields": ["page_id"], "reference": {"resource": "_pages", "fields": ["id"]}},
                {"fields": ["book_id"], "reference": {"resource": "book", "fields": ["id"]}},
            ])
        );
        let types: Vec<&str> = resource(&package, "book")["schema"]["fields"]
            .as_array()
            .unwrap()
            .iter()
            .map(|field| field["type"].as_str().unwrap())
            .collect();
        assert_eq!(types, ["integer", "integer", "string", "number", "integer", "date", "string", "integer"]);
        for described in package["resources"].as_array().unwrap() {
            let file = out.join(described["path"].as_str().unwrap());
            assert_eq!(described["bytes"], json!(std::fs::metadata(file).unwrap().len()), "{described}");
        }
        assert_eq!(package["resources"].as_array().unwrap().len(), 10);
    }
}

#[test]
fn a_column_with_other_values_says_so() {
    let mut pages = bookshop_pages();
    pages[0].rows[0].cells[2] = cell(2, "sold out");
    pages[1].rows[0].cells[3] = cell(3, "soon");
    for (ending, want) in [("csv", "string"), ("jsonl", "any")] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join(format!("site.{ending}/"));
        write(&out, &bookshop_schema(), &pages);
        let package = descriptor(out.join("datapackage.json"));
        let fields = &resource(&package, "book")["schema"]["fields"];
        assert_eq!((&fields[4]["type"], &fields[5]["type"]), (&json!(want), &json!(want)));
        assert_eq!(fields[3]["type"], "number");
    }
}

#[test]
fn a_lone_file_has_its_own_descriptor() {
    let folder = tempfile::tempdir().unwrap();
    let columns = vec![column("Größe, \"quoted\"", ValueType::Text)];
    let table = TableInfo { name: "Öl & Gas".into(), columns, ..Default::default() };
    write(&folder.path().join("out.csv"), &Schema { tables: vec![table], ..Default::default() }, &[]);
    let package = descriptor(folder.path().join("out.csv.datapackage.json"));
    let described = &package["resources"][0];
    assert_eq!((&described["name"], &described["path"]), (&json!("table-1"), &json!("out.csv")));
    assert_eq!(described["title"], "Öl & Gas");
    assert_eq!(described["schema"]["foreignKeys"], Value::Null, "there is nothing to refer to");
    let field = &described["schema"]["fields"][2];
    assert_eq!((&field["name"], &field["title"]), (&json!("Größe_quoted"), &json!("Größe, \"quoted\"")));
}
