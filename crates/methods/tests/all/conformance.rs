//! What every page clustering method has to do, whatever it believes in.

use unsite_discover::Site;
use unsite_discover::page_types::Options;
use unsite_dom::{Limits, RawPage};
use unsite_learn::measures::clustering::{adjusted_rand, clustering_entropy};
use unsite_methods::page_types::{METHODS, Method, cluster, method};
use unsite_sample::{Family, Knobs, Language};

fn page(url: String, bytes: Vec<u8>) -> RawPage {
    RawPage { reference: url.clone(), url, bytes, ..RawPage::default() }
}

fn parse(pages: Vec<RawPage>) -> Site {
    Site::parse(pages, &Limits::default())
}

/// The pages of a generated shop under a host of their own.
fn shop(host: &str, family: Family, language: Language) -> Vec<RawPage> {
    let knobs =
        Knobs { books: 14, authors: 4, categories: 2, queries: 2, family, language, ..Knobs::default() };
    let pages = unsite_sample::Site::generate(&knobs).pages.into_iter();
    let own = |url: &str| url.replacen(unsite_sample::ORIGIN, &format!("https://{host}.example"), 1);
    pages.map(|page_| page(own(&page_.url), page_.html.into_bytes())).collect()
}

fn labels(method: &Method, site: &Site) -> Vec<usize> {
    (method.cluster)(site, &Options { seed: 7, ..Options::default() })
}

#[test]
fn names_are_unique_and_found() {
    for one in METHODS {
        assert_eq!(METHODS.iter().filter(|other| other.name == one.name).count(), 1, "{}", one.name);
        assert!(method(one.name).is_some() && !one.about.is_empty());
    }
    assert!(method("no such method").is_none());
}

#[test]
fn no_page_and_one_page() {
    let one = parse(vec![page("http://a.example/".into(), b"<h1>One</h1>".to_vec())]);
    for method in METHODS {
        assert!(labels(method, &Site::default()).is_empty(), "{}", method.name);
        assert_eq!(labels(method, &one).len(), 1, "{}", method.name);
        let types = cluster(&one, method, &Options::default());
        assert_eq!((types.type_of.as_slice(), types.count), (&[0][..], 1), "{}", method.name);
    }
}

#[test]
fn identical_pages_are_one_type() {
    let html = "<title>Same</title><h1>Same page</h1><ul><li>a<li>b</ul>".as_bytes();
    let site = parse((0..30).map(|_| page("http://a.example/same".into(), html.to_vec())).collect());
    for method in METHODS.iter().filter(|method| method.name != "random") {
        let labels = labels(method, &site);
        assert!(labels.iter().all(|&label| label == labels[0]), "{}: {labels:?}", method.name);
    }
}

#[test]
fn order_and_repetition_do_not_matter() {
    let pages = shop("a", Family::Modern, Language::En);
    let mut other = pages.clone();
    other.reverse();
    other.rotate_left(5);
    let (first, second) = (parse(pages), parse(other));
    for method in METHODS {
        let (one, two) = (labels(method, &first), labels(method, &second));
        assert_eq!(one.len(), first.pages.len(), "{}", method.name);
        assert_eq!(one, labels(method, &first), "{}: the same seed twice", method.name);
        let of = |site: &Site, labels: &[usize]| {
            let mut by_page: Vec<(String, usize)> = site
                .pages
                .iter()
                .zip(labels)
                .map(|(page, &label)| (page.raw.reference.clone(), label))
                .collect();
            by_page.sort();
            by_page.into_iter().map(|pair| pair.1).collect::<Vec<usize>>()
        };
        let (one, two) = (of(&first, &one), of(&second, &two));
        assert_eq!(adjusted_rand(&one, &two), 1.0, "{}: permuted pages", method.name);
    }
}

#[test]
fn threads_do_not_matter() {
    let site = parse(shop("a", Family::Modern, Language::En));
    let run = |threads: usize, method: &Method| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| labels(method, &site))
    };
    for method in METHODS {
        assert_eq!(run(1, method), run(4, method), "{}", method.name);
    }
}

#[test]
fn a_given_number_of_types_is_kept_to() {
    let site = parse(shop("a", Family::Modern, Language::En));
    for name in ["thor", "raw-tags", "content", "raw-content", "url", "size", "random", "fourier"] {
        let mut found = (method(name).unwrap().cluster)(&site, &Options { k: Some(3), ..Options::default() });
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), 3, "{name}");
    }
}

#[test]
fn hostile_pages_do_no_harm() {
    let mut rng = unsite_learn::rng::Rng::new(3);
    let mut noise = |n: usize| (0..n).map(|_| rng.next_u64() as u8).collect::<Vec<u8>>();
    let mut bodies: Vec<Vec<u8>> = vec![
        Vec::new(),
        b" ".to_vec(),
        noise(20_000),
        noise(333),
        "<div>".repeat(20_000).into_bytes(),
        "<table><tr><td>".repeat(2_000).into_bytes(),
        "<b>x</b>".repeat(9_000).into_bytes(),
        "a ".repeat(30_000).into_bytes(),
        format!("<p id='{}' class='{}'>x", "i".repeat(50_000), "c ".repeat(20_000)).into_bytes(),
        "<a href='http://[::1'>x</a><base href='::'><title></title><h1></h1>".into(),
        "\u{0}\u{feff}<html><html><body><body><p><p></html>".into(),
    ];
    bodies.push(bodies[4].clone());
    let urls = ["", "http://", "not a url", "http://a.example/?q=%ff%00", "data:text/html,x"];
    let pages = bodies.into_iter().enumerate().map(|(i, body)| RawPage {
        url: urls[i % urls.len()].repeat(1 + i / 4),
        reference: i.to_string(),
        bytes: body,
        charset: (i % 3 == 0).then(|| "no such charset".into()),
        ..RawPage::default()
    });
    let site = parse(pages.collect());
    for method in METHODS {
        assert_eq!(labels(method, &site).len(), 12, "{}", method.name);
    }
}

#[test]
fn pages_of_three_sites_come_apart_with_thor() {
    let mut pages = shop("a", Family::ALL[0], Language::En);
    pages.extend(shop("b", Family::ALL[1], Language::De));
    pages.extend(shop("c", Family::ALL[2], Language::En));
    let site = parse(pages);
    let hosts: Vec<&str> = site.pages.iter().map(|page| &page.raw.url[..10]).collect();
    let found = labels(method("thor").unwrap(), &site);
    assert_eq!(clustering_entropy(&found, &hosts), 0.0, "no type holds pages of two sites: {found:?}");
}

/// Every function that is a method, with the comment before it.
#[allow(clippy::disallowed_methods, reason = "the sources themselves are what is looked at")]
fn methods_in(folder: &std::path::Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            methods_in(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut comment = String::new();
        for line in text.lines() {
            match line.strip_prefix("///") {
                Some(said) => comment += &format!("{}\n", said.trim()),
                None => {
                    let is_method = line.starts_with("pub")
                        && line.contains("(site: &Site, options: &Options) -> Vec<usize>");
                    if is_method {
                        found.push((line.to_owned(), comment.clone()));
                    }
                    comment.clear();
                }
            }
        }
    }
}

#[test]
fn every_method_says_what_it_does_assumes_and_when_it_fails() {
    let mut found = Vec::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page_types");
    methods_in(std::path::Path::new(folder), &mut found);
    // The default stands elsewhere.
    assert_eq!(found.len(), METHODS.len() - 1, "{found:?}");
    for (method, comment) in found {
        for heading in ["# What it does", "# Assumes", "# When it fails", "# Paper"] {
            let at = comment.lines().position(|line| line == heading);
            let says = at.and_then(|at| comment.lines().nth(at + 1));
            assert!(
                says.is_some_and(|line| !line.is_empty() && !line.starts_with('#')),
                "{method}: {heading}"
            );
        }
    }
}
