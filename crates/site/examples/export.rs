//! Write the tables of a site into a database, or hand its rows to a program.
//!
//! `cargo run -p unsite-site --example export`

use unsite_site::{Page, Settings, Site};
use unsite_store::{Meta, Output, Sink, TableShape, TakeTables, Value};

fn page(n: usize) -> unsite_dom::RawPage {
    let html = format!(
        "<html><body><h1>Bridge {n}</h1><table><tr><th>Opened</th><td>{}-05-01</td></tr>\
         <tr><th>Length</th><td>{} m</td></tr></table></body></html>",
        1900 + n,
        120 + n * 3,
    );
    Page::new(format!("https://bridges.test/bridge/{n}"), html)
}

/// Counts rows, and remembers which values a column of days has.
#[derive(Default)]
struct Days {
    place: Option<usize>,
    rows: usize,
    days: usize,
}

impl TakeTables for Days {
    fn table(&mut self, shape: &TableShape) -> bool {
        self.place = shape.columns.iter().position(|column| column.name == "opened");
        shape.name == "bridge"
    }

    fn row(&mut self, values: &[Value<'_>]) {
        self.rows += 1;
        self.days += usize::from(self.place.is_some_and(|at| matches!(values[at], Value::Date(_))));
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let site = Site::learn((1..=30).map(page), &Settings::default())?;
    let (reader, schema) = (site.wrapper().reader(), site.wrapper().schema());
    let folder = tempfile::tempdir()?;
    let output = Output::parse(folder.path().join("bridges.db"))?;
    let mut database = Sink::create(&output, schema, &Meta::default())?;
    let mut collected = Sink::collect(schema, &Meta::default())?;
    for page in (1..=30).map(page) {
        let record = reader.read(&page);
        database.page(record.rows())?;
        collected.page(record.rows())?;
    }
    assert_eq!(database.finish()?.pages, 30);
    let mut days = Days::default();
    collected.finish_into(&mut days)?;
    assert_eq!((days.rows, days.days), (30, 30));
    Ok(())
}
