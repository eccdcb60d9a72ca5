//! Every kind of source from outside: what it yields, what it says, and what it does with bad input.

use std::fs;

use crate::support::{drain, gold, gzip, gzip_bomb, kinds, noise, page, read, read_bytes, urls, zip};
use proptest::prelude::*;
use unsite_acquire::{Source, SourceError, SourceKind, SourceOptions};
use unsite_dom::ProblemKind::{Limit, Skipped, Truncated, Unreadable};
use unsite_dom::RawPage;
use zip::CompressionMethod::{Deflated, Stored};

const LIMIT: usize = 20 << 20;

fn open_error(spec: &str) -> SourceError {
    Source::open(spec, &SourceOptions::default()).unwrap_err()
}

#[test]
fn a_folder_in_the_order_of_its_paths() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("b/.hidden")).unwrap();
    for (name, text) in [
        ("b/2.htm", "<link rel=canonical href=http://t.test/two>"),
        ("b/.hidden/x.html", "<p>"),
        ("a.html", "<!-- saved from url=(0014)http://t.test/ --><p>"),
        ("c", "<html>no extension"),
        ("c.php?page=2", "<html>query"),
        ("d.php", "<?php exit;"),
        ("e.png", "\u{89}PNG"),
        ("empty.html", ""),
        ("z ü.html", "<p>"),
    ] {
        fs::write(root.join(name), text).unwrap();
    }
    let (pages, problems) = read(root, LIMIT);
    let references: Vec<_> = pages.iter().map(|page| page.reference.as_str()).collect();
    assert_eq!(references, ["a.html", "b/2.htm", "c", "c.php?page=2", "z ü.html"]);
    let expected = [
        "http://t.test/",
        "http://t.test/two",
        "file:///c",
        "file:///c.php%3Fpage=2",
        "file:///z%20%C3%BC.html",
    ];
    assert_eq!(urls(&pages), expected);
    assert_eq!(kinds(&problems), [Unreadable, Skipped]);
    assert_eq!(problems[0].reference, "empty.html");
    assert_eq!(problems[1].message, "3 files passed over: 1 hidden, 2 not HTML");
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_in_circles() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("a.html"), "<p>").unwrap();
    std::os::unix::fs::symlink(folder.path(), inner.join("up")).unwrap();
    std::os::unix::fs::symlink(inner.join("a.html"), folder.path().join("b.html")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("c.html")).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("secret"), "<p>secret").unwrap();
    std::os::unix::fs::symlink(elsewhere.path().join("secret"), folder.path().join("d.html")).unwrap();
    let (pages, problems) = read(folder.path(), LIMIT);
    assert_eq!(urls(&pages), ["file:///b.html", "file:///inner/a.html"]);
    assert_eq!(kinds(&problems), [Skipped]);
    assert_eq!(
        problems[0].message,
        "3 files passed over: 1 links that lead nowhere, 1 links to files outside the folder, 1 links to folders"
    );
    // The folder itself may be a link.
    let link = elsewhere.path().join("site");
    std::os::unix::fs::symlink(folder.path(), &link).unwrap();
    assert_eq!(read(&link, LIMIT).0.len(), 2);
}

#[test]
fn folders_with_none_and_one_page() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().to_str().unwrap();
    assert!(matches!(open_error(name), SourceError::NoPages { others: 0, .. }));
    fs::write(folder.path().join("crawl.warc.gz"), "x").unwrap();
    let error = open_error(name);
    assert!(matches!(error, SourceError::NoPages { others: 1, .. }));
    assert!(error.to_string().contains("crawl.warc.gz"), "{error}");
    fs::write(folder.path().join("one.html"), "<p>").unwrap();
    let (pages, _) = read(folder.path(), LIMIT);
    assert_eq!(urls(&pages), ["file:///one.html"]);
}

#[test]
fn errors_say_what_and_what_next() {
    assert!(matches!(open_error("no/such/file.warc"), SourceError::NotFound { .. }));
    let crawl = open_error("HTTPS://shop.test/");
    assert!(matches!(crawl, SourceError::NeedsCrawl { .. }) && crawl.to_string().contains("unsite crawl"));
    let folder = tempfile::tempdir().unwrap();
    for name in ["e.warc", "e.warc.gz", "e.wacz", "e.jsonl", "e.tar.zst", "e.html", "e"] {
        let path = folder.path().join(name);
        fs::write(&path, "").unwrap();
        let error = open_error(path.to_str().unwrap());
        assert!(matches!(error, SourceError::Empty { .. }), "{name}");
        assert!(error.to_string().contains(name));
    }
    let path = folder.path().join("strange.bin");
    fs::write(&path, b"\x00\x01strange").unwrap();
    let error = open_error(path.to_str().unwrap()).to_string();
    assert!(error.contains(r"\x00\x01strange") && error.contains(".wacz"), "{error}");
}

#[test]
fn two_pages_with_one_url_stay_two() {
    let line = "{\"url\":\"http://t.test/\",\"html\":\"<p>a\"}\n";
    let (pages, problems) = read_bytes("a.jsonl", line.repeat(2).as_bytes());
    assert_eq!((urls(&pages), problems), (vec!["http://t.test/"; 2], vec![]));
    let record = page("http://t.test/", "<p>a");
    assert_eq!(read_bytes("a.warc", &record.repeat(2)).0.len(), 2);
}

#[test]
fn json_lines_good_and_bad() {
    let good = |key: &str| {
        format!("{{\"url\":\"http://t.test/{key}\",\"{key}\":\"<p>\\u00fc\",\"more\":[1,{{}}]}}\n")
    };
    let mut bytes = good("html").into_bytes();
    bytes.extend(good("content").into_bytes());
    bytes.extend(b"\n[1,2]\nnull\n{\"url\":\"http://t.test/x\"}\n{\"url\": 7, \"html\": \"<p>no url\"}\r\n");
    bytes.extend(b"{\"url\":\"http://t.test/\xff\",\"html\":\"\xfe\"}\n{\"html\":");
    bytes.extend("[".repeat(100_000).into_bytes());
    bytes.extend(b"\n");
    bytes.extend(good("body").trim_end().as_bytes());
    for (name, bytes) in [("a.jsonl", bytes.clone()), ("a.jsonl.gz", gzip(&bytes)), ("a.ndjson", bytes)] {
        let (pages, problems) = read_bytes(name, &bytes);
        let expected =
            ["http://t.test/html", "http://t.test/content", "file:///line-7", "http://t.test/body"];
        assert_eq!(urls(&pages), expected);
        assert_eq!(pages[0].bytes, "<p>ü".as_bytes());
        assert_eq!(pages[0].charset.as_deref(), Some("utf-8"));
        assert_eq!(
            (pages[1].reference.as_str(), pages[1].offset),
            ("line 2", Some(good("html").len() as u64))
        );
        assert_eq!(kinds(&problems), [Unreadable; 5]);
        let references: Vec<_> = problems.iter().map(|problem| problem.reference.as_str()).collect();
        assert_eq!(references, ["line 4", "line 5", "line 6", "line 8", "line 9"]);
        assert!(problems[3].message.contains("UTF-8"));
    }
}

#[test]
fn long_lines_and_pages_are_cut() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let line = |n: usize| format!("{{\"url\":\"http://t.test/{n}\",\"html\":\"{}\"}}\n", "x".repeat(n));
    fs::write(&path, [line(100), line(101), line(200_000), line(1)].concat()).unwrap();
    let (pages, problems) = read(&path, 100);
    assert_eq!(pages.iter().map(|page| page.bytes.len()).collect::<Vec<_>>(), [100, 100, 1]);
    assert_eq!(kinds(&problems), [Limit, Limit]);
    assert_eq!(problems[1].reference, "line 3");
}

#[test]
fn truncated_and_exploding_gzip_in_json_lines() {
    let letters: String = noise(30_000, 5).iter().map(|byte| char::from(b'a' + byte % 26)).collect();
    let line = format!("{{\"url\":\"http://t.test/\",\"html\":\"{letters}\"}}\n");
    let bytes = gzip(line.repeat(3).as_bytes());
    for length in (1..bytes.len()).step_by(bytes.len() / 50) {
        let (_, problems) = read_bytes("a.jsonl.gz", &bytes[..length]);
        assert!(kinds(&problems).contains(&Truncated) || length < 18, "{length}: {problems:?}");
    }
    let (pages, problems) = read_bytes("a.jsonl.gz", &gzip_bomb());
    assert_eq!((pages.len(), kinds(&problems)), (0, vec![Unreadable]));
}

#[test]
fn what_stands_behind_a_huge_page_is_read() {
    let line = |n: u32| format!("{{\"url\":\"http://t.test/{n}\",\"html\":\"<p>{n}\"}}\n").into_bytes();
    let mut text = line(0);
    // A hundred megabytes in a hundred kilobytes.
    text.extend(b"{\"html\":\"");
    text.resize(100 << 20, b'a');
    text.extend(b"\"}\n");
    (1..=50).for_each(|n| text.extend(line(n)));
    for (name, packed) in
        [("a.jsonl.gz", gzip(&text)), ("a.jsonl.zst", zstd::encode_all(&text[..], 1).unwrap())]
    {
        let (pages, problems) = read_bytes(name, &packed);
        assert_eq!((pages.len(), kinds(&problems)), (51, vec![Limit]), "{name}");
    }
    let warc = [
        page("http://t.test/0", "<p>0"),
        page("http://t.test/1", &"a".repeat(100 << 20)),
        page("http://t.test/2", "<p>2"),
    ]
    .concat();
    let (pages, problems) = read_bytes("a.warc.gz", &gzip(&warc));
    assert_eq!((pages.len(), kinds(&problems)), (3, vec![Limit]));
}

#[test]
fn json_lines_are_known_by_name_and_by_content() {
    let packed = zstd::encode_all(&b"{\"url\":\"http://t.test/\",\"html\":\"<p>x\"}\n"[..], 1).unwrap();
    for name in ["a.jsonl.zst", "a.ndjson.zst", "a.data"] {
        assert_eq!(urls(&read_bytes(name, &packed).0), ["http://t.test/"], "{name}");
    }
}

#[test]
fn a_gold_site_wherever_its_addresses_are() {
    let lines = "{\"file\":\"pages/0.html\",\"url\":\"http://t.test/0\",\"fields\":{\"price\":[\"secret\"]}}\n\
                 {\"file\":\"pages/1.html\",\"url\":\"http://t.test/1\"}\nnonsense\n\
                 {\"file\":\"pages/9.html\",\"url\":\"http://t.test/9\"}\n";
    let files: [(&str, &[u8]); 5] = [
        ("meta.json", b"{}"),
        ("gold.jsonl", lines.as_bytes()),
        ("pages/0.html", b"<p>zero"),
        ("pages/1.html", b"<p>one"),
        ("pages/2.html", b"<p>unlisted"),
    ];
    let mut last = files;
    last[1..].rotate_left(1);
    for files in [files, last] {
        let (pages, problems) = read_bytes("g.tar.zst", &gold(&files));
        assert_eq!(urls(&pages), ["http://t.test/0", "http://t.test/1", "file:///pages/2.html"]);
        assert_eq!(
            pages[1],
            RawPage {
                url: "http://t.test/1".into(),
                reference: "pages/1.html".into(),
                bytes: b"<p>one".to_vec(),
                ..RawPage::default()
            }
        );
        assert_eq!(kinds(&problems), [Unreadable, Unreadable]);
        assert!(problems[0].message.starts_with("1 lines") && problems[1].message.starts_with("1 pages"));
        assert!(problems.iter().all(|problem| !problem.message.contains("secret")));
    }
    let (pages, problems) = read_bytes("g.tar.zst", &gold(&[("gold.jsonl", b""), ("pages/0.html", b"")]));
    assert_eq!(
        (pages.len(), problems[0].reference.as_str()),
        (1, "pages/0.html"),
        "an empty page is a page and a problem"
    );
    let (pages, problems) = read_bytes("g.tar.zst", &gold(&files[2..]));
    assert_eq!((pages.len(), kinds(&problems)), (3, vec![Unreadable]));
}

#[test]
fn a_cut_gold_site_gives_what_is_whole() {
    let text = noise(3000, 9);
    let bytes = gold(&[("gold.jsonl", b""), ("pages/0.html", &text), ("pages/1.html", &text[1..])]);
    for length in (1..bytes.len() - 1).step_by(100) {
        let (pages, problems) = read_bytes("g.tar.zst", &bytes[..length]);
        assert!(pages.len() < 2 && !problems.is_empty(), "{length}");
    }
    // An archive of zeros that would fill a disk.
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    let mut header = tar::Header::new_gnu();
    header.set_path("pages/0.html").unwrap();
    header.set_size(1 << 50);
    header.set_cksum();
    std::io::Write::write_all(&mut encoder, header.as_bytes()).unwrap();
    std::io::copy(&mut std::io::Read::take(std::io::repeat(0), 600 << 20), &mut encoder).unwrap();
    let (pages, problems) = read_bytes("g.tar.zst", &encoder.finish().unwrap());
    assert!(pages.len() <= 1 && kinds(&problems).contains(&Limit), "{problems:?}");
}

#[test]
fn wacz_stored_deflated_and_cut() {
    let first = gzip(&page("http://t.test/1", "<p>one"));
    let second = [page("http://t.test/2", "<p>two"), page("http://t.test/3", "<p>three")].concat();
    let files: [(&str, &[u8]); 4] = [
        ("archive/data.warc.gz", &first),
        ("archive/more.warc", &second),
        ("pages/pages.jsonl", b"{}"),
        ("datapackage.json", b"{}"),
    ];
    for method in [Stored, Deflated] {
        let bytes = zip(&files, method);
        let (pages, problems) = read_bytes("a.wacz", &bytes);
        assert_eq!(urls(&pages), ["http://t.test/1", "http://t.test/2", "http://t.test/3"]);
        assert_eq!((pages[1].offset, problems), (Some(0), vec![]));
        for length in (4..bytes.len()).step_by(100) {
            let (pages, problems) = read_bytes("a.wacz", &bytes[..length]);
            assert!(!problems.is_empty(), "{length}");
            if method == Stored && length > first.len() + 80 {
                assert_eq!(urls(&pages)[0], "http://t.test/1", "a stored record survives a cut at {length}");
            }
        }
    }
    let (pages, problems) = read_bytes("a.wacz", &zip(&[("x.txt", b"x")], Stored));
    assert_eq!((pages.len(), kinds(&problems)), (0, vec![Unreadable]));
}

#[test]
fn a_bomb_in_a_zip_is_cut() {
    let zeros = vec![0; 200 << 20];
    let good = page("http://t.test/1", "<p>one");
    let bytes = zip(&[("archive/a.warc", &zeros), ("archive/b.warc", &good)], Deflated);
    let (pages, problems) = read_bytes("a.wacz", &bytes);
    assert_eq!(urls(&pages), ["http://t.test/1"]);
    assert!(!problems.is_empty());
}

#[test]
fn files_that_share_their_bytes_are_read_once() {
    let record = page("http://t.test/1", "<p>one");
    let mut bytes = zip(&[("archive/a.warc", &record), ("archive/b.warc", &record)], Stored);
    // The second line of the table of contents is made to point at the first file.
    let second = bytes.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
    bytes[second + 42..second + 46].fill(0);
    let (pages, problems) = read_bytes("a.wacz", &bytes);
    assert_eq!((pages.len(), kinds(&problems)), (1, vec![Limit]), "{problems:?}");
}

#[test]
fn random_bytes_under_every_name() {
    for seed in 1..6 {
        for length in [1, 9, 600, 70_000] {
            let bytes = noise(length, seed);
            for name in ["a.warc", "a.warc.gz", "a.wacz", "a.jsonl", "a.jsonl.gz", "a.tar.zst"] {
                let (pages, problems) = read_bytes(name, &bytes);
                assert_eq!(pages.len(), 0, "{name}");
                assert!(!problems.is_empty() || bytes.iter().all(u8::is_ascii_whitespace), "{name} {length}");
            }
            let (pages, _) = read_bytes("a.html", &bytes);
            assert_eq!(pages[0].bytes, bytes);
        }
    }
    // The right first bytes and nothing behind them.
    for (name, start) in [
        ("a.warc", &b"WARC/1.0"[..]),
        ("a.warc.gz", b"\x1f\x8b\x08"),
        ("a.wacz", b"PK\x03\x04"),
        ("a.tar.zst", b"\x28\xb5\x2f\xfd"),
    ] {
        for length in [0, 5, 5000] {
            let (pages, problems) = read_bytes(name, &[start, &noise(length, 4)].concat());
            assert!(pages.is_empty() && !problems.is_empty(), "{name}");
        }
    }
}

#[test]
fn streams_are_told_by_their_content_and_read_twice() {
    let warc = page("http://t.test/", "<p>x");
    let line = b"{\"url\":\"http://t.test/\",\"html\":\"<p>x\"}\n".to_vec();
    let site =
        gold(&[("gold.jsonl", b"{\"file\":\"pages/0\",\"url\":\"http://t.test/\"}"), ("pages/0", b"<p>x")]);
    for (bytes, kind) in [
        (warc.clone(), SourceKind::Warc),
        (gzip(&warc), SourceKind::Warc),
        (zip(&[("archive/a.warc", &warc)], Stored), SourceKind::Wacz),
        (line.clone(), SourceKind::JsonLines),
        (gzip(&line), SourceKind::JsonLines),
        (site, SourceKind::Gold),
        (b"<!-- saved from url=(0014)http://t.test/ --><p>x".to_vec(), SourceKind::Page),
    ] {
        let source = Source::spooled("standard input", &bytes[..], &SourceOptions::default()).unwrap();
        assert_eq!((source.kind(), source.name()), (kind, "standard input"));
        let first = drain(&source);
        assert_eq!(urls(&first.0), ["http://t.test/"], "{kind}");
        assert_eq!(first, drain(&source), "{kind}");
        let mut stream = source.pages().unwrap();
        drop(source);
        assert!(stream.next_page().unwrap().is_ok(), "a pass outlives its source");
    }
    let options = SourceOptions::default();
    assert!(matches!(Source::spooled("-", &b""[..], &options), Err(SourceError::Empty { .. })));
    assert!(matches!(Source::spooled("-", &b"\0"[..], &options), Err(SourceError::UnknownFormat { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn damage_never_stops_a_source(at: prop::sample::Index, bytes in prop::collection::vec(any::<u8>(), 1..30), which in 0..4) {
        let warc = page("http://t.test/1", "<p>one");
        let files: [(&str, &[u8]); 2] = [("archive/a.warc", &warc), ("archive/b.warc.gz", &gzip(&warc))];
        let (name, mut file) = match which {
            0 => ("a.wacz", zip(&files, Stored)),
            1 => ("a.wacz", zip(&files, Deflated)),
            2 => ("a.tar.zst", gold(&[("gold.jsonl", b"{}\n"), ("pages/0", b"<p>x"), ("pages/1", b"<p>y")])),
            _ => ("a.jsonl.gz", gzip(&b"{\"url\":\"http://t.test/\",\"html\":\"<p>x\"}\n".repeat(9))),
        };
        let at = at.index(file.len());
        let end = (at + bytes.len()).min(file.len());
        file[at..end].copy_from_slice(&bytes[..end - at]);
        // Neither a panic nor an endless stream; `read_bytes` checks the latter. Damage may repeat what is compressed,
        // as far as the limit against bombs.
        let (pages, _) = read_bytes(name, &file);
        let text: usize = pages.iter().map(|page| page.bytes.len()).sum();
        prop_assert!(text <= 250 * file.len());
    }
}

#[test]
fn memory_is_read_as_often_as_wanted() {
    let page = RawPage { url: "http://t.test/".into(), bytes: b"<p>".to_vec(), ..RawPage::default() };
    let source = Source::memory(vec![page.clone(), page.clone()]);
    assert_eq!(drain(&source).0, [page.clone(), page]);
    assert_eq!(drain(&source).0.len(), 2);
    assert_eq!(drain(&Source::memory(Vec::new())).0.len(), 0);
}
