//! Lines with labels, and links that say several things.

use crate::found::{Found, read};

/// Everything that is read off a page.
fn values(found: &Found, page: usize) -> Vec<&str> {
    let cells = found.pages[page].iter().flat_map(|(_, cells)| cells);
    cells.filter_map(|cell| Some(cell.split_once('=')?.1)).collect()
}

#[test]
fn labelled_lines_are_found_inside_what_only_wraps_them() {
    let page = |n: usize| {
        format!(
            "<h1>Inn {n}</h1><table><tr><td><img src=/i/{n}.gif></td><td><font>Rating: {n}.5 points<br>Price: {} crowns a night \
             for two with breakfast<br>Address: Mill Lane {n}, behind the market, Upper Town<br>Telephone: 555-{n}12</font></td></tr></table>",
            n * 31
        )
    };
    let found = read(&(10..24).map(page).collect::<Vec<_>>());
    let read = values(&found, 2);
    assert!(read.contains(&"12.5 points"), "{read:?}");
    assert!(read.contains(&"555-1212"), "{read:?}");
}

#[test]
fn words_marked_in_an_excerpt_are_no_field() {
    let words = ["lamp", "door", "tree", "boat", "song", "mill", "rain", "king"];
    let page = |n: usize| {
        let hit = |k: usize| {
            let at = n * 7 + k;
            let (before, behind) = (words[at % 8], words[(at * 3 + 1) % 8]);
            format!(
                "<li><a href=/p/{at}>Page {at}</a><div class=x>{before} {at} and a <span class=m>{}</span> {behind} {}</div></li>",
                words[n - 1],
                at * 3
            )
        };
        format!("<h1>Results {n}</h1><ul>{}</ul>", (0..6).map(hit).collect::<String>())
    };
    let found = read(&(1..9).map(page).collect::<Vec<_>>());
    let read = values(&found, 0);
    assert!(read.contains(&"boat 11 and a lamp tree 33"), "{read:?}");
}

#[test]
fn a_link_is_called_by_all_that_it_says() {
    let page = |n: usize| {
        let hit = |k: usize| {
            let at = n * 7 + k;
            format!(
                "<dt><a href=/t/{at}><i class=s>#{at}</i>: Report number {at} of many</a></dt><dd>By user{k}</dd>"
            )
        };
        format!("<h1>Found {n}</h1><dl>{}</dl>", (0..6).map(hit).collect::<String>())
    };
    let found = read(&(1..9).map(page).collect::<Vec<_>>());
    let read = values(&found, 0);
    assert!(read.contains(&"#8 : Report number 8 of many"), "{read:?}");
}
