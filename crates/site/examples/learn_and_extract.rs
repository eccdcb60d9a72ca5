//! Learn a site from its pages, keep what was learned, and read a page that was not there before.
//!
//! `cargo run -p unsite-site --example learn_and_extract`

use unsite_site::{Page, Settings, Site, Wrapper};

/// Pages of a shop of teas, as a crawler would bring them.
fn page(n: usize) -> unsite_dom::RawPage {
    let kinds = ["green", "black", "white"];
    let html = format!(
        "<html><body><h1 class=name>Tea number {n}</h1><p>Price: <b>£{n}.50</b></p>\
         <p>Kind: <i>{}</i></p><p>In stock: <span>{}</span></p></body></html>",
        kinds[n % 3],
        n * 7,
    );
    Page::new(format!("https://tea.test/tea/{n}"), html)
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let site = Site::learn((1..=40).map(page), &Settings::default())?;
    let table = &site.wrapper().schema().tables[0];
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();

    // What was learned is one text: keep it wherever you like.
    let wrapper = Wrapper::from_text(&site.wrapper().to_text())?;
    // A reader is cheap to clone and may be used by any number of threads.
    let reader = wrapper.reader();
    let record =
        std::thread::spawn(move || reader.read(&page(99))).join().map_err(|_| "the thread failed")?;

    assert_eq!(record.page_type(), Some("tea"));
    assert_eq!(record.get("tea", "price"), Some("99.50"), "of the columns {names:?}");
    assert_eq!(record.get("tea", "kind"), Some("green"));
    assert_eq!(record.get("tea", "colour"), None);
    let price = record.all("tea", "price").next().ok_or("there is a price")?;
    assert_eq!((price.text, price.typed), ("£99.50", Some("99.50")));
    assert!(price.path.starts_with("html/body"));
    Ok(())
}
