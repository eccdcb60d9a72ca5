//! Where a crawl is written to: one WARC file, a folder, or a WACZ file.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The archive inside a folder.
const WARC_IN_FOLDER: &str = "archive/data.warc.gz";

/// The state inside a folder.
const STATE_IN_FOLDER: &str = "crawl.state";

/// Where a crawl is written to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    path: PathBuf,
    layout: Layout,
}

/// The forms of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One `.warc.gz`, and a `.crawl` file beside it that knows what was done.
    Warc,
    /// The folder of Browsertrix: `archive/`, `pages/pages.jsonl`, `indexes/index.cdxj`.
    Folder,
    /// The same in one `.wacz` file, made when the crawl ends; until then it is a folder `.wacz.crawl`.
    Wacz,
}

/// A name that says nothing.
#[derive(Debug, Error)]
#[error("{0} is no place for an archive: give a name that ends in .warc.gz or .wacz, or a folder/")]
pub struct NoPlace(String);

impl Place {
    /// Tells the form by the name.
    pub fn parse(path: &Path) -> Result<Place, NoPlace> {
        let text = path.to_string_lossy();
        let lower = text.to_lowercase();
        let layout = if lower.ends_with(".warc.gz") {
            Layout::Warc
        } else if lower.ends_with(".wacz") {
            Layout::Wacz
        } else if path.is_dir() || text.ends_with('/') || path.extension().is_none() {
            Layout::Folder
        } else {
            return Err(NoPlace(text.into_owned()));
        };
        Ok(Place { path: path.to_owned(), layout })
    }

    /// What the user named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The form.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The WARC file that grows.
    pub fn warc(&self) -> PathBuf {
        match self.layout {
            Layout::Warc => self.path.clone(),
            _ => self.folder().join(WARC_IN_FOLDER),
        }
    }

    /// The state of the crawl.
    pub fn state(&self) -> PathBuf {
        match self.layout {
            Layout::Warc => beside(&self.path, ".crawl"),
            _ => self.folder().join(STATE_IN_FOLDER),
        }
    }

    /// Takes back what a crawl without a single page has made, so that another try finds the place free.
    pub fn discard(&self) -> io::Result<()> {
        fs::remove_file(self.state())?;
        fs::remove_file(self.warc())?;
        if self.layout != Layout::Warc {
            // Only what is empty goes, and the user's own folder stays.
            for name in ["archive", "pages", "indexes"] {
                let _ = fs::remove_file(self.folder().join(name).join("pages.jsonl"));
                let _ = fs::remove_file(self.folder().join(name).join("index.cdxj"));
                let _ = fs::remove_dir(self.folder().join(name));
            }
        }
        Ok(())
    }

    /// The folder with everything, where there is one.
    pub(crate) fn folder(&self) -> PathBuf {
        match self.layout {
            Layout::Wacz => beside(&self.path, ".crawl"),
            _ => self.path.clone(),
        }
    }

    /// Makes the folders that are needed.
    pub(crate) fn prepare(&self) -> io::Result<()> {
        if let Some(parent) = self.warc().parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent)?;
        }
        Ok(())
    }

    /// A WACZ that was finished is opened again: its WARC file is taken out, so that it can grow.
    pub(crate) fn reopen(&self) -> io::Result<()> {
        if self.layout != Layout::Wacz || self.warc().exists() || !self.path.exists() {
            return Ok(());
        }
        self.prepare()?;
        let mut zip = zip::ZipArchive::new(File::open(&self.path)?)?;
        let mut entry = zip.by_name(WARC_IN_FOLDER)?;
        let part = beside(&self.warc(), ".part");
        let mut out = File::create(&part)?;
        io::copy(&mut entry, &mut out)?;
        out.sync_all()?;
        fs::rename(part, self.warc())
    }
}

/// The path with something behind its name.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_form() {
        let layout = |name: &str| Place::parse(Path::new(name)).map(|place| place.layout()).ok();
        assert_eq!(layout("a/b.WARC.gz"), Some(Layout::Warc));
        assert_eq!(layout("b.wacz"), Some(Layout::Wacz));
        assert_eq!(layout("pages"), Some(Layout::Folder));
        assert_eq!(layout("pages.d/"), Some(Layout::Folder));
        assert_eq!(layout("pages.db"), None);
        let place = Place::parse(Path::new("x.wacz")).unwrap();
        assert_eq!(place.warc(), Path::new("x.wacz.crawl/archive/data.warc.gz"));
        assert_eq!(Place::parse(Path::new("x.warc.gz")).unwrap().state(), Path::new("x.warc.gz.crawl"));
    }
}
