//! Fields and tables from the outside: small pages in, rows out.

use crate::found::{Found, read};

impl Found {
    /// The rows of the table that has this column, on one page.
    fn rows(&self, page: usize, column: &str) -> Vec<Vec<String>> {
        let has = |name: &str| {
            let table = self.wrapper.schema.tables.iter().find(|table| table.name == name);
            table.is_some_and(|table| table.columns.iter().any(|c| c.name == column))
        };
        self.pages[page].iter().filter(|(table, _)| has(table)).map(|(_, cells)| cells.clone()).collect()
    }
}

#[test]
fn a_name_value_list_is_keyed_by_its_labels_even_where_rows_are_missing() {
    let pages: Vec<String> = (0..20)
        .map(|i| {
            let weight = if i % 3 == 0 {
                String::new()
            } else {
                format!("<tr><td>Weight</td><td>{} lbs</td></tr>", 150 + i)
            };
            format!(
                "<h1>Player {i}</h1><table><tr><td>Height</td><td>6-{}</td></tr>{weight}\
                 <tr><td>College</td><td>School {}</td></tr></table>",
                i % 9,
                i * 7
            )
        })
        .collect();
    let found = read(&pages);
    let columns: Vec<&str> = found.wrapper.schema.tables[0].columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(found.wrapper.schema.tables.len(), 1, "{columns:?}");
    for name in ["height", "weight", "college"] {
        assert!(columns.contains(&name), "{name} is not among {columns:?}");
    }
    assert!(found.pages[3][0].1.contains(&"college=School 21".to_owned()));
    assert!(found.pages[3][0].1.iter().all(|cell| !cell.starts_with("weight=")));
}

#[test]
fn a_frequent_value_is_not_taken_for_a_label() {
    let genres = ["Drama", "Comedy", "Thriller", "Western", "Horror"];
    let pages: Vec<String> = (0..30)
        .map(|i| {
            let list: String =
                (0..1 + i % 3).map(|k| format!("<a href=/g>{}</a> ", genres[(i + k * 2) % 5])).collect();
            format!("<h1>Film {i}</h1><p><b>Genre:</b> {list}</p>")
        })
        .collect();
    let found = read(&pages);
    for page in 0..30 {
        let values: usize = found.pages[page]
            .iter()
            .flat_map(|(_, cells)| cells)
            .filter(|cell| genres.iter().any(|genre| cell.ends_with(&format!("={genre}"))))
            .count();
        assert_eq!(values, 1 + page % 3, "{:?}", found.pages[page]);
    }
}

#[test]
fn rows_of_a_list_are_a_child_table_and_tags_inside_stay_with_their_row() {
    let pages: Vec<String> = (0..12)
        .map(|i| {
            let rows: String = (0..2 + i % 4)
                .map(|k| {
                    let tags: String = (0..k % 3).map(|t| format!("<a class=tag href=/t/{t}>tag{t}</a> ")).collect();
                    format!("<li class=review><b class=who>User {i}-{k}</b> <p class=said>Said {i} {k}</p>{tags}</li>")
                })
                .collect();
            format!("<h1 class=name>Book {i}</h1><ul>{rows}</ul>")
        })
        .collect();
    let found = read(&pages);
    let rows = found.rows(3, "who");
    assert_eq!(rows.len(), 5);
    assert!(rows[2].contains(&"who=User 3-2".to_owned()) && rows[2].contains(&"said=Said 3 2".to_owned()));
    assert_eq!(rows[2].iter().filter(|cell| cell.starts_with("tag=")).count(), 2);
    let child = found.wrapper.schema.tables.iter().find(|table| table.parent.is_some());
    assert_eq!(child.and_then(|table| table.parent), Some(0));
}

#[test]
fn a_record_may_span_two_rows() {
    let pages: Vec<String> = (0..10)
        .map(|i| {
            let rows: String = (0..1 + i % 4)
                .map(|k| {
                    format!(
                        "<tr><th><a href=/m{k}>msg {i}{k}</a></th><th>Author: u{k}</th></tr>\
                         <tr><td colspan=2><pre>Text {i} of {k}</pre></td></tr>"
                    )
                })
                .collect();
            format!("<h1>Issue {i}</h1><table>{rows}</table>")
        })
        .collect();
    let found = read(&pages);
    let text = |cells: &[String]| cells.iter().any(|cell| cell.contains("Text 7 of 2"));
    let row: Vec<_> = found.pages[7].iter().filter(|(_, cells)| text(cells)).collect();
    assert_eq!(row.len(), 1);
    assert!(row[0].1.iter().any(|cell| cell.ends_with("=msg 72")), "{row:?}");
    assert!(row[0].1.iter().any(|cell| cell.ends_with("=Author: u2")), "{row:?}");
}

#[test]
fn records_behind_one_heading_each_have_its_value() {
    // Headings are written once and left empty for further records of the same hour, as timetables do.
    let pages: Vec<String> = (0..12)
        .map(|i| {
            let talks: String = (0..6 + i % 3)
                .map(|k| {
                    let hour = if k % 3 == 2 { String::new() } else { format!("{}:0{}", 9 + k, i % 6) };
                    format!(
                        "<div class=hour>{hour}</div><a href=/t{i}-{k}><b class=title>Talk {i}-{k}</b>\
                         <i class=by>Speaker {k}{i}</i><u class=room>Hall {}</u><s class=long>{} min</s></a>",
                        (i + k) % 5,
                        15 * (1 + k % 4)
                    )
                })
                .collect();
            format!("<h1>Day {i}</h1><div class=day>{talks}</div>")
        })
        .collect();
    let found = read(&pages);
    for k in 0..8 {
        let of_talk = |cells: &[String]| cells.iter().any(|cell| cell.ends_with(&format!("=Talk 5-{k}")));
        let rows: Vec<_> = found.pages[5].iter().filter(|(_, cells)| of_talk(cells)).collect();
        assert_eq!(rows.len(), 1, "{k}: {rows:?}");
        let hour = format!("={}:05", 9 + k - usize::from(k % 3 == 2));
        for said in [format!("=Speaker {k}5"), hour] {
            assert!(rows[0].1.iter().any(|cell| cell.ends_with(&said)), "{said}: {rows:?}");
        }
    }
}

#[test]
fn paragraphs_are_one_value() {
    let sentence = "A long sentence about nothing in particular that goes on for quite a while, with words. ";
    let pages: Vec<String> = (0..8)
        .map(|i| {
            let body: String = (0..2 + i % 3)
                .map(|k| format!("<p>Part {i}{k}: {sentence}<b>bold {k}</b> {sentence}</p>"))
                .collect();
            format!("<h1>Story {i}</h1><div class=body>{body}</div><div class=by>Writer {i}</div>")
        })
        .collect();
    let found = read(&pages);
    let told: Vec<&String> = found.pages[5][0].1.iter().filter(|cell| cell.contains("Part 50")).collect();
    let (leads, bodies): (Vec<&String>, Vec<&String>) =
        told.into_iter().partition(|cell| cell.starts_with("body_lead="));
    assert_eq!((bodies.len(), leads.len()), (1, 1));
    assert!(bodies[0].contains("Part 53") && bodies[0].contains("bold 3"));
    assert!(leads[0].contains("bold 0") && !leads[0].contains("Part 51"));
    assert!(found.pages[5][0].1.contains(&"by=Writer 5".to_owned()));
}

#[test]
fn menus_and_footers_are_no_tables() {
    let menu = "<ul class=menu><li><a href=/a>Home</a></li><li><a href=/b>Shop</a></li><li><a href=/c>Help</a></li></ul>";
    let pages: Vec<String> = (0..10)
        .map(|i| format!("{menu}<h1>Thing {i}</h1><p class=price>{i} EUR</p><div>(c) us</div>"))
        .collect();
    let found = read(&pages);
    assert_eq!(found.wrapper.schema.tables.len(), 1);
    let cells: Vec<&String> = found.pages[4].iter().flat_map(|(_, cells)| cells).collect();
    assert!(cells.iter().all(|cell| !cell.contains("Home") && !cell.contains("(c)")), "{cells:?}");
}

#[test]
fn odd_sites_do_no_harm() {
    assert!(read(&[]).pages.is_empty());
    assert_eq!(read(&[String::new()]).pages.len(), 1);
    let same: Vec<String> = (0..5).map(|_| "<p>all the same</p>".to_owned()).collect();
    assert!(read(&same).pages.iter().flatten().all(|(_, cells)| cells.is_empty()));
    let wide = vec!["<p>x".repeat(20_000), "<p>y".repeat(3)];
    assert_eq!(read(&wide).pages.len(), 2);
    let deep = vec!["<div>".repeat(3_000) + "deep", "<div>".repeat(2_000) + "less"];
    assert_eq!(read(&deep).pages.len(), 2);
}

#[test]
fn what_a_page_says_to_machines_is_a_value_unless_it_is_shown() {
    let page = |at: usize| {
        format!(
            "<script type='application/ld+json'>{{\"@type\": \"Product\", \"name\": \"Thing {at}\", \"sku\": \"S-{}\", \
             \"offers\": {{\"@type\": \"Offer\", \"price\": {}.5}}}}</script><h1>Thing {at}</h1>\
             <p class=about>About thing number {at}</p>",
            at * 37,
            at + 3
        )
    };
    let found = read(&(0..12).map(page).collect::<Vec<_>>());
    for at in 0..12 {
        let cells: Vec<String> = found.pages[at].iter().flat_map(|(_, cells)| cells.clone()).collect();
        assert!(cells.contains(&format!("sku=S-{}", at * 37)), "{cells:?}");
        assert!(cells.contains(&format!("price={}.5", at + 3)), "{cells:?}");
        let names = cells.iter().filter(|cell| cell.ends_with(&format!("=Thing {at}"))).count();
        assert_eq!(names, 1, "the name is shown and not doubled: {cells:?}");
    }
}

#[test]
fn a_paragraph_of_the_template_and_a_list_of_links_are_no_running_text() {
    let page = |at: usize| {
        let sentence = |n: usize| {
            let words =
                ["river", "stone", "walks", "slowly", "garden", "never", "under", "bright", "seven", "and"];
            let chosen: Vec<&str> =
                (0..14).map(|i| words[(at * 31 + n * 17 + i * i * 7 + i) % words.len()]).collect();
            format!("{}, running text. ", chosen.join(" "))
        };
        let tags: String =
            (0..at % 3 + 1).map(|i| format!("<li><a href=/tag/{i}>tag {i}{at}</a></li>")).collect();
        format!(
            "<h1>Post {at}</h1><div class=mid><p>(<a href=#c>{} comments</a>)</p><p>{}</p>\
             <p>{}{}</p>{}<ul class=tags>{tags}</ul></div>",
            at * 3,
            sentence(0),
            sentence(1),
            sentence(2),
            if at.is_multiple_of(2) { format!("<p>{}</p>", sentence(3)) } else { String::new() },
        )
    };
    let found = read(&(0..16).map(page).collect::<Vec<_>>());
    for at in 0..16 {
        let cells: Vec<String> = found.pages[at].iter().flat_map(|(_, cells)| cells.clone()).collect();
        let is_body = |cell: &&String| cell.contains("running text") && !cell.starts_with("mid_lead=");
        let body: Vec<&String> = cells.iter().filter(is_body).collect();
        assert_eq!(body.len(), 1, "{cells:?}");
        assert!(!body[0].contains("comments") && !body[0].contains("tag "), "{body:?}");
        assert!(cells.iter().any(|cell| cell.contains(&format!("{} comments", at * 3))), "{cells:?}");
    }
}
