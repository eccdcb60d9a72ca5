//! The default page clustering and its experts, from outside.

use unsite_discover::Site;
use unsite_discover::experts::{EXPERTS, PageView, position};
use unsite_discover::page_types::Options;
use unsite_discover::page_types::auto::{GoldTypes, Typing, train, training_pairs};
use unsite_dom::{Limits, RawPage, Tree};
use unsite_learn::measures::clustering::adjusted_rand;
use unsite_sample::{Change, Family, Knobs};
use unsite_wrapper::ClassMap;

fn raw(url: &str, html: &str) -> RawPage {
    RawPage { url: url.into(), reference: url.into(), bytes: html.as_bytes().to_vec(), ..RawPage::default() }
}

fn shop() -> Vec<RawPage> {
    let knobs = Knobs {
        books: 20,
        authors: 6,
        categories: 3,
        queries: 3,
        family: Family::default(),
        ..Knobs::default()
    };
    unsite_sample::Site::generate(&knobs).pages.iter().map(|page| raw(&page.url, &page.html)).collect()
}

fn parse(pages: Vec<RawPage>) -> Site {
    Site::parse(pages, &Limits::default())
}

#[test]
fn experts_are_symmetric_stay_within_bounds_and_survive_anything() {
    let pages = [
        "<html><body class='item x'><h1>Tea 1</h1><ul><li><a href=/a>a</a><li>b</ul><table><tr><td>1<td>2</table>",
        "<html><body class='item y'><h1>Tea 2</h1><ul><li><a href=/b>c</a></ul><p>more</p>",
        "",
        "<!-- nothing -->",
        "<table><tr><td><table><tr><td><script type='application/ld+json'>{\"@type\":[</script>",
        "\u{0}\u{fffd}<p <p <p",
    ];
    let urls = [
        "http://a.example/item/1",
        "http://a.example/item/2?x=1",
        "",
        "no address",
        "http://a.example/%ff/..",
        "x:",
    ];
    let trees: Vec<Tree> =
        pages.iter().map(|html| Tree::parse(html.as_bytes(), None, &Limits::default()).0).collect();
    let classes = ClassMap::default();
    for expert in EXPERTS {
        assert!(!expert.about.is_empty());
        assert_eq!(EXPERTS[position(expert.name).expect("listed")].name, expert.name);
        let mut features: Vec<_> = trees
            .iter()
            .zip(urls)
            .map(|(tree, url)| (expert.read)(&PageView::new(url, tree, &classes, &[])))
            .collect();
        let weights = (expert.weigh)(&features.iter().collect::<Vec<_>>());
        features.iter_mut().for_each(|page| page.settle(|feature| (expert.weight)(&weights, feature)));
        for a in &features {
            for b in &features {
                let (there, back) = ((expert.score)(&weights, a, b), (expert.score)(&weights, b, a));
                let close = match (there, back) {
                    (Some(x), Some(y)) => (x - y).abs() < 1e-9 && (0.0..=1.0 + 1e-9).contains(&x),
                    (None, None) => true,
                    _ => false,
                };
                assert!(close, "{}: {there:?} {back:?}", expert.name);
            }
            if let Some(same) = (expert.score)(&weights, a, a) {
                assert!(same > 0.999, "{} finds a page unlike itself: {same}", expert.name);
            }
        }
    }
}

#[test]
fn the_shop_comes_apart_by_its_routes() {
    let site = parse(shop());
    let typing = Typing::of(&site, &Options::default());
    let route = |url: &str| {
        url.split('/').nth(3).unwrap_or_default().split('?').next().unwrap_or_default().to_owned()
    };
    let routes: Vec<String> = site.urls().iter().map(|url| route(url)).collect();
    let agreement = adjusted_rand(&typing.type_of, &routes);
    assert!(agreement > 0.9, "{agreement}: {:?}", typing.types);
    let mut names: Vec<&str> = typing.types.iter().map(|kind| kind.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), typing.types.len(), "names are different");
    assert!(
        typing.types.iter().all(|kind| (0.0..=1.0).contains(&kind.confidence) && !kind.typical.is_empty())
    );
    assert_eq!(typing.types.iter().map(|kind| kind.pages).sum::<usize>(), site.pages.len());
}

#[test]
fn order_of_pages_and_threads_change_nothing() {
    let first = Typing::of(&parse(shop()), &Options::default());
    let mut pages = shop();
    pages.reverse();
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let second = one_thread.install(|| Typing::of(&parse(pages), &Options::default()));
    assert_eq!(first.type_of, second.type_of);
    assert_eq!(first.types, second.types);
}

#[test]
fn reasons_add_up_and_name_the_experts_that_are_on() {
    let site = parse(shop());
    let options = Options { without: vec!["url".into()], ..Options::default() };
    let typing = Typing::of(&site, &options);
    let why = typing.why(&site, 3).expect("a page of the site");
    assert_eq!(why.page_type, Some(typing.type_of[3]));
    assert!(why.runner_up.is_some_and(|other| Some(other) != why.page_type));
    assert_eq!(why.opinions.len(), EXPERTS.len() - 1);
    assert!(why.opinions.iter().all(|opinion| !opinion.expert.ends_with("url")));
    let sum: f64 = why.bias + why.opinions.iter().map(|opinion| opinion.own_odds).sum::<f64>();
    assert!((sum - why.own).abs() < 1e-6, "{sum} is not {}", why.own);
    assert!(typing.why(&site, usize::MAX).is_none());
}

#[test]
fn further_pages_are_recognised_and_strangers_are_not() {
    let site = parse(shop());
    let typing = Typing::of(&site, &Options::default());
    for page in site.pages.iter().take(10) {
        let at = site.pages.iter().position(|other| other.raw.url == page.raw.url).expect("there");
        let found = typing.classify(&page.raw.url, &page.tree).map(|(page_type, _)| page_type);
        assert_eq!(found, Some(typing.type_of[at]), "{}", page.raw.url);
    }
    let (stranger, _) =
        Tree::parse(b"<rss><channel><item><guid>1</guid></item></channel></rss>", None, &Limits::default());
    assert_eq!(typing.classify("ftp://elsewhere.example/x/y/z/feed.rss?format=2&kind=3", &stranger), None);
}

#[test]
fn one_expert_alone_can_be_heard() {
    let site = parse(shop());
    for expert in EXPERTS {
        let options = Options { only: vec![expert.name.into()], ..Options::default() };
        assert_eq!(options.experts_on().iter().filter(|on| **on).count(), 1);
        assert_eq!(Typing::of(&site, &options).type_of.len(), site.pages.len(), "{}", expert.name);
    }
}

#[test]
fn training_is_repeatable_and_leaves_a_site_out() {
    let site = parse(shop());
    let types: Vec<Option<String>> =
        site.urls().iter().map(|url| url.split('/').nth(3).map(str::to_owned)).collect();
    let pairs = training_pairs(&site, &types, &["url"]);
    let url = position("url").expect("an expert");
    assert!(pairs.iter().all(|pair| pair.scores[url].is_none()));
    assert!(pairs.iter().any(|pair| pair.same) && pairs.iter().any(|pair| !pair.same));
    assert_eq!(pairs, training_pairs(&site, &types, &["url"]));
    let gold = |name: &str| GoldTypes { name: name.into(), group: name.into(), pairs: pairs.clone() };
    let sites = [gold("one"), gold("two")];
    assert!(!train(&sites, Some("two")).provenance.contains("two"));
    assert_ne!(train(&sites, None), train(&sites, Some("two")));
    assert!(training_pairs(&Site::default(), &[], &[]).is_empty());
}

/// The detail pages of a shop under a host of its own: one type.
fn details(host: usize, knobs: &Knobs) -> Vec<RawPage> {
    let pages = unsite_sample::Site::generate(knobs).pages;
    let own = |url: &str| url.replacen(unsite_sample::ORIGIN, &format!("https://shop{host}.example"), 1);
    let details = pages.iter().filter(|page| page.url.contains("/book/"));
    details.map(|page| raw(&own(&page.url), &page.html)).collect()
}

#[test]
fn pages_of_eight_sites_thrown_together_come_apart() {
    // Families as they are and after redesigns, all with other books. One of them alone says in microdata that its pages are
    // books: pages that call themselves the same are one type, whatever site they are from.
    let all = vec![
        Change::RenameClasses,
        Change::ChangeTags,
        Change::NewNesting,
        Change::ReorderBlocks,
        Change::SplitFields,
        Change::MergeFields,
    ];
    let designs = [
        (Family::Modern, vec![]),
        (Family::Modern, vec![Change::ChangeTags, Change::NewNesting]),
        (Family::Modern, all.clone()),
        (Family::Antique, vec![]),
        (Family::Antique, all.clone()),
        (Family::Semantic, vec![]),
        (Family::Hashed, vec![]),
        (Family::Hashed, all),
    ];
    let sites: Vec<Vec<RawPage>> = designs
        .into_iter()
        .enumerate()
        .map(|(at, (family, redesign))| {
            let redesign = redesign.into_iter().collect();
            let knobs = Knobs {
                seed: at as u64 + 1,
                books: 40,
                authors: 6,
                queries: 0,
                json_ld: false,
                family,
                redesign,
                ..Knobs::default()
            };
            details(at, &knobs)
        })
        .collect();
    assert_eq!(sites.len(), 8);
    assert!(sites.iter().all(|pages| pages.len() == 40));
    let site = parse(sites.concat());
    let hosts: Vec<&str> = site.urls().iter().map(|url| url.split('/').nth(2).unwrap_or_default()).collect();
    let typing = Typing::of(&site, &Options::default());
    let mut held: Vec<(usize, &str)> = typing.type_of.iter().copied().zip(hosts.iter().copied()).collect();
    held.sort_unstable();
    held.dedup();
    assert_eq!(adjusted_rand(&typing.type_of, &hosts), 1.0, "{held:?}");
}

/// The answers of a search: `found` hits of a topic and a post each, several posts of a topic one below the other.
fn answer(query: &str, narrowed: &str, hits: &[(&str, usize)]) -> RawPage {
    let rows: String = hits
        .iter()
        .map(|(kind, at)| {
            format!(
                "<tr><td><a class=hit href=/{kind}/{kind}-{}>About {}</a> by {at}<td>{at}",
                at / 2,
                at / 2
            )
        })
        .collect();
    raw(
        &format!("http://a.example/find?q={query}{narrowed}"),
        &format!("<a href=/>Home</a><form><input name=q value='{query}'></form><table>{rows}</table>"),
    )
}

#[test]
fn two_rows_with_one_target_are_two_answers_and_a_narrowed_search_is_another_search() {
    let mut pages: Vec<RawPage> = (0..12)
        .map(|at| answer(&format!("w{at}"), "", &[("topic", 4 * at), ("topic", 4 * at + 2), ("job", 4 * at)]))
        .collect();
    pages.push(answer("pair", "", &[("topic", 60), ("topic", 61)]));
    pages.push(answer("one", "", &[("topic", 70)]));
    pages.push(answer("other", "", &[("topic", 80)]));
    pages.extend(
        (0..6).map(|at| answer(&format!("j{at}"), "&kind=job", &[("job", 4 * at), ("job", 4 * at + 2)])),
    );
    let site = parse(pages);
    let typing = Typing::of(&site, &Options::default());
    let of = |part: &str| {
        let at = site.urls().iter().position(|url| url.contains(part)).expect("a page");
        typing.type_of[at]
    };
    assert_eq!(of("q=pair"), of("q=w1"), "two posts of one topic: {:?}", typing.types);
    assert_ne!(of("q=one"), of("q=w1"));
    assert_eq!(of("q=one"), of("q=other"));
    assert_ne!(of("kind=job"), of("q=w1"), "jobs are another search: {:?}", typing.types);
}
