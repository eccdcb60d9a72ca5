//! Header lines as WARC and HTTP share them: `Name: value`, folded lines, an empty line at the end.

use std::io::BufRead;

/// A header longer than this is not a header. Cookies and policies make real ones as large as 30 KiB.
pub(crate) const LONGEST_HEADER: usize = 256 << 10;

/// A first line and the fields below it, names in lower case.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub(crate) first_line: String,
    fields: Vec<(String, String)>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FieldsEnd {
    Complete,
    TooLong,
    EndOfInput,
    Failed,
}

impl Fields {
    /// The first field of that name, which is given in lower case.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// All values of that name, as one list.
    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        let values =
            self.fields.iter().filter(|(key, _)| key == name).flat_map(|(_, value)| value.split(','));
        values.map(|value| value.trim().to_ascii_lowercase()).filter(|value| !value.is_empty()).collect()
    }

    fn add(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        if text.starts_with([' ', '\t']) {
            if let Some((_, value)) = self.fields.last_mut() {
                value.push(' ');
                value.push_str(text.trim());
            }
        } else if let Some((name, value)) = text.split_once(':') {
            self.fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
}

/// Reads up to and including the empty line. Lines without a colon are passed over: old servers send such.
pub(crate) fn read_fields(reader: &mut impl BufRead, with_first_line: bool) -> (Fields, FieldsEnd) {
    let mut fields = Fields::default();
    let mut budget = LONGEST_HEADER;
    let mut first = with_first_line;
    loop {
        let mut line = Vec::new();
        match read_line(reader, &mut line, &mut budget) {
            FieldsEnd::Complete => {}
            other => return (fields, other),
        }
        if first {
            fields.first_line = String::from_utf8_lossy(line.trim_ascii()).into_owned();
            first = false;
        } else if line.is_empty() {
            return (fields, FieldsEnd::Complete);
        } else {
            fields.add(&line);
        }
    }
}

/// One line without its end, within what is left of the budget.
pub(crate) fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>, budget: &mut usize) -> FieldsEnd {
    loop {
        let Ok(buffer) = reader.fill_buf() else { return FieldsEnd::Failed };
        if buffer.is_empty() {
            return FieldsEnd::EndOfInput;
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        if used > *budget {
            return FieldsEnd::TooLong;
        }
        *budget -= used;
        line.extend_from_slice(&buffer[..end.unwrap_or(used)]);
        reader.consume(used);
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return FieldsEnd::Complete;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_lines_and_repeated_fields() {
        let mut text = &b"HTTP/1.1 200 OK\r\nA: one\r\n two\nnonsense\nB: x, Y\r\nb: z\r\n\r\nbody"[..];
        let (fields, end) = read_fields(&mut text, true);
        assert_eq!(end, FieldsEnd::Complete);
        assert_eq!(fields.first_line, "HTTP/1.1 200 OK");
        assert_eq!(fields.get("a"), Some("one two"));
        assert_eq!(fields.list("b"), ["x", "y", "z"]);
        assert_eq!(text, b"body");
    }

    #[test]
    fn endless_headers_end() {
        let mut text = std::io::BufReader::new(std::io::repeat(b'a'));
        assert_eq!(read_fields(&mut text, true).1, FieldsEnd::TooLong);
        let mut text = &b"no end"[..];
        assert_eq!(read_fields(&mut text, true).1, FieldsEnd::EndOfInput);
    }
}
