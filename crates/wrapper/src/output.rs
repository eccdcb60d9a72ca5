//! What extraction hands to a store: the schema once, then one [`PageRecord`] a page.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use unsite_dom::{Moment, Problem};

use crate::routes::Route;

/// The tables of a site. Known before the first row is written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    /// The kinds of pages.
    pub page_types: Vec<PageTypeInfo>,
    /// The relations, parents before their children.
    pub tables: Vec<TableInfo>,
}

/// One kind of page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageTypeInfo {
    /// A name people understand, unique in the site.
    pub name: String,
    /// How many of the pages it was learned from are of this type.
    pub pages: usize,
    /// `index`, `article`, `search`, `no-match`, `error` or `other`.
    pub role: String,
    /// The URLs of its pages with `*` for what varies.
    pub url_pattern: String,
    /// How sure the clustering is, 0 to 1.
    pub confidence: f64,
}

/// One relation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TableInfo {
    /// snake_case, unique in the site.
    pub name: String,
    /// Index into [`Schema::page_types`].
    pub page_type: usize,
    /// Further page types whose pages have rows of it, sorted: lists of one kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_on: Vec<usize>,
    /// For a list inside a page: the index in [`Schema::tables`] of the table that holds the row of that page
    /// (or of the enclosing list). `None` for a table with one row a page, and for a list on pages of several types.
    pub parent: Option<usize>,
    /// The columns in page order; those that are not shown stand last.
    pub columns: Vec<ColumnInfo>,
    /// What it is to the database behind the site.
    #[serde(default, skip_serializing_if = "TableKind::is_entity")]
    pub kind: TableKind,
    /// Why it is that, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// For rows that are known by an address: the column that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<usize>,
    /// Its rows are the values of one fact of the row they belong to, which may have several: tags, authors.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_fact: bool,
}

/// What a table is to the database behind the site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableKind {
    /// Things that the site is about.
    #[default]
    Entity,
    /// Which things belong together.
    Relation,
    /// Things of another table, shown again.
    View,
    /// What frames the site: menus, paging, facts of lists.
    Template,
}

impl TableKind {
    /// The word that stands for it in outputs.
    pub fn name(self) -> &'static str {
        match self {
            TableKind::Entity => "entity",
            TableKind::Relation => "relation",
            TableKind::View => "view",
            TableKind::Template => "template",
        }
    }

    fn is_entity(&self) -> bool {
        *self == TableKind::Entity
    }
}

impl TableInfo {
    /// Is it shown? Views and what frames the site are kept out of sight.
    pub fn is_shown(&self) -> bool {
        matches!(self.kind, TableKind::Entity | TableKind::Relation)
    }

    /// The columns that are shown.
    pub fn shown(&self) -> &[ColumnInfo] {
        let shown = self.columns.iter().position(|column| column.is_hidden);
        &self.columns[..shown.unwrap_or(self.columns.len())]
    }

    /// Can pages of this type have rows of it?
    pub fn is_on(&self, page_type: usize) -> bool {
        self.page_type == page_type || self.also_on.binary_search(&page_type).is_ok()
    }

    /// Does a page have any number of rows of it?
    pub fn is_list(&self) -> bool {
        self.parent.is_some() || !self.also_on.is_empty()
    }
}

/// One column.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ColumnInfo {
    /// snake_case, unique in its table.
    pub name: String,
    /// What its values are.
    pub value_type: ValueType,
    /// How to reach it, for people.
    pub selector: String,
    /// The constant text that introduces it, if any.
    pub label: Option<String>,
    /// How sure it is that this is one column, 0 to 1.
    pub confidence: f64,
    /// The share of the table's rows that have a value.
    pub coverage: f64,
    /// For a link: the table whose row stands for the page it leads to.
    pub references: Option<usize>,
    /// All ways to its values, the template first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub routes: Vec<Route>,
    /// Is it kept out of sight?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_hidden: bool,
    /// What it is where it is no fact of its own (`copy of book.title`, `template`), or what else tells it, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueType {
    /// Anything.
    #[default]
    Text,
    /// Whole numbers.
    Integer,
    /// Numbers with a fraction, percent sign stripped.
    Decimal,
    /// Amounts: a number, with its currency beside it.
    Money,
    /// A number with a unit: the text as it stands, with the number beside it.
    Measure,
    /// How long something takes: the text as it stands, with the seconds beside it.
    Duration,
    /// A calendar date, stored as ISO 8601.
    Date,
    /// The same, written with the day before the month where it says only numbers.
    DateDayFirst,
    /// The same, written with the month first.
    DateMonthFirst,
    /// Date and time of day, stored as ISO 8601.
    DateTime,
    /// A time of day, stored as `16:11:00`.
    Time,
    /// Yes or no, stored as 1 or 0.
    Boolean,
    /// An absolute URL.
    Url,
    /// An absolute URL of a picture.
    Image,
    /// A mail address.
    Email,
    /// A telephone number, stored as its digits.
    Phone,
}

/// What a store needs to hold the values of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// Whole numbers.
    Integer,
    /// Numbers.
    Real,
    /// Text.
    Text,
    /// A day, written as `2026-11-15`.
    Date,
}

impl ValueType {
    /// All of them.
    pub const ALL: [ValueType; 16] = [
        ValueType::Text,
        ValueType::Integer,
        ValueType::Decimal,
        ValueType::Money,
        ValueType::Measure,
        ValueType::Duration,
        ValueType::Date,
        ValueType::DateDayFirst,
        ValueType::DateMonthFirst,
        ValueType::DateTime,
        ValueType::Time,
        ValueType::Boolean,
        ValueType::Url,
        ValueType::Image,
        ValueType::Email,
        ValueType::Phone,
    ];

    /// The word that stands for it in outputs.
    pub fn name(self) -> &'static str {
        match self {
            ValueType::Text => "text",
            ValueType::Integer => "integer",
            ValueType::Decimal => "decimal",
            ValueType::Money => "money",
            ValueType::Measure => "measure",
            ValueType::Duration => "duration",
            ValueType::Date | ValueType::DateDayFirst | ValueType::DateMonthFirst => "date",
            ValueType::DateTime => "datetime",
            ValueType::Time => "time",
            ValueType::Boolean => "boolean",
            ValueType::Url => "url",
            ValueType::Image => "image",
            ValueType::Email => "email",
            ValueType::Phone => "phone",
        }
    }

    /// Whether its values are days, with or without a time.
    pub fn is_date(self) -> bool {
        self == ValueType::DateTime || self.storage() == Storage::Date
    }

    /// How its typed values are stored.
    pub fn storage(self) -> Storage {
        match self {
            ValueType::Integer | ValueType::Boolean => Storage::Integer,
            ValueType::Decimal | ValueType::Money => Storage::Real,
            ValueType::Date | ValueType::DateDayFirst | ValueType::DateMonthFirst => Storage::Date,
            _ => Storage::Text,
        }
    }

    /// The second value that is kept beside the typed one ([`Cell::beside`]): what its column is called behind the
    /// name of the column, and how it is stored.
    pub fn beside(self) -> Option<(&'static str, Storage)> {
        match self {
            ValueType::Money => Some(("currency", Storage::Text)),
            ValueType::Measure => Some(("number", Storage::Real)),
            ValueType::Duration => Some(("seconds", Storage::Real)),
            _ => None,
        }
    }
}

/// Everything that one page gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageRecord {
    /// The page's URL.
    pub url: String,
    /// The page's name inside its source.
    pub reference: String,
    /// A fingerprint of the bytes: tells apart two pages of one URL, whatever order they come in.
    pub fingerprint: u64,
    /// When it was captured, where the source knows.
    pub captured: Option<Moment>,
    /// Index into [`Schema::page_types`]; `None` when it fits none.
    pub page_type: Option<usize>,
    /// `index`, `article`, `search`, `no-match`, `error` or `other`.
    pub role: String,
    /// Higher is more surely an index page.
    pub index_score: f64,
    /// The rows, parents before their children.
    pub rows: Vec<Row>,
    /// The text of the article without what frames it, where it was asked for.
    pub main_text: Option<String>,
    /// What went wrong while reading it.
    pub problems: Vec<Problem>,
}

/// One row of one table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// Index into [`Schema::tables`].
    pub table: usize,
    /// Index in [`PageRecord::rows`] of the row that this one belongs to.
    pub parent: Option<usize>,
    /// The values; a column that is missing is NULL.
    pub cells: Vec<Cell>,
    /// The address of what the row is about, where rows are known by one.
    pub key: Option<String>,
    /// Seen through a list on another page: it fills what the row's own page does not say.
    pub is_view: bool,
}

/// One value where it stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cell {
    /// Index into the table's columns.
    pub column: usize,
    /// The text as it stands on the page, white space collapsed; for a link or picture the absolute URL.
    pub value: String,
    /// The value after typing, see [`Cell::typed`].
    pub typed: Typed,
    /// What is kept beside the typed value: the currency of an amount, the number of a measure.
    pub beside: Option<String>,
    /// The node it came from: `html/body/div[2]/h1`.
    pub path: String,
    /// Told again: the row has it from elsewhere too.
    pub is_copy: bool,
}

impl Cell {
    /// The value after typing, if the column's type applies to it (`1299.00` for `$1,299`).
    pub fn typed(&self) -> Option<&str> {
        match &self.typed {
            Typed::Not => None,
            Typed::AsItStands => Some(&self.value),
            Typed::As(typed) => Some(typed),
        }
    }
}

/// The value of a cell after typing.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Typed {
    /// The column's type does not apply to it.
    #[default]
    Not,
    /// What stands on the page is what the type wants, as it mostly is.
    AsItStands,
    /// What the type wants.
    As(String),
}

impl Typed {
    /// What typing gave for the value of a cell.
    pub fn of(typed: Option<Cow<'_, str>>, value: &str) -> Self {
        match typed {
            None => Typed::Not,
            Some(typed) if typed == value => Typed::AsItStands,
            Some(typed) => Typed::As(typed.into_owned()),
        }
    }
}
