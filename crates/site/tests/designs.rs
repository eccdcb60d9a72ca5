//! What people changed and the designs that a site had are honoured by whoever reads a single page.

use unsite_dom::{Moment, RawPage};
use unsite_site::edits::{Edit, Step};
use unsite_site::{Page, Record, Settings, Site, Wrapper};

const MAKERS: [&str; 5] = ["Larch", "Fenn", "Quill", "Marsh", "Heath"];

fn captured(page: RawPage, day: &str, n: usize) -> RawPage {
    let moment = format!("{day}T08:{:02}:{:02}Z", n / 60, n % 60);
    RawPage { captured: Moment::parse(&moment), ..page }
}

fn old(n: usize) -> RawPage {
    let html = format!(
        "<html><body><div id=top><h1 class=name>Lamp {n}</h1><p class=price>Price: <b>{n}9.00</b></p>\
         <p>Made by: <i>{} {n}</i></p></div></body></html>",
        MAKERS[n % 5],
    );
    captured(Page::new(format!("https://lamps.test/lamp/{n}"), html), "2019-01-01", n)
}

fn new(n: usize) -> RawPage {
    let html = format!(
        "<html><body class=v2><main><section><dl><dt>Maker</dt><dd>{} {n}</dd><dt>Now</dt><dd>{n}9.00</dd></dl>\
         <h2>Lamp {n}</h2></section></main></body></html>",
        MAKERS[n % 5],
    );
    captured(Page::new(format!("https://lamps.test/lamp/{n}"), html), "2020-01-01", n)
}

fn values(record: &Record) -> Vec<(String, String)> {
    record
        .values()
        .map(|value| (format!("{}.{}", value.table, value.column), value.text.to_owned()))
        .collect()
}

/// Learned from the old pages and repaired to the new ones.
fn repaired(edits: &[Edit]) -> Wrapper {
    let settings = Settings::default();
    let site = Site::learn((10..60).map(old), &settings).unwrap();
    let wrapper = site.wrapper().edit(edits.iter().cloned().map(Step::from).collect()).unwrap();
    wrapper.repair((10..60).map(new), &settings).unwrap()
}

/// The column that holds a text of a page.
fn column(wrapper: &Wrapper, page: &RawPage, text: &str) -> String {
    let values = values(&wrapper.reader().read(page));
    values.iter().find(|(_, value)| value == text).unwrap_or_else(|| panic!("{values:?}")).0.clone()
}

#[test]
fn a_page_is_read_with_the_design_of_its_day() {
    let wrapper = repaired(&[]);
    assert_eq!(wrapper.saved().epochs.len(), 1);
    let reader = wrapper.reader();
    for n in 10..60 {
        let (before, now) = (reader.read(&old(n)), reader.read(&new(n)));
        assert_eq!((before.design(), now.design()), (1, 0));
        let maker = format!("{} {n}", MAKERS[n % 5]);
        for text in [&maker, &format!("Lamp {n}")] {
            let place = |record: &Record| values(record).into_iter().find(|(_, value)| value == text);
            assert!(place(&before).is_some(), "{:?}", values(&before));
            assert_eq!(place(&before), place(&now));
        }
    }
    // The receipt is that of the design.
    let (before, now) = (reader.read(&old(10)), reader.read(&new(10)));
    let place = |record: &Record| {
        let row = &record.rows().rows[0];
        (row.table, row.cells.iter().find(|cell| cell.value == "Larch 10").unwrap().column)
    };
    let ((table, column), there) = (place(&before), place(&now));
    assert_eq!((table, column), there);
    let selectors = [&before, &now].map(|record| record.found_by(table, column).unwrap().selector);
    assert!(selectors[0].contains("div#top") && selectors[1].contains("dl"), "{selectors:?}");
    // Pages of an earlier design say nothing of how the site is now.
    let all: Vec<RawPage> = (10..60).flat_map(|n| [old(n), new(n)]).collect();
    let checked = wrapper.check(&all);
    assert_eq!((checked.pages, checked.set_aside, checked.findings.len()), (100, 0, 0));
}

#[test]
fn edits_are_made_undone_and_kept() {
    let settings = Settings::default();
    let site = Site::learn((10..60).map(old), &settings).unwrap();
    let learned = site.wrapper();
    let maker = column(learned, &old(10), "Larch 10");
    let rename = vec![Step::from(Edit::rename(&maker, "made_by_whom"))];
    let edited = learned.edit(rename.clone()).unwrap();
    let table = maker.split('.').next().unwrap();
    assert_eq!(edited.reader().read(&old(10)).get(table, "made_by_whom"), Some("Larch 10"));
    assert_eq!(column(learned, &old(10), "Larch 10"), maker, "the other wrapper is as it was");
    assert!(edited.schema().tables.iter().any(|info| info.columns.iter().any(|c| c.name == "made_by_whom")));
    let again = Wrapper::from_text(&edited.to_text()).unwrap();
    assert_eq!(again.reader().read(&old(10)).get(table, "made_by_whom"), Some("Larch 10"));
    assert_eq!(edited.with_edits(Vec::new()).to_text(), learned.to_text());
    let unmade = edited.edit(vec![Step::from(Edit::drop("nav"))]).unwrap_err();
    assert!(unmade.why.to_string().contains("there is no table \"nav\""), "{}", unmade.why);
    let kept = edited.with_edits([rename, vec![Step::from(Edit::drop("nav"))]].concat());
    assert_eq!(kept.unmade().iter().map(|one| one.at).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_repair_keeps_what_people_changed() {
    let site = Site::learn((10..60).map(old), &Settings::default()).unwrap();
    let maker = column(site.wrapper(), &old(10), "Larch 10");
    let wrapper = repaired(&[Edit::rename(&maker, "made_by_whom")]);
    let table = maker.split('.').next().unwrap();
    assert_eq!(wrapper.reader().read(&new(10)).get(table, "made_by_whom"), Some("Larch 10"));
}
