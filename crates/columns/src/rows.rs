//! Rows of any site in one schema, for engines that map batches.

use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use arrow_array::builder::{BooleanBuilder, Int32Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use unsite_dom::Problem;
use unsite_store::{Tables, Value};
use unsite_wrapper::{PageRecord, Row};
use xxhash_rust::xxh3::xxh3_64;

use crate::array::{Cells, Maps, cell_item, field, map_entries, required};

/// Rows of the table that says what became of each page.
const PAGES: &str = "_pages";

/// Rows of the table that says what went wrong.
const PROBLEMS: &str = "_problems";

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let fields: Vec<Field> = vec![
        field("site", DataType::Utf8),
        required("page", DataType::Int64),
        field("url", DataType::Utf8),
        field("reference", DataType::Utf8),
        field("captured", DataType::Utf8),
        field("page_type", DataType::Utf8),
        required("table", DataType::Utf8),
        required("id", DataType::Int64),
        field("parent_id", DataType::Int64),
        required("is_view", DataType::Boolean),
        required("row", DataType::Int32),
        field("parent", DataType::Int32),
        required("values", DataType::Map(map_entries(), false)),
        required("cells", DataType::List(cell_item())),
    ];
    Arc::new(Schema::new(fields))
});

/// The schema of [`RowsBuilder`]'s batches, whatever the site.
///
/// One row for each row of each table that is in sight, and for each page one of `_pages` and one of `_problems` for everything
/// that went wrong with it. `page` is [`page_key`] and `id` what [`Tables::ids`] gives: keys that hold without anybody counting
/// over all pages. Rows of a table with the same `id` are one row, told by several pages; `is_view` says that another page is
/// its own. `row` counts the rows of a page and `parent` is the `row` that this one belongs to. `values` has the first value of
/// each column as the stores type it, null where it is not of the type, `cells` has all of them where they stand.
pub fn rows_schema() -> SchemaRef {
    SCHEMA.clone()
}

/// The key of a page: a hash of its address and its name in its source.
pub fn page_key(url: &str, reference: &str) -> i64 {
    xxh3_64(format!("{url}\n{reference}").as_bytes()).cast_signed()
}

/// Makes batches of [`rows_schema`].
pub struct RowsBuilder {
    site: StringBuilder,
    page: Int64Builder,
    url: StringBuilder,
    reference: StringBuilder,
    captured: StringBuilder,
    page_type: StringBuilder,
    table: StringBuilder,
    id: Int64Builder,
    parent_id: Int64Builder,
    is_view: BooleanBuilder,
    row: Int32Builder,
    parent: Int32Builder,
    values: Maps,
    cells: Cells,
    rows: usize,
    number: String,
    has_cells: bool,
}

/// The page that rows are of.
#[derive(Clone, Copy)]
struct OfPage<'a> {
    site: Option<&'a str>,
    key: i64,
    url: Option<&'a str>,
    reference: &'a str,
    captured: Option<&'a str>,
    page_type: Option<&'a str>,
}

/// Which row it is.
#[derive(Clone, Copy, Default)]
struct Which {
    at: usize,
    id: i64,
    parent: Option<(usize, i64)>,
    is_view: bool,
}

impl Default for RowsBuilder {
    fn default() -> Self {
        RowsBuilder {
            site: StringBuilder::new(),
            page: Int64Builder::new(),
            url: StringBuilder::new(),
            reference: StringBuilder::new(),
            captured: StringBuilder::new(),
            page_type: StringBuilder::new(),
            table: StringBuilder::new(),
            id: Int64Builder::new(),
            parent_id: Int64Builder::new(),
            is_view: BooleanBuilder::new(),
            row: Int32Builder::new(),
            parent: Int32Builder::new(),
            values: Maps::new(),
            cells: Cells::new(),
            rows: 0,
            number: String::new(),
            has_cells: true,
        }
    }
}

impl RowsBuilder {
    /// The same with no cells: for whoever wants values alone, the rest is most of the bytes.
    pub fn without_cells() -> Self {
        RowsBuilder { has_cells: false, ..RowsBuilder::default() }
    }

    /// Takes everything that was read off a page.
    pub fn page(&mut self, tables: &Tables, site: Option<&str>, captured: Option<&str>, record: &PageRecord) {
        let of = OfPage {
            site,
            key: page_key(&record.url, &record.reference),
            url: Some(&record.url),
            reference: &record.reference,
            captured,
            page_type: record.page_type.and_then(|at| tables.page_type(at)),
        };
        self.begin(of, PAGES, Which { id: of.key, ..Which::default() });
        self.values.put("ref", Some(&record.reference));
        self.values.put("role", Some(&record.role));
        self.number(record.index_score);
        self.values.put("index_score", Some(&self.number));
        self.end();
        let ids = tables.ids(of.key, &record.rows);
        for (at, row) in record.rows.iter().enumerate() {
            let parent = row.parent.and_then(|parent| Some((parent, *ids.get(parent)?)));
            self.row(of, tables, row, Which { at, id: ids[at], parent, is_view: row.is_view });
        }
        for (at, problem) in record.problems.iter().enumerate() {
            self.problem_row(of, at, problem);
        }
    }

    /// Takes a page that could not be read.
    pub fn problem(&mut self, site: Option<&str>, captured: Option<&str>, problem: &Problem) {
        let url = problem.url.as_deref();
        let key = page_key(url.unwrap_or_default(), &problem.reference);
        let reference = &problem.reference;
        self.problem_row(OfPage { site, key, url, reference, captured, page_type: None }, 0, problem);
    }

    /// Rows so far.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Bytes of the largest column so far, about.
    pub fn bytes(&self) -> usize {
        self.cells.bytes()
    }

    /// The batch, and a fresh start.
    pub fn finish(&mut self) -> RecordBatch {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.site.finish()),
            Arc::new(self.page.finish()),
            Arc::new(self.url.finish()),
            Arc::new(self.reference.finish()),
            Arc::new(self.captured.finish()),
            Arc::new(self.page_type.finish()),
            Arc::new(self.table.finish()),
            Arc::new(self.id.finish()),
            Arc::new(self.parent_id.finish()),
            Arc::new(self.is_view.finish()),
            Arc::new(self.row.finish()),
            Arc::new(self.parent.finish()),
            self.values.finish(),
            self.cells.finish(),
        ];
        self.rows = 0;
        // The columns are those of the schema and of one length, so that nothing can fail.
        RecordBatch::try_new(rows_schema(), columns).unwrap_or_else(|_| RecordBatch::new_empty(rows_schema()))
    }

    fn row(&mut self, of: OfPage<'_>, tables: &Tables, row: &Row, which: Which) {
        let Some(name) = tables.name(row.table) else { return };
        self.begin(of, name, which);
        for (column, value) in tables.values(row) {
            self.value(column, value);
        }
        for cell in row.cells.iter().filter(|_| self.has_cells) {
            if let Some(column) = tables.column(row.table, cell.column) {
                self.cells.put(column, &cell.value, cell.typed(), &cell.path);
            }
        }
        self.end();
    }

    fn problem_row(&mut self, of: OfPage<'_>, at: usize, problem: &Problem) {
        self.begin(of, PROBLEMS, Which { at, id: of.key.wrapping_add(at as i64), ..Which::default() });
        self.values.put("kind", Some(problem.kind.name()));
        self.values.put("ref", Some(&problem.reference));
        if let Some(offset) = problem.offset {
            self.number.clear();
            let _ = write!(self.number, "{offset}");
            self.values.put("offset", Some(&self.number));
        }
        self.values.put("message", Some(&problem.message));
        self.end();
    }

    fn begin(&mut self, of: OfPage<'_>, table: &str, which: Which) {
        let number = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        self.site.append_option(of.site);
        self.page.append_value(of.key);
        self.url.append_option(of.url);
        self.reference.append_value(of.reference);
        self.captured.append_option(of.captured);
        self.page_type.append_option(of.page_type);
        self.table.append_value(table);
        self.id.append_value(which.id);
        self.parent_id.append_option(which.parent.map(|(_, id)| id));
        self.is_view.append_value(which.is_view);
        self.row.append_value(number(which.at));
        self.parent.append_option(which.parent.map(|(at, _)| number(at)));
    }

    fn end(&mut self) {
        self.values.end();
        self.cells.end();
        self.rows += 1;
    }

    /// A value as text that reads back as the same value.
    fn value(&mut self, name: &str, value: Value<'_>) {
        match value {
            Value::Null => return self.values.put(name, None),
            Value::Text(text) => return self.values.put(name, Some(text)),
            Value::Integer(n) => {
                self.number.clear();
                let _ = write!(self.number, "{n}");
            }
            Value::Real(x) => self.number(x),
            Value::Date(day) => {
                self.number.clear();
                let (year, month, of_month) = civil(day);
                let _ = write!(self.number, "{year:04}-{month:02}-{of_month:02}");
            }
        }
        self.values.put(name, Some(&self.number));
    }

    fn number(&mut self, x: f64) {
        self.number.clear();
        let _ = write!(self.number, "{x}");
    }
}

/// The day of the calendar that is so many days after 1970-01-01.
///
/// # Paper
/// The inverse of Fliegel and Van Flandern's count (1968), with March as the first month.
pub(crate) fn civil(days: i32) -> (i32, i32, i32) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (year_of_era + era * 400 + i32::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use unsite_dom::ProblemKind;
    use unsite_wrapper::{Cell, ColumnInfo, PageTypeInfo, Schema, TableInfo, Typed, ValueType};

    use super::*;

    #[test]
    fn days_of_the_calendar() {
        for (days, day) in [
            (0, (1970, 1, 1)),
            (11_016, (2000, 2, 29)),
            (20_772, (2026, 11, 15)),
            (-1, (1969, 12, 31)),
            (-719_162, (1, 1, 1)),
        ] {
            assert_eq!(civil(days), day);
        }
    }

    #[test]
    fn a_page_becomes_rows_with_typed_values_cells_and_problems() {
        let price = ColumnInfo { name: "price".into(), value_type: ValueType::Money, ..Default::default() };
        let day = ColumnInfo { name: "day".into(), value_type: ValueType::Date, ..Default::default() };
        let table = TableInfo { name: "book".into(), columns: vec![price, day], ..Default::default() };
        let page_type = PageTypeInfo { name: "book".into(), ..Default::default() };
        let schema = Schema { page_types: vec![page_type], tables: vec![table] };
        let tables = Tables::of(&schema).unwrap();
        let cell = |column, value: &str, typed: &str| Cell {
            column,
            value: value.into(),
            typed: Typed::As(typed.into()),
            beside: (column == 0).then(|| "GBP".into()),
            path: "html/p".into(),
            is_copy: false,
        };
        let cells = vec![cell(0, "£3.50", "3.50"), cell(0, "£4", "4"), cell(1, "15 Nov 2026", "2026-11-15")];
        let problem = Problem {
            kind: ProblemKind::Limit,
            reference: "r".into(),
            url: None,
            offset: Some(7),
            message: "cut".into(),
        };
        let record = PageRecord {
            url: "http://a/1".into(),
            reference: "r".into(),
            page_type: Some(0),
            role: "article".into(),
            rows: vec![Row { table: 0, cells, ..Default::default() }],
            problems: vec![problem],
            ..Default::default()
        };
        let mut rows = RowsBuilder::default();
        rows.page(&tables, Some("a"), None, &record);
        let batch = rows.finish();
        assert!(rows.is_empty());
        let column = |name: &str| batch.column_by_name(name).unwrap();
        let names: Vec<_> = column("table").as_string::<i32>().iter().flatten().collect();
        assert_eq!(names, ["_pages", "book", "_problems"]);
        let map = column("values").as_map().value(1);
        let (keys, values) = (map.column(0).as_string::<i32>(), map.column(1).as_string::<i32>());
        let pairs: Vec<(&str, &str)> = (0..map.len()).map(|at| (keys.value(at), values.value(at))).collect();
        assert_eq!(pairs, [("price", "3.5"), ("price_currency", "GBP"), ("day", "2026-11-15")]);
        assert_eq!(column("cells").as_list::<i32>().value(1).len(), 3);
        let mut bare = RowsBuilder::without_cells();
        bare.page(&tables, Some("a"), None, &record);
        let bare = bare.finish();
        assert_eq!(bare.column_by_name("values").unwrap(), column("values"));
        assert_eq!(bare.column_by_name("cells").unwrap().as_list::<i32>().value(1).len(), 0);
        assert_eq!(page_key("http://a/1", "r"), page_key("http://a/1", "r"));
        assert_ne!(page_key("http://a/1", "r"), page_key("http://a/1", "s"));
    }
}
