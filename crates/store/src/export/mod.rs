//! Files for programs that do not read SQLite, taken from the finished database: one logic for the order.

mod csv;
mod datapackage;
mod json_lines;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "../absent/parquet.rs"]
mod parquet;

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use crate::date::days;
use crate::place::Place;
use crate::plan::{
    Kind, Layout, Relation, discovered, has_history, has_main_text, history, main_text, own_of_files,
};
use crate::{Format, Meta, Output, StoreError};
pub(crate) use datapackage::DESCRIPTOR;
use datapackage::Resource;

/// The finished file or folder in the temporary folder.
const FINISHED: &str = "out";
/// In a folder: the names of the files in it, so that the next run knows which ones it may replace.
const MANIFEST: &str = ".unsite-files";

/// What is written besides the database, and whether as one file or as a folder.
#[derive(Debug)]
pub(crate) struct Export {
    format: Format,
    guard_formulas: bool,
    is_folder: bool,
    meta: Meta,
}

/// One file of rows.
trait RowWriter {
    /// Takes one row of as many values as the table has columns.
    fn row(&mut self, row: &Row<'_>) -> io::Result<()>;
    /// Writes what is still held back.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl Export {
    /// One table makes one file, unless the name asks for a folder.
    pub(crate) fn new(out: &Output, layout: &Layout, meta: &Meta) -> Export {
        let is_folder = out.names_a_folder() || layout.parts().count() != 1;
        Export { format: out.format, guard_formulas: out.guard_formulas, is_folder, meta: meta.clone() }
    }

    pub(crate) fn place(&self, out: &Output) -> Result<Place, StoreError> {
        if !self.is_folder {
            if !out.replace && is_of_others(&out.path) {
                let reason = "it is there already and not from here; name another file, or use --replace";
                return Err(StoreError::Target { path: out.path.clone(), reason: reason.to_owned() });
            }
            return Place::for_file(&out.path);
        }
        let target = if out.names_a_folder() { out.path.clone() } else { out.path.with_extension("") };
        let manifest = fs::read_to_string(target.join(MANIFEST)).unwrap_or_default();
        if let Some(other) = manifest.lines().find(|name| !out.replace && !self.writes(name)) {
            let reason = format!(
                "the folder holds {other:?} of an earlier run in another format; name another folder, such as {}.{}/, or use --replace",
                target.display(),
                self.format.ending()
            );
            return Err(StoreError::Target { path: target, reason });
        }
        Place::for_folder(&target, |name| name == MANIFEST || manifest.lines().any(|line| line == name))
    }

    /// What an earlier run left under the same name when it had one table and this one has several, or the other way
    /// round. It is not touched.
    pub(crate) fn stale(&self, out: &Output) -> Option<PathBuf> {
        let folder = out.path.with_extension("");
        let manifest = || fs::read_to_string(folder.join(MANIFEST)).unwrap_or_default();
        match self.is_folder {
            _ if out.names_a_folder() => None,
            true => (out.path.is_file() && is_ours(&out.path)).then(|| out.path.clone()),
            false => manifest().lines().any(|name| name != DESCRIPTOR && self.writes(name)).then_some(folder),
        }
    }

    /// Whether a file in a folder is of this format.
    fn writes(&self, name: &str) -> bool {
        name == DESCRIPTOR || name.ends_with(&format!(".{}", self.format.ending()))
    }

    /// Writes the files into the temporary folder. Gives the number of values that are in no column for not being of
    /// its type, and that no `_cells` beside it holds.
    pub(crate) fn write(&self, db: &Connection, layout: &Layout, place: &Place) -> Result<u64, StoreError> {
        let finished = place.temporary(FINISHED);
        let mut relations = discovered(layout);
        if self.is_folder {
            fs::create_dir(&finished).map_err(|e| StoreError::io("make", &finished, e))?;
            relations.extend(own_of_files());
            let asked = has_main_text(db).map_err(|e| StoreError::sqlite(place.target(), e))?;
            relations.extend(asked.then(main_text));
            let told = has_history(db).map_err(|e| StoreError::sqlite(place.target(), e))?;
            relations.extend(told.then(history));
        }
        let mut resources = Vec::with_capacity(relations.len());
        for relation in &relations {
            let name = format!("{}.{}", stem(&relation.name), self.format.ending());
            let path = if self.is_folder { finished.join(&name) } else { finished.clone() };
            let misfits = self.file(db, relation, &path, place)?;
            let bytes = fs::metadata(&path).map_err(|e| StoreError::io("read", &path, e))?.len();
            let shown = if self.is_folder { name } else { file_name(place.target()) };
            resources.push(Resource { relation, path: shown, bytes, misfits });
        }
        let descriptor =
            datapackage::describe(&file_name(place.target()), &resources, self.format, &self.meta);
        if self.is_folder {
            write(&finished.join(DESCRIPTOR), &descriptor)?;
            let names = resources.iter().map(|resource| resource.path.as_str()).chain([DESCRIPTOR]);
            let manifest: String = names.map(|name| format!("{name}\n")).collect();
            write(&finished.join(MANIFEST), &manifest)?;
            return Ok(0);
        }
        write(&place.temporary(DESCRIPTOR), &descriptor)?;
        let is_typed = self.format == Format::Parquet;
        Ok(resources.iter().flat_map(|r| &r.misfits).sum::<u64>() * u64::from(is_typed))
    }

    /// Puts what was written in the place of the target.
    pub(crate) fn put(&self, place: Place) -> Result<PathBuf, StoreError> {
        if self.is_folder {
            return place.put_folder(FINISHED);
        }
        let beside = descriptor_of(place.target());
        place.put_file(FINISHED, Some((DESCRIPTOR, &beside)))
    }

    /// Writes one file. Gives for each column how many of its values are not of its type.
    fn file(
        &self,
        db: &Connection,
        relation: &Relation,
        path: &Path,
        place: &Place,
    ) -> Result<Vec<u64>, StoreError> {
        let write = |e| StoreError::io("write", place.target(), e);
        let read = |e| StoreError::sqlite(place.target(), e);
        let file = File::create(path).map_err(|e| StoreError::io("create", path, e))?;
        let file = BufWriter::with_capacity(1 << 16, file);
        let mut writer: Box<dyn RowWriter> = match self.format {
            Format::Csv => Box::new(csv::CsvWriter::new(file, relation, self.guard_formulas).map_err(write)?),
            Format::Parquet => {
                Box::new(parquet::ParquetWriter::new(file, relation, &self.meta).map_err(write)?)
            }
            Format::JsonLines | Format::Sqlite | Format::Postgres => {
                Box::new(json_lines::JsonLinesWriter::new(file, relation).map_err(write)?)
            }
        };
        let mut misfits = vec![0; relation.fields.len()];
        let mut statement = db.prepare(&relation.select).map_err(read)?;
        let mut rows = statement.query([]).map_err(read)?;
        while let Some(row) = rows.next().map_err(read)? {
            for (at, field) in relation.fields.iter().enumerate() {
                misfits[at] += u64::from(!fits(field.kind, row.get_ref(at).map_err(read)?));
            }
            writer.row(row).map_err(write)?;
        }
        writer.finish().map_err(write)?;
        Ok(misfits)
    }
}

/// The descriptor beside a lone file.
fn descriptor_of(file: &Path) -> PathBuf {
    let mut beside = file.as_os_str().to_owned();
    beside.push(format!(".{DESCRIPTOR}"));
    beside.into()
}

/// Whether the descriptor beside a file says that an earlier run wrote it.
fn is_ours(file: &Path) -> bool {
    let descriptor = fs::read(descriptor_of(file)).unwrap_or_default();
    let described: serde_json::Value = serde_json::from_slice(&descriptor).unwrap_or_default();
    described["unsite"].is_object() && described["resources"][0]["path"] == file_name(file)
}

/// Whether a file holds something that no run wrote.
fn is_of_others(file: &Path) -> bool {
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    fs::metadata(&file).is_ok_and(|there| there.is_file() && there.len() > 0) && !is_ours(&file)
}

/// Whether a value is of the type of its column.
fn fits(kind: Kind, value: ValueRef<'_>) -> bool {
    match (kind, value) {
        (_, ValueRef::Null) | (Kind::Text, _) => true,
        (Kind::Integer | Kind::Real, ValueRef::Integer(_)) | (Kind::Real, ValueRef::Real(_)) => true,
        (Kind::Date, ValueRef::Text(text)) => std::str::from_utf8(text).ok().and_then(days).is_some(),
        _ => false,
    }
}

/// The name of a table as that of a file. Windows takes some names for devices, whatever their ending; names of tables do
/// not end in an underscore, so that no two of them meet.
pub(crate) fn stem(table: &str) -> String {
    let lower = table.to_ascii_lowercase();
    let numbered = |device: &str| {
        lower.strip_prefix(device).is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    let is_device =
        matches!(lower.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt");
    if is_device { format!("{table}_") } else { table.to_owned() }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn write(path: &Path, text: &str) -> Result<(), StoreError> {
    fs::write(path, text).map_err(|e| StoreError::io("write", path, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_called_like_a_device() {
        for (table, file) in
            [("con", "con_"), ("NUL", "NUL_"), ("com1", "com1_"), ("lpt9", "lpt9_"), ("aux", "aux_")]
        {
            assert_eq!(stem(table), file);
        }
        for plain in ["contact", "com", "com10", "company", "null", "auxiliary"] {
            assert_eq!(stem(plain), plain);
        }
    }
}
