//! How fast a sink is: `cargo run --release -p unsite-store --example throughput -- 100000 site.db`.
//!
//! Writes that many made-up pages, each with a row of twelve cells, ten child rows of four and a link, in an order
//! that is not the canonical one, and prints the times.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::time::Instant;

use unsite_store::{Meta, Output, Sink};
use unsite_wrapper::{Cell, ColumnInfo, PageRecord, Row, Schema, TableInfo, ValueType};

const CELLS: usize = 12;
const CHILDREN: usize = 10;
const CHILD_CELLS: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let pages: usize = arguments.next().ok_or("how many pages?")?.parse()?;
    let out = Output::parse(arguments.next().ok_or("which output?")?)?;
    let started = Instant::now();
    let mut sink = Sink::create(&out, &schema(), &Meta::new("throughput", 0))?;
    for number in 0..pages {
        // A step without a common factor goes through all of them, far apart.
        sink.page(&page(number * 7_919 % pages, pages))?;
    }
    let taken = started.elapsed();
    let summary = sink.finish()?;
    let total = started.elapsed();
    println!(
        "{pages} pages, {} rows, {} cells: taken in {taken:.2?}, written after {total:.2?}",
        summary.rows, summary.cells
    );
    println!("{:.0} cells a second", summary.cells as f64 / total.as_secs_f64());
    Ok(())
}

fn schema() -> Schema {
    let columns = |count: usize| -> Vec<ColumnInfo> {
        (0..count).map(|i| ColumnInfo { name: format!("field_{i}"), ..Default::default() }).collect()
    };
    let mut item = columns(CELLS);
    item[0] = ColumnInfo {
        name: "related_url".into(),
        value_type: ValueType::Url,
        references: Some(0),
        ..Default::default()
    };
    let item = TableInfo { name: "item".into(), columns: item, ..Default::default() };
    let review = TableInfo {
        name: "review".into(),
        parent: Some(0),
        columns: columns(CHILD_CELLS),
        ..Default::default()
    };
    Schema { tables: vec![item, review], ..Default::default() }
}

fn page(number: usize, pages: usize) -> PageRecord {
    let url = |number: usize| format!("https://site.example/catalogue/item/{number}/details");
    let cell = |row: usize, column: usize| Cell {
        column,
        value: if row == 0 && column == 0 {
            url((number + 1) % pages)
        } else {
            format!("value {column} of row {row} of {number}")
        },
        path: format!("html/body/main/div[2]/ul/li[{row}]/div/span[{column}]"),
        ..Cell::default()
    };
    let mut rows = vec![Row { cells: (0..CELLS).map(|c| cell(0, c)).collect(), ..Default::default() }];
    for row in 1..=CHILDREN {
        rows.push(Row {
            table: 1,
            parent: Some(0),
            cells: (0..CHILD_CELLS).map(|c| cell(row, c)).collect(),
            ..Row::default()
        });
    }
    PageRecord { url: url(number), reference: number.to_string(), rows, ..Default::default() }
}
