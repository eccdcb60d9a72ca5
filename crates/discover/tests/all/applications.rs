//! Lists as applications write them: archives of mail, indexes of manuals, recent changes, shops.

use crate::support::learn_one_type;

const WORDS: [&str; 12] = [
    "amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "harbor", "inlet", "juniper", "kettle",
    "lagoon",
];

/// A word that looks chosen at random.
fn word(seed: usize) -> &'static str {
    WORDS[seed.wrapping_mul(2_654_435_761) % 1_000_003 % WORDS.len()]
}

/// The table and the values of each row of each page, joined by ` | `.
fn rows(pages: &[String]) -> Vec<Vec<(String, String)>> {
    let (wrapper, records) = learn_one_type("page", pages);
    let joined = |row: &unsite_wrapper::Row| {
        let values: Vec<&str> = row.cells.iter().map(|cell| cell.value.as_str()).collect();
        (wrapper.schema.tables[row.table].name.clone(), values.join(" | "))
    };
    records.iter().map(|record| record.rows.iter().map(joined).collect()).collect()
}

/// The rows of the table that holds a text, on one page.
fn list_with(page: &[(String, String)], text: &str) -> Vec<String> {
    let Some((table, _)) = page.iter().find(|(_, row)| row.contains(text)) else { return Vec::new() };
    page.iter().filter(|(name, _)| name == table).map(|(_, row)| row.clone()).collect()
}

#[test]
fn answers_in_an_archive_of_mail_are_rows_like_the_others() {
    let message = |n: usize, inner: &str| {
        let inner = if inner.is_empty() { String::new() } else { format!("<ul>{inner}</ul>") };
        format!(
            "<li><a href={n:06}.html>[list] {} {} {n}</a> <i>Writer {}</i>{inner}",
            word(n),
            word(n + 7),
            n % 13
        )
    };
    let count = |at: usize| 6 + at % 5;
    let page = |at: usize| {
        let threads: String = (0..count(at))
            .map(|i| {
                let n = at * 100 + i * 10;
                let deepest = if i % 3 == 0 { message(n + 2, "") } else { String::new() };
                let answer = if i % 2 == 0 { message(n + 1, &deepest) } else { String::new() };
                message(n, &answer)
            })
            .collect();
        format!("<h1>Archive {at}</h1><p><b>Messages:</b> {}</p><ul>{threads}</ul>", at * 7 + 3)
    };
    for (at, page) in rows(&(0..14).map(page).collect::<Vec<_>>()).iter().enumerate() {
        let answers: usize = (0..count(at)).filter(|i| i % 2 == 0).map(|i| 1 + usize::from(i % 3 == 0)).sum();
        assert_eq!(list_with(page, "[list]").len(), count(at) + answers, "{page:?}");
    }
}

#[test]
fn a_module_that_many_indexes_name_is_no_label() {
    let count = |at: usize| 8 + at * 5 % 11;
    let page = |at: usize| {
        let entries: String = (0..count(at))
            .map(|i| {
                let n = at * 31 + i * 7;
                format!("<dt><a href=x.html#f{n}>{}_{n}()</a> (in module {})</dt>", word(n), word(n * 3 + 1))
            })
            .collect();
        format!("<h1>Index {at}</h1><table><tr><td><dl>{entries}</dl></td></tr></table>")
    };
    for (at, page) in rows(&(0..10).map(page).collect::<Vec<_>>()).iter().enumerate() {
        assert_eq!(list_with(page, "in module").len(), count(at), "{page:?}");
    }
}

#[test]
fn lines_that_share_the_words_of_a_template_are_rows_and_no_sentences() {
    let count = |day: usize| 3 + day % 4;
    let page = |at: usize| {
        let day = |day: usize| {
            let line = |i: usize| {
                let n = at * 97 + day * 31 + i * 7;
                let comment = if n.is_multiple_of(3) {
                    format!(" <span class=comment>({} {})</span>", word(n), word(n + 1))
                } else {
                    String::new()
                };
                format!(
                    "<li>(<a href=/d/{n}>diff</a> | <a href=/h/{n}>hist</a>) . . <a href=/w/{n}>Page {n}</a>; \
                     {}:{} . . <span>({n})</span> . . <a href=/u/{}>Writer {}</a>{comment}</li>",
                    10 + n % 13,
                    10 + n % 49,
                    n % 17,
                    n % 17
                )
            };
            format!("<h4>{} May</h4><ul>{}</ul>", day + 1 + at, (0..count(day)).map(line).collect::<String>())
        };
        format!("<h1>Recent changes</h1>{}", (0..2 + at % 3).map(day).collect::<String>())
    };
    for (at, page) in rows(&(0..12).map(page).collect::<Vec<_>>()).iter().enumerate() {
        let all: usize = (0..2 + at % 3).map(count).sum();
        assert_eq!(list_with(page, "Page ").len(), all, "{page:?}");
    }
}

#[test]
fn values_stand_in_their_columns_without_their_labels() {
    let stock = ["In Stock", "Out Of Stock", "3 days"];
    let page = |at: usize| {
        format!(
            "<h1>Lamp {at}</h1><ul><li>Brand: {}</li><li>Product Code: K-{at}</li><li>Availability: {}</li>\
             <li>評価：{}.{}点</li></ul><p><b>Subject</b>: {} lamps</p>",
            word(at),
            stock[at % 3],
            1 + at % 4,
            at % 10,
            word(at * 5 + 1)
        )
    };
    let pages: Vec<String> = (0..20).map(page).collect();
    let (wrapper, records) = learn_one_type("page", &pages);
    for (at, record) in records.iter().enumerate() {
        let values: Vec<&str> =
            record.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.value.as_str()).collect();
        let rating = format!("{}.{}点", 1 + at % 4, at % 10);
        let subject = format!("{} lamps", word(at * 5 + 1));
        for value in [stock[at % 3], &format!("K-{at}"), &rating, &subject] {
            assert!(values.contains(&value), "{value}: {values:?}");
        }
    }
    let names: Vec<&str> =
        wrapper.schema.tables[0].columns.iter().map(|column| column.name.as_str()).collect();
    assert!(names.contains(&"availability") && names.contains(&"product_code"), "{names:?}");
}

#[test]
fn one_page_is_enough_where_its_list_is_clear() {
    let row = |i: usize| {
        let colour = if i.is_multiple_of(2) { "rowColor" } else { "altColor" };
        let sticky = if i < 2 { "<b>Sticky:</b> " } else { "" };
        format!(
            "<tr class={colour}><td>{sticky}<a href=/t/{i}>Topic {} {i}</a><br><small>by Writer {i}</small></td><td>{}</td>\
             <td>{}</td></tr>",
            word(i),
            i * 7 % 31,
            i * 13 % 101
        )
    };
    let page = format!("<h1>Forum</h1><table>{}</table>", (0..12).map(row).collect::<String>());
    let pages = rows(&[page]);
    let topics = list_with(&pages[0], "Topic ");
    assert_eq!(topics.len(), 12, "{pages:?}");
    assert!(topics.iter().all(|topic| topic.contains("/t/") && topic.contains("Writer ")), "{topics:?}");
}
