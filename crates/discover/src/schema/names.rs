//! Names people would choose for tables and columns.

use unsite_wrapper::{ColumnInfo, ValueType};

use crate::naming::{Namer, base_name, slug};

/// A table of things in the singular, as far as a word shows its plural.
pub(super) fn singular(name: &str) -> String {
    let base = base_name(name);
    let (before, last) = base.rsplit_once('_').map_or(("", base), |(before, last)| (before, last));
    let one = match last {
        word if word.len() < 4
            || ["ss", "us", "is", "news", "series"].iter().any(|end| word.ends_with(end)) =>
        {
            word.to_owned()
        }
        word if word.ends_with("ies") => format!("{}y", &word[..word.len() - 3]),
        word if ["ches", "shes", "xes", "sses"].iter().any(|end| word.ends_with(end)) => {
            word[..word.len() - 2].to_owned()
        }
        word if word.ends_with('s') => word[..word.len() - 1].to_owned(),
        word => word.to_owned(),
    };
    if before.is_empty() { one } else { format!("{before}_{one}") }
}

/// What the column that names rows is called: `name` where the site says so, else `title`.
pub(super) fn title(info: &ColumnInfo) -> &'static str {
    let said = info.label.as_deref().and_then(slug).unwrap_or_else(|| base_name(&info.name).to_owned());
    let is_name = |word: &str| word == "name" || word == "username";
    if said.split('_').any(is_name) { "name" } else { "title" }
}

/// A name that no other column of the table has: the plain one, then with what it holds behind it.
pub(super) fn column(namer: &mut Namer, info: &ColumnInfo) -> String {
    let base = base_name(&info.name);
    let kind = match info.value_type {
        ValueType::Url if !base.ends_with("url") => Some("url"),
        ValueType::Date | ValueType::DateDayFirst | ValueType::DateMonthFirst | ValueType::DateTime => {
            Some("date")
        }
        ValueType::Integer | ValueType::Decimal => Some("number"),
        ValueType::Text => Some("text"),
        _ => None,
    };
    let label = info.label.as_deref().and_then(slug);
    let with_kind = kind.map(|kind| format!("{base}_{kind}"));
    let names = [Some(base.to_owned()), label, with_kind];
    match names.into_iter().flatten().find(|name| !namer.is_taken(name)) {
        Some(name) => namer.unique(&name),
        None => namer.unique(base),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_called_after_one_thing() {
        for (many, one) in
            [("books", "book"), ("categories", "category"), ("news", "news"), ("job_listings", "job_listing")]
        {
            assert_eq!(singular(many), one);
        }
        assert_eq!(singular("status"), "status");
        assert_eq!(singular("boxes_2"), "box");
    }
}
