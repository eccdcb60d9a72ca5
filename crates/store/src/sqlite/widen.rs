//! Tables of a database that is there get the columns they do not have yet, and wider ones where the type has changed.

use std::collections::HashMap;

use rusqlite::{Connection, Result, params};

use super::schema::{column_sql, reference_sql, sql_type, table_sql};
use crate::merge::Grown;
use crate::plan::{Relation, quoted};

/// Makes the table, or those of its columns that are not there yet, or wider ones where the type has changed.
pub(super) fn grow(db: &Connection, relation: &Relation) -> Result<Grown> {
    let there = columns(db, &relation.name)?;
    if there.is_empty() {
        db.execute_batch(&table_sql("old", relation))?;
        let columns = relation.fields.iter().map(|field| field.name.clone()).collect();
        return Ok(Grown { is_new: true, columns });
    }
    let mut grown = Grown::default();
    let table = quoted(&relation.name);
    let mut wider: Vec<(String, &str)> = Vec::new();
    for field in &relation.fields {
        match there.get(&field.name).map(String::as_str) {
            None => {
                db.execute_batch(&format!(
                    "ALTER TABLE old.{table} ADD COLUMN {}{}",
                    column_sql(field),
                    reference_sql(field)
                ))?;
                grown.columns.push(field.name.clone());
            }
            Some(have) if have == sql_type(field.kind) || have == "TEXT" => {}
            Some("REAL") if sql_type(field.kind) == "INTEGER" => {}
            Some(have) => {
                let wide = if have == "INTEGER" && sql_type(field.kind) == "REAL" { "REAL" } else { "TEXT" };
                wider.push((quoted(&field.name), wide));
            }
        }
    }
    if wider.is_empty() {
        return Ok(grown);
    }
    let aside = Aside::put(db, &relation.name)?;
    for (name, wide) in wider {
        db.execute_batch(&format!(
            "ALTER TABLE old.{table} ADD COLUMN _wider {wide};
             UPDATE old.{table} SET _wider = {name};
             ALTER TABLE old.{table} DROP COLUMN {name};
             ALTER TABLE old.{table} RENAME COLUMN _wider TO {name};"
        ))?;
    }
    aside.restore(db)?;
    Ok(grown)
}

/// The columns of a table of the attached database with their types; none when there is no such table.
pub(super) fn columns(db: &Connection, table: &str) -> Result<HashMap<String, String>> {
    let mut query = db.prepare_cached("SELECT name, type FROM pragma_table_info(?, 'old')")?;
    query.query_map(params![table], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// Indexes, views and triggers that are put aside while a column is exchanged: SQLite drops none that anything names.
struct Aside {
    /// The kind, the name, and the statement that made it.
    made: Vec<(String, String, String)>,
}

impl Aside {
    fn put(db: &Connection, table: &str) -> Result<Aside> {
        // Views and triggers may name the column wherever they stand.
        let mut query = db.prepare(
            "SELECT type, name, sql FROM old.sqlite_master WHERE sql IS NOT NULL
             AND (type IN ('view', 'trigger') OR (type = 'index' AND lower(tbl_name) = lower(?))) ORDER BY rowid",
        )?;
        let made = query.query_map([table], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let aside = Aside { made: made.collect::<Result<_>>()? };
        for (kind, name, _) in &aside.made {
            // A view takes its triggers with it.
            db.execute_batch(&format!("DROP {kind} IF EXISTS old.{}", quoted(name)))?;
        }
        Ok(aside)
    }

    fn restore(&self, db: &Connection) -> Result<()> {
        for (kind, _, sql) in &self.made {
            // SQLite keeps statements as `CREATE VIEW name ...`, without the database that they belong to.
            let kind = format!("{} ", kind.to_uppercase());
            db.execute_batch(&sql.replacen(&kind, &format!("{kind}old."), 1))?;
        }
        Ok(())
    }
}
