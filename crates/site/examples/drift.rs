//! Notice that a site has changed, and carry the names of its columns over to the new design.
//!
//! `cargo run -p unsite-site --example drift`

use unsite_dom::RawPage;
use unsite_site::{Page, Settings, Site};

const MAKERS: [&str; 5] = ["Larch", "Fenn", "Quill", "Marsh", "Heath"];

fn old(n: usize) -> RawPage {
    let html = format!(
        "<html><body><div id=top><h1 class=name>Lamp {n}</h1><p class=price>Price: <b>{n}9.00</b></p>\
         <p>Made by: <i>{} {n}</i></p></div></body></html>",
        MAKERS[n % 5],
    );
    Page::new(format!("https://lamps.test/lamp/{n}"), html)
}

fn new(n: usize) -> RawPage {
    let html = format!(
        "<html><body class=v2><main><section><dl><dt>Maker</dt><dd>{} {n}</dd><dt>Now</dt><dd>{n}9.00</dd></dl>\
         <h2>Lamp {n}</h2></section></main></body></html>",
        MAKERS[n % 5],
    );
    Page::new(format!("https://lamps.test/lamp/{n}"), html)
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = Settings::default();
    let site = Site::learn((10..60).map(old), &settings)?;
    let wrapper = site.wrapper();
    let (same, changed): (Vec<RawPage>, Vec<RawPage>) =
        ((10..60).map(old).collect(), (10..60).map(new).collect());

    assert!(wrapper.check(&same).findings.is_empty());
    let report = wrapper.check(&changed);
    let finding = report.findings.first().ok_or("the redesign is noticed")?;
    assert!(finding.chance < 1e-5, "{finding:?}");

    let repaired = wrapper.repair(changed.iter().cloned(), &settings)?;
    let column = |text: &str| {
        let record = wrapper.reader().read(&same[0]);
        record.values().find(|value| value.text == text).map(|value| value.column.to_owned())
    };
    let maker = column("Larch 10").ok_or("the maker was read")?;
    let record = repaired.reader().read(&changed[0]);
    assert_eq!(record.get("lamp", &maker), Some("Larch 10"));
    Ok(())
}
