use unsite_dom::{Limits, RawPage};

use super::*;

fn site(pages: &[(&str, &str)]) -> Site {
    let raw = |(url, html): &(&str, &str)| RawPage {
        url: format!("http://five.test/{url}"),
        reference: (*url).to_owned(),
        bytes: html.as_bytes().to_vec(),
        ..RawPage::default()
    };
    Site::parse(pages.iter().map(raw).collect(), &Limits::default())
}

/// The paper's five pages: 0 the front, 1 the news list, 2 the sales page, 3 and 4 articles.
fn five() -> Site {
    site(&[
        ("p0", "<a href=p1>zhot znews</a><a href=p2>zsales</a>"),
        ("p1", "<a href=p3>zthree</a><a href=p4>zfour</a><a href=p0>zhome</a><a href=p2>zsales</a>"),
        ("p2", "<a href=p0>zhome</a>"),
        (
            "p3",
            "<a href=p1>zhot znews</a><a href=p0>zhome</a><a href=p2>zsales</a><a href=p4>znews zfour</a>",
        ),
        (
            "p4",
            "<a href=p1>zhot znews</a><a href=p0>zhome</a><a href=p2>zsales</a><a href=p3>znews zthree</a>",
        ),
    ])
}

fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-6, "{found:?} is not {expected:?}");
    }
}

#[test]
fn links_of_the_five_pages_have_the_papers_entropies() {
    for counted in [Counted::Anchors, Counted::PageText] {
        let links = SiteLinks::of(&five(), counted);
        assert_eq!((links.pages, links.targets, links.links.len()), (5, 5, 15));
        let entropies: Vec<f64> = links.links.iter().map(|link| link.entropy).collect();
        let (hot, common, title, both) = (0.669032, 0.861353, 0.430677, 0.543068);
        close(
            &entropies,
            &[
                hot, common, title, title, common, common, common, hot, common, common, both, hot, common,
                common, both,
            ],
        );
        assert_eq!(links.redundant(), 8);
    }
}

#[test]
fn the_five_pages_have_the_papers_ranks() {
    let links = SiteLinks::of(&five(), Counted::Anchors);
    let ranks = |name: &str| method(name).unwrap().ranks(&links);
    let hits = ranks("hits");
    close(&hits.authority, &[0.534632, 0.419200, 0.575708, 0.321714, 0.321714]);
    close(&hits.hub, &[0.297210, 0.523906, 0.159712, 0.553028, 0.553028]);
    let lamis = ranks("lamis");
    close(&lamis.authority, &[0.228874, 0.337769, 0.243950, 0.622100, 0.622100]);
    close(&lamis.hub, &[0.142287, 0.756230, 0.031008, 0.451060, 0.451060]);
    let salsa = ranks("hits-ln");
    close(&salsa.authority, &[0.266667, 0.2, 0.266667, 0.133333, 0.133333]);
    close(&salsa.hub, &[0.133333, 0.266667, 0.066667, 0.266667, 0.266667]);
    let normalised = ranks("lamis-ln");
    close(&normalised.authority, &[0.133488, 0.238989, 0.133488, 0.247017, 0.247017]);
    close(&normalised.hub, &[0.113035, 0.340814, 0.033372, 0.256390, 0.256390]);
    // One block a page: the block variants are the page variants, and below 1,000 links the hybrid rank is the hub.
    let weighed = method("lamis-ln-cb-hr-tw").unwrap();
    close(&weighed.rank(&links), &[0.120384, 0.299443, 0.029321, 0.275426, 0.275426]);
    close(&weighed.ranks(&links).authority, &[0.117284, 0.273189, 0.117284, 0.246122, 0.246122]);
    close(&method("lamis-cb").unwrap().rank(&links), &lamis.hub);
    close(&method("out-links").unwrap().rank(&links), &[2.0, 4.0, 1.0, 4.0, 4.0]);
}

#[test]
fn blocks_are_hubs_of_their_own() {
    let pages = site(&[
        ("a", "<ul><li><a href=b>zb</a><li><a href=c>zc</a></ul><nav><a href=d>zd</a></nav>"),
        ("b", "<p><a href=a>za</a>"),
    ]);
    let links = SiteLinks::of(&pages, Counted::Anchors);
    assert_eq!(links.targets, 4);
    assert_eq!(links.block_page, [0, 0, 0, 1]);
    let value = |name: &str| method(name).unwrap().rank(&links)[0];
    assert!(value("cb-hits-ln") < value("hits-ln"));
}

#[test]
fn every_method_survives_nothing() {
    for pages in [site(&[]), site(&[("a", "")]), site(&[("a", "<a href=a>x</a><a href='http://['>y</a>")])] {
        let links = SiteLinks::of(&pages, Counted::PageText);
        for method in METHODS {
            assert_eq!(method.rank(&links).len(), pages.pages.len());
        }
        let types = vec![0; pages.pages.len()];
        assert_eq!(learn(&pages, &types, 1).types.len(), 1);
    }
}

#[test]
fn lists_are_told_from_articles_and_answers() {
    let frame = "<nav><a href=/>Home</a> <a href=/list>All</a></nav><form><input name=q></form>";
    let mut pages: Vec<(String, String)> = Vec::new();
    for n in 0..12 {
        let body = "Words that only this article has, in a long row. ".repeat(12);
        pages.push((
            format!("story/a-long-title-of-story-{n}"),
            format!("{frame}<h1>Story {n}</h1><p>{body}{n}</p>"),
        ));
    }
    let items = |from: usize| -> String {
        (from..from + 4)
            .map(|n| format!("<li><h2><a href=/story/a-long-title-of-story-{n}>Story {n}</a></h2></li>"))
            .collect()
    };
    for n in 0..3 {
        pages.push((format!("list{n}"), format!("{frame}<ul>{}</ul><a href=/list2>2</a>", items(4 * n))));
        pages.push((format!("find?q=word{n}"), format!("{frame}<ul>{}</ul>", items(4 * n))));
    }
    let pages: Vec<(&str, &str)> = pages.iter().map(|(url, html)| (url.as_str(), html.as_str())).collect();
    let site = site(&pages);
    let kind = |url: &str| usize::from(url.contains("/list")) + 2 * usize::from(url.contains("/find"));
    let types: Vec<usize> = site.urls().into_iter().map(kind).collect();
    let found = learn(&site, &types, 3);
    let roles: Vec<&str> = found.types.iter().map(|found| found.role.name()).collect();
    assert_eq!(roles, ["article", "index", "search"]);
    assert_eq!(found.frame.len(), 2);
    assert!(found.types[1].index_logit > found.types[0].index_logit);
}

#[test]
fn the_order_of_pages_and_the_number_of_threads_do_not_matter() {
    let mut pages = vec![
        ("p1", "<a href=p3>zthree</a><a href=p4>zfour</a><a href=p0>zhome</a>"),
        ("p3", "<p>text</p><a href=p0>zhome</a>"),
        ("p4", "<p>text</p><a href=p0>zhome</a><a href=p9>znine</a>"),
    ];
    let forwards = site(&pages);
    pages.reverse();
    let backwards = site(&pages);
    let types = [0, 1, 1];
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let many = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
    let once = alone.install(|| learn(&forwards, &types, 2));
    assert_eq!(once, many.install(|| learn(&backwards, &types, 2)));
    assert_eq!(SiteLinks::of(&forwards, Counted::PageText), SiteLinks::of(&backwards, Counted::PageText));
}

/// Two pages of one language that link to each other and to a third in the given words.
fn linked_in(language: &str, first: &str, second: &str) -> SiteLinks {
    let page = |anchor: &str, back: &str| {
        format!("<html lang={language}><p>{anchor}</p><a href=x>{anchor}</a><a href={back}>{back}</a>")
    };
    let pages = [("a", page(first, "b")), ("b", page(second, "a"))];
    SiteLinks::of(&site(&pages.each_ref().map(|(url, html)| (*url, html.as_str()))), Counted::Anchors)
}

/// Terms and entropy of the links to the third page.
fn to_third(links: &SiteLinks) -> Vec<(usize, f64)> {
    links.links.iter().filter(|link| link.to == 2).map(|link| (link.terms, link.entropy)).collect()
}

#[test]
fn scripts_without_spaces_are_cut_into_words() {
    for (language, text, other, least) in [
        ("zh", "北京大学图书馆今天开放", "上海港口天气预报", 3),
        ("ja", "東京の図書館は今日開いています", "大阪の天気予報", 3),
        ("th", "ห้องสมุดเปิดวันนี้", "พยากรณ์อากาศ", 2),
    ] {
        let found = to_third(&linked_in(language, text, other));
        assert!(found[0].0 >= least, "{language}: {found:?}");
        // The words of two different texts stand on one page each: no entropy.
        assert_eq!(found[0].1, 0.0, "{language}");
        // The same text on both pages says nothing.
        let same = to_third(&linked_in(language, text, text));
        assert!((same[0].1 - 1.0).abs() < 1e-9, "{language}: {same:?}");
    }
}

#[test]
fn compounds_capitals_and_direction_do_no_harm() {
    // A compound is one term, the same on both pages whatever its case; umlauts survive.
    let german = to_third(&linked_in(
        "de",
        "Donaudampfschifffahrtsgesellschaft",
        "DONAUDAMPFSCHIFFFAHRTSGESELLSCHAFT",
    ));
    assert_eq!(german, [(1, 1.0), (1, 1.0)]);
    // Turkish has an i with a dot and one without: capitals fold to their own small letters.
    let turkish = to_third(&linked_in("tr", "ISPARTA", "ısparta"));
    assert_eq!(turkish, [(1, 1.0), (1, 1.0)]);
    let apart = to_third(&linked_in("tr", "ISPARTA", "isparta"));
    assert_eq!(apart, [(1, 0.0), (1, 0.0)]);
    for (language, text, other) in
        [("ar", "مكتبة المدينة", "أخبار اليوم"), ("he", "ספריית העיר", "חדשות היום")]
    {
        let found = to_third(&linked_in(language, text, other));
        assert!(found.iter().all(|(terms, entropy)| *terms >= 1 && *entropy == 0.0), "{language}: {found:?}");
    }
}

#[test]
fn a_question_stands_in_the_title_and_nobody_links_to_it() {
    let mut pages = vec![
        ("s?k=blue+shoes&ref=a1", "<title>Shop : Blue shoes</title><p>Results"),
        ("s?k=red+hats&ref=a1", "<title>Shop : red hats</title><p>Results"),
        ("s?k=gloves&ref=a1", "<title>Shop : gloves</title><p>Results"),
    ];
    let fields = |site: &Site| SitePages::of(site).search_fields;
    assert_eq!(fields(&site(&pages)), ["k"]);
    pages.push((
        "",
        "<a href='s?k=blue+shoes&ref=a1'>a</a><a href='s?k=red+hats&ref=a1'>b</a><a href='s?k=gloves&ref=a1'>c</a>",
    ));
    assert!(fields(&site(&pages)).is_empty(), "tags are linked to");
    assert!(fields(&site(&pages[..2])).is_empty(), "two say too little");
}
