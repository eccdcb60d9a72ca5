//! Lists from the outside: boxes, hits and groups.

use crate::support::learn_one_type;
use unsite_wrapper::{PageRecord, Wrapper};

/// Learns all pages as one type and gives, for each page, the rows: table name and values joined by ` | `.
fn rows(pages: &[String]) -> Vec<Vec<(String, String)>> {
    let (wrapper, records) = learn_one_type("page", pages);
    records.iter().map(|record| joined(&wrapper, record)).collect()
}

/// The rows of one page: table name and values joined by ` | `.
fn joined(wrapper: &Wrapper, record: &PageRecord) -> Vec<(String, String)> {
    let joined = |row: &unsite_wrapper::Row| {
        let values: Vec<&str> = row.cells.iter().map(|cell| cell.value.as_str()).collect();
        (wrapper.schema.tables[row.table].name.clone(), values.join(" | "))
    };
    record.rows.iter().map(joined).collect()
}

/// The rows of the table that holds a text, on one page.
fn list_with(page: &[(String, String)], text: &str) -> Vec<String> {
    let Some((table, _)) = page.iter().find(|(_, row)| row.contains(text)) else { return Vec::new() };
    page.iter().filter(|(name, _)| name == table).map(|(_, row)| row.clone()).collect()
}

#[test]
fn boxes_of_a_layout_are_no_rows_but_cards_in_boxes_are() {
    let boxed = |inside: &str| format!("<table><tr><td>{inside}</td></tr></table>");
    let page = |at: usize| {
        let cards: String = (0..3 + at % 4)
            .map(|i| {
                let n = at * 10 + i;
                boxed(&format!(
                    "{}{}",
                    boxed(&format!("<a href=/b/{n}>Book {n}</a>")),
                    boxed(&format!("by <b>Writer {n}</b>"))
                ))
            })
            .collect();
        let menu = boxed("<ul><li><a href=/>Home</a></li><li><a href=/b>Books</a></li></ul>");
        let head = boxed(&format!("<h1>Shelf {at}</h1>"));
        let foot = boxed("<p>All rights <b>reserved</b> <a href=/terms>terms</a></p>");
        boxed(&format!("{menu}{head}{}{foot}", boxed(&cards)))
    };
    for (at, page) in rows(&(0..12).map(page).collect::<Vec<_>>()).iter().enumerate() {
        let books = list_with(page, "/b/");
        assert_eq!(books.len(), 3 + at % 4, "{page:?}");
        assert!(books.iter().all(|row| row.contains("Writer")), "{page:?}");
    }
}

#[test]
fn hits_that_several_searches_show_are_not_their_own_labels() {
    let page = |at: usize| {
        let hits: String = (0..2 + 5 * (at % 3))
            .map(|i| {
                let n = (at / 2) * 40 + i;
                format!("<tr class=item><td>Item</td><td><a href=/i/{n}>Letter number {n} to a brother</a></td></tr>")
            })
            .collect();
        format!(
            "<h1>Search {at}</h1><table><thead><tr><th>Type</th><th>Title</th></tr></thead><tbody>{hits}</tbody></table>"
        )
    };
    for (at, page) in rows(&(0..6).map(page).collect::<Vec<_>>()).iter().enumerate() {
        assert_eq!(list_with(page, "/i/").len(), 2 + 5 * (at % 3), "{page:?}");
    }
}

#[test]
fn items_under_years_are_the_records() {
    let page = |at: usize| {
        let years: String = (0..3)
            .map(|year| {
                let items: String = (0..1 + (at + year) % 4)
                    .map(|i| {
                        let n = at * 100 + year * 10 + i;
                        format!("<li><a href=/n/{n}>Note {n}</a> <span>May {}</span></li>", n % 28 + 1)
                    })
                    .collect();
                format!("<div><h3>{}</h3><ul>{items}</ul></div>", 2020 + year)
            })
            .collect();
        format!("<h1>Archive {at}</h1><div>{years}</div>")
    };
    for (at, page) in rows(&(0..9).map(page).collect::<Vec<_>>()).iter().enumerate() {
        let wanted: usize = (0..3).map(|year| 1 + (at + year) % 4).sum();
        assert_eq!(list_with(page, "/n/").len(), wanted, "{page:?}");
    }
}
