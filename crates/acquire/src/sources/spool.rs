//! Pages that can be had only once, kept so that they can be read again: in memory while they are few, else in a file.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tempfile::TempPath;
use unsite_dom::{Moment, PageSource, Problem, ProblemKind, RawPage};

use super::warc::{layout_block, read_layout};

/// Bytes of pages that stay in memory: about as many as two batches that are worked on have.
const MEMORY_BYTES: usize = 64 << 20;

/// One page or problem, without the body that follows it.
#[derive(Serialize, Deserialize)]
enum Stored {
    Page {
        url: String,
        reference: String,
        charset: Option<String>,
        status: Option<u16>,
        offset: Option<u64>,
        /// Seconds since 1970.
        captured: Option<i64>,
        layout: Option<Vec<u8>>,
        length: usize,
    },
    Problem {
        kind: String,
        reference: String,
        url: Option<String>,
        offset: Option<u64>,
        message: String,
    },
}

/// What was collected.
#[derive(Debug, Clone)]
pub(super) enum Spooled {
    Memory(Arc<Vec<Result<RawPage, Problem>>>),
    File(Arc<TempPath>),
}

/// Takes pages one after another and becomes a [`Source`](super::Source).
#[derive(Debug, Default)]
pub struct Collector {
    memory: Vec<Result<RawPage, Problem>>,
    bytes: usize,
    file: Option<(BufWriter<File>, TempPath)>,
}

impl Collector {
    /// Takes a page, or why there is none.
    pub fn push(&mut self, item: Result<RawPage, Problem>) -> io::Result<()> {
        if let Some((file, _)) = &mut self.file {
            return write(file, &item);
        }
        self.bytes += item.as_ref().map_or(0, |page| page.bytes.len() + page.url.len());
        self.memory.push(item);
        if self.bytes > MEMORY_BYTES {
            let (file, path) = tempfile::NamedTempFile::new()?.into_parts();
            let mut file = BufWriter::new(file);
            self.memory.drain(..).try_for_each(|item| write(&mut file, &item))?;
            self.file = Some((file, path));
        }
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<Spooled> {
        match self.file {
            None => Ok(Spooled::Memory(Arc::new(self.memory))),
            Some((mut file, path)) => {
                file.flush()?;
                Ok(Spooled::File(Arc::new(path)))
            }
        }
    }
}

fn write(out: &mut impl Write, item: &Result<RawPage, Problem>) -> io::Result<()> {
    let (stored, body) = match item {
        Ok(page) => (
            Stored::Page {
                url: page.url.clone(),
                reference: page.reference.clone(),
                charset: page.charset.clone(),
                status: page.status,
                offset: page.offset,
                captured: page.captured.map(Moment::unix),
                layout: page.layout.as_ref().map(layout_block),
                length: page.bytes.len(),
            },
            page.bytes.as_slice(),
        ),
        Err(problem) => (
            Stored::Problem {
                kind: problem.kind.name().to_owned(),
                reference: problem.reference.clone(),
                url: problem.url.clone(),
                offset: problem.offset,
                message: problem.message.clone(),
            },
            [].as_slice(),
        ),
    };
    let head = serde_json::to_vec(&stored)?;
    out.write_all(&(head.len() as u64).to_le_bytes())?;
    out.write_all(&head)?;
    out.write_all(body)
}

fn read(input: &mut impl Read) -> io::Result<Option<Result<RawPage, Problem>>> {
    let mut length = [0; 8];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let mut head = Vec::new();
    input.take(u64::from_le_bytes(length)).read_to_end(&mut head)?;
    Ok(Some(match serde_json::from_slice(&head)? {
        Stored::Page { url, reference, charset, status, offset, captured, layout, length } => {
            let mut bytes = vec![0; length];
            input.read_exact(&mut bytes)?;
            let layout = layout.and_then(|block| read_layout(block.as_slice()));
            let captured = captured.and_then(Moment::from_unix);
            Ok(RawPage { url, reference, bytes, charset, status, offset, captured, layout })
        }
        Stored::Problem { kind, reference, url, offset, message } => {
            let kind = ProblemKind::ALL.into_iter().find(|known| known.name() == kind);
            Err(Problem { kind: kind.unwrap_or(ProblemKind::Unreadable), reference, url, offset, message })
        }
    }))
}

/// One pass over what was collected.
pub(super) enum SpooledPages {
    Memory { items: Arc<Vec<Result<RawPage, Problem>>>, next: usize },
    File { file: Option<BufReader<File>>, _keep: Arc<TempPath> },
}

impl SpooledPages {
    pub(super) fn open(spooled: &Spooled) -> io::Result<Self> {
        Ok(match spooled {
            Spooled::Memory(items) => SpooledPages::Memory { items: items.clone(), next: 0 },
            Spooled::File(path) => {
                let file = File::open::<&Path>(path.as_ref())?;
                SpooledPages::File { file: Some(BufReader::new(file)), _keep: path.clone() }
            }
        })
    }
}

impl PageSource for SpooledPages {
    fn next_page(&mut self) -> Option<Result<RawPage, Problem>> {
        match self {
            SpooledPages::Memory { items, next } => {
                let item = items.get(*next)?.clone();
                *next += 1;
                Some(item)
            }
            SpooledPages::File { file, .. } => match read(file.as_mut()?) {
                Ok(item) => item,
                Err(error) => {
                    *file = None;
                    Some(Err(Problem {
                        kind: ProblemKind::Unreadable,
                        reference: "collected pages".to_owned(),
                        url: None,
                        offset: None,
                        message: format!("the temporary file cannot be read: {error}"),
                    }))
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_collected_is_read_again_from_memory_and_from_a_file() {
        let page = |n: usize, size: usize| RawPage {
            url: format!("http://a/{n}"),
            reference: n.to_string(),
            bytes: vec![b'x'; size],
            charset: Some("latin1".into()),
            status: Some(404),
            offset: Some(n as u64),
            captured: Moment::parse("2026-11-15T08:00:00Z"),
            layout: Some(unsite_dom::Layout { width: 7, texts: Vec::new() }),
        };
        let problem = Problem {
            kind: ProblemKind::Truncated,
            reference: "r".into(),
            url: None,
            offset: Some(9),
            message: "m".into(),
        };
        for size in [10, MEMORY_BYTES / 2] {
            let items = [Ok(page(1, size)), Err(problem.clone()), Ok(page(2, size)), Ok(page(3, size))];
            let mut collector = Collector::default();
            for item in items.clone() {
                collector.push(item).unwrap();
            }
            let spooled = collector.finish().unwrap();
            assert_eq!(matches!(spooled, Spooled::File(_)), size > 10);
            for _ in 0..2 {
                let mut pages = SpooledPages::open(&spooled).unwrap();
                let again: Vec<_> = std::iter::from_fn(|| pages.next_page()).collect();
                assert!(again == items);
            }
        }
    }
}
