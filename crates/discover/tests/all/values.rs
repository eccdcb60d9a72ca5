//! Values that are not simply the text of one element, and lists that pages write in unusual ways.

use crate::found::read;

/// All cells of a page, whatever their tables.
fn cells(pages: &[String], at: usize) -> Vec<String> {
    read(pages).pages[at].iter().flat_map(|(_, cells)| cells.clone()).collect()
}

fn says(cells: &[String], value: &str) -> bool {
    cells.iter().any(|cell| cell.split_once('=').is_some_and(|(_, said)| said == value))
}

#[test]
fn a_constant_that_its_line_marks_like_a_value_is_one() {
    let page = |at: usize| {
        format!(
            "<h1>Issue {at}</h1><p>Created on <b>2025-03-{:02}</b> by <b>admin</b>, in <i>all</i> peace.</p>",
            at + 1
        )
    };
    let found = cells(&(0..12).map(page).collect::<Vec<_>>(), 4);
    assert!(says(&found, "admin") && says(&found, "2025-03-05"), "{found:?}");
    assert!(!says(&found, "all"), "{found:?}");
}

#[test]
fn a_word_through_several_tags_is_read_whole() {
    let page = |at: usize| {
        format!(
            "<h1>Chair {at}</h1><p class=price><span class=sign>£</span><span class=sum>1{at}.50</span></p>\
             <p class=unit><b>{at}</b><i> kg</i></p>"
        )
    };
    let found = cells(&(0..12).map(page).collect::<Vec<_>>(), 7);
    assert!(says(&found, "£17.50"), "{found:?}");
    assert!(!says(&found, "7kg"), "{found:?}");
}

#[test]
fn breadcrumbs_are_one_value_without_the_page_itself() {
    let parts = ["Books", "Films", "Games", "Music", "Tools"];
    let page = |at: usize| {
        let part = parts[at % 5];
        format!(
            "<ol class=breadcrumb><li><a href=/>Home</a><li><a href=/{part}>{part}</a>\
             <li><a href=/{part}/{0}>{0}</a><li>Thing {at}</ol><h1>Thing {at}</h1>",
            ["Old", "New", "Rare"][at % 3]
        )
    };
    let found = cells(&(0..15).map(page).collect::<Vec<_>>(), 8);
    assert!(says(&found, "Home > Music > Rare"), "{found:?}");
    assert!(says(&found, "Music > Rare"), "{found:?}");
}

#[test]
fn cells_of_a_table_are_told_apart_by_place_and_tiles_of_a_grid_are_rows() {
    let table = |at: usize| {
        let rows: String = (0..4 + at % 3)
            .map(|n| {
                let more = if n % 3 == 0 { "<p><i>see <a href=/x><b>this</b></a></i></p>" } else { "" };
                format!(
                    "<tr><td><p><a href=/f/{at}{n}><code>name {at}{n}</code></a> (a, b)</p></td>\
                     <td><p>What {at}{n} does</p>{more}</td></tr>"
                )
            })
            .collect();
        format!("<h1>Module {at}</h1><table>{rows}</table>")
    };
    let found = read(&(0..8).map(table).collect::<Vec<_>>());
    let row = |(_, cells): &&(String, Vec<String>)| says(cells, "name 21") && says(cells, "What 21 does");
    assert_eq!(found.pages[2].iter().filter(row).count(), 1, "{:?}", found.pages[2]);

    let tile = |n: usize| {
        format!("<td><a href=/p/{n}><img src=/i/{n}.png alt=x></a><b>Lamp {n}</b><i>{n} EUR</i></td>")
    };
    let grid = |at: usize| {
        let rows: String =
            (0..3).map(|r| format!("<tr>{}{}</tr>", tile(at * 10 + r), tile(at * 10 + r + 5))).collect();
        format!("<h1>Lamps {at}</h1><table>{rows}</table>")
    };
    let found = read(&(0..8).map(grid).collect::<Vec<_>>());
    let lamps = found.pages[3].iter().filter(|(_, cells)| cells.iter().any(|cell| cell.contains("=Lamp 3")));
    assert_eq!(lamps.count(), 6, "{:?}", found.pages[3]);
}

#[test]
fn rows_that_were_never_closed_are_one_list() {
    let page = |at: usize| {
        let rows: String = (0..6)
            .map(|n| {
                format!("<ul class=grid><li><h3><a href=/p/{at}{n}>Post {at}{n}</a></h3><p>Day {n} of {at}</p></li>")
            })
            .collect();
        format!("<h1>Blog</h1><div>{rows}</div>")
    };
    let found = read(&(0..12).map(page).collect::<Vec<_>>());
    let posts = |(_, cells): &&(String, Vec<String>)| {
        cells.iter().filter(|cell| cell.contains("=Post 5")).count() == 1
    };
    assert_eq!(found.pages[5].iter().filter(posts).count(), 6, "{:?}", found.pages[5]);
}

#[test]
fn results_of_two_kinds_that_take_turns_are_rows_of_one_table() {
    let page = |at: usize| {
        let rows: String = (0..8)
            .map(|n| {
                let head =
                    format!("<header><h2><a href=/r/{at}{n}>Hit {at}{n}</a></h2></header><p>Text {n}</p>");
                match (n + at) % 3 {
                    0 => format!("<article class='hit job'>{head}</article>"),
                    _ => format!(
                        "<article class='hit post'>{head}<footer><span class=day>Day {n}</span>\
                         <span class=by>By {at}</span></footer></article>"
                    ),
                }
            })
            .collect();
        format!("<h1>Results</h1><main>{rows}</main>")
    };
    let found = read(&(0..10).map(page).collect::<Vec<_>>());
    let hits: Vec<&(String, Vec<String>)> =
        found.pages[4].iter().filter(|(_, cells)| cells.iter().any(|cell| cell.contains("=Hit 4"))).collect();
    assert_eq!(hits.len(), 8, "{:?}", found.pages[4]);
    assert!(hits.iter().all(|(table, _)| *table == hits[0].0), "{hits:?}");
}

#[test]
fn a_line_of_links_is_a_list() {
    let names = ["Alastair McKinstry", "Barak Pearlmutter", "Camm Maguire", "Daniel Baumann", "Boyuan Yang"];
    let page = |at: usize| {
        let links: String = (0..10 + at)
            .map(|n| {
                format!("<a class=tag href=/a/{n}-{at}>{} {n}{at}</a> ", names[(n * 3 + at) % names.len()])
            })
            .collect();
        format!("<h1>Authors {at}</h1><div class=tags>{links}</div>")
    };
    let found = read(&(0..6).map(page).collect::<Vec<_>>());
    assert_eq!(found.wrapper.schema.tables.len(), 2);
    let rows = found.pages[2].iter().filter(|(_, cells)| cells.iter().any(|cell| cell.ends_with("2")));
    assert!(rows.count() >= 12, "{:?}", found.pages[2]);
}

#[test]
fn paragraphs_that_the_template_writes_as_div_are_one_text() {
    let sentence = |at: usize, turn: usize| {
        format!(
            "In year {at}{turn} of the harbour nobody on the <em>old pier</em> number {turn} expected the {at} ferries, \
             and yet all of them arrived there before noon, one after the other, as the log of that day says."
        )
    };
    let page = |at: usize| {
        let paragraphs: String =
            (0..2 + at % 3).map(|turn| format!("<div class=x7>{}</div>", sentence(at, turn))).collect();
        format!("<h1>Book {at}</h1><h2>About</h2><div class=x3>{paragraphs}</div><p class=n>{at} pages</p>")
    };
    let found = cells(&(0..12).map(page).collect::<Vec<_>>(), 4);
    let whole = |turn| sentence(4, turn).replace("<em>", "").replace("</em>", "");
    assert!(says(&found, &format!("{}\n{}\n{}", whole(0), whole(1), whole(2))), "{found:?}");
}

#[test]
fn labels_that_come_and_go_by_chance_stay_labels() {
    // Where `Leaves` is missing, another label often stands instead, so that there are hardly fewer lines.
    let page = |at: usize| {
        let line = |shown: bool, label: &str, value: usize| match shown {
            true => format!("<li class=l><b>{label}</b> <i>{value}</i></li>"),
            false => String::new(),
        };
        let lines = line(true, "Code", at * 7)
            + &line(!at.is_multiple_of(4), "Leaves", at * 10 + 3)
            + &line(at.is_multiple_of(4) || at.is_multiple_of(3), "Weight", at * 10 + 1)
            + &line((at / 3).is_multiple_of(2), "Height", at + 40)
            + &line(!(at / 5).is_multiple_of(3), "Width", at + 60);
        format!("<h1>Book {at}</h1><ul>{lines}</ul>")
    };
    let found = read(&(0..24).map(page).collect::<Vec<_>>());
    let of_page: Vec<&String> = found.pages[6].iter().flat_map(|(_, cells)| cells).collect();
    assert!(of_page.iter().any(|cell| *cell == "leaves=63"), "{of_page:?}");
}
