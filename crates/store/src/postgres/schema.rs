//! The tables and indexes on the server, and whether they may be written.

use std::collections::{BTreeMap, BTreeSet};

use postgres::{Error, Transaction};
use xxhash_rust::xxh3::xxh3_64;

use super::nul::restored;
use super::{Address, refused};
use crate::StoreError;
use crate::plan::{
    Described, Earlier, EarlierTable, Field, Kind, Layout, NATURAL_KEY, Relation, discovered, own_of_server,
    quoted,
};
use crate::sqlite::{CELLS_VIEW, FORMAT};

/// Locks the schema against another run, makes sure that nothing of others stands in the way, and with `replace`
/// removes what earlier runs wrote. Gives the schema as it stands before names, and whether it holds nothing of ours.
pub(super) fn prepare(
    transaction: &mut Transaction<'_>,
    address: &Address,
    layout: &Layout,
    replace: bool,
) -> Result<(String, bool), StoreError> {
    let said = |e: Error| refused(address, &e);
    let in_the_way = |reason: String| StoreError::Server { target: address.to_string(), reason };
    let another = match address.schema() {
        Some(_) => "name another one in ?schema=NAME",
        None => "add ?schema=NAME to the address",
    };
    let name = match address.schema() {
        Some(name) => {
            // Before the schema is looked for: two first runs at once would both make it.
            lock(transaction, name).map_err(said)?;
            let sql = "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = $1";
            if transaction.query_one(sql, &[&name]).map_err(said)?.get::<_, i64>(0) == 0 {
                transaction.batch_execute(&format!("CREATE SCHEMA {}", quoted(name))).map_err(said)?;
            }
            name.to_owned()
        }
        None => {
            let schema: Option<String> =
                transaction.query_one("SELECT current_schema()::text", &[]).map_err(said)?.get(0);
            schema.ok_or_else(|| {
                in_the_way("the user has no schema to write to; add ?schema=NAME".to_owned())
            })?
        }
    };
    lock(transaction, &name).map_err(said)?;
    let may = transaction
        .query_one("SELECT has_schema_privilege($1, 'CREATE')", &[&name])
        .map_err(said)?
        .get::<_, bool>(0);
    if !may {
        return Err(in_the_way(format!(
            "the user may not make tables in schema {name:?}; grant CREATE on it, or {another}"
        )));
    }
    let schema = format!("{}.", quoted(&name));
    let mut there: BTreeMap<String, String> = BTreeMap::new();
    let sql = "SELECT c.relname::text, CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
                      WHEN 'f' THEN 'foreign table' WHEN 'S' THEN 'sequence' WHEN 'i' THEN 'index'
                      ELSE 'table' END
               FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = $1 AND c.relkind IN ('r', 'v', 'p', 'm', 'f', 'S', 'i')";
    for row in transaction.query(sql, &[&name]).map_err(said)? {
        there.insert(row.get(0), row.get(1));
    }
    let mut ours: BTreeSet<String> = BTreeSet::new();
    if ["_tables", "_meta", "_cells"].iter().all(|name| there.contains_key(*name)) {
        let sql = format!("SELECT name FROM {schema}_tables");
        ours.extend(transaction.query(&sql, &[]).map_err(said)?.iter().map(|row| row.get::<_, String>(0)));
        ours.extend(own_of_server().into_iter().map(|relation| relation.name));
        ours.extend(["_cells".to_owned(), "_main_text".to_owned()]);
    }
    let written = discovered(layout).into_iter().chain(own_of_server()).map(|relation| relation.name);
    let foreign: Vec<String> = written
        .chain(["_cells".to_owned(), "_main_text".to_owned()])
        .filter(|name| there.contains_key(name) && !ours.contains(name))
        .collect();
    if let Some(first) = foreign.first() {
        return Err(in_the_way(format!(
            "schema {name:?} holds the {} {first:?} that is not from here, and this run has a table of that name; rename yours, or {another}",
            there[first]
        )));
    }
    if !replace && !ours.is_empty() {
        let sql = format!("SELECT value FROM {schema}_meta WHERE key = 'format'");
        let format = transaction.query_opt(&sql, &[]).map_err(said)?;
        if format.is_none_or(|row| row.get::<_, Option<&str>>(0) != Some(FORMAT)) {
            return Err(in_the_way(format!(
                "schema {name:?} was written by another version of this program; {another}, or use --replace to write it anew"
            )));
        }
    }
    let is_new = ours.is_empty() || replace;
    if replace && !ours.is_empty() {
        transaction.batch_execute(&format!("DROP VIEW {schema}_cells")).map_err(said)?;
        let tables: Vec<String> = ours
            .iter()
            .filter(|name| *name != "_cells" && there.contains_key(*name))
            .map(|name| format!("{schema}{}", quoted(name)))
            .collect();
        transaction.batch_execute(&format!("DROP TABLE {}", tables.join(", "))).map_err(said)?;
    }
    Ok((schema, is_new))
}

/// Keeps other runs out of a schema until the transaction ends.
fn lock(transaction: &mut Transaction<'_>, schema: &str) -> Result<(), Error> {
    let number = xxh3_64(schema.as_bytes()) as i64;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&number]).map(|_| ())
}

/// What the tables of earlier runs look like. A temporary table may be called `pg_class`: the server's own are asked
/// for by their schema.
pub(super) fn earlier(transaction: &mut Transaction<'_>, schema: &str) -> Result<Earlier, Error> {
    let mut earlier = Earlier::default();
    let columns = "SELECT attname::text FROM pg_catalog.pg_attribute
                   WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum";
    let keys = "SELECT a.attname::text, t.relname::text FROM pg_catalog.pg_constraint c
                JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
                JOIN pg_catalog.pg_class t ON t.oid = c.confrelid
                WHERE c.conrelid = to_regclass($1) AND c.contype = 'f' AND c.confdeltype = 'n'";
    let described =
        format!("SELECT column_name, type, label FROM {schema}_columns WHERE table_name = $1 ORDER BY id");
    for row in transaction.query(&format!("SELECT name FROM {schema}_tables"), &[])? {
        let name: String = row.get(0);
        let full = format!("{schema}{}", quoted(&name));
        let table = EarlierTable {
            columns: transaction.query(columns, &[&full])?.iter().map(|row| row.get(0)).collect(),
            described: transaction
                .query(&described, &[&name])?
                .iter()
                .map(|row| Described {
                    name: row.get(0),
                    value_type: row.get(1),
                    label: row.get::<_, Option<&str>>(2).map(|label| restored(label).into_owned()),
                })
                .collect(),
            keys: transaction.query(keys, &[&full])?.iter().map(|row| (row.get(0), row.get(1))).collect(),
        };
        earlier.tables.insert(name, table);
    }
    Ok(earlier)
}

/// Makes every table; none of them is there. References are made when there is something to refer to.
pub(super) fn create_tables(
    transaction: &mut Transaction<'_>,
    schema: &str,
    relations: &[Relation],
) -> Result<(), Error> {
    for relation in relations {
        transaction.batch_execute(&table_sql(&format!("TABLE {schema}"), relation))?;
    }
    let view =
        ["_values", "_columns", "_pages", "_paths"].iter().fold(CELLS_VIEW.to_owned(), |sql, table| {
            sql.replace(&format!(" {table} "), &format!(" {schema}{table} "))
        });
    transaction.batch_execute(&format!("CREATE VIEW {schema}_cells AS {view}"))
}

/// The statement that makes a table: `what` is `TABLE schema.` or `TEMPORARY TABLE `.
pub(super) fn table_sql(what: &str, relation: &Relation) -> String {
    let mut columns = Vec::with_capacity(relation.fields.len() + 1);
    for (at, field) in relation.fields.iter().enumerate() {
        let key = if at == 0 && relation.has_key { " PRIMARY KEY" } else { "" };
        columns.push(format!("{} {}{key}", quoted(&field.name), sql_type(field.kind)));
    }
    if relation.name == "_columns" {
        columns.push("UNIQUE (table_name, column_name)".to_owned());
    }
    format!("CREATE {what}{} ({})", quoted(&relation.name), columns.join(", "))
}

/// Makes a column refer to what it refers to.
pub(super) fn add_reference(
    transaction: &mut Transaction<'_>,
    schema: &str,
    table: &str,
    field: &Field,
) -> Result<(), Error> {
    let Some(to) = &field.reference else { return Ok(()) };
    transaction.batch_execute(&format!(
        "ALTER TABLE {schema}{} ADD FOREIGN KEY ({}) REFERENCES {schema}{}({}) ON DELETE {}",
        quoted(table),
        quoted(&field.name),
        quoted(&to.table),
        to.column,
        to.on_delete
    ))
}

pub(super) fn sql_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Integer => "bigint",
        Kind::Real => "double precision",
        Kind::Text => "text",
        Kind::Date => "date",
    }
}

/// Takes back what was declared unique, before rows come that may break it.
pub(super) fn forget_natural_keys(transaction: &mut Transaction<'_>, schema: &str) -> Result<(), Error> {
    let sql = "SELECT c.relname::text FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = $1 AND c.relkind = 'i' AND left(c.relname, 8) = '_unique_'";
    for row in transaction.query(sql, &[&unquoted(schema)])? {
        let index: &str = row.get(0);
        transaction.batch_execute(&format!("DROP INDEX {schema}{}", quoted(index)))?;
    }
    Ok(())
}

/// The name of a schema as the server quotes it.
fn unquoted(schema: &str) -> String {
    let name = schema.trim_end_matches('.');
    let inner = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    inner.replace("\"\"", "\"")
}

/// Declares unique what this run found to be so, as far as all rows agree.
pub(super) fn declare_natural_keys(
    transaction: &mut Transaction<'_>,
    schema: &str,
    layout: &Layout,
) -> Result<(), Error> {
    let noted = format!("SELECT table_name, column_name FROM {schema}_columns WHERE note LIKE '%' || $1");
    for row in transaction.query(&noted, &[&NATURAL_KEY])? {
        let (table, column): (&str, &str) = (row.get(0), row.get(1));
        if !layout.parts().any(|(_, part)| part.name == table) {
            continue;
        }
        let (full, name) = (format!("{schema}{}", quoted(table)), quoted(column));
        let sql = format!("SELECT count(*) = count(DISTINCT {name}) FROM {full}");
        if transaction.query_one(&sql, &[])?.get(0) {
            let number = xxh3_64(format!("{table}.{column}").as_bytes());
            let sql = format!("CREATE UNIQUE INDEX IF NOT EXISTS _unique_{number:016x} ON {full} ({name})");
            transaction.batch_execute(&sql)?;
        } else {
            let sql = format!(
                "UPDATE {schema}_columns SET note = regexp_replace(note, '(; )?' || $1 || '$', '')
                 WHERE table_name = $2 AND column_name = $3"
            );
            transaction.execute(&sql, &[&NATURAL_KEY, &table, &column])?;
        }
    }
    Ok(())
}

/// Makes the indexes that are not there yet. Those on text are by hash: a tree takes no more than 2700 bytes.
pub(super) fn create_indexes(
    transaction: &mut Transaction<'_>,
    schema: &str,
    layout: &Layout,
) -> Result<(), Error> {
    transaction.batch_execute(&format!(
        "CREATE INDEX IF NOT EXISTS _pages_url ON {schema}_pages USING hash (url);
         CREATE INDEX IF NOT EXISTS _values_page ON {schema}_values (page_id);
         CREATE INDEX IF NOT EXISTS _values_cell ON {schema}_values (column_id, row_id)"
    ))?;
    for relation in discovered(layout) {
        for field in relation.fields.iter().skip(1).filter(|field| field.reference.is_some()) {
            let number = xxh3_64(format!("{}.{}", relation.name, field.name).as_bytes());
            transaction.batch_execute(&format!(
                "CREATE INDEX IF NOT EXISTS _key_{number:016x} ON {schema}{} ({})",
                quoted(&relation.name),
                quoted(&field.name)
            ))?;
        }
    }
    for table in layout.shown() {
        let Some(key) = table.key_column() else { continue };
        let (part, column) = (&table.parts[key.part].name, quoted(&key.name));
        let number = xxh3_64(format!("{part}.{}", key.name).as_bytes());
        let full = format!("{schema}{}", quoted(part));
        // A tree takes no more than 2700 bytes of a text.
        const LONGEST: i32 = 2000;
        let sql = format!("SELECT coalesce(max(octet_length({column})), 0) <= {LONGEST} FROM {full}");
        let is_short: bool = transaction.query_one(&sql, &[])?.get(0);
        let told = if is_short { column } else { format!("md5({column})") };
        transaction.batch_execute(&format!(
            "CREATE UNIQUE INDEX IF NOT EXISTS _address_{number:016x} ON {full} ({told})"
        ))?;
    }
    Ok(())
}
