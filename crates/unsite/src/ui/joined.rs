//! Which rows were joined, for people and for programs.

use serde_json::{Value, json};
use unsite::pipeline::Joined;

use super::text::{counted, number, printable};

/// One line for each joined table.
pub(crate) fn joined_text(joined: &[Joined]) -> String {
    if joined.is_empty() {
        return "Joined nothing: no table repeats what identifies the rows of another\n".to_owned();
    }
    let mut out = "Joined by their values (in _same):\n".to_owned();
    for one in joined {
        let columns: Vec<String> = one.columns.iter().map(|(a, b)| format!("{a} = {b}")).collect();
        out += &format!(
            "  {} of {} rows of {} to {}: {} by a link, {} by {}",
            number((one.by_link + one.by_values) as u64),
            number(one.rows),
            printable(&one.table),
            printable(&one.to),
            number(one.by_link as u64),
            number(one.by_values as u64),
            printable(&columns.join(", ")),
        );
        if one.compared > 0 {
            let links = counted(one.compared as u64, "link");
            out += &format!("; the values agree with {} of {links}", number(one.agreed as u64));
        }
        out.push('\n');
    }
    out
}

/// The same for programs.
pub(crate) fn joined_json(joined: &[Joined]) -> Value {
    let one = |one: &Joined| {
        json!({
            "table": one.table, "to": one.to, "columns": one.columns, "rows": one.rows, "by_link": one.by_link,
            "by_values": one.by_values, "links_compared": one.compared, "links_agreed": one.agreed,
        })
    };
    joined.iter().map(one).collect()
}
