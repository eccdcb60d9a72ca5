//! Comma separated values as RFC 4180 has them: a header, lines that end in CR LF, quotes where needed.

use std::fs::File;
use std::io::{self, BufWriter};

use csv::{Terminator, Writer, WriterBuilder};
use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::RowWriter;

pub(crate) struct CsvWriter {
    out: Writer<BufWriter<File>>,
    guard_formulas: bool,
    width: usize,
}

impl CsvWriter {
    pub(crate) fn new(out: BufWriter<File>, guard_formulas: bool) -> CsvWriter {
        let out = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out);
        CsvWriter { out, guard_formulas, width: 0 }
    }
}

impl RowWriter for CsvWriter {
    fn header(&mut self, names: &[&str]) -> io::Result<()> {
        self.width = names.len();
        Ok(self.out.write_record(names)?)
    }

    fn row(&mut self, row: &Row<'_>) -> io::Result<()> {
        for index in 0..self.width {
            match row.get_ref(index).map_err(io::Error::other)? {
                ValueRef::Null => self.out.write_field("")?,
                ValueRef::Integer(n) => self.out.write_field(n.to_string())?,
                ValueRef::Real(x) => self.out.write_field(serde_json::to_string(&x)?)?,
                ValueRef::Text(text) | ValueRef::Blob(text) => {
                    if self.guard_formulas && is_formula(text) {
                        self.out.write_field([b"'", text].concat())?;
                    } else {
                        self.out.write_field(text)?;
                    }
                }
            }
        }
        Ok(self.out.write_record(None::<&[u8]>)?)
    }

    fn flush(&mut self) -> io::Result<()> {
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
