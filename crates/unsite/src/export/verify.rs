//! Exported code run on real pages, and how far it reads what extraction here reads.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};
use unsite_dom::{Limits, RawPage, decode};
use unsite_wrapper::{PageRecord, Wrapper};

/// How far one column agrees.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Cells that one of both gave.
    pub cells: u64,
    /// Cells that both gave, alike.
    pub equal: u64,
    /// The first that differ: page, ours, theirs.
    pub examples: Vec<(String, Option<String>, Option<String>)>,
}

/// How far exported code agrees on some pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// Pages of a known type.
    pub pages: u64,
    /// Those that the exported code takes for the same type.
    pub routed: u64,
    /// The first others: page, our type, theirs (empty for none).
    pub misrouted: Vec<(String, String, String)>,
    /// By table and column.
    pub columns: BTreeMap<(String, String), Agreement>,
}

/// The rows of one page by table.
type Tables = BTreeMap<String, Vec<Value>>;

/// Examples that are kept of each column.
const EXAMPLES: usize = 3;

/// Runs exported Python on pages and adds to what agrees. It tells their types itself, as it does for whoever uses it.
/// Pages of no known type are passed over.
pub fn verify(
    wrapper: &Wrapper,
    program: &str,
    pages: &[RawPage],
    python: &str,
    limits: &Limits,
    verified: &mut Verified,
) -> Result<()> {
    let reader = wrapper.reader();
    let records: Vec<PageRecord> = pages.iter().map(|page| reader.extract(page, limits)).collect();
    let mut input = String::new();
    let mut ours: Vec<(&RawPage, &str, Tables)> = Vec::new();
    for (page, record) in pages.iter().zip(&records) {
        let Some(page_type) = record.page_type else { continue };
        let (html, _) = decode(&page.bytes, page.charset.as_deref());
        input += &json!({"url": page.url, "html": html}).to_string();
        input.push('\n');
        let name = wrapper.schema.page_types[page_type].name.as_str();
        ours.push((page, name, rows_of(wrapper, record)));
    }
    let output = run(program, python, input)?;
    let lines: Vec<&str> = output.lines().collect();
    if lines.len() != ours.len() {
        bail!("the exported code gave {} items for {} pages", lines.len(), ours.len());
    }
    let tables: Vec<&str> = wrapper.schema.tables.iter().map(|table| table.name.as_str()).collect();
    for ((page, page_type, ours), line) in ours.iter().zip(lines) {
        let item: Value =
            serde_json::from_str(line).context("the exported code gave something else than JSON")?;
        let mut theirs = BTreeMap::new();
        verified.pages += 1;
        if let Value::Object(item) = item {
            let name = item.get("_page_type").and_then(Value::as_str).unwrap_or_default();
            if name == *page_type {
                verified.routed += 1;
            } else if verified.misrouted.len() < EXAMPLES {
                verified.misrouted.push((page.url.clone(), (*page_type).to_owned(), name.to_owned()));
            }
            let at = wrapper.schema.page_types.iter().position(|info| info.name == name);
            let table = at.and_then(|at| wrapper.types[at].page_table);
            flatten(item, table.map(|table| tables[table]), &tables, &mut theirs);
        }
        compare(page, ours, &theirs, &mut verified.columns);
    }
    Ok(())
}

/// Our own rows by table, each with the first value of its columns.
fn rows_of(wrapper: &Wrapper, record: &PageRecord) -> Tables {
    let mut rows: Tables = BTreeMap::new();
    for row in &record.rows {
        let table = &wrapper.schema.tables[row.table];
        let mut values = Map::new();
        for cell in &row.cells {
            let name = table.columns[cell.column].name.clone();
            values.entry(name).or_insert_with(|| Value::from(cell.value.as_str()));
        }
        rows.entry(table.name.clone()).or_default().push(Value::Object(values));
    }
    rows
}

/// The rows of an item by table: the lists inside go to their own.
fn flatten(
    item: Map<String, Value>,
    table: Option<&str>,
    tables: &[&str],
    rows: &mut BTreeMap<String, Vec<Value>>,
) {
    let mut values = Map::new();
    let mut lists = Vec::new();
    for (name, value) in item {
        match value {
            Value::Array(list) => lists.push((name, list)),
            Value::String(text) if !name.starts_with('_') => {
                values.insert(name, Value::from(text));
            }
            _ => {}
        }
    }
    if let Some(table) = table {
        rows.entry(table.to_owned()).or_default().push(Value::Object(values));
    }
    for (name, list) in lists {
        let table = tables.iter().find(|table| **table == name).copied();
        let table = table.or_else(|| name.strip_suffix("_rows"));
        for row in list {
            if let Value::Object(row) = row {
                flatten(row, table, tables, rows);
            }
        }
    }
}

fn compare(
    page: &RawPage,
    ours: &BTreeMap<String, Vec<Value>>,
    theirs: &BTreeMap<String, Vec<Value>>,
    agreement: &mut BTreeMap<(String, String), Agreement>,
) {
    let none: Vec<Value> = Vec::new();
    let tables: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    for table in tables {
        let (here, there) = (ours.get(table).unwrap_or(&none), theirs.get(table).unwrap_or(&none));
        for at in 0..here.len().max(there.len()) {
            let names = |rows: &[Value]| -> Vec<String> {
                rows.get(at)
                    .and_then(Value::as_object)
                    .map(|row| row.keys().cloned().collect())
                    .unwrap_or_default()
            };
            let mut columns = names(here);
            columns.extend(names(there));
            columns.sort();
            columns.dedup();
            for column in columns {
                let value = |rows: &[Value]| {
                    rows.get(at).and_then(|row| row.get(&column)).and_then(Value::as_str).map(str::to_owned)
                };
                let (mine, other) = (value(here), value(there));
                let found = agreement.entry((table.clone(), column)).or_default();
                found.cells += 1;
                found.equal += u64::from(mine == other);
                if mine != other && found.examples.len() < EXAMPLES {
                    found.examples.push((page.url.clone(), mine, other));
                }
            }
        }
    }
}

fn run(program: &str, python: &str, input: String) -> Result<String> {
    let folder = tempfile::tempdir().context("no folder for temporary files")?;
    let file = folder.path().join("exported.py");
    std::fs::write(&file, program).with_context(|| format!("cannot write {}", file.display()))?;
    let mut child = Command::new(python)
        .arg(&file)
        .env("PYTHONIOENCODING", "utf-8")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {python}; name a Python that has parsel with --python"))?;
    // Written from another thread: pipes are short, and Python answers while it is still being told.
    let writing =
        child.stdin.take().map(|mut stdin| std::thread::spawn(move || stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().with_context(|| format!("cannot run {python}"))?;
    if let Some(writing) = writing {
        let _ = writing.join();
    }
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().last().unwrap_or("nothing").to_owned();
        bail!("{python} could not run the exported code: {last}; it needs parsel (pip install parsel)");
    }
    String::from_utf8(output.stdout).context("the exported code wrote something else than UTF-8")
}
