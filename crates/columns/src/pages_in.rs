//! Pages from batches that somebody else made.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use thiserror::Error;
use unsite_acquire::read_layout;
use unsite_dom::{Moment, Problem, ProblemKind, RawPage};

/// What is said of a page without anything on it.
pub const EMPTY: &str = "the page is empty or missing; leave it out, or fetch it again";

/// Which columns of a batch hold what. The names of the columns, where they are not the usual ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageColumns {
    /// The address.
    pub url: String,
    /// The page: text, or bytes in the encoding that `charset` or the page itself names.
    pub html: String,
}

impl Default for PageColumns {
    fn default() -> Self {
        PageColumns { url: "url".into(), html: "html".into() }
    }
}

/// A batch without the columns of pages.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WrongColumns {
    /// A column is missing.
    #[error("the table has no column {name:?}; its columns are {there}. Rename one, or name it: {hint}")]
    Missing {
        /// What it should be called.
        name: String,
        /// What there is.
        there: String,
        /// How to say it.
        hint: &'static str,
    },
    /// A column holds something else.
    #[error("column {name:?} holds {found}, not text or bytes; cast it, or name another column")]
    Kind {
        /// The column.
        name: String,
        /// Its type.
        found: String,
    },
}

/// Reads the pages of one batch.
pub struct PageBatches {
    rows: usize,
    url: ArrayRef,
    html: ArrayRef,
    reference: Option<ArrayRef>,
    charset: Option<ArrayRef>,
    status: Option<ArrayRef>,
    offset: Option<ArrayRef>,
    captured: Option<ArrayRef>,
    layout: Option<ArrayRef>,
    problem: Option<ArrayRef>,
    message: Option<ArrayRef>,
    next: usize,
}

impl PageBatches {
    /// Finds the columns. Those besides address and page need not be there: `reference`, `charset`, `status`, `offset`,
    /// `captured`, `layout`, and `problem` with `message` of what was read before and is no page.
    pub fn new(batch: &RecordBatch, columns: &PageColumns) -> Result<PageBatches, WrongColumns> {
        let required = |name: &str, hint: &'static str| {
            let schema = batch.schema();
            let there = || schema.fields().iter().map(|f| f.name().as_str()).collect::<Vec<_>>().join(", ");
            let missing = || WrongColumns::Missing { name: name.to_owned(), there: there(), hint };
            let column = batch.column_by_name(name).ok_or_else(missing)?;
            match is_text(column) {
                true => Ok(column.clone()),
                false => {
                    Err(WrongColumns::Kind { name: name.to_owned(), found: column.data_type().to_string() })
                }
            }
        };
        let optional = |name: &str| batch.column_by_name(name).cloned();
        Ok(PageBatches {
            rows: batch.num_rows(),
            url: required(&columns.url, "url=\"...\"")?,
            html: required(&columns.html, "html=\"...\"")?,
            reference: optional("reference"),
            charset: optional("charset"),
            status: optional("status"),
            offset: optional("offset"),
            captured: optional("captured"),
            layout: optional("layout"),
            problem: optional("problem"),
            message: optional("message"),
            next: 0,
        })
    }

    fn read(&self, at: usize) -> Result<RawPage, Problem> {
        let text = |column: &Option<ArrayRef>| column.as_ref().and_then(|column| text(column, at));
        let number = |column: &Option<ArrayRef>| column.as_ref().and_then(|column| number(column, at));
        let url = self::text(&self.url, at).unwrap_or_default();
        let reference = text(&self.reference).unwrap_or_else(|| url.clone());
        let offset = number(&self.offset).and_then(|offset| u64::try_from(offset).ok());
        let problem = |kind, message: String| Problem {
            kind,
            reference: reference.clone(),
            url: Some(url.clone()).filter(|url| !url.is_empty()),
            offset,
            message,
        };
        if let Some(kind) = text(&self.problem) {
            let kind = ProblemKind::ALL.into_iter().find(|known| known.name() == kind);
            let message = text(&self.message).unwrap_or_default();
            return Err(problem(kind.unwrap_or(ProblemKind::Unreadable), message));
        }
        let Some((bytes, is_text)) = bytes(&self.html, at).filter(|(bytes, _)| !bytes.is_empty()) else {
            return Err(problem(ProblemKind::Unreadable, EMPTY.to_owned()));
        };
        // Text of a program is Unicode, whatever the page inside says about its encoding.
        let charset = if is_text { Some("utf-8".to_owned()) } else { text(&self.charset) };
        Ok(RawPage {
            bytes: bytes.to_vec(),
            charset,
            status: number(&self.status).and_then(|status| u16::try_from(status).ok()),
            captured: text(&self.captured).and_then(|moment| Moment::parse(&moment)),
            layout: self.layout.as_ref().and_then(|column| bytes_of(column, at)).and_then(read_layout),
            offset,
            url,
            reference,
        })
    }
}

impl Iterator for PageBatches {
    type Item = Result<RawPage, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.next;
        (at < self.rows).then(|| {
            self.next += 1;
            self.read(at)
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rows - self.next, Some(self.rows - self.next))
    }
}

fn is_text(column: &ArrayRef) -> bool {
    use DataType::{Binary, BinaryView, LargeBinary, LargeUtf8, Null, Utf8, Utf8View};
    matches!(column.data_type(), Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView | Null)
}

/// The bytes of a value, and whether they are text.
fn bytes(column: &ArrayRef, at: usize) -> Option<(&[u8], bool)> {
    if column.is_null(at) {
        return None;
    }
    Some(match column.data_type() {
        DataType::Utf8 => (column.as_string::<i32>().value(at).as_bytes(), true),
        DataType::LargeUtf8 => (column.as_string::<i64>().value(at).as_bytes(), true),
        DataType::Utf8View => (column.as_string_view().value(at).as_bytes(), true),
        DataType::Binary => (column.as_binary::<i32>().value(at), false),
        DataType::LargeBinary => (column.as_binary::<i64>().value(at), false),
        DataType::BinaryView => (column.as_binary_view().value(at), false),
        _ => return None,
    })
}

fn bytes_of(column: &ArrayRef, at: usize) -> Option<&[u8]> {
    bytes(column, at).map(|(bytes, _)| bytes)
}

fn text(column: &ArrayRef, at: usize) -> Option<String> {
    if let DataType::Timestamp(unit, _) = column.data_type() {
        return (!column.is_null(at)).then(|| timestamp(column, *unit, at)).flatten();
    }
    let bytes = bytes_of(column, at)?;
    Some(String::from_utf8_lossy(bytes).into_owned())
}

/// A point in time as WARC files write it.
fn timestamp(column: &ArrayRef, unit: TimeUnit, at: usize) -> Option<String> {
    let seconds = match unit {
        TimeUnit::Second => column.as_primitive::<TimestampSecondType>().value(at),
        TimeUnit::Millisecond => {
            column.as_primitive::<TimestampMillisecondType>().value(at).div_euclid(1_000)
        }
        TimeUnit::Microsecond => {
            column.as_primitive::<TimestampMicrosecondType>().value(at).div_euclid(1_000_000)
        }
        TimeUnit::Nanosecond => {
            column.as_primitive::<TimestampNanosecondType>().value(at).div_euclid(1_000_000_000)
        }
    };
    let (year, month, day) = crate::rows::civil(i32::try_from(seconds.div_euclid(86_400)).ok()?);
    let of_day = seconds.rem_euclid(86_400);
    Some(format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        of_day / 3600,
        of_day / 60 % 60,
        of_day % 60
    ))
}

fn number(column: &ArrayRef, at: usize) -> Option<i64> {
    if column.is_null(at) {
        return None;
    }
    Some(match column.data_type() {
        DataType::Int8 => column.as_primitive::<Int8Type>().value(at).into(),
        DataType::Int16 => column.as_primitive::<Int16Type>().value(at).into(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(at).into(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(at),
        DataType::UInt8 => column.as_primitive::<UInt8Type>().value(at).into(),
        DataType::UInt16 => column.as_primitive::<UInt16Type>().value(at).into(),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(at).into(),
        DataType::UInt64 => i64::try_from(column.as_primitive::<UInt64Type>().value(at)).ok()?,
        DataType::Utf8 => column.as_string::<i32>().value(at).parse().ok()?,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{Int32Array, StringArray};
    use arrow_schema::{Field, Schema};

    use super::*;
    use crate::PagesBuilder;

    #[test]
    fn what_goes_out_comes_in_again() {
        let page = RawPage {
            url: "http://a/1".into(),
            reference: "r".into(),
            bytes: vec![0xe9, b'<', b'p', b'>'],
            charset: Some("latin1".into()),
            status: Some(200),
            offset: Some(17),
            captured: Moment::parse("2026-11-15T08:00:00Z"),
            layout: Some(unsite_dom::Layout { width: 9, texts: Vec::new() }),
        };
        let problem = Problem {
            kind: ProblemKind::Truncated,
            reference: "s".into(),
            url: None,
            offset: Some(3),
            message: "cut".into(),
        };
        let items = [Ok(page), Err(problem)];
        let mut out = PagesBuilder::default();
        items.iter().for_each(|item| out.push(item));
        assert_eq!(out.len(), 2);
        let again: Vec<_> = PageBatches::new(&out.finish(), &PageColumns::default()).unwrap().collect();
        assert_eq!(again, items);
    }

    #[test]
    fn wrong_columns_are_named_and_missing_pages_are_problems() {
        let batch = |name: &str, column: ArrayRef| {
            let url: ArrayRef = Arc::new(StringArray::from(vec![Some("http://a/1"), None]));
            let fields = vec![
                Field::new("url", DataType::Utf8, true),
                Field::new(name, column.data_type().clone(), true),
            ];
            RecordBatch::try_new(Arc::new(Schema::new(fields)), vec![url, column]).unwrap()
        };
        let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("<p>x"), None]));
        let said = |batch: &RecordBatch, columns: &PageColumns| {
            PageBatches::new(batch, columns).map(drop).unwrap_err().to_string()
        };
        let usual = PageColumns::default();
        let message = said(&batch("content", texts.clone()), &usual);
        assert!(message.contains("\"html\"") && message.contains("url, content"), "{message}");
        let message = said(&batch("html", Arc::new(Int32Array::from(vec![1, 2]))), &usual);
        assert!(message.contains("Int32"), "{message}");
        let named = PageColumns { html: "content".into(), ..usual };
        let pages: Vec<_> = PageBatches::new(&batch("content", texts), &named).unwrap().collect();
        let page = pages[0].as_ref().unwrap();
        assert_eq!((page.bytes.as_slice(), page.charset.as_deref()), (&b"<p>x"[..], Some("utf-8")));
        assert_eq!(pages[1].as_ref().unwrap_err().kind, ProblemKind::Unreadable);
    }
}
