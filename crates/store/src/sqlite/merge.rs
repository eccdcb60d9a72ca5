//! New rows put to those of a database that is there already, in one transaction.

use rusqlite::{Connection, Result};

use super::links::resolve_links;
use super::schema::create_indexes;
use super::there::earlier;
use super::widen::{columns, grow};
use crate::identity::Known;
use crate::merge::{Merged, Sides};
use crate::plan::{Field, Layout, discovered, has_main_text, main_text, own_of_database, quoted};

const SIDES: Sides<'static> = Sides { new: "main.", old: "old." };

/// Tells which pages and rows the attached database holds.
pub(crate) fn load_known(db: &Connection, layout: &Layout) -> Result<()> {
    let mut known = Known::new(db)?;
    let mut query = db.prepare("SELECT id, url, ref FROM old._pages")?;
    let mut pages = query.query([])?;
    while let Some(page) = pages.next()? {
        known.page(page.get(0)?, page.get_ref(1)?.as_str()?, page.get_ref(2)?.as_str()?)?;
    }
    for (index, table) in layout.tables.iter().enumerate() {
        let there = columns(db, table.name())?;
        if there.is_empty() {
            continue;
        }
        let parent = table.parent.as_ref().map(|(_, key)| key).filter(|key| there.contains_key(*key));
        let parent = parent.map_or_else(|| "NULL".to_owned(), |key| format!("t.{}", quoted(key)));
        let marks = vec!["?"; table.parts.len()].join(", ");
        let mut query = db.prepare(&format!(
            "SELECT t.id, t.page_id, {parent}, c.column_name, c.type = 'url', v.value FROM old.{} t
             LEFT JOIN old._columns c ON c.table_name IN ({marks})
             LEFT JOIN old._values v ON v.column_id = c.id AND v.row_id = t.id ORDER BY t.id",
            quoted(table.name())
        ))?;
        let names = rusqlite::params_from_iter(table.parts.iter().map(|part| part.name.as_str()));
        let mut rows = query.query(names)?;
        while let Some(row) = rows.next()? {
            let value = match row.get_ref(5)?.as_str_or_null()? {
                Some(value) => Some((row.get_ref(3)?.as_str()?, row.get(4)?, value)),
                None => None,
            };
            known.row(index, row.get(0)?, row.get(1)?, row.get(2)?, value)?;
        }
    }
    known.finish()
}

/// Puts what stands in `main` to what stands in `old`.
pub(crate) fn merge(db: &Connection, layout: &Layout) -> Result<Merged> {
    let relations = discovered(layout);
    for relation in &relations {
        grow(db, relation)?;
    }
    let earlier = earlier(db, "old")?;
    let set_aside = db.execute(&SIDES.leave_set_aside(), [])? as u64;
    let mut merged = Merged { set_aside, ..Merged::default() };
    let is_main = |name: &str| layout.tables.iter().any(|table| table.name() == name);
    for name in earlier.others(&relations) {
        merged.removed += db.execute(&SIDES.remove(name, false), [])? as u64;
    }
    for relation in relations.iter().rev() {
        let removed = db.execute(&SIDES.remove(&relation.name, true), [])? as u64;
        merged.removed += if is_main(&relation.name) { removed } else { 0 };
    }
    let plain = |field: &Field| quoted(&field.name);
    let own = own_of_database();
    for name in ["_meta", "_page_types", "_pages", "_tables"] {
        for relation in own.iter().filter(|relation| relation.name == name) {
            db.execute(&SIDES.upsert(relation, &[], plain), [])?;
        }
    }
    for relation in &relations {
        let added: i64 = db.query_row(&SIDES.count_added(&relation.name), [], |row| row.get(0))?;
        let gone = earlier.tables.get(&relation.name).map_or_else(Vec::new, |table| table.gone(relation));
        let written = db.execute(&SIDES.upsert(relation, &gone, plain), [])? as u64;
        if is_main(&relation.name) {
            merged.added += added as u64;
            merged.changed += written.saturating_sub(added as u64);
        }
    }
    for sql in SIDES.values().iter().chain(&SIDES.problems()).chain([&SIDES.recount()]) {
        db.execute(sql, [])?;
    }
    if has_main_text(db)? {
        grow(db, &main_text())?;
        for sql in SIDES.main_texts() {
            db.execute(&sql, [])?;
        }
    }
    resolve_links(db, "old", layout)?;
    create_indexes(db, "old", layout)?;
    Ok(merged)
}
