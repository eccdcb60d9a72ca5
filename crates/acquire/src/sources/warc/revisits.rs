//! Records that say only that a page was what an earlier record holds.
//!
//! # What it does
//! Revisits are collected while the archive is read: sixty bytes and the address each. At its end the archive is read once
//! more, and each record that a revisit means is handed out again with the revisit's own address and moment. So it works in
//! every compression, and whichever of the two stands first. A revisit names its record by id; else by address and date; else
//! by the digest of its payload; else (304 Not Modified) it means the last capture of its address before it.
//! # Assumes
//! Digests are of the payload as the archive says, and are not computed anew.
//! # When it fails
//! What refers to another archive is counted and passed over.

use std::collections::HashMap;

use unsite_dom::{Moment, RawPage};
use xxhash_rust::xxh3::xxh3_64;

use super::fields::Fields;
use super::{Place, bare};

/// A visit on which nothing had changed.
#[derive(Debug, Clone)]
struct Revisit {
    url: String,
    reference: String,
    captured: Option<Moment>,
    offset: u64,
}

/// The revisits of an archive by the record that they mean.
#[derive(Debug, Default)]
pub(crate) struct Revisits {
    waiting: HashMap<u64, Vec<Revisit>>,
    /// When each address was captured last, for revisits that name nothing else: sixteen bytes an address.
    last: HashMap<u64, Moment>,
    unnamed: usize,
}

/// What the header of a record that holds a page says of it.
#[derive(Debug, Default, Clone)]
pub(crate) struct Names {
    id: Option<u64>,
    dated: Option<u64>,
    digest: Option<u64>,
}

impl Revisits {
    /// Takes down a revisit.
    pub(super) fn note(&mut self, fields: &Fields, place: &Place) {
        let Some(url) = place.url.clone() else {
            self.unnamed += 1;
            return;
        };
        let captured = moment(fields);
        let revisit = Revisit { url, reference: place.reference.clone(), captured, offset: place.offset };
        let field = |name: &str| fields.get(name).map(bare).filter(|value| !value.is_empty());
        let dated = || {
            let date = Moment::parse(&field("warc-refers-to-date")?)?;
            let url = field("warc-refers-to-target-uri").unwrap_or_else(|| revisit.url.clone());
            Some(dated_key(&url, date))
        };
        let digest = || field("warc-payload-digest").map(|digest| digest_key(&digest));
        let before = || Some(dated_key(&revisit.url, *self.last.get(&xxh3_64(revisit.url.as_bytes()))?));
        let named = field("warc-refers-to").map(|id| id_key(&id)).or_else(dated);
        match named.or_else(digest).or_else(before) {
            Some(key) => self.waiting.entry(key).or_default().push(revisit),
            None => self.unnamed += 1,
        }
    }

    /// Is there anything to look for?
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// How many were not found.
    pub(crate) fn left(&self) -> usize {
        self.waiting.values().map(Vec::len).sum::<usize>() + self.unnamed
    }

    /// Takes down that an address was captured, for revisits that name nothing else.
    pub(super) fn saw(&mut self, page: &RawPage) {
        if let Some(captured) = page.captured {
            self.last.insert(xxh3_64(page.url.as_bytes()), captured);
        }
    }

    /// The same for the second reading, in which nothing is taken down.
    #[must_use]
    pub(crate) fn settled(self) -> Revisits {
        Revisits { last: HashMap::new(), ..self }
    }

    /// The pages that revisits make of one that was read again.
    pub(super) fn of(&mut self, names: &Names, page: &RawPage) -> Vec<RawPage> {
        let mut found = Vec::new();
        for key in [names.id, names.dated, names.digest].into_iter().flatten() {
            found.extend(self.waiting.remove(&key).into_iter().flatten());
        }
        let again = |revisit: Revisit| RawPage {
            url: revisit.url,
            reference: revisit.reference,
            captured: revisit.captured,
            offset: Some(revisit.offset),
            ..page.clone()
        };
        found.into_iter().map(again).collect()
    }

    /// Does a revisit mean this record?
    pub(super) fn wants(&self, names: &Names) -> bool {
        let keys = [names.id, names.dated, names.digest];
        keys.into_iter().flatten().any(|key| self.waiting.contains_key(&key))
    }
}

impl Names {
    pub(super) fn of(fields: &Fields, place: &Place) -> Names {
        let field = |name: &str| fields.get(name).map(bare).filter(|value| !value.is_empty());
        Names {
            id: field("warc-record-id").map(|id| id_key(&id)),
            dated: place.url.as_ref().zip(moment(fields)).map(|(url, date)| dated_key(url, date)),
            digest: field("warc-payload-digest").map(|digest| digest_key(&digest)),
        }
    }
}

/// When a record's content was had.
pub(super) fn moment(fields: &Fields) -> Option<Moment> {
    fields.get("warc-date").and_then(Moment::parse)
}

fn id_key(id: &str) -> u64 {
    xxh3_64(format!("id {id}").as_bytes())
}

fn dated_key(url: &str, date: Moment) -> u64 {
    xxh3_64(format!("at {date} {url}").as_bytes())
}

fn digest_key(digest: &str) -> u64 {
    xxh3_64(format!("digest {}", digest.to_ascii_lowercase()).as_bytes())
}
