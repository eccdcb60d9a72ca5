//! What CSS can say: elements by tag and names, one below the other.

use super::plan::{Frame, How, LeftOut, PagePlan, ReadPlan};
use super::steps::Piece;

const REASON: &str = "CSS has no way to say it (labels, places, what is inside); --to xpath does";

/// Leaves out what CSS cannot say. A column that is read in several places goes as a whole.
pub(super) fn keep_expressible(page: &mut PagePlan, left_out: &mut Vec<LeftOut>) {
    let table = page.table.clone().unwrap_or_default();
    keep(&mut page.own, &table, left_out);
}

fn keep(frame: &mut Frame, table: &str, left_out: &mut Vec<LeftOut>) {
    let mut leave = |table: &str, column: &str| {
        left_out.push(LeftOut {
            table: table.to_owned(),
            column: column.to_owned(),
            reason: REASON.to_owned(),
        });
    };
    frame.columns.retain(|column| {
        let is_said = column.reads.iter().all(is_css);
        if !is_said {
            leave(table, &column.name);
        }
        is_said
    });
    frame.lists.retain(|list| {
        let is_said = list.rows.iter().all(|row| {
            css(&row.path, true).is_some() && row.inner.iter().all(|path| css(path, false).is_some())
        });
        if !is_said {
            leave(&list.table, "");
        }
        is_said
    });
    for list in &mut frame.lists {
        for row in &mut list.rows {
            keep(&mut row.own, &list.table, left_out);
        }
    }
}

fn is_css(read: &ReadPlan) -> bool {
    let in_head = |how: &How| matches!(how, How::Head(_) | How::Data(_) | How::Address);
    let in_reading_order = |how: &How| matches!(how, How::Behind(..));
    if in_reading_order(&read.how) || matches!(&read.how, How::Part(whole, ..) if in_reading_order(whole)) {
        return false;
    }
    in_head(&read.how)
        || matches!(&read.how, How::Part(whole, ..) if in_head(whole))
        || css(&read.path, true).is_some()
}

/// A path as a CSS selector: of a page from its top, of a row from the row itself, which is `:scope`.
pub(super) fn css(path: &[Piece], is_page: bool) -> Option<String> {
    let mut steps: Vec<String> = if is_page { Vec::new() } else { vec![":scope".to_owned()] };
    let mut texts = "";
    for piece in path {
        match piece {
            Piece::Elements { css, .. } if texts.is_empty() => steps.push(css.clone()?),
            Piece::Texts if texts.is_empty() => texts = "::text",
            // Only that there is something in it; what is empty gives no value.
            Piece::Condition(condition) if condition.starts_with("[normalize-space() or") => {}
            _ => return None,
        }
    }
    Some(steps.join(" > ") + texts)
}
