//! Lists from the outside: rows whose names the data writes, rows inside rows, records that no element holds together.

use unsite_discover::page_types::{self, methods::METHODS};
use unsite_discover::{Site, induce};
use unsite_dom::{Limits, RawPage};

/// Learns all pages as one type and gives, for each page, the rows: table name and values joined by ` | `.
fn rows(pages: &[String]) -> Vec<Vec<(String, String)>> {
    let raw = pages.iter().enumerate().map(|(at, body)| RawPage {
        url: format!("http://list.test/page/{at:03}"),
        reference: format!("{at:03}"),
        bytes: format!("<html><body>{body}</body></html>").into_bytes(),
        ..RawPage::default()
    });
    let site = Site::parse(raw.collect(), &Limits::default());
    let mut types = page_types::cluster(&site, &METHODS[0], &page_types::Options::default());
    types.type_of = vec![0; site.pages.len()];
    types.count = 1;
    types.names = vec!["list".into()];
    types.patterns = vec!["/page/*".into()];
    let wrapper = induce(&site, types);
    let read = |page: &unsite_discover::SitePage| {
        let record = wrapper.read(&page.raw, &page.tree, &page.cuts, Some(0));
        let joined = |row: &unsite_wrapper::Row| {
            row.cells.iter().map(|cell| cell.value.as_str()).collect::<Vec<_>>().join(" | ")
        };
        record.rows.iter().map(|row| (wrapper.schema.tables[row.table].name.clone(), joined(row))).collect()
    };
    site.pages.iter().map(read).collect()
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
