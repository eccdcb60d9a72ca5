#![no_main]
use libfuzzer_sys::fuzz_target;
use unsite_acquire::crawl::{Robots, normal};
use unsite_dom::Url;

fuzz_target!(|input: (&[u8], &str)| {
    let robots = Robots::parse(input.0, "unsite");
    if let Ok(url) = Url::parse("http://a.test/").and_then(|base| base.join(input.1)) {
        robots.allows(&url);
        // However an address is spelled, its normal form is as allowed, and stays what it is.
        if let Some(one) = normal(&url) {
            robots.allows(&one);
            assert_eq!(normal(&one).as_ref(), Some(&one));
        }
    }
});
