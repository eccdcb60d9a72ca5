//! What is written when a crawl ends: the list of pages, the index, and the WACZ around it all.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use jiff::Timestamp;
use ring::digest;
use serde_json::json;
use url::Url;
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

use super::place::{Layout, Place, beside};
use super::state::{Outcome, State};
use crate::archive::digest_text;

const PAGES: &str = "pages/pages.jsonl";
const INDEX: &str = "indexes/index.cdxj";
const WARC: &str = "archive/data.warc.gz";
const PACKAGE: &str = "datapackage.json";

/// Pages in the archive; some of them are asked for again, or are gone from the site.
const SAVED: &str = "(state = 1 OR state IN (0, 6, 7) AND length IS NOT NULL)";

/// Writes what belongs to the layout.
pub(crate) fn finish(place: &Place, state: &State, start: &str) -> Result<(), String> {
    if place.layout() == Layout::Warc {
        return Ok(());
    }
    let folder = place.folder();
    let result = write_lists(&folder, state, start).and_then(|()| match place.layout() {
        Layout::Wacz => pack(place, &folder, start).map_err(|error| error.to_string()),
        _ => Ok(()),
    });
    result.map_err(|message| {
        format!("the pages are saved, but {} could not be finished: {message}", place.path().display())
    })
}

fn write_lists(folder: &Path, state: &State, start: &str) -> Result<(), String> {
    let text = |error: io::Error| error.to_string();
    for name in ["pages", "indexes"] {
        fs::create_dir_all(folder.join(name)).map_err(text)?;
    }
    replace(&folder.join(PAGES), |out| {
        writeln!(
            out,
            "{}",
            json!({"format": "json-pages-1.0", "id": "pages", "title": "All Pages", "hasText": false})
        )?;
        each(
            state,
            &format!("SELECT id, url, date, title, status FROM urls WHERE {SAVED} ORDER BY id"),
            |row| {
                let (id, url): (i64, String) = (row.get(0)?, row.get(1)?);
                let (date, title): (String, String) = (row.get(2)?, row.get(3)?);
                let status: u16 = row.get(4)?;
                let mut line =
                    json!({"id": id.to_string(), "url": url, "ts": date, "title": title, "status": status});
                if url == start {
                    line["seed"] = json!(true);
                }
                Ok(line.to_string())
            },
            out,
        )
    })
    .map_err(text)?;
    replace(&folder.join(INDEX), |out| {
        let select = format!(
            "SELECT surt, date, url, media, status, digest, length, offset FROM urls WHERE {SAVED} OR state = 2 ORDER BY surt, date"
        );
        each(
            state,
            &select,
            |row| {
                let (surt, date): (String, String) = (row.get(0)?, row.get(1)?);
                let (url, mime): (String, String) = (row.get(2)?, row.get(3)?);
                let (status, digest): (u16, String) = (row.get(4)?, row.get(5)?);
                let (length, offset): (i64, i64) = (row.get(6)?, row.get(7)?);
                let digits: String = date.chars().filter(char::is_ascii_digit).take(14).collect();
                let fields = json!({
                    "url": url, "mime": mime, "status": status.to_string(), "digest": digest,
                    "length": length.to_string(), "offset": offset.to_string(), "filename": "data.warc.gz",
                });
                Ok(format!("{surt} {digits} {fields}"))
            },
            out,
        )
    })
    .map_err(text)
}

/// Writes one line for each row.
fn each(
    state: &State,
    select: &str,
    line: impl Fn(&rusqlite::Row<'_>) -> rusqlite::Result<String>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let outcome: Outcome<io::Result<()>> = state.sql(|db| {
        let mut select = db.prepare(select)?;
        let mut rows = select.query([])?;
        while let Some(row) = rows.next()? {
            if let Err(error) = writeln!(out, "{}", line(row)?) {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    });
    outcome.map_err(io::Error::other)?
}

/// Writes a file beside its place and puts it there when it is whole.
fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let part = beside(path, ".part");
    let mut out = BufWriter::new(File::create(&part)?);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(part, path)
}

/// Makes the WACZ: everything stored as it is, so that readers can start at any record. Afterwards the WARC file is in
/// there alone; the state stays for another visit.
fn pack(place: &Place, folder: &Path, start: &str) -> io::Result<()> {
    let mut resources = Vec::new();
    for path in [WARC, INDEX, PAGES] {
        let (hash, bytes) = digest_of(&folder.join(path))?;
        let name = path.rsplit('/').next().unwrap_or(path);
        resources.push(json!({"name": name, "path": path, "hash": hash, "bytes": bytes}));
    }
    let now = format!("{:.0}", Timestamp::now());
    let package = json!({
        "profile": "data-package", "wacz_version": "1.1.1", "software": crate::fetch::USER_AGENT, "title": start,
        "created": now, "modified": now, "mainPageUrl": start, "resources": resources,
    });
    let package = serde_json::to_vec_pretty(&package)?;
    let hash = crate::archive::sha256(&[&package]);
    let signed = serde_json::to_vec_pretty(&json!({"path": PACKAGE, "hash": hash}))?;
    let part = beside(place.path(), ".part");
    let mut zip = zip::ZipWriter::new(File::create(&part)?);
    let added = add_files(&mut zip, folder, &package, &signed);
    if let Err(error) = added {
        // Dropped, it would try to finish and complain on standard error; the error is handed on instead.
        std::mem::forget(zip);
        let _ = fs::remove_file(part);
        return Err(error);
    }
    zip.finish()?.sync_all()?;
    fs::rename(part, place.path())?;
    fs::remove_file(folder.join(WARC))
}

fn add_files(zip: &mut zip::ZipWriter<File>, folder: &Path, package: &[u8], signed: &[u8]) -> io::Result<()> {
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
    for path in [WARC, INDEX, PAGES] {
        zip.start_file(path, stored)?;
        io::copy(&mut BufReader::new(File::open(folder.join(path))?), zip)?;
    }
    for (name, content) in [(PACKAGE, package), ("datapackage-digest.json", signed)] {
        zip.start_file(name, stored)?;
        zip.write_all(content)?;
    }
    Ok(())
}

fn digest_of(path: &Path) -> io::Result<(String, u64)> {
    let mut context = digest::Context::new(&digest::SHA256);
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 64 << 10];
    let mut bytes = 0;
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok((digest_text(context), bytes));
        }
        bytes += count as u64;
        context.update(&buffer[..count]);
    }
}

/// The sortable form of an address: `com,example)/path?query`, in lower case.
pub(crate) fn surt(url: &Url) -> String {
    let host = match url.host() {
        Some(url::Host::Domain(name)) => {
            let name = name.strip_prefix("www.").filter(|rest| rest.contains('.')).unwrap_or(name);
            name.split('.').rev().collect::<Vec<_>>().join(",")
        }
        _ => url.host_str().unwrap_or_default().to_owned(),
    };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let rest = &url[url::Position::BeforePath..url::Position::AfterQuery];
    format!("{host}{port}){}", rest.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_sortable() {
        let is = |text: &str| surt(&Url::parse(text).unwrap());
        assert_eq!(is("https://www.Example.com/A/b?C=1#x"), "com,example)/a/b?c=1");
        assert_eq!(is("http://127.0.0.1:8000/"), "127.0.0.1:8000)/");
        assert_eq!(is("http://www.test/"), "test,www)/");
    }
}
