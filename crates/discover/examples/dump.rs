//! Prints what is read.
use unsite_discover::{Site, induce, page_types};
use unsite_dom::{Limits, RawPage};
use unsite_sample::Knobs;
fn main() {
    let seed: Option<u64> = std::env::args().nth(1).and_then(|s| s.parse().ok());
    let knobs = seed.map_or_else(Knobs::default, Knobs::random);
    let sample = unsite_sample::Site::generate(&knobs);
    if let Some(p) = std::env::args().nth(2) {
        for page in sample.pages.iter().filter(|x| x.url.contains(&p)).take(1) {
            println!("{}\n{}", page.url, page.html);
        }
        return;
    }
    let raw = sample.pages.iter().map(|p| RawPage {
        url: p.url.clone(),
        bytes: p.html.clone().into_bytes(),
        ..RawPage::default()
    });
    let site = Site::parse(raw.collect(), &Limits::default());
    let types = page_types::cluster(&site, &page_types::Options::default());
    if std::env::var("URLS").is_ok() {
        for (at, t) in types.type_of.iter().enumerate() {
            println!("{} {}", t, site.urls()[at]);
        }
        return;
    }
    let wrapper = induce(&site, types);
    for (t, ty) in wrapper.schema.page_types.iter().enumerate() {
        println!(
            "TYPE {} {} {} {} table {:?}",
            ty.name,
            ty.pages,
            ty.role,
            ty.url_pattern,
            wrapper.types[t].page_table.map(|t| &wrapper.schema.tables[t].name)
        );
    }
    for t in &wrapper.schema.tables {
        println!(
            "READ {} parent {:?} on {} {:?}",
            t.name,
            t.parent.map(|p| &wrapper.schema.tables[p].name),
            t.page_type,
            t.also_on
        );
    }
    for t in &wrapper.database.as_ref().unwrap().tables {
        println!("TABLE {} {:?} parent {:?} why {}", t.name, t.kind, t.parent, t.why);
        for c in &t.columns {
            println!(
                "   {}{} {:?} {:.2} label {:?} ref {:?} | {} | {}",
                if c.is_hidden { "- " } else { "" },
                c.name,
                c.value_type,
                c.coverage,
                c.label,
                c.references,
                c.selector,
                c.note
            );
        }
    }
}
