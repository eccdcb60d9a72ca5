//! How much time and memory many captures take, and a long history.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use rusqlite::{Connection, params};
use unsite::pipeline::{Classifier, extract_with, learn_wrapper};
use unsite::{Options, store::Output};
use unsite_acquire::Source;
use unsite_dom::{Moment, RawPage};
use unsite_sample::{Change, Knobs, Site};

use super::{BEGIN, BETWEEN, Outcome, day, moment};

/// The shop as it looks on a day: half of the days in one design, half in another, prices as they come.
pub(super) fn linear(books: usize, captures: usize) -> Outcome {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("shop.warc");
    let begun = Instant::now();
    let knobs = |shop: u64| Knobs {
        books: 4000.min(books),
        authors: 400.min(books / 4),
        seed: shop,
        ..Knobs::default()
    };
    let mut count = 0;
    {
        let mut out = BufWriter::new(File::create(&file)?);
        for capture in 0..captures {
            let redesign: BTreeSet<Change> = match capture * 2 < captures {
                true => BTreeSet::new(),
                false => [Change::RenameClasses, Change::ChangeTags, Change::NewNesting].into(),
            };
            for shop in 0..books.div_ceil(4000) {
                let site = Site::generate(&Knobs { redesign: redesign.clone(), ..knobs(shop as u64) });
                for page in &site.pages {
                    let url = page.url.replacen("://", &format!("://shop{shop}."), 1);
                    let html = page.html.replace(
                        unsite_sample::ORIGIN,
                        &unsite_sample::ORIGIN.replacen("://", &format!("://shop{shop}."), 1),
                    );
                    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
                    write!(
                        out,
                        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:linear:{count}>\r\nWARC-Date: {}\r\n\
                         WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{head}",
                        moment(day(capture, 0) + count as i64 % BETWEEN.min(80_000)),
                        head.len() + html.len()
                    )?;
                    out.write_all(html.as_bytes())?;
                    out.write_all(b"\r\n\r\n")?;
                    count += 1;
                }
            }
        }
        out.flush()?;
    }
    println!("{count} captures written in {:.1} s", begun.elapsed().as_secs_f64());
    let source = Source::open(&file.to_string_lossy(), &Default::default())?;
    let begun = Instant::now();
    let saved = learn_wrapper(&source, &Options::default(), Classifier::Marks, &mut ())?.saved;
    let learned = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let output = Output::parse(folder.path().join("shop.db"))?;
    let extracted = extract_with(&source, &saved, Classifier::Marks, &output, &Options::default(), &mut ())?;
    println!(
        "{} designs; learned in {learned:.1} s, {} pages extracted in {:.1} s, {:.2} ms a capture in all; most memory {} MB",
        1 + saved.epochs.len(),
        extracted.summary.pages,
        begun.elapsed().as_secs_f64(),
        (learned + begun.elapsed().as_secs_f64()) * 1000.0 / count as f64,
        most_memory().unwrap_or(0) >> 10,
    );
    Ok(())
}

/// The most memory that this process has had, in KiB.
fn most_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// A database as unsite writes it, with a long history: eight columns a row, one value in a hundred changes in each of five
/// captures.
pub(super) fn history(rows: u64, path: &Path) -> Outcome {
    let folder = tempfile::tempdir()?;
    let pages = (0..3).flat_map(|capture: i64| {
        (0..20).map(move |n| RawPage {
            url: format!("https://shop.test/tea/{n}"),
            reference: format!("{capture}-{n}"),
            bytes: format!("<h1>Tea {n}</h1><p>Price: <b>£{}.50</b></p>", n + capture).into(),
            captured: Moment::from_unix(BEGIN + capture * BETWEEN + n),
            ..RawPage::default()
        })
    });
    let source = Source::memory(pages.collect());
    let saved = learn_wrapper(&source, &Options::default(), Classifier::Marks, &mut ())?.saved;
    let made = folder.path().join("site.db");
    extract_with(&source, &saved, Classifier::Marks, &Output::parse(&made)?, &Options::default(), &mut ())?;
    fs::copy(&made, path)?;
    let mut db = Connection::open(path)?;
    let transaction = db.transaction()?;
    {
        let mut page = transaction.prepare(
            "INSERT INTO _pages SELECT ?1, ?2, ?3, page_type, role, 0, 0, ?4, ?5 FROM _pages LIMIT 1",
        )?;
        let mut told = transaction.prepare("INSERT INTO _history VALUES ('item', ?1, ?2, ?3, ?4, ?5, ?6)")?;
        let things = rows / 8;
        let captures: i64 = 5;
        for thing in 0..things {
            let url = format!("https://shop.test/item/{thing}");
            for capture in 0..captures {
                let id = 1_000_000 + thing as i64 * captures + capture;
                let latest = i64::from(capture + 1 == captures);
                page.execute(params![
                    id,
                    url,
                    format!("{thing}-{capture}"),
                    moment(day(capture as usize, 0)),
                    latest
                ])?;
            }
            let id = 1_000_000 + thing as i64 * captures + captures - 1;
            for column in 0..8 {
                // What changed on the last day changed in one row of a hundred.
                let changed = column == 3 && thing % 100 == 0;
                let spans = if changed { vec![(0, 3), (4, 4)] } else { vec![(0, 4)] };
                for (first, last) in spans {
                    told.execute(params![
                        thing as i64,
                        format!("column_{column}"),
                        format!("value {thing} {column} {first}"),
                        moment(day(first, 0)),
                        moment(day(last, 0)),
                        id
                    ])?;
                }
            }
        }
    }
    transaction.commit()?;
    db.execute_batch("ANALYZE")?;
    let count: i64 = db.query_row("SELECT count(*) FROM _history", [], |row| row.get(0))?;
    println!(
        "{count} rows of history in {}; ask: unsite changes {} --since {}",
        path.display(),
        path.display(),
        moment(day(3, 0))
    );
    Ok(())
}
