//! The database behind small sites: which tables and columns are shown, and where the rows of pages go.

use std::collections::{BTreeMap, BTreeSet};

use unsite_wrapper::{PageRecord, TableKind, Wrapper};

use crate::support::learn;

const WORDS: [&str; 12] = [
    "Amber", "Birch", "Cedar", "Drift", "Ember", "Frost", "Grove", "Heath", "Iris", "Juniper", "Kelp",
    "Linden",
];

fn name(at: usize) -> String {
    format!("{} {}", WORDS[at % 12], ["lamp", "chair", "clock", "shelf", "bench"][at / 12 % 5])
}

fn price(at: usize) -> String {
    format!("€{}.{:02}", 10 + at * 7 % 90, at * 13 % 100)
}

fn product(at: usize) -> (String, String) {
    let room = at % 4;
    let review = |n: usize| {
        let (who, day) = (WORDS[(at * 7 + n * 5) % 12], 1 + (at * 3 + n * 11) % 28);
        format!(
            "<li class=review><span class=who>{who} {n}</span><span class=day>2025-03-{day:02}</span>\
             <p>It came in week {} and the {} one is still here, {n} years on.</p></li>",
            at + n,
            WORDS[(at * 5 + n) % 12]
        )
    };
    let reviews: String = (0..reviews_of(at)).map(review).collect();
    let reviews = format!("<h2>Reviews</h2><ul class=reviews>{reviews}</ul>");
    let body = format!(
        "<div class=crumbs><a href=/>Home</a> &gt; <a href=/room/{room}>{}</a> &gt; {}</div>\
         <h1>{}</h1><p class=price>{}</p><table><tr><th>SKU</th><td>LX-{at:04}</td></tr>\
         <tr><th>Room</th><td><a href=/room/{room}>{}</a></td></tr></table>\
         <p class=about>It is made of {} and stands {} cm high, with room for more.</p>{reviews}",
        ROOMS[room],
        name(at),
        name(at),
        price(at),
        ROOMS[room],
        WORDS[at * 5 % 12],
        20 + at * 3,
    );
    (format!("http://shop.test/product/{at}"), body)
}

/// How many reviews a product has.
fn reviews_of(at: usize) -> usize {
    2 + at % 3
}

const ROOMS: [&str; 4] = ["Kitchen", "Study", "Garden", "Hall"];

/// The products of a room, in parts of five; a list says what only lists say: how many were sold.
fn room(room: usize, part: usize) -> (String, String) {
    let all: Vec<usize> = (0..40).filter(|at| at % 4 == room).collect();
    let rows: String = all[part * 5..part * 5 + 5]
        .iter()
        .map(|&at| {
            format!(
                "<li class=card><a href=/product/{at}>{}</a><span class=price>{}</span><i>{} sold</i></li>",
                name(at),
                price(at),
                at * 11 % 97
            )
        })
        .collect();
    let url = if part == 0 {
        format!("http://shop.test/room/{room}")
    } else {
        format!("http://shop.test/room/{room}?page={}", part + 1)
    };
    (
        url,
        format!(
            "<h1>{}</h1><ul>{rows}</ul><p class=pages><a href=/room/{room}>1</a> <a href=/room/{room}?page=2>2</a></p>",
            ROOMS[room]
        ),
    )
}

fn shop() -> (Wrapper, Vec<PageRecord>) {
    let rooms = (0..4).flat_map(|at| [room(at, 0), room(at, 1)]).collect();
    learn(vec![("product", "/product/*", (0..40).map(product).collect()), ("room", "/room/*", rooms)])
}

/// The tables that people see, with their columns.
fn shown(wrapper: &Wrapper) -> BTreeMap<String, Vec<String>> {
    let database = wrapper.database.as_ref().unwrap();
    let tables = database.tables.iter().filter(|table| table.is_shown());
    tables
        .map(|table| (table.name.clone(), table.shown().iter().map(|column| column.name.clone()).collect()))
        .collect()
}

#[test]
fn lists_are_views_of_the_things_they_lead_to() {
    let (wrapper, pages) = shop();
    let tables = shown(&wrapper);
    let entities: Vec<&str> = wrapper
        .database
        .as_ref()
        .unwrap()
        .tables
        .iter()
        .filter(|table| table.kind == TableKind::Entity)
        .map(|table| table.name.as_str())
        .collect();
    assert_eq!(entities.iter().filter(|name| name.contains("card")).count(), 0, "{tables:?}");
    assert!(entities.contains(&"product") && entities.contains(&"room"), "{tables:?}");
    // Every product is known by its address, on its own page and in the lists.
    let database = wrapper.database.as_ref().unwrap();
    let product = database.tables.iter().position(|table| table.name == "product").unwrap();
    let mut own = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for page in &pages {
        for row in database.rows(page).into_iter().filter(|row| row.table == product) {
            let key = row.key.unwrap();
            if row.is_view {
                seen.insert(key)
            } else {
                own.insert(key)
            };
        }
    }
    assert_eq!(own.len(), 40);
    assert_eq!(own, seen);
}

#[test]
fn one_fact_is_one_column_and_what_only_lists_tell_moves_to_the_thing() {
    let (wrapper, _) = shop();
    let product = &shown(&wrapper)["product"];
    assert_eq!(*product, ["url", "title", "price", "sku", "room", "room_url", "about", "card_sold"]);
    let database = wrapper.database.as_ref().unwrap();
    let table = database.tables.iter().find(|table| table.name == "product").unwrap();
    let told = table.shown().iter().filter(|column| column.note.contains("told by the lists")).count();
    assert_eq!(told, 1, "what was sold: {:?}", table.columns);
}

#[test]
fn parts_of_a_long_list_are_one_thing() {
    let (wrapper, pages) = shop();
    let database = wrapper.database.as_ref().unwrap();
    let room = database.tables.iter().position(|table| table.name == "room").unwrap();
    let keys: BTreeSet<String> = pages
        .iter()
        .flat_map(|page| database.rows(page))
        .filter(|row| row.table == room)
        .filter_map(|row| row.key)
        .collect();
    assert_eq!(keys.len(), 4, "{keys:?}");
}

#[test]
fn parts_of_a_page_belong_to_its_thing() {
    let (wrapper, pages) = shop();
    let database = wrapper.database.as_ref().unwrap();
    let product = database.tables.iter().position(|table| table.name == "product").unwrap();
    let reviews = database
        .tables
        .iter()
        .position(|table| table.parent == Some(product) && table.kind == TableKind::Entity);
    let reviews = reviews.unwrap_or_else(|| panic!("{:?}", shown(&wrapper)));
    let rows = pages.iter().flat_map(|page| database.rows(page)).filter(|row| row.table == reviews).count();
    assert_eq!(rows, (0..40).map(reviews_of).sum::<usize>());
}

#[test]
fn nothing_that_was_read_is_thrown_away() {
    let (wrapper, pages) = shop();
    let database = wrapper.database.as_ref().unwrap();
    for page in &pages {
        let read: Vec<&str> =
            page.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.value.as_str()).collect();
        let rows = database.rows(page);
        let stored: BTreeSet<&str> =
            rows.iter().flat_map(|row| &row.cells).map(|cell| cell.value.as_str()).collect();
        assert!(read.iter().all(|value| stored.contains(value)), "{}", page.url);
    }
}
