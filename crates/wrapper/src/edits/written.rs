//! Edits as people write them: `book`, `book.price` and `type:item` name a table, a column and a page type.

use serde_json::{Value, json};

use crate::output::ValueType;

use super::{Edit, EditError, Step};

/// What stands before the name of a page type.
const PAGE_TYPE: &str = "type:";

/// What an edit is about.
enum Target {
    Table(String),
    Column(String, String),
    PageType(String),
}

impl Target {
    fn of(text: &str) -> Target {
        match (text.strip_prefix(PAGE_TYPE), text.split_once('.')) {
            (Some(name), _) => Target::PageType(name.to_owned()),
            (None, Some((table, column))) => Target::Column(table.to_owned(), column.to_owned()),
            (None, None) => Target::Table(text.to_owned()),
        }
    }

    /// The table and the name of a column.
    fn column(text: &str) -> Result<(String, String), EditError> {
        match Target::of(text) {
            Target::Column(table, column) => Ok((table, column)),
            _ => Err(EditError::Refused(format!("{text:?} is no column; write it as book.price"))),
        }
    }
}

impl Edit {
    /// Another name for a table, a column or a page type.
    pub fn rename(what: &str, to: &str) -> Edit {
        let to = to.to_owned();
        match Target::of(what) {
            Target::Table(table) => Edit::RenameTable { table, to },
            Target::Column(table, column) => Edit::RenameColumn { table, column, to },
            Target::PageType(page_type) => Edit::RenamePageType { page_type, to },
        }
    }

    /// Several other names, for things as they are called before any of them is given: columns come before their tables.
    pub fn rename_all(names: impl IntoIterator<Item = (String, String)>) -> Vec<Edit> {
        let (columns, others): (Vec<Edit>, Vec<Edit>) = names
            .into_iter()
            .map(|(what, to)| Edit::rename(&what, &to))
            .partition(|edit| matches!(edit, Edit::RenameColumn { .. }));
        columns.into_iter().chain(others).collect()
    }

    /// A table, a column or a page type that is of no interest.
    pub fn drop(what: &str) -> Edit {
        match Target::of(what) {
            Target::Table(table) => Edit::DropTable { table },
            Target::Column(table, column) => Edit::DropColumn { table, column },
            Target::PageType(page_type) => Edit::DropPageType { page_type },
        }
    }

    /// A table or a column that is shown although it is kept out of sight.
    pub fn restore(what: &str) -> Result<Edit, EditError> {
        match Target::of(what) {
            Target::Table(table) => Ok(Edit::RestoreTable { table }),
            Target::Column(table, column) => Ok(Edit::RestoreColumn { table, column }),
            Target::PageType(name) => Err(EditError::Refused(format!(
                "the page type {name} cannot be restored; undo the edit that dropped it"
            ))),
        }
    }

    /// One into another of its kind: a table, a column of the same table, or a page type.
    pub fn merge(what: &str, into: &str) -> Edit {
        match Target::of(what) {
            Target::Table(from) => Edit::MergeTables { table: into.to_owned(), from },
            Target::Column(table, from) => {
                let column = into.strip_prefix(&format!("{table}.")).unwrap_or(into).to_owned();
                Edit::MergeColumns { table, column, from }
            }
            Target::PageType(from) => {
                let page_type = into.strip_prefix(PAGE_TYPE).unwrap_or(into).to_owned();
                Edit::MergePageTypes { page_type, from }
            }
        }
    }

    /// Parts of a column as columns of their own, cut where a text stands.
    pub fn split(what: &str, at: &str, into: Vec<String>) -> Result<Edit, EditError> {
        let (table, column) = Target::column(what)?;
        Ok(Edit::SplitColumn { table, column, at: at.to_owned(), into })
    }

    /// What the values of a column are: `money`, `date_day_first`.
    pub fn retype(what: &str, to: &str) -> Result<Edit, EditError> {
        let (table, column) = Target::column(what)?;
        let known = |one: ValueType| serde_json::to_value(one).ok()?.as_str().map(str::to_owned);
        let named = serde_json::from_value(json!(to)).ok();
        let named = named.or_else(|| ValueType::ALL.into_iter().find(|one| one.name() == to));
        let to = named.ok_or_else(|| EditError::Unknown {
            what: "type".into(),
            name: to.to_owned(),
            known: ValueType::ALL.into_iter().filter_map(known).collect(),
        })?;
        Ok(Edit::RetypeColumn { table, column, to })
    }

    /// A value that is left out: on one page, or without an address wherever it stands.
    pub fn wrong(what: &str, value: &str, url: Option<&str>) -> Result<Edit, EditError> {
        let (table, column) = Target::column(what)?;
        Ok(Edit::WrongValue { table, column, value: value.to_owned(), url: url.map(str::to_owned) })
    }
}

impl Step {
    /// The edits of a JSON list, or of what `unsite edit --json` prints.
    pub fn all_of(value: Value) -> Result<Vec<Step>, EditError> {
        let list = match value {
            Value::Object(mut map) => map.remove("edits").unwrap_or(Value::Object(map)),
            list => list,
        };
        let Value::Array(list) = list else {
            let wanted = r#"[{"drop_table": {"table": "nav"}}]"#;
            return Err(EditError::Refused(format!("that is no list of edits; write it as {wanted}")));
        };
        let step = |(at, edit)| {
            serde_json::from_value(edit).map_err(|error| {
                let item = at + 1;
                EditError::Refused(format!("item {item} is no edit: {error}; docs/studio.md lists all edits"))
            })
        };
        list.into_iter().enumerate().map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_it_is_of() {
        let written = [
            Edit::rename("type:item", "book"),
            Edit::drop("nav"),
            Edit::drop("book.isbn"),
            Edit::merge("book.now", "book.price"),
            Edit::merge("book.now", "price"),
            Edit::merge("type:one", "type:other"),
            Edit::merge("one", "other"),
            Edit::restore("book.sku").unwrap(),
            Edit::wrong("book.price", "N/A", None).unwrap(),
        ];
        let told: Vec<String> = written.iter().map(ToString::to_string).collect();
        let expected = [
            "rename page type item to book",
            "drop table nav",
            "drop book.isbn",
            "merge book.now into book.price",
            "merge book.now into book.price",
            "merge page type one into other",
            "merge table one into other",
            "restore book.sku",
            "\"N/A\" in book.price is wrong wherever it stands",
        ];
        assert_eq!(told, expected);
        let names = [("book", "volume"), ("book.now", "price")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        let told: Vec<String> = Edit::rename_all(names).iter().map(ToString::to_string).collect();
        assert_eq!(told, ["rename book.now to price", "rename table book to volume"]);
    }

    #[test]
    fn types_have_the_names_of_the_file_and_those_for_people() {
        for one in ValueType::ALL {
            let kept = json!(one);
            for name in [kept.as_str().unwrap(), one.name()] {
                assert!(Edit::retype("a.b", name).is_ok(), "{name}");
            }
        }
        let wrong = Edit::retype("a.b", "colour").unwrap_err().to_string();
        assert!(wrong.starts_with("there is no type \"colour\"; the types are text, integer"), "{wrong}");
        assert!(Edit::retype("book", "money").is_err() && Edit::restore("type:a").is_err());
    }

    #[test]
    fn lists_are_read_as_they_are_printed() {
        let steps = vec![Step::from(Edit::drop("nav"))];
        for value in [json!(steps), json!({"edits": steps, "not_made": []})] {
            assert_eq!(Step::all_of(value).unwrap(), steps);
        }
        let wrong = Step::all_of(json!([steps[0], {"drop": "nav"}])).unwrap_err().to_string();
        assert!(wrong.starts_with("item 2 is no edit: "), "{wrong}");
        assert!(Step::all_of(json!("nav")).is_err() && Step::all_of(json!({"drop_table": {}})).is_err());
    }
}
