//! Columns that stand under each other.

use super::text::{fit, printable, width};

/// Blanks between columns.
const GAP: usize = 2;
/// A column that has less room than this is left out.
const LEAST: usize = 8;

/// Rows of text with a heading, laid out for a terminal.
pub(crate) struct Grid {
    columns: Vec<Column>,
    rows: usize,
}

struct Column {
    heading: String,
    values: Vec<String>,
    is_right: bool,
    most: usize,
}

impl Grid {
    pub(crate) fn new(rows: usize) -> Grid {
        Grid { columns: Vec::new(), rows }
    }

    /// Adds a column that is at most `most` wide.
    pub(crate) fn text(
        &mut self,
        heading: &str,
        most: usize,
        values: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> &mut Self {
        let values = values.into_iter().map(|value| printable(value.as_ref())).collect();
        self.columns.push(Column { heading: printable(heading), values, is_right: false, most });
        self
    }

    /// Adds a column of numbers.
    pub(crate) fn numbers(
        &mut self,
        heading: &str,
        values: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> &mut Self {
        self.text(heading, usize::MAX, values);
        if let Some(column) = self.columns.last_mut() {
            column.is_right = true;
        }
        self
    }

    /// The lines, the heading first, and how many columns found no room.
    pub(crate) fn lines(&self, indent: usize, room: usize) -> (Vec<String>, usize) {
        let mut lines = vec![" ".repeat(indent); self.rows + 1];
        let mut used = indent;
        let mut shown = 0;
        for column in &self.columns {
            let gap = if shown == 0 { 0 } else { GAP };
            let widest = column.cells().map(width).max().unwrap_or(0).min(column.most);
            let left = room.saturating_sub(used + gap);
            if left < widest.min(LEAST) && shown > 0 {
                break;
            }
            let wide = widest.min(left.max(1));
            for (line, cell) in lines.iter_mut().zip(column.cells()) {
                let cell = fit(cell, wide);
                let pad = " ".repeat(wide - width(&cell).min(wide));
                line.push_str(&" ".repeat(gap));
                let (before, after) = if column.is_right { (pad.as_str(), "") } else { ("", pad.as_str()) };
                line.push_str(&format!("{before}{cell}{after}"));
            }
            used += gap + wide;
            shown += 1;
        }
        for line in &mut lines {
            line.truncate(line.trim_end().len());
        }
        (lines, self.columns.len() - shown)
    }
}

impl Column {
    fn cells(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.heading.as_str()).chain(self.values.iter().map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_each_other_and_the_rest_is_counted() {
        let mut grid = Grid::new(2);
        grid.text("name", 6, ["tea", "a long name"]).numbers("n", ["1", "23"]);
        grid.text("note", 20, ["plain", "安静的港湾"]).text("more", 20, ["x", "y"]);
        let (lines, left_out) = grid.lines(2, 25);
        assert_eq!(lines, ["  name     n  note", "  tea      1  plain", "  a lon…  23  安静的港湾"]);
        assert_eq!(left_out, 1);
    }

    #[test]
    fn the_first_column_is_shown_however_little_room_there_is() {
        let mut grid = Grid::new(1);
        grid.text("heading", 20, ["value"]).text("next", 20, ["z"]);
        assert_eq!(grid.lines(0, 3), (vec!["he…".to_owned(), "va…".to_owned()], 1));
    }
}
