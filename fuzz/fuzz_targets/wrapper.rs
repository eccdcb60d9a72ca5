#![no_main]
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use unsite_dom::{RawPage, Tree};
use unsite_wrapper::SavedWrapper;

static PAGE: LazyLock<(RawPage, Tree)> = LazyLock::new(|| {
    let html = "<html><body><h1>One</h1><p>Price: <b>5</b></p><ul><li>a<li>b</ul></body></html>";
    let page = RawPage { url: "http://a.test/1".into(), reference: "1".into(), bytes: html.into(), ..RawPage::default() };
    let tree = Tree::parse(html.as_bytes(), None, &unsite_fuzz::LIMITS).0;
    (page, tree)
});

// A wrapper file that is taken can be used, whatever stands in it, and written again.
fuzz_target!(|text: &str| {
    let Ok(saved) = SavedWrapper::from_text(text) else { return };
    let (page, tree) = &*PAGE;
    let reader = saved.wrapper.reader();
    reader.read_new(page, tree, &[]);
    for page_type in 0..saved.wrapper.types.len() {
        reader.read(page, tree, &[], Some(page_type));
    }
    SavedWrapper::from_text(&saved.to_text()).expect("what was written can be read");
});
