//! WARC files as crawlers write them, and as accidents leave them.

use std::io::Write;

use crate::support::{gzip, gzip_bomb, kinds, page, read, read_bytes, record, response, urls};
use proptest::prelude::*;
use unsite_acquire::warc;
use unsite_dom::ProblemKind::{Limit, Skipped, Truncated, Unreadable};

const HTML: &str = "<!doctype html><title>Tea</title><p>Green tea, 4.50";

fn encoded(encoding: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {encoding}\r\n\r\n");
    response(&format!("http://t.test/{encoding}"), &[head.as_bytes(), body].concat())
}

fn three_pages() -> Vec<u8> {
    [page("http://t.test/1", HTML), page("http://t.test/2", HTML), page("http://t.test/3", HTML)].concat()
}

#[test]
fn pages_carry_what_the_record_says() {
    let first = page("http://t.test/1", HTML);
    let bytes = [first.clone(), page("http://t.test/2", "<p>x")].concat();
    for (name, bytes, second) in [
        ("a.warc", bytes.clone(), first.len()),
        ("a.warc.gz", [gzip(&first), gzip(&page("http://t.test/2", "<p>x"))].concat(), gzip(&first).len()),
    ] {
        let (pages, problems) = read_bytes(name, &bytes);
        assert_eq!(problems, []);
        assert_eq!(urls(&pages), ["http://t.test/1", "http://t.test/2"]);
        assert_eq!(pages[0].bytes, HTML.as_bytes());
        assert_eq!(pages[0].reference, "urn:test:http://t.test/1");
        assert_eq!(pages[0].charset.as_deref(), Some("utf-8"));
        assert_eq!(pages[0].status, Some(200));
        assert_eq!((pages[0].offset, pages[1].offset), (Some(0), Some(second as u64)));
    }
}

#[test]
fn a_damaged_first_byte_costs_one_record() {
    let records = ["http://t.test/1", "http://t.test/2"].map(|url| page(url, HTML));
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
    for (name, mut bytes) in [
        ("a.warc", records.concat()),
        ("a.warc.gz", records.each_ref().map(|record| gzip(record)).concat()),
        ("a.warc.zst", records.each_ref().map(|record| zstd(record)).concat()),
    ] {
        bytes[0] = 0;
        let (pages, problems) = read_bytes(name, &bytes);
        assert_eq!((urls(&pages), problems.len()), (vec!["http://t.test/2"], 1), "{name}");
    }
}

#[test]
fn zstd_frames_are_read_like_gzip_members() {
    let [first, second] = ["http://t.test/1", "http://t.test/2"].map(|url| page(url, HTML));
    let frame = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
    let bytes = [frame(&first), frame(&second)].concat();
    for name in ["a.warc.zst", "no-extension"] {
        let (pages, problems) = read_bytes(name, &bytes);
        assert_eq!(problems, []);
        assert_eq!(urls(&pages), ["http://t.test/1", "http://t.test/2"]);
        assert_eq!((pages[0].offset, pages[1].offset), (Some(0), Some(frame(&first).len() as u64)));
    }
    // A dictionary in front of the frames, as large crawls have it.
    let words = first.repeat(2);
    let mut compressor = zstd::bulk::Compressor::with_dictionary(3, &words).unwrap();
    let mut bytes = [&[0x5d, 0x2a, 0x4d, 0x18][..], &(words.len() as u32).to_le_bytes(), &words].concat();
    for record in [&first, &second] {
        bytes.extend(compressor.compress(record).unwrap());
    }
    assert_eq!(read_bytes("a.warc.zst", &bytes).0.len(), 2);
    let whole = bytes.len();
    let (pages, problems) = read_bytes("a.warc.zst", &bytes[..whole - 5]);
    assert_eq!((pages.len(), kinds(&problems)), (1, vec![Truncated]));
    // A dictionary that is somewhere else is asked for.
    let needs = [&[0x28, 0xb5, 0x2f, 0xfd, 0x21, 5, 3, 0x19, 0, 0][..], b"abc"].concat();
    let (pages, problems) = read_bytes("a.warc.zst", &needs);
    assert!(pages.is_empty() && problems[0].message.contains("zstd -d -D"), "{problems:?}");
}

#[test]
fn a_whole_file_in_one_gzip_member_is_read_too() {
    let (pages, problems) = read_bytes("a.warc.gz", &gzip(&three_pages()));
    assert_eq!((pages.len(), problems.len()), (3, 0));
}

#[test]
fn bodies_are_decoded() {
    let mut deflated = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    deflated.write_all(HTML.as_bytes()).unwrap();
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    zlib.write_all(HTML.as_bytes()).unwrap();
    let mut brotli = Vec::new();
    brotli::CompressorWriter::new(&mut brotli, 4096, 5, 20).write_all(HTML.as_bytes()).unwrap();
    let zstd = zstd::encode_all(HTML.as_bytes(), 3).unwrap();
    let zipped = gzip(HTML.as_bytes());
    let mut chunked = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\ncontent-encoding: gzip\r\n\r\n".to_vec();
    for part in zipped.chunks(9) {
        chunked.extend(format!("{:x}\r\n", part.len()).into_bytes());
        chunked.extend(part);
        chunked.extend(b"\r\n");
    }
    chunked.extend(b"0\r\n\r\n");
    let bytes = [
        encoded("gzip", &zipped),
        encoded("deflate", &zlib.finish().unwrap()),
        encoded("deflate", &deflated.finish().unwrap()),
        encoded("br", &brotli),
        encoded("zstd", &zstd),
        encoded("gzip, gzip", &gzip(&zipped)),
        response("http://t.test/chunked", &chunked),
    ]
    .concat();
    let (pages, problems) = read_bytes("a.warc", &bytes);
    assert_eq!(problems, []);
    assert_eq!(pages.len(), 7);
    for page in pages {
        assert_eq!(String::from_utf8_lossy(&page.bytes), HTML, "{}", page.url);
    }
}

#[test]
fn what_is_not_a_page_is_counted_once() {
    let http = |status: &str, kind: &str| {
        response(
            "http://t.test/x",
            format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n{HTML}").as_bytes(),
        )
    };
    let bytes = [
        record(&[("WARC-Type", "warcinfo")], b"software: x"),
        record(&[("WARC-Type", "request")], b"GET / HTTP/1.1\r\n\r\n"),
        record(&[("WARC-Type", "revisit")], b"HTTP/1.1 200 OK\r\n\r\n"),
        record(&[("WARC-Type", "revisit")], b""),
        http("200 OK", "image/png"),
        http("301 Moved", "text/html"),
        http("404 Not Found", "text/html"),
        http("200 OK", "application/octet-stream"),
        response("http://t.test/empty", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"),
        record(
            &[
                ("WARC-Type", "resource"),
                ("WARC-Target-URI", "<http://t.test/r>"),
                ("Content-Type", "text/html"),
            ],
            b"<p>resource",
        ),
        record(
            &[
                ("WARC-Type", "conversion"),
                ("WARC-Target-URI", "http://t.test/c"),
                ("Content-Type", "text/plain"),
            ],
            b"plain text",
        ),
    ]
    .concat();
    let (pages, problems) = read_bytes("a.warc", &bytes);
    assert_eq!(pages.iter().map(|page| page.status).collect::<Vec<_>>(), [Some(404), Some(200), None]);
    assert_eq!(pages[2].url, "http://t.test/r");
    assert_eq!(pages[2].reference, "a.warc", "a record without an id is named after its file");
    assert_eq!(kinds(&problems), [Skipped]);
    assert_eq!(
        problems[0].message,
        "8 records passed over: 1 descriptions, 1 empty, 2 not HTML, 1 redirects, 1 requests, \
         2 revisits of what is not in the archive"
    );
}

#[test]
fn a_file_cut_anywhere_gives_what_is_whole() {
    let records: Vec<Vec<u8>> = (1..=3).map(|n| page(&format!("http://t.test/{n}"), HTML)).collect();
    let packed: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    // What may be missing from a record without hurting its page: line ends, and the member's check sum and last bits.
    for (name, records, dispensable) in [("a.warc", &records, 4), ("a.warc.gz", &packed, 12)] {
        let bytes = records.concat();
        for length in (1..bytes.len()).step_by(7).chain((100..bytes.len()).step_by(100)) {
            let ends: Vec<usize> = (1..=3).map(|count| records[..count].concat().len()).collect();
            let certain = ends.iter().filter(|end| **end <= length).count();
            let possible = ends.iter().filter(|end| **end <= length + dispensable).count();
            let (pages, problems) = read_bytes(name, &bytes[..length]);
            assert!((certain..=possible).contains(&pages.len()), "{name} at {length}: {}", pages.len());
            assert!(pages.iter().all(|page| page.bytes == HTML.as_bytes()), "{name} at {length}");
            assert!(problems.len() <= 1, "{name} at {length}: {problems:?}");
            let seam = ends.iter().any(|end| (*end - dispensable..=*end).contains(&length));
            assert!(!problems.is_empty() || seam, "{name} at {length}: nothing is said about the cut");
            for problem in problems {
                assert!(matches!(problem.kind, Truncated | Unreadable), "{name} at {length}: {problem}");
                assert!(problem.offset.is_some_and(|offset| offset < length as u64));
            }
        }
    }
}

#[test]
fn a_bad_length_costs_one_record() {
    let good = page("http://t.test/good", HTML);
    let bad = |length: &str| {
        let text = String::from_utf8(page("http://t.test/bad", HTML)).unwrap();
        let at = text.find("Content-Length: ").unwrap() + 16;
        let end = at + text[at..].find('\r').unwrap();
        format!("{}{length}{}", &text[..at], &text[end..]).into_bytes()
    };
    for length in
        ["-5", "0", "7", "100000", "18446744073709551615", "99999999999999999999999", "", "1e3", "0x10"]
    {
        let bad = bad(length);
        let offset = good.len() as u64;
        let (pages, problems) = read_bytes("a.warc", &[good.clone(), bad.clone(), good.clone()].concat());
        assert_eq!(urls(&pages), ["http://t.test/good"; 2], "{length}");
        assert_eq!(problems.len(), 1, "{length}: {problems:?}");
        assert_eq!(problems[0].offset, Some(offset), "{length}");
        assert_eq!(problems[0].url.as_deref(), Some("http://t.test/bad"), "{length}");
        let packed = [gzip(&good), gzip(&bad), gzip(&good)].concat();
        let (pages, problems) = read_bytes("a.warc.gz", &packed);
        assert_eq!(urls(&pages), ["http://t.test/good"; 2], "gzip {length}");
        assert_eq!(problems.len(), 1, "gzip {length}: {problems:?}");
        assert_eq!(problems[0].offset, Some(gzip(&good).len() as u64), "gzip {length}");
    }
}

#[test]
fn a_damaged_member_costs_one_record() {
    let good = gzip(&page("http://t.test/good", HTML));
    let mut bad = gzip(&page("http://t.test/bad", &HTML.repeat(50)));
    let middle = bad.len() / 2;
    for byte in &mut bad[middle..middle + 8] {
        *byte ^= 0x5a;
    }
    let (pages, problems) = read_bytes("a.warc.gz", &[good.clone(), bad, good.clone()].concat());
    assert_eq!(urls(&pages), ["http://t.test/good"; 2]);
    assert_eq!((problems.len(), problems[0].offset), (1, Some(good.len() as u64)));
    // A crawler that was stopped in the middle of a record and went on with the next.
    let whole = gzip(&page("http://t.test/bad", &HTML.repeat(50)));
    for length in 20..whole.len() - 8 {
        let (pages, problems) = read_bytes("a.warc.gz", &[&good, &whole[..length], &good].concat());
        assert_eq!(urls(&pages), ["http://t.test/good"; 2], "{length}");
        assert_eq!(
            (problems.len(), problems[0].offset),
            (1, Some(good.len() as u64)),
            "{length}: {problems:?}"
        );
    }
    // Zeros and nonsense between members are no reason to stop either.
    let (pages, problems) =
        read_bytes("a.warc.gz", &[good.clone(), vec![0; 600], good.clone(), b"junk".to_vec(), good].concat());
    assert_eq!((pages.len(), kinds(&problems)), (3, vec![Unreadable]));
}

#[test]
fn a_header_without_end_is_a_problem() {
    let good = page("http://t.test/good", HTML);
    let bad = [b"WARC/1.0\r\nX: ".to_vec(), vec![b'x'; 400 << 10], b"\r\n".to_vec()].concat();
    let (pages, problems) = read_bytes("a.warc", &[bad, good].concat());
    assert_eq!((pages.len(), kinds(&problems)), (1, vec![Limit]));
}

#[test]
fn half_a_body_is_a_page_and_a_problem() {
    let zipped =
        gzip(&crate::support::noise(4000, 3).iter().map(|byte| b'a' + byte % 26).collect::<Vec<_>>());
    let (pages, problems) = read_bytes("a.warc", &encoded("gzip", &zipped[..zipped.len() / 2]));
    assert_eq!((pages.len(), kinds(&problems)), (1, vec![Truncated]));
    assert!(!pages[0].bytes.is_empty());
    let (pages, problems) = read_bytes("a.warc", &encoded("gzip", &zipped[..12]));
    assert_eq!((pages.len(), kinds(&problems)), (0, vec![Truncated]));
}

#[test]
fn bombs_are_cut() {
    let bomb = gzip_bomb();
    // As a body: the page ends at its limit.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    std::fs::write(&path, [encoded("gzip", &bomb), page("http://t.test/2", HTML)].concat()).unwrap();
    let (pages, problems) = read(&path, 1 << 20);
    assert_eq!(pages.iter().map(|page| page.bytes.len()).collect::<Vec<_>>(), [1 << 20, HTML.len()]);
    assert_eq!(kinds(&problems), [Limit]);
    // As the file: the member is given up and the next one read.
    let (pages, problems) = read_bytes("a.warc.gz", &[bomb, gzip(&page("http://t.test/2", HTML))].concat());
    assert_eq!(pages.len(), 1);
    assert_eq!(kinds(&problems), [Unreadable, Unreadable], "{problems:?}");
    // As a record: what fits into the limit is not handed out, because the record never ends.
    let start = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 10737418240\r\n\r\n";
    let mut member = crate::support::gzip_bomb();
    let stored =
        [&[0u8][..], &(start.len() as u16).to_le_bytes(), &(!(start.len() as u16)).to_le_bytes(), start]
            .concat();
    member.splice(10..10, stored);
    let (pages, problems) = read_bytes("a.warc.gz", &[member, gzip(&page("http://t.test/2", HTML))].concat());
    assert_eq!((pages.len(), kinds(&problems)), (1, vec![Unreadable]), "{problems:?}");
}

#[test]
fn a_large_page_is_cut_at_its_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    std::fs::write(&path, three_pages()).unwrap();
    let (pages, problems) = read(&path, 10);
    assert!(pages.len() == 3 && pages.iter().all(|page| page.bytes == HTML.as_bytes()[..10]));
    assert_eq!(kinds(&problems), [Limit; 3]);
    assert_eq!(problems[1].reference, pages[1].reference);
}

#[test]
fn the_writer_forges_nothing() {
    let response = warc::Response {
        url: "http://t.test/\r\nWARC-Type: warcinfo",
        id: "urn:x",
        date: "2026-11-15T00:00:00Z",
        status: 200,
        headers: &[],
        body: b"",
    };
    assert!(warc::write_response(&mut Vec::new(), &response).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read(
        records in prop::collection::vec(("[a-z0-9/?=&%]{1,40}", 200u16..300, prop::collection::vec(any::<u8>(), 1..600)), 1..8),
        compressed: bool,
    ) {
        let mut bytes = Vec::new();
        let mut expected = Vec::new();
        for (index, (path, status, body)) in records.iter().enumerate() {
            let (url, id) = (format!("http://t.test/{path}"), format!("urn:n:{index}"));
            let response = warc::Response {
                url: &url, id: &id, date: "2026-11-15T00:00:00Z", status: *status,
                headers: &[("Content-Type", "text/html; charset=x")], body,
            };
            expected.push((url.clone(), id.clone(), *status, body.clone(), bytes.len() as u64));
            if compressed {
                warc::write_response_gzip(&mut bytes, &response).unwrap();
            } else {
                warc::write_response(&mut bytes, &response).unwrap();
            }
        }
        let (pages, problems) = read_bytes("a.warc", &bytes);
        prop_assert_eq!(problems, vec![]);
        let got: Vec<_> = pages.into_iter()
            .map(|page| (page.url, page.reference, page.status.unwrap(), page.bytes, page.offset.unwrap()))
            .collect();
        prop_assert_eq!(got, expected);
    }

    #[test]
    fn damage_never_stops_the_reader(at in 0usize..2000, bytes in prop::collection::vec(any::<u8>(), 1..40), compressed: bool) {
        let mut file: Vec<u8> = (1..=4)
            .map(|n| page(&format!("http://t.test/{n}"), HTML))
            .flat_map(|page| if compressed { gzip(&page) } else { page })
            .collect();
        let at = at % file.len();
        let end = (at + bytes.len()).min(file.len());
        file[at..end].copy_from_slice(&bytes[..end - at]);
        let (pages, _) = read_bytes(if compressed { "a.warc.gz" } else { "a.warc" }, &file);
        prop_assert!(!pages.is_empty());
    }
}

#[test]
fn a_rendered_page_takes_the_place_of_its_response() {
    let response = |id: &str, url: &str| {
        record(
            &[
                ("WARC-Type", "response"),
                ("WARC-Record-ID", &format!("<{id}>")),
                ("WARC-Target-URI", url),
                ("Content-Type", "application/http; msgtype=response"),
            ],
            b"HTTP/1.1 203 OK\r\nContent-Type: text/html\r\n\r\n<div id=app></div>",
        )
    };
    let other = |kind: &str, id: &str, refers_to: &str, content_type: &str, block: &[u8]| {
        record(
            &[
                ("WARC-Type", kind),
                ("WARC-Record-ID", &format!("<{id}>")),
                ("WARC-Target-URI", "http://a.test/1"),
                ("WARC-Refers-To", &format!("<{refers_to}>")),
                ("Content-Type", content_type),
            ],
            block,
        )
    };
    let layout = "application/vnd.unsite.layout+json";
    let places = br#"{"width": 800, "texts": [["Tea", [8, 9, 20, 10]], ["x", null]]}"#;
    let bytes = [
        response("urn:r1", "http://a.test/1"),
        other("request", "urn:q1", "", "application/http", b"GET / HTTP/1.1\r\n\r\n"),
        other("conversion", "urn:c1", "urn:r1", "text/html; charset=utf-8", b"<p>Tea</p>"),
        other("metadata", "urn:m1", "urn:c1", layout, places),
        response("urn:r2", "http://a.test/2"),
        // Of another page, of no page, and nonsense: none of them belongs to the second page.
        other("metadata", "urn:m2", "urn:c1", layout, places),
        other("metadata", "urn:m3", "urn:r2", layout, b"{\"width\": -1}"),
        other("conversion", "urn:c2", "urn:elsewhere", "text/html", b"<p>Alone"),
    ]
    .concat();
    let (pages, problems) = read_bytes("rendered.warc", &bytes);
    assert_eq!(urls(&pages), ["http://a.test/1", "http://a.test/2", "http://a.test/1"]);
    assert_eq!((pages[0].bytes.as_slice(), pages[0].status), (&b"<p>Tea</p>"[..], Some(203)));
    assert_eq!(pages[0].reference, "urn:c1");
    let places = pages[0].layout.as_ref().expect("has places");
    assert_eq!((places.width, places.texts.len()), (800, 2));
    assert_eq!(places.texts[0].place.map(|place| (place.x, place.height)), Some((8, 10)));
    assert!(pages[1].layout.is_none() && pages[1].bytes.starts_with(b"<div"));
    assert_eq!(pages[2].bytes, b"<p>Alone");
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].message.contains("2 descriptions"), "{}", problems[0].message);
}
