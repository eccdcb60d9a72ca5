//! A staged page as bytes: lengths as variable-length integers, text as UTF-8. Places of values stand behind everything
//! else, as numbers of paths.

use rustc_hash::FxHashMap;
use unsite_wrapper::{PageRecord, Row};
use xxhash_rust::xxh3::xxh3_64;

/// Paths that get numbers. A template site has thousands; beyond this they stand as they are.
const NUMBERED: usize = 200_000;

/// The numbers of paths, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct PathNumbers {
    known: FxHashMap<Box<str>, usize>,
    /// Those that have a number since they were last asked for.
    pub(crate) new: Vec<String>,
}

impl PathNumbers {
    fn number(&mut self, path: &str) -> Option<usize> {
        if let Some(&number) = self.known.get(path) {
            return Some(number);
        }
        let number = self.known.len();
        if number == NUMBERED {
            return None;
        }
        self.known.insert(path.into(), number);
        self.new.push(path.to_owned());
        Some(number)
    }
}

/// Where a staged value stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum StagedPath<'a> {
    Number(usize),
    Text(&'a str),
}

/// A staged page, its text still in the staged bytes.
#[derive(Debug, PartialEq)]
pub(crate) struct StagedPage<'a> {
    pub(crate) page_type: Option<usize>,
    pub(crate) role: &'a str,
    pub(crate) index_score: f64,
    pub(crate) problems: usize,
    pub(crate) rows: Vec<StagedRow<'a>>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct StagedRow<'a> {
    pub(crate) table: usize,
    pub(crate) parent: Option<usize>,
    /// The address that it is known by.
    pub(crate) key: Option<&'a str>,
    /// Seen through a list on another page.
    pub(crate) is_view: bool,
    pub(crate) cells: Vec<StagedCell<'a>>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct StagedCell<'a> {
    pub(crate) column: usize,
    pub(crate) value: &'a str,
    pub(crate) typed: Option<&'a str>,
    pub(crate) beside: Option<&'a str>,
    pub(crate) path: StagedPath<'a>,
    pub(crate) is_copy: bool,
}

/// Writes everything but URL, reference and fingerprint, which are staged beside it, with `rows` for the page's own.
/// `key_of` is the address that a row is known by. Gives a hash that does not depend on the numbers of paths.
pub(crate) fn encode<'r>(
    page: &PageRecord,
    rows: &'r [Row],
    problems: usize,
    key_of: impl Fn(&'r Row) -> Option<&'r str>,
    paths: &mut PathNumbers,
    out: &mut Vec<u8>,
) -> u64 {
    put_option(out, page.page_type);
    put_text(out, &page.role);
    out.extend_from_slice(&page.index_score.to_bits().to_le_bytes());
    put_number(out, problems);
    put_number(out, rows.len());
    for row in rows {
        put_number(out, row.table);
        put_option(out, row.parent);
        put_optional_text(out, key_of(row));
        put_number(out, usize::from(row.is_view));
        put_number(out, row.cells.len());
        for cell in &row.cells {
            put_number(out, cell.column);
            put_text(out, &cell.value);
            put_optional_text(out, cell.typed());
            put_optional_text(out, cell.beside.as_deref());
            put_number(out, usize::from(cell.is_copy));
        }
    }
    let mut hash = xxh3_64(out);
    for cell in rows.iter().flat_map(|row| &row.cells) {
        hash = hash.rotate_left(5) ^ xxh3_64(cell.path.as_bytes());
        let number = paths.number(&cell.path);
        put_option(out, number);
        if number.is_none() {
            put_text(out, &cell.path);
        }
    }
    hash
}

/// Reads what [`encode`] wrote; `None` if the bytes are something else.
pub(crate) fn decode(bytes: &[u8]) -> Option<StagedPage<'_>> {
    let mut rest = bytes;
    let rest = &mut rest;
    let page_type = take_option(rest)?;
    let role = take_text(rest)?;
    let (score, tail) = rest.split_first_chunk::<8>()?;
    *rest = tail;
    let index_score = f64::from_bits(u64::from_le_bytes(*score));
    let problems = take_number(rest)?;
    let mut rows = (0..take_number(rest)?).map(|_| take_row(rest)).collect::<Option<Vec<_>>>()?;
    for cell in rows.iter_mut().flat_map(|row: &mut StagedRow<'_>| &mut row.cells) {
        cell.path = match take_option(rest)? {
            Some(number) => StagedPath::Number(number),
            None => StagedPath::Text(take_text(rest)?),
        };
    }
    rest.is_empty().then_some(StagedPage { page_type, role, index_score, problems, rows })
}

fn take_row<'a>(rest: &mut &'a [u8]) -> Option<StagedRow<'a>> {
    let table = take_number(rest)?;
    let parent = take_option(rest)?;
    let key = take_optional_text(rest)?;
    let is_view = take_number(rest)? == 1;
    let cells = (0..take_number(rest)?).map(|_| take_cell(rest)).collect::<Option<_>>()?;
    Some(StagedRow { table, parent, key, is_view, cells })
}

fn take_cell<'a>(rest: &mut &'a [u8]) -> Option<StagedCell<'a>> {
    let column = take_number(rest)?;
    let value = take_text(rest)?;
    let (typed, beside) = (take_optional_text(rest)?, take_optional_text(rest)?);
    let is_copy = take_number(rest)? == 1;
    Some(StagedCell { column, value, typed, beside, path: StagedPath::Text(""), is_copy })
}

pub(super) fn put_number(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub(super) fn take_number(rest: &mut &[u8]) -> Option<usize> {
    let mut number = 0usize;
    for shift in (0..usize::BITS).step_by(7) {
        let (&byte, tail) = rest.split_first()?;
        *rest = tail;
        number |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn put_option(out: &mut Vec<u8>, number: Option<usize>) {
    put_number(out, number.map_or(0, |n| n + 1));
}

fn take_option(rest: &mut &[u8]) -> Option<Option<usize>> {
    Some(take_number(rest)?.checked_sub(1))
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

fn put_optional_text(out: &mut Vec<u8>, text: Option<&str>) {
    put_number(out, usize::from(text.is_some()));
    if let Some(text) = text {
        put_text(out, text);
    }
}

fn take_optional_text<'a>(rest: &mut &'a [u8]) -> Option<Option<&'a str>> {
    Some(if take_number(rest)? == 1 { Some(take_text(rest)?) } else { None })
}

fn take_text<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let length = take_number(rest)?;
    let (text, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    std::str::from_utf8(text).ok()
}

#[cfg(test)]
mod tests {
    use unsite_wrapper::{Cell, Typed};

    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        let cell = Cell {
            column: 300,
            value: "a\0😀".into(),
            typed: Typed::As(String::new()),
            beside: Some("EUR".into()),
            path: "html/p[2]".into(),
            is_copy: true,
        };
        let key = Some("https://a.example/".to_owned());
        let rows = vec![
            Row { table: 2, cells: vec![cell, Cell::default()], key, is_view: true, ..Row::default() },
            Row { parent: Some(0), ..Row::default() },
        ];
        let page = PageRecord {
            page_type: Some(7),
            role: "index".into(),
            index_score: -0.5,
            rows,
            ..Default::default()
        };
        let (mut bytes, mut paths) = (Vec::new(), PathNumbers::default());
        let hash = encode(&page, &page.rows, 3, |row| row.key.as_deref(), &mut paths, &mut bytes);
        let staged = decode(&bytes).unwrap();
        assert_eq!(
            (staged.page_type, staged.role, staged.index_score, staged.problems),
            (Some(7), "index", -0.5, 3)
        );
        let first = &staged.rows[0].cells[0];
        assert_eq!(
            (first.column, first.value, first.typed, first.beside, first.path),
            (300, "a\0😀", Some(""), Some("EUR"), StagedPath::Number(0))
        );
        assert_eq!(paths.new, ["html/p[2]", ""]);
        let mut others = PathNumbers::default();
        others.number("html");
        let again = encode(&page, &page.rows, 3, |row| row.key.as_deref(), &mut others, &mut Vec::new());
        assert_eq!(again, hash);
        assert_eq!(staged.rows[0].cells[1].typed, None);
        assert_eq!((staged.rows[0].key, staged.rows[0].is_view), (Some("https://a.example/"), true));
        assert_eq!((staged.rows[1].key, staged.rows[1].is_view), (None, false));
        assert!(first.is_copy && !staged.rows[0].cells[1].is_copy);
        assert_eq!((staged.rows[1].table, staged.rows[1].parent), (0, Some(0)));
        for cut in 0..bytes.len() {
            assert_eq!(decode(&bytes[..cut]), None, "cut at {cut}");
        }
    }
}
