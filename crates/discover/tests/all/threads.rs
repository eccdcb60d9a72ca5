//! Pages on which readers write: a few threads of a forum in, one row for each post out.

use crate::found::{Found, read};
use crate::support::{Pages, learn};

const WORDS: [&str; 12] = [
    "battery",
    "kettle",
    "window",
    "I think",
    "yesterday",
    "it broke",
    "again",
    "my neighbour",
    "said",
    "the manual",
    "helps",
    "not much",
];

/// What the reader wrote: some sentences, each post other ones.
fn sentences(seed: usize, count: usize) -> String {
    let word = |at: usize| WORDS[(seed * 7 + at * 5 + at * at * seed) % WORDS.len()];
    let sentence = |s: usize| (s * 9..s * 9 + 9).map(word).collect::<Vec<_>>().join(" ");
    (0..count).map(|s| format!("{} {seed}-{s}.", sentence(s))).collect::<Vec<_>>().join("<br>")
}

/// The only row of a page that has all of these in its cells.
fn only_row<'f>(found: &'f Found, page: usize, said: &[&str]) -> &'f [String] {
    let has = |cells: &[String]| said.iter().all(|said| cells.iter().any(|cell| cell.contains(said)));
    let rows: Vec<_> = found.pages[page].iter().filter(|(_, cells)| has(cells)).collect();
    assert_eq!(rows.len(), 1, "{said:?} on page {page}: {rows:?}");
    &rows[0].1
}

#[test]
fn what_readers_wrote_is_one_value() {
    let post = |page: usize, k: usize| {
        let seed = 20 * page + k;
        let quote = format!(
            "<blockquote class=quote><div class=who>reader {} said:</div><div class=what>{}</div>Show all</blockquote>",
            k + 1,
            sentences(seed + 100, 1 + k % 2)
        );
        let quote = if k % 3 == 1 { quote } else { String::new() };
        let picture = if k % 4 == 2 { "<img class=smile src=/smile.png alt=':)'>" } else { "" };
        let table = if k == 5 { "<table><tr><td>a<td>b</table>" } else { "" };
        format!(
            "<li class=post><a class=place href='#p-{seed}'>#{k}</a><div class=by>reader {k}</div><div class=text>\
             {quote}{}{picture} And {}{table}</div></li>",
            sentences(seed, 1 + k % 3),
            sentences(seed + 200, 1)
        )
    };
    let page = |page: usize| {
        let posts: String = (0..12).map(|k| post(page, k)).collect();
        format!("<h1>Thread {page}</h1><ol class=posts>{posts}</ol><p class=foot><a href='#top'>Up</a></p>")
    };
    let found = read(&[page(0), page(1)]);
    for k in 0..12 {
        let (own, last) = (format!("{}-0.", 20 + k), format!("{}-0.", 220 + k));
        let row = only_row(&found, 1, &[&format!("by=reader {k}"), &own]);
        let text = row.iter().find(|cell| cell.starts_with("text=")).unwrap();
        assert!(text.contains(&own) && text.contains(&last), "{text}");
        assert_eq!(text.contains(&format!("{}-0.", 120 + k)), k % 3 == 1, "{text}");
        assert!(row.iter().any(|cell| cell.ends_with(&format!("#p-{}", 20 + k))), "{row:?}");
    }
    let tables: Vec<&str> = found.wrapper.schema.tables.iter().map(|table| table.name.as_str()).collect();
    assert!(!tables.iter().any(|name| name.contains("quote")), "{tables:?}");
    assert!(found.pages.iter().flatten().all(|(_, cells)| cells.iter().all(|cell| !cell.ends_with("#top"))));
}

#[test]
fn a_class_more_on_a_part_does_not_split_a_list() {
    let page = |page: usize| {
        let posts: String = (0..10)
            .map(|k| {
                let (seed, own) = (30 * page + k, if k % 2 == 1 { " by-starter" } else { "" });
                format!(
                    "<div class=reply><div class='body{own}'><div class=who><a href=/u/{seed}>reader {seed}</a></div>\
                     <div class=when>{} days ago</div><div class=words>{}</div></div></div>",
                    1 + k * 3,
                    sentences(seed, 2)
                )
            })
            .collect();
        format!("<h1>Thread {page}</h1><div class=replies>{posts}</div>")
    };
    let found = read(&[page(0), page(1)]);
    for k in 0..10 {
        let row = only_row(&found, 1, &[&format!("{}-0.", 30 + k)]);
        assert!(row.iter().any(|cell| cell.ends_with(&format!("=reader {}", 30 + k))), "{row:?}");
        assert_eq!(row.iter().filter(|cell| cell.contains("=reader ")).count(), 1, "{row:?}");
    }
}

#[test]
fn what_comes_first_opens_a_record_of_two_rows() {
    let page = |page: usize| {
        let posts: String = (0..14)
            .map(|k| {
                // Two posts of a page have room for advertisements, which makes them look different.
                let (ads, more) = match k {
                    0 | 13 => (" has-ads", "<img src=/s.png> <a href=/x>see</a> <u>this</u> <b>now</b>"),
                    _ => ("", ""),
                };
                format!(
                    "<tr><td class=who><b>reader {k}</b> <i>member</i></td><td class=when>#{k} at {}:30</td></tr>\
                     <tr class=posting><td class=wide><div class='text{ads}'>{}{more}</div></td></tr>",
                    8 + k % 12,
                    sentences(40 * page + k, 1 + k % 3)
                )
            })
            .collect();
        format!("<h1>Thread {page}</h1><table class=thread>{posts}</table>")
    };
    let found = read(&[page(0), page(1), page(2)]);
    for k in 0..14 {
        let row = only_row(&found, 2, &[&format!("{}-0.", 80 + k)]);
        assert!(row.iter().any(|cell| cell.ends_with(&format!("=reader {k}"))), "{row:?}");
    }
}

/// A thread as three forums would show it.
fn thread(forum: usize, thread: usize) -> String {
    let post = |k: usize| {
        let seed = 100 * forum + 20 * thread + k;
        let text = format!("{} and then {}", seed * 7919 % 1000, sentences(seed, 2 + k % 3));
        let reader = format!("reader{}", seed * 37 % 101);
        match forum {
            0 => format!(
                "<li class=post><a class=by href=/u/{seed}>{reader}</a> <i class=no>#{k}</i><div class=text>{text}</div>"
            ),
            1 => format!(
                "<div class=message><div class=content><p>{text}</p></div><div class=meta><b>{reader}</b>\
                 <span class=points>{} points</span></div></div>",
                seed % 11
            ),
            _ => format!(
                "<table class=entry><tr><td class=who>{reader}</td><td class=since>member {}</td></tr>\
                 <tr><td colspan=2 class=said>{text}</td></tr></table>",
                seed % 13
            ),
        }
    };
    let posts: String = (0..5 + thread * 2).map(post).collect();
    match forum {
        0 => format!("<h1>On {thread}</h1><ol class=posts>{posts}</ol>"),
        1 => format!("<h2 class=topic>About {thread}</h2><div class=all>{posts}</div>"),
        _ => format!("<div class=head>Thread {thread}</div><div class=entries>{posts}</div>"),
    }
}

/// The tables that hold the posts, by forum. Each forum has a site and a page type of its own; `also` are further pages.
fn tables_of_posts(also: Vec<Pages<'_>>) -> Vec<String> {
    let names = ["post", "message", "entry"];
    let mut types: Vec<Pages<'_>> = Vec::new();
    for (forum, name) in names.iter().enumerate() {
        let address = |at: usize| format!("http://{name}.test/t/{at}");
        types.push((name, "/t/*", (0..3).map(|at| (address(at), thread(forum, at))).collect()));
    }
    types.extend(also);
    let (wrapper, records) = learn(types);
    let table = |forum: usize| {
        let said = format!("{}-0.", 100 * forum + 20 + 3);
        let mut rows = records[3 * forum + 1].rows.iter();
        let row = rows.find(|row| row.cells.iter().any(|cell| cell.value.contains(&said)));
        let row = row.unwrap_or_else(|| panic!("{said} is in no row"));
        let table = &wrapper.schema.tables[row.table];
        let text = row.cells.iter().find(|cell| cell.value.contains(&said)).unwrap();
        format!("{}.{}", table.name, table.columns[text.column].name)
    };
    (0..3).map(table).collect()
}

#[test]
fn threads_collected_from_many_forums_are_one_table() {
    let tables = tables_of_posts(Vec::new());
    assert!(tables.iter().all(|table| *table == tables[0] && table.ends_with(".text")), "{tables:?}");
}

#[test]
fn a_crawl_of_several_sites_is_no_collection() {
    // The same forums with a list of their threads each.
    let list = |name: &'static str| -> Pages<'static> {
        let links =
            |at: usize| (0..9).map(|k| format!("<li><a href=/t/{k}>Thread {k} {at}</a>")).collect::<String>();
        let page = |at: usize| {
            let address = format!("http://{name}.test/list/{at}");
            (address, format!("<h1>{name} {at}</h1><ul class=threads>{}</ul>", links(at)))
        };
        (name, "/list/*", (0..3).map(page).collect())
    };
    let mut tables = tables_of_posts(["post", "message", "entry"].map(list).into());
    tables.dedup();
    assert_eq!(tables.len(), 3, "{tables:?}");
}
