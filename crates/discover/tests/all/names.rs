//! What columns are called: as the pages call their values.

use crate::found::{Found, read};

/// The names of the columns that hold a value on a page.
fn called(found: &Found, page: usize, value: &str) -> Vec<String> {
    let cells = found.pages[page].iter().flat_map(|(_, cells)| cells);
    let split = cells.filter_map(|cell| cell.split_once('='));
    split.filter(|(_, found)| *found == value).map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn cells_are_called_after_the_heads_of_their_columns() {
    let page = |at: usize| {
        let games: String = (0..9)
            .map(|k| {
                let n = at * 31 + k * 7;
                let (points, assists) = (1000 + n, 3000 + n);
                format!("<tr class=game><td>Week {n}</td><td class=num>{points}</td><td class=num>{assists}</td></tr>")
            })
            .collect();
        format!(
            "<h1>Player {at}</h1><table class=stats><tr class=title><td colspan=3>Statistics</td></tr>\
             <tr class=sub><td>PPG</td><td>APG</td><td>3P%</td></tr>\
             <tr class=odd><td>1{at}.8</td><td>2{at}.2</td><td>.4{at}</td></tr></table>\
             <table class=games><thead><tr><th>Date</th><th>Points</th><th>Assists</th></tr></thead><tbody>{games}\
             </tbody></table>"
        )
    };
    let found = read(&(10..18).map(page).collect::<Vec<_>>());
    assert_eq!(called(&found, 3, "113.8"), ["ppg"]);
    assert_eq!(called(&found, 3, "213.2"), ["apg"]);
    assert_eq!(called(&found, 3, ".413"), ["3p"]);
    let (points, assists) = (1000 + 13 * 31 + 14, 3000 + 13 * 31 + 14);
    assert_eq!(called(&found, 3, &points.to_string()), ["points"]);
    assert_eq!(called(&found, 3, &assists.to_string()), ["assists"]);
}

#[test]
fn heads_in_two_rows_are_not_taken_for_others() {
    let page = |at: usize| {
        let row = |k: usize| {
            let n = 10 * at + k;
            format!("<tr class=game><td>Week {n}</td><td>{n}.1</td><td>{n}.2</td><td>{n}.3</td></tr>")
        };
        let rows: String = (0..6).map(row).collect();
        format!(
            "<h1>Player {at}</h1><table><tr><td rowspan=2>Date</td><td colspan=2>Rebounds</td><td rowspan=2>Points</td></tr>\
             <tr><td>OFF</td><td>DEF</td></tr>{rows}</table>"
        )
    };
    let found = read(&(1..8).map(page).collect::<Vec<_>>());
    assert_eq!(called(&found, 2, "32.3"), ["points"]);
    let names = [called(&found, 2, "Week 32"), called(&found, 2, "32.1"), called(&found, 2, "32.2")].concat();
    assert!(names.iter().all(|name| name != "off" && name != "def"), "{names:?}");
}

#[test]
fn values_are_called_after_the_words_before_them() {
    let page = |at: usize| {
        format!(
            "<h1>School {at}</h1><table class=facts><tr id=row_control><td>Control:</td>\
             <td class=stat><span>Private {at}</span></td></tr>\
             <tr id=row_calendar><td>Academic Calendar:</td><td class=stat><span>Terms {}</span></td></tr></table>\
             <div class=info><strong>Motto</strong><div class=value>To {at} and on</div></div>",
            at * 3
        )
    };
    let found = read(&(0..8).map(page).collect::<Vec<_>>());
    assert_eq!(called(&found, 5, "Private 5"), ["control"]);
    assert_eq!(called(&found, 5, "Terms 15"), ["academic_calendar"]);
    assert_eq!(called(&found, 5, "To 5 and on"), ["motto"]);
}

#[test]
fn the_first_row_is_no_head() {
    let page = |at: usize| {
        let rows: String = (0..5)
            .map(|k| format!("<tr><td>name {at}{k}</td><td>place {k}{at}</td><td>{k}</td></tr>"))
            .collect();
        format!("<h1>List {at}</h1><table>{rows}</table>")
    };
    let found = read(&[page(1)]);
    let tables = &found.wrapper.schema.tables;
    let names: Vec<&str> =
        tables.iter().flat_map(|table| &table.columns).map(|column| column.name.as_str()).collect();
    assert!(
        names.len() > 2 && names.iter().all(|name| !name.contains("_01") && !name.contains("_10")),
        "{names:?}"
    );
}
