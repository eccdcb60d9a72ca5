//! What the target of an edit looked like when it was made, so that it is found again where names have changed.

use serde::{Deserialize, Serialize};

use crate::output::{ColumnInfo, PageTypeInfo, TableInfo, ValueType};

use super::Edit;
use super::bench::Bench;
use super::names::is_called;

/// Values and names that are kept.
const KEPT: usize = 8;

/// Characters of a value that are kept.
const CHARACTERS: usize = 80;

/// What a target looked like.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The text that introduced the column's values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Where they stood.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub selector: String,
    /// Some of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// What they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_type: Option<ValueType>,
    /// Columns of the table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// Where the values of each of them stood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    /// It had a row for each page of the type.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_pages: bool,
    /// The page type whose pages show it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub page_type: String,
    /// The addresses of pages of the type.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url_pattern: String,
}

impl Seen {
    /// Nothing was noted.
    pub fn is_empty(&self) -> bool {
        *self == Seen::default()
    }
}

impl Edit {
    /// The table that it is about, its column, and its page type.
    fn target(&self) -> (Option<&str>, Option<&str>, Option<&str>) {
        match self {
            Edit::RenameColumn { table, column, .. }
            | Edit::DropColumn { table, column }
            | Edit::RestoreColumn { table, column }
            | Edit::MergeColumns { table, column, .. }
            | Edit::SplitColumn { table, column, .. }
            | Edit::RetypeColumn { table, column, .. }
            | Edit::WrongValue { table, column, .. } => (Some(table), Some(column), None),
            Edit::RenameTable { table, .. }
            | Edit::DropTable { table }
            | Edit::RestoreTable { table }
            | Edit::MergeTables { table, .. }
            | Edit::SplitTable { table, .. }
            | Edit::NotRows { table } => (Some(table), None, None),
            Edit::RenamePageType { page_type, .. }
            | Edit::DropPageType { page_type }
            | Edit::MergePageTypes { page_type, .. }
            | Edit::SplitPageType { page_type, .. }
            | Edit::MakeColumn { page_type, .. }
            | Edit::MakeRows { page_type, .. } => (None, None, Some(page_type)),
        }
    }
}

impl Bench<'_> {
    /// What the target of an edit looks like now.
    pub(super) fn seen(&self, edit: &Edit) -> Seen {
        let nothing = Seen::default();
        let (table, column, page_type) = edit.target();
        if let Some(name) = page_type {
            let Ok(at) = self.page_type((name, &nothing)) else { return nothing };
            let info = &self.saved.wrapper.schema.page_types[at];
            return Seen { url_pattern: info.url_pattern.clone(), ..nothing };
        }
        let Some(Ok(at)) = table.map(|name| self.table((name, &nothing))) else { return nothing };
        let info = &self.db.tables[at];
        let types = &self.saved.wrapper.schema.page_types;
        let of_pages = types.get(info.page_type);
        let kept = || info.columns.iter().take(KEPT);
        let mut seen = Seen {
            columns: kept().map(|column| column.name.clone()).collect(),
            places: kept().map(|column| column.selector.clone()).collect(),
            is_of_pages: of_pages.is_some() && self.own_table(info.page_type) == Some(at),
            page_type: of_pages.map(|info| info.name.clone()).unwrap_or_default(),
            url_pattern: of_pages.map(|info| info.url_pattern.clone()).unwrap_or_default(),
            ..nothing.clone()
        };
        if let Some(Ok((at, column))) = column.map(|name| self.column((&info.name, name, &nothing))) {
            let info = &self.db.tables[at].columns[column];
            seen.label.clone_from(&info.label);
            seen.selector.clone_from(&info.selector);
            seen.value_type = Some(info.value_type);
            let values = self.examples(at, column).into_iter().take(KEPT);
            seen.values = values.map(|value| value.chars().take(CHARACTERS).collect()).collect();
        }
        seen
    }
}

/// The table that has most of the columns that were seen, if it has at least half of them.
pub(super) fn table_like<'n>(
    tables: &[TableInfo],
    seen: &Seen,
    page_type: impl Fn(usize) -> Option<&'n str>,
) -> Option<usize> {
    if seen.columns.is_empty() {
        return None;
    }
    let share = |table: &TableInfo| {
        let has = |(at, name): &(usize, &String)| {
            let place = seen.places.get(*at).filter(|place| !place.is_empty());
            let is_it = |column: &ColumnInfo| column.name == **name || Some(&column.selector) == place;
            table.columns.iter().any(is_it)
        };
        let known = seen.columns.iter().enumerate().filter(has).count() as f64 / seen.columns.len() as f64;
        let same = page_type(table.page_type) == Some(seen.page_type.as_str());
        known + if same { SAME_PAGE_TYPE } else { 0.0 }
    };
    let scored = tables.iter().enumerate().map(|(at, table)| (at, share(table), table.is_shown()));
    let best = scored.max_by(|a, b| a.1.total_cmp(&b.1).then(a.2.cmp(&b.2)).then(b.0.cmp(&a.0)))?;
    (best.1 >= LEAST_LIKE).then_some(best.0)
}

/// What it counts that pages of the same type show a table, in shares of its columns.
const SAME_PAGE_TYPE: f64 = 0.25;

/// The least that a table without the name has to have in common: half of the columns.
const LEAST_LIKE: f64 = 0.5;

/// The column that is called so, or that looks like the one that was seen. A name that has gone to another column counts
/// less than all the rest together. Where nothing is called so, the one column with values of that type at the very place
/// is it, whatever it is called and whatever its values are: other pages say other things.
pub(super) fn column_like<'v>(
    columns: &[ColumnInfo],
    name: &str,
    seen: &Seen,
    examples: impl Fn(usize) -> Vec<&'v str>,
) -> Option<usize> {
    let exact = columns.iter().position(|column| column.name == name);
    let called = exact.or_else(|| columns.iter().position(|column| is_called(&column.name, name)));
    let looks = |at: usize| {
        let column = &columns[at];
        let mut points = 0;
        points += if seen.label.is_some() && seen.label == column.label { 2 } else { 0 };
        points += if !seen.selector.is_empty() && seen.selector == column.selector { 2 } else { 0 };
        let shown = |value: &str| seen.values.iter().any(|known| value.starts_with(known.as_str()));
        points +=
            if points < 4 && !seen.values.is_empty() && examples(at).into_iter().any(shown) { 1 } else { 0 };
        points
    };
    if let Some(at) = called
        && (seen.label.is_none() && seen.selector.is_empty() || looks(at) > 0)
    {
        return Some(at);
    }
    let scored = (0..columns.len()).map(|at| (at, looks(at)));
    let best = scored.max_by_key(|&(at, points)| (points, std::cmp::Reverse(at)));
    let alike = best.filter(|&(_, points)| points >= if called.is_some() { SURELY } else { LIKELY });
    alike.map(|(at, _)| at).or(called).or_else(|| {
        let is_there = |column: &&(usize, &ColumnInfo)| {
            column.1.selector == seen.selector && seen.value_type == Some(column.1.value_type)
        };
        let columns: Vec<(usize, &ColumnInfo)> = columns.iter().enumerate().collect();
        let mut there = columns.iter().filter(is_there);
        let only = there.next().filter(|_| !seen.selector.is_empty() && there.next().is_none());
        only.map(|(at, _)| *at)
    })
}

/// Label and place, or one of them and a value.
const LIKELY: i32 = 3;

/// Label and place: more than a name.
const SURELY: i32 = 4;

/// The page type at the same addresses.
pub(super) fn page_type_like(types: &[PageTypeInfo], seen: &Seen) -> Option<usize> {
    let mut alike = types.iter().enumerate().filter(|(_, info)| info.url_pattern == seen.url_pattern);
    let (at, _) = alike.next().filter(|_| !seen.url_pattern.is_empty())?;
    alike.next().is_none().then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, label: Option<&str>, selector: &str) -> ColumnInfo {
        let label = label.map(str::to_owned);
        ColumnInfo { name: name.into(), label, selector: selector.into(), ..ColumnInfo::default() }
    }

    #[test]
    fn a_column_is_known_by_more_than_its_name() {
        let seen = Seen { label: Some("Price".into()), selector: "b".into(), ..Seen::default() };
        let find = |columns: &[ColumnInfo]| column_like(columns, "price", &seen, |_| Vec::new());
        let same = [column("x", None, "a"), column("price", Some("Price"), "c")];
        assert_eq!(find(&same), Some(1));
        let renamed = [column("x", None, "a"), column("amount", Some("Price"), "b")];
        assert_eq!(find(&renamed), Some(1));
        let swapped = [column("price", None, "a"), column("price_2", Some("Price"), "b")];
        assert_eq!(find(&swapped), Some(1));
        let only_its_name = [column("x", None, "a"), column("price", None, "z")];
        assert_eq!(find(&only_its_name), Some(1));
        assert_eq!(find(&[column("x", None, "a"), column("y", Some("Price"), "z")]), None);
    }

    #[test]
    fn a_column_is_known_by_its_place_alone_where_nothing_else_stands_there() {
        let seen =
            Seen { selector: "b > a @href".into(), value_type: Some(ValueType::Text), ..Seen::default() };
        let find = |columns: &[ColumnInfo]| column_like(columns, "category_url", &seen, |_| Vec::new());
        let there = column("cat_links_url", None, "b > a @href");
        assert_eq!(find(&[column("x", None, "a"), there.clone()]), Some(1));
        assert_eq!(find(&[there.clone(), there.clone()]), None, "which of them?");
        assert_eq!(find(&[ColumnInfo { value_type: ValueType::Date, ..there }]), None, "something else");
    }

    #[test]
    fn a_table_is_known_by_the_places_of_its_columns() {
        let table = |columns: Vec<ColumnInfo>| TableInfo { columns, ..TableInfo::default() };
        let seen = Seen {
            columns: vec!["fn".into(), "text".into()],
            places: vec!["div > b".into(), "div > p".into()],
            ..Seen::default()
        };
        let other =
            table(vec![column("text", None, "h1"), column("price", None, "i"), column("x", None, "u")]);
        let moved = table(vec![column("author", None, "div > b"), column("says", None, "div > p")]);
        assert_eq!(table_like(&[other.clone(), moved], &seen, |_| None), Some(1));
        assert_eq!(table_like(&[table(vec![column("x", None, "u")])], &seen, |_| None), None);
    }
}
