//! Captures of several days: when they were made, revisits, copies of the Wayback Machine, the newest of each.

use std::fs;
use std::io::Write;
use std::path::Path;

use unsite_acquire::{Source, SourceOptions};

/// One record of an archive.
fn record(kind: &str, id: &str, date: &str, url: &str, more: &str, html: &str) -> Vec<u8> {
    let block = match html {
        "" => "HTTP/1.1 304 Not Modified\r\n\r\n".to_owned(),
        html => format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}"),
    };
    format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <{id}>\r\nWARC-Date: {date}\r\nWARC-Target-URI: {url}\r\n{more}\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
    .into_bytes()
}

/// Two pages, and revisits that name them in every way; one means what is not there.
fn records() -> Vec<Vec<u8>> {
    let (tea, milk) = ("http://shop.test/tea", "http://shop.test/milk");
    vec![
        record("revisit", "r0", "2018-01-01T00:00:00Z", "http://shop.test/", "WARC-Refers-To: <t1>\r\n", ""),
        record("response", "t1", "2019-01-01T00:00:00Z", tea, "WARC-Payload-Digest: sha1:TEA\r\n", "<p>Tea"),
        record("response", "m1", "2019-01-01T00:00:01Z", milk, "", "<p>Milk"),
        record("revisit", "r1", "2019-02-01T00:00:00Z", tea, "WARC-Payload-Digest: sha1:tea\r\n", ""),
        record(
            "revisit",
            "r2",
            "2019-03-01T00:00:00Z",
            "http://shop.test/copy",
            "WARC-Refers-To-Target-URI: http://shop.test/milk\r\nWARC-Refers-To-Date: 2019-01-01T00:00:01Z\r\n",
            "",
        ),
        record("revisit", "r3", "2019-04-01T00:00:00Z", milk, "", ""),
        record("revisit", "r4", "2019-04-01T00:00:00Z", milk, "WARC-Refers-To: <elsewhere>\r\n", ""),
        record("revisit", "r5", "2019-04-01T00:00:00Z", "http://shop.test/unknown", "", ""),
    ]
}

fn read(path: &Path, options: &SourceOptions) -> (Vec<String>, Vec<String>) {
    let source = Source::open(path.to_str().unwrap(), options).unwrap();
    let (mut pages, mut told, mut problems) = (source.pages().unwrap(), Vec::new(), Vec::new());
    while let Some(item) = pages.next_page() {
        match item {
            Ok(page) => {
                let captured = page.captured.map_or_else(|| "never".into(), |captured| captured.to_string());
                told.push(format!("{captured} {} {}", page.url, String::from_utf8_lossy(&page.bytes)));
            }
            Err(problem) => problems.push(problem.message),
        }
    }
    told.sort();
    (told, problems)
}

const WANTED: [&str; 6] = [
    "2018-01-01T00:00:00Z http://shop.test/ <p>Tea",
    "2019-01-01T00:00:00Z http://shop.test/tea <p>Tea",
    "2019-01-01T00:00:01Z http://shop.test/milk <p>Milk",
    "2019-02-01T00:00:00Z http://shop.test/tea <p>Tea",
    "2019-03-01T00:00:00Z http://shop.test/copy <p>Milk",
    "2019-04-01T00:00:00Z http://shop.test/milk <p>Milk",
];

#[test]
fn revisits_are_what_they_refer_to() {
    let folder = tempfile::tempdir().unwrap();
    let plain = records().concat();
    let gzip: Vec<u8> = records()
        .iter()
        .flat_map(|record| {
            let mut member = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            member.write_all(record).unwrap();
            member.finish().unwrap()
        })
        .collect();
    let zstd: Vec<u8> =
        records().iter().flat_map(|record| zstd::encode_all(&record[..], 1).unwrap()).collect();
    for (name, bytes) in [("a.warc", plain), ("a.warc.gz", gzip), ("a.warc.zst", zstd)] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let (told, problems) = read(&path, &SourceOptions::default());
        assert_eq!(told, WANTED, "{name}");
        assert_eq!(problems, ["2 records passed over: 2 revisits of what is not in the archive"], "{name}");
    }
}

#[test]
fn revisits_may_mean_another_file_of_a_wacz() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.wacz");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let packed =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    let all = records();
    for (name, part, options) in
        [("1", &all[..2], stored), ("2", &all[2..5], packed), ("3", &all[5..], stored)]
    {
        zip.start_file(format!("archive/{name}.warc"), options).unwrap();
        zip.write_all(&part.concat()).unwrap();
    }
    zip.finish().unwrap();
    let (told, problems) = read(&path, &SourceOptions::default());
    assert_eq!(told, WANTED);
    assert_eq!(problems, ["2 records passed over: 2 revisits of what is not in the archive"]);
}

#[test]
fn the_newest_of_each_address() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    fs::write(&path, records().concat()).unwrap();
    let options = SourceOptions { latest: true, ..SourceOptions::default() };
    let want: Vec<&str> = [0, 3, 4, 5].map(|at: usize| WANTED[at]).to_vec();
    assert_eq!(read(&path, &options).0, want);
}

#[test]
fn json_lines_say_when() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let line = |captured: &str| format!("{{\"url\":\"http://a.test/\",\"html\":\"<p>x\"{captured}}}\n");
    let lines = [
        line(""),
        line(",\"captured\":null"),
        line(",\"captured\":\"2019-01-02T03:04:05+01:00\""),
        line(",\"captured\":\"20190102030405\""),
        line(",\"captured\":20190102030405"),
        line(",\"captured\":1546398245"),
        line(",\"captured\":1546398245123"),
        line(",\"captured\":\"lately\""),
        line(",\"captured\":[]"),
    ];
    fs::write(&path, lines.concat()).unwrap();
    let (told, problems) = read(&path, &SourceOptions::default());
    let moments: Vec<&str> = told.iter().map(|line| line.split(' ').next().unwrap()).collect();
    let want = ["2019-01-02T02:04:05Z", "2019-01-02T03:04:05Z", "never"];
    assert_eq!(moments, [want[0], want[1], want[1], want[1], want[1], want[2], want[2]]);
    assert_eq!(problems.len(), 2);
    assert!(
        problems[0].contains("no moment") && problems[0].contains("2019-01-02T03:04:05Z"),
        "{problems:?}"
    );
}

#[test]
fn copies_of_the_wayback_machine_are_the_pages_they_are_copies_of() {
    let folder = tempfile::tempdir().unwrap();
    for (file, html) in [
        (
            "20190102030405/http:/shop.test/tea.html",
            "<p><a href=/web/20190102030405/http://shop.test/milk>m</a>",
        ),
        ("20200102030405/http:/shop.test/tea.html", "<p>Tea"),
        ("plain/tea.html", "<p>Tea"),
    ] {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, html).unwrap();
    }
    let (told, _) = read(folder.path(), &SourceOptions::default());
    assert_eq!(
        told,
        [
            "2019-01-02T03:04:05Z http://shop.test/tea.html <p><a href=http://shop.test/milk>m</a>",
            "2020-01-02T03:04:05Z http://shop.test/tea.html <p>Tea",
            "never file:///plain/tea.html <p>Tea",
        ]
    );
}
