//! Lists from the outside: rows whose names the data writes, rows inside rows, records that no element holds together.

use crate::support::{learn, learn_one_type};
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
fn names_that_the_data_writes_do_not_split_a_list() {
    let tags = ["perl", "games", "web", "fonts", "math"];
    let page = |at: usize| {
        let posts: String = (0..6)
            .map(|i| {
                let n = at * 6 + i;
                let (a, b) = (tags[n % 5], tags[(n / 5 + 1) % 5]);
                format!(
                    "<div class='post hentry topic{a} about{b}'><h2><a href=/p/{n}>Post {n}</a></h2>\
                     <p class=by>Author {}</p></div>",
                    n * 7
                )
            })
            .collect();
        format!("<div id=posts>{posts}</div>")
    };
    for page in rows(&(0..8).map(page).collect::<Vec<_>>()) {
        assert_eq!(list_with(&page, "Post ").len(), 6, "{page:?}");
    }
}

#[test]
fn answers_inside_comments_are_rows_of_the_same_table() {
    let comment = |name: &str, inner: &str| {
        format!(
            "<li class=comment><div class=by>{name}</div><div class=said>{name} says so and so</div>\
             <ul class=answers>{inner}</ul></li>"
        )
    };
    let page = |at: usize| {
        let deepest = comment(&format!("Dora {at}"), "");
        let answer = comment(&format!("Carl {at}"), &deepest);
        let first = comment(&format!("Anna {at}"), &answer);
        format!("<h1>Story {at}</h1><ol>{first}{}</ol>", comment(&format!("Ben {at}"), ""))
    };
    for (at, page) in rows(&(0..12).map(page).collect::<Vec<_>>()).iter().enumerate() {
        let comments = list_with(page, &format!("Anna {at}"));
        assert_eq!(comments.len(), 4, "{page:?}");
        let dora = comments.iter().filter(|row| row.contains(&format!("Dora {at} says"))).count();
        assert_eq!(dora, 1, "each comment has its own text: {comments:?}");
    }
}

#[test]
fn records_without_an_element_of_their_own_are_rows() {
    let page = |at: usize| {
        let posts: String = (0..5)
            .map(|i| {
                let n = at * 5 + i;
                format!(
                    "<h2><a href=/p/{n}>Title {n}</a></h2><h6 class=meta>Writer {}</h6>\
                     <p>{}</p>",
                    n * 3,
                    format!("Body {n} goes on about things. ").repeat(4)
                )
            })
            .collect();
        format!("<div id=main><p>Posts of group {at}</p>{posts}</div>")
    };
    for (at, page) in rows(&(0..14).map(page).collect::<Vec<_>>()).iter().enumerate() {
        let posts = list_with(page, &format!("Title {} ", at * 5));
        assert_eq!(posts.len(), 5, "{page:?}");
        assert!(posts[2].contains(&format!("Body {} ", at * 5 + 2)), "{posts:?}");
        assert!(posts[2].contains(&format!("Writer {}", (at * 5 + 2) * 3)), "{posts:?}");
    }
}

#[test]
fn rows_take_over_what_the_heading_says() {
    let groups = ["Libraries", "Games", "Fonts", "Editors", "Music", "Science"];
    let page = |at: usize| {
        let things: String = (0..7)
            .map(|i| format!("<li><a href=/t/{at}{i}>Thing {at}-{i}</a> <b>{} EUR</b></li>", at * 31 + i * 7))
            .collect();
        format!("<h1>Articles in the {} category</h1><ul class=things>{things}</ul>", groups[at])
    };
    for (at, page) in rows(&(0..6).map(page).collect::<Vec<_>>()).iter().enumerate() {
        let things = list_with(page, "Thing ");
        assert_eq!(things.len(), 7, "{page:?}");
        assert!(things.iter().all(|row| row.contains(groups[at])), "{things:?}");
    }
}

#[test]
fn labels_without_a_colon_and_after_their_value_name_columns() {
    let page = |at: usize| {
        format!(
            "<ul class=tech><li>photo{at}.jpg</li><li>Exposure 1/{}</li><li>Focal length {} mm</li></ul>\
             <div class=counts><div class=count>{}<small>Topics</small></div><div class=count>{}<small>Posts</small></div></div>",
            30 + at,
            20 + at * 2,
            at * 11,
            at * 13 + 1
        )
    };
    let pages = rows(&(0..20).map(page).collect::<Vec<_>>());
    for (at, page) in pages.iter().enumerate() {
        let all: Vec<&str> = page.iter().map(|(_, row)| row.as_str()).collect();
        assert_eq!(page.len(), 1, "one row a page, no list: {page:?}");
        assert!(all[0].contains(&format!("Exposure 1/{}", 30 + at)), "{all:?}");
    }
}

/// Books as cards, and a box of links that stands on every page.
fn cards(of: &str, at: usize) -> String {
    let cards: String = (0..5)
        .map(|i| {
            let n = at * 5 + i;
            format!(
                "<div class=card><h3><a href=/book/{n}>{of} book {n}</a></h3><b class=price>{}.50 EUR</b></div>",
                n + 2
            )
        })
        .collect();
    format!("<div class=cards>{cards}</div>")
}

#[test]
fn lists_of_one_kind_are_one_table_whatever_page_they_stand_on() {
    let pages = |kind: &str| {
        let page = |at: usize| {
            let url = format!("http://site.test/{kind}/{at}");
            let intro = if kind == "author" {
                format!("<p class=life>Born in {}</p>", 1900 + at)
            } else {
                String::new()
            };
            (url, format!("<h1>{kind} {at}</h1>{intro}{}", cards(kind, at)))
        };
        (0..8).map(page).collect::<Vec<_>>()
    };
    let (wrapper, records) =
        learn(vec![("author", "/author/*", pages("author")), ("shelf", "/shelf/*", pages("shelf"))]);
    let table =
        wrapper.schema.tables.iter().position(|table| table.name == "card").expect("one table of cards");
    let info = &wrapper.schema.tables[table];
    assert!(info.is_list() && info.is_on(0) && info.is_on(1) && info.parent.is_none(), "{info:?}");
    for record in &records {
        let rows: Vec<_> = record.rows.iter().filter(|row| row.table == table).collect();
        assert_eq!(rows.len(), 5, "{:?}", joined(&wrapper, record));
        for row in rows {
            let price = row.cells.iter().find(|cell| info.columns[cell.column].name == "price");
            assert!(price.is_some_and(|price| price.value.ends_with("EUR")), "{row:?}");
        }
    }
}

#[test]
fn lists_with_one_name_that_hold_other_things_stay_apart() {
    let people = |at: usize| {
        let rows: String = (0..4)
            .map(|i| {
                format!(
                    "<li class=item><img src=/face/{at}{i}.png><span class=who>Person {at}{i}</span></li>"
                )
            })
            .collect();
        (format!("http://site.test/team/{at}"), format!("<h1>Team {at}</h1><ul>{rows}</ul>"))
    };
    let goods = |at: usize| {
        let rows: String = (0..4)
            .map(|i| {
                format!("<li class=item><h4>Thing {at}{i}</h4><p class=cost>{} EUR</p></li>", at * 7 + i)
            })
            .collect();
        (format!("http://site.test/goods/{at}"), format!("<h1>Goods {at}</h1><ul>{rows}</ul>"))
    };
    let (wrapper, records) = learn(vec![
        ("team", "/team/*", (0..8).map(people).collect()),
        ("goods", "/goods/*", (0..8).map(goods).collect()),
    ]);
    let table_of = |record: &PageRecord, text: &str| {
        joined(&wrapper, record).into_iter().find(|(_, row)| row.contains(text)).map(|(table, _)| table)
    };
    let (one, other) = (table_of(&records[0], "Person 00"), table_of(&records[8], "Thing 00"));
    assert!(one.is_some() && other.is_some() && one != other, "{:?}", joined(&wrapper, &records[0]));
}

#[test]
fn answers_of_one_program_fill_one_table_in_any_layout() {
    let results = |word: usize, plain: bool| {
        let row = |i: usize| {
            let title = format!("Result {word}-{i}");
            let text = format!("What result {i} of query {word} says at some length");
            if plain {
                format!(
                    "<div class=g><h3><a href=http://r{i}.test/{word}>{title}</a></h3><div class=st>{text}</div></div>"
                )
            } else {
                format!(
                    "<li class=hit><a class=t href=http://r{i}.test/{word}>{title}</a><p class=snip>{text}</p></li>"
                )
            }
        };
        let rows: String = (0..6).map(row).collect();
        let body =
            if plain { format!("<div id=res>{rows}</div>") } else { format!("<ol class=hits>{rows}</ol>") };
        (format!("http://find.test/search?q=word{word}"), body)
    };
    let (wrapper, records) = learn(vec![
        ("search", "/search?q=*", (0..8).map(|word| results(word, true)).collect()),
        ("search_2", "/search?q=*", (8..16).map(|word| results(word, false)).collect()),
    ]);
    let mut tables: Vec<String> = Vec::new();
    for (word, record) in records.iter().enumerate() {
        let rows = joined(&wrapper, record);
        let found = list_with(&rows, &format!("Result {word}-0"));
        assert_eq!(found.len(), 6, "{rows:?}");
        tables.extend(rows.iter().find(|(_, row)| row.contains("Result")).map(|(table, _)| table.clone()));
    }
    tables.dedup();
    assert_eq!(tables.len(), 1, "{tables:?}");
}

#[test]
fn rows_take_over_the_name_of_their_group() {
    let page = |at: usize| {
        let group = |g: usize| {
            let row = |i: usize| {
                format!(
                    "<li class=forum><a class=name href=/f/{at}{g}{i}>Forum {at}{g}{i}</a>\
                     <span class=posts>{}</span><i class=last>by user{i}{g}</i></li>",
                    at * 9 + g * 5 + i
                )
            };
            let rows: String = (0..3).map(row).collect();
            format!("<div class=section><h2>Section {at}{g}</h2><ul>{rows}</ul></div>")
        };
        format!("<div class=board>{}</div>", (0..3).map(group).collect::<String>())
    };
    for (at, page) in rows(&(0..6).map(page).collect::<Vec<_>>()).iter().enumerate() {
        let forums = list_with(page, "Forum ");
        assert_eq!(forums.len(), 9, "{page:?}");
        assert!(forums[4].contains(&format!("Section {at}1")), "{forums:?}");
    }
}

#[test]
fn a_category_that_many_lists_have_is_no_label() {
    let categories = ["Libs", "Games", "Perl", "Sound", "Net", "Text", "Admin"];
    let count = |at: usize| 2 + at * 5 % 9;
    let page = |at: usize| {
        let entries: String = (0..count(at))
            .map(|k| {
                // Half of the pages have an entry of the first category.
                let category = if k == 1 && at.is_multiple_of(2) { 0 } else { 1 + (5 * at + 3 * k) % 6 };
                format!(
                    "<article class=entry><span class=in>{}</span><h2>Entry {at}-{k}</h2><p class=by>Author {}</p>\
                     <p class=on>{} May</p></article>",
                    categories[category],
                    at * 3 + k,
                    1 + (at * 7 + k) % 28
                )
            })
            .collect();
        format!("<h1>Author {at}</h1><div id=main>{entries}</div>")
    };
    for (at, page) in rows(&(0..12).map(page).collect::<Vec<_>>()).iter().enumerate() {
        assert_eq!(list_with(page, "Entry ").len(), count(at), "{page:?}");
    }
}

#[test]
fn a_list_of_names_is_no_running_text() {
    let page = |at: usize| {
        let speakers: String = (0..6)
            .map(|k| {
                let talk = |t: usize| {
                    format!("<li>{at}{k}{t} uses of kettles: windows in winter, and what the manual says")
                };
                let talks: String = (0..1 + (at + k) % 4).map(talk).collect();
                format!("<div class=speaker><h3>Speaker {at}-{k}</h3><ul>{talks}</ul></div>")
            })
            .collect();
        format!("<h1>Day {at}</h1>{speakers}")
    };
    for (at, page) in rows(&(0..5).map(page).collect::<Vec<_>>()).iter().enumerate() {
        let single = |row: &String| row.split(" | ").all(|value| value.matches("kettles").count() < 2);
        let speakers = list_with(page, "Speaker ");
        assert_eq!(speakers.len(), 6, "{page:?}");
        assert!(page.iter().all(|(_, row)| single(row)), "{page:?}");
        let talk = format!("{at}50 uses of kettles: windows in winter, and what the manual says");
        assert!(page.iter().any(|(_, row)| row.split(" | ").any(|value| value == talk)), "{page:?}");
    }
}

#[test]
fn marked_words_do_not_break_a_short_text() {
    let page = |at: usize| {
        let entry = |k: usize| {
            let text = match k {
                2 => format!("Returns <code>true</code> if graph {at} is empty"),
                4 => format!("Finds the <em>shortest</em> path of {at}"),
                _ => format!("Counts the nodes of graph {at} in {k} ways"),
            };
            format!("<tr><td><a href=/f/{at}{k}>function_{at}_{k}</a></td><td>{text}</td></tr>")
        };
        format!("<h1>Module {at}</h1><table>{}</table>", (0..7).map(entry).collect::<String>())
    };
    for (at, page) in rows(&(0..6).map(page).collect::<Vec<_>>()).iter().enumerate() {
        let whole = format!("Returns true if graph {at} is empty");
        assert!(page.iter().any(|(_, row)| row.split(" | ").any(|value| value == whole)), "{page:?}");
    }
}

#[test]
fn a_list_on_few_pages_is_kept_for_its_rows() {
    let page = |at: usize| {
        let index: String = match at % 20 {
            7 => (0..15)
                .map(|k| format!("<tr class=row><td>part {at}-{k}</td><td>{} items</td></tr>", k * at))
                .collect(),
            _ => String::new(),
        };
        let index = if index.is_empty() { index } else { format!("<table class=parts>{index}</table>") };
        format!("<h1>Thing {at}</h1><p class=what>What thing {at} does, {} times.</p>{index}", at * 3)
    };
    let pages = rows(&(0..40).map(page).collect::<Vec<_>>());
    for at in [7, 27] {
        assert_eq!(list_with(&pages[at], "part ").len(), 15, "{:?}", pages[at]);
    }
}

#[test]
fn a_list_of_the_same_length_everywhere_is_a_list() {
    let kinds = ["Compact", "Robust", "Quiet", "Light", "Precise", "Minimal", "Elegant"];
    let page = |at: usize| {
        let related: String = (0..4)
            .map(|i| {
                let n = (at * 5 + i * 11) % 37;
                format!("<li class=rel><a href=/p/{n}>{} lamp {n}</a></li>", kinds[n % 7])
            })
            .collect();
        format!("<h1>Lamp {at}</h1><p class=price>{}.00 EUR</p><ul class=related>{related}</ul>", at * 3 + 7)
    };
    for page in rows(&(0..40).map(page).collect::<Vec<_>>()) {
        let related = list_with(&page, "/p/");
        assert_eq!(related.len(), 4, "{page:?}");
        assert!(related.iter().all(|row| row.contains(" lamp ") && row.contains("/p/")), "{page:?}");
    }
}

#[test]
fn search_hits_of_a_link_a_span_and_a_paragraph_are_rows() {
    let page = |at: usize| {
        let hits: String = (0..5 + at % 3)
            .map(|i| {
                let n = at * 10 + i;
                format!(
                    "<li><a href=/d/{n}>Document number {n}</a> <span>{n} KB</span>\
                     <p>Here is what document {n} says about the thing that was asked for, told in \
                     a sentence or two that somebody wrote at length and in words of his own.</p></li>"
                )
            })
            .collect();
        format!("<h1>Results for {at}</h1><ul>{hits}</ul>")
    };
    for (at, page) in rows(&(0..9).map(page).collect::<Vec<_>>()).iter().enumerate() {
        assert_eq!(list_with(page, "/d/").len(), 5 + at % 3, "{page:?}");
    }
}

#[test]
fn headings_with_as_many_paragraphs_each_are_records() {
    let page = |at: usize| {
        let entries: String = (0..4 + at % 3)
            .map(|i| {
                let n = at * 10 + i;
                format!("<h2>Entry {n}</h2><p>First line of {n}</p><p>Second line of {n}</p>")
            })
            .collect();
        format!("<h1>Page {at}</h1><div>{entries}</div>")
    };
    for (at, page) in rows(&(0..9).map(page).collect::<Vec<_>>()).iter().enumerate() {
        let entries = list_with(page, "Entry ");
        assert_eq!(entries.len(), 4 + at % 3, "{page:?}");
        assert!(
            entries.iter().all(|row| row.contains("First line") && row.contains("Second line")),
            "{page:?}"
        );
    }
}

#[test]
fn a_highlighted_row_is_a_row() {
    let page = |at: usize| {
        let hits: String = (0..6)
            .map(|i| {
                let n = at * 10 + i;
                let class = if i == 0 { "hit best" } else { "hit" };
                format!("<div class='{class}'><a href=/d/{n}>Thing {n}</a></div>")
            })
            .collect();
        format!("<h1>Results for {at}</h1><div class=hits>{hits}</div>")
    };
    for page in rows(&(0..9).map(page).collect::<Vec<_>>()) {
        assert_eq!(list_with(&page, "/d/").len(), 6, "{page:?}");
    }
}

#[test]
fn a_card_that_an_empty_link_covers_keeps_its_address() {
    let page = |at: usize| {
        let cards: String = (0..3 + at % 4)
            .map(|i| {
                let n = at * 10 + i;
                format!(
                    "<article><h2>Clinic {n}</h2><span>May {n}</span>\
                     <a href=/c/{n} aria-label='more about Clinic {n}'></a></article>"
                )
            })
            .collect();
        format!("<h1>City {at}</h1><main>{cards}</main>")
    };
    for (at, page) in rows(&(0..9).map(page).collect::<Vec<_>>()).iter().enumerate() {
        let cards = list_with(page, "Clinic ");
        assert_eq!(cards.len(), 3 + at % 4, "{page:?}");
        assert!(cards.iter().all(|row| row.contains("/c/")), "{page:?}");
    }
}
