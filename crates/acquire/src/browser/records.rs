//! Rendered pages in archives.

use std::io;

use super::{Browser, BrowserError, Document, Rendered};
use crate::archive::{ArchiveWriter, PackedExchange, Record, RecordKind, new_id};
use crate::fetch::Exchange;
use crate::sources::{LAYOUT_TYPE, layout_block};

/// Renders a page that was fetched; `body` is its body with content encodings undone.
pub fn render_exchange(
    browser: &Browser,
    exchange: &Exchange,
    body: &[u8],
) -> Result<Rendered, BrowserError> {
    let headers: Vec<(String, String)> = exchange
        .headers
        .iter()
        .map(|(name, value)| (name.clone(), String::from_utf8_lossy(value).into_owned()))
        .collect();
    let document = Document { url: exchange.url.as_str(), status: exchange.status, headers: &headers, body };
    browser.render(&document)
}

/// Writes a rendered page behind the response it was made from: the page as a `conversion` record, where its texts were
/// drawn as a `metadata` record. Readers of archives take the first for the page and the second for its layout.
pub fn write_rendered(
    archive: &mut ArchiveWriter,
    exchange: &Exchange,
    response_id: &str,
    rendered: &Rendered,
) -> io::Result<()> {
    each_record(exchange, response_id, rendered, |record| archive.write(record).map(drop))
}

/// The same for an exchange that is written later.
pub(crate) fn pack_rendered(
    packed: &mut PackedExchange,
    exchange: &Exchange,
    rendered: &Rendered,
) -> io::Result<()> {
    let id = packed.id().to_owned();
    each_record(exchange, &id, rendered, |record| packed.add(record))
}

fn each_record(
    exchange: &Exchange,
    response_id: &str,
    rendered: &Rendered,
    mut write: impl FnMut(&Record<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let id = new_id(rendered.html.as_bytes());
    let (url, date) = (Some(exchange.url.as_str()), exchange.date);
    write(&Record {
        kind: RecordKind::Conversion,
        id: id.clone(),
        date,
        url,
        content_type: "text/html; charset=utf-8",
        fields: vec![("WARC-Refers-To", format!("<{response_id}>"))],
        block: &[rendered.html.as_bytes()],
    })?;
    let layout = layout_block(&rendered.layout);
    write(&Record {
        kind: RecordKind::Metadata,
        id: new_id(&layout),
        date,
        url,
        content_type: LAYOUT_TYPE,
        fields: vec![("WARC-Refers-To", format!("<{id}>"))],
        block: &[&layout],
    })
}
