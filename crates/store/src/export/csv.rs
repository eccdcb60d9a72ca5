//! Comma separated values as RFC 4180 has them: a header, lines that end in CR LF, quotes where needed. An empty text is
//! a pair of quotes, NULL is nothing at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::RowWriter;
use crate::plan::Relation;

pub(super) struct CsvWriter {
    out: BufWriter<File>,
    guard_formulas: bool,
    width: usize,
}

impl CsvWriter {
    pub(super) fn new(
        out: BufWriter<File>,
        relation: &Relation,
        guard_formulas: bool,
    ) -> io::Result<CsvWriter> {
        let mut writer = CsvWriter { out, guard_formulas, width: relation.fields.len() };
        for (at, field) in relation.fields.iter().enumerate() {
            writer.comma(at)?;
            writer.text(field.name.as_bytes())?;
        }
        writer.out.write_all(b"\r\n")?;
        Ok(writer)
    }

    fn comma(&mut self, at: usize) -> io::Result<()> {
        if at > 0 { self.out.write_all(b",") } else { Ok(()) }
    }

    fn text(&mut self, text: &[u8]) -> io::Result<()> {
        if !text.is_empty() && !text.iter().any(|byte| matches!(byte, b',' | b'"' | b'\r' | b'\n')) {
            return self.out.write_all(text);
        }
        self.out.write_all(b"\"")?;
        for (at, piece) in text.split(|byte| *byte == b'"').enumerate() {
            if at > 0 {
                self.out.write_all(b"\"\"")?;
            }
            self.out.write_all(piece)?;
        }
        self.out.write_all(b"\"")
    }
}

impl RowWriter for CsvWriter {
    fn row(&mut self, row: &Row<'_>) -> io::Result<()> {
        for at in 0..self.width {
            self.comma(at)?;
            match row.get_ref(at).map_err(io::Error::other)? {
                ValueRef::Null => {}
                ValueRef::Integer(n) => write!(self.out, "{n}")?,
                ValueRef::Real(x) => serde_json::to_writer(&mut self.out, &x)?,
                ValueRef::Text(text) | ValueRef::Blob(text) if self.guard_formulas && is_formula(text) => {
                    self.text(&[b"'", text].concat())?;
                }
                ValueRef::Text(text) | ValueRef::Blob(text) => self.text(text)?,
            }
        }
        self.out.write_all(b"\r\n")
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether a spreadsheet would take the text for a formula. Plain numbers are none, whatever their sign.
fn is_formula(text: &[u8]) -> bool {
    let plain =
        |rest: &[u8]| !rest.is_empty() && rest.iter().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','));
    match text {
        [b'+' | b'-', rest @ ..] => !plain(rest),
        [b'=' | b'@' | b'\t' | b'\r', ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_formula;

    #[test]
    fn formulas_are_told_from_numbers() {
        for text in ["=1+1", "+A1", "-cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "-", "+"] {
            assert!(is_formula(text.as_bytes()), "{text}");
        }
        for text in ["", "-3.5", "+1,200", "a=b", "3-4", "'=1"] {
            assert!(!is_formula(text.as_bytes()), "{text}");
        }
    }
}
