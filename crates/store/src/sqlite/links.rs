//! The keys beside links.

use rusqlite::{Connection, Result};

use crate::plan::{Layout, quoted};

/// Fills the keys beside links: the row of the referenced table on the page that the link leads to, the first one
/// where there are several.
pub(crate) fn resolve_links(db: &Connection, database: &str, layout: &Layout) -> Result<()> {
    db.execute_batch(
        "DROP TABLE IF EXISTS stage.targets;
         CREATE TABLE stage.targets(
             table_index INTEGER, url TEXT, row_id INTEGER, PRIMARY KEY (table_index, url)) WITHOUT ROWID;",
    )?;
    for (index, table) in layout.tables.iter().enumerate().filter(|(at, _)| layout.is_referenced(*at)) {
        if let Some(key) = table.key_column() {
            let (name, key) = (quoted(&table.parts[key.part].name), quoted(&key.name));
            db.execute_batch(&format!(
                "INSERT OR IGNORE INTO stage.targets SELECT {index}, {}, id
                 FROM {database}.{name} WHERE {key} IS NOT NULL ORDER BY id",
                without_fragment(&key)
            ))?;
            continue;
        }
        let (name, page) = (quoted(table.name()), without_fragment("p.url"));
        db.execute_batch(&format!(
            "INSERT OR IGNORE INTO stage.targets SELECT {index}, {page}, t.id
             FROM {database}.{name} t JOIN {database}._pages p ON p.id = t.page_id WHERE p.url <> '' ORDER BY t.id"
        ))?;
    }
    for (table, part) in layout.parts() {
        for (_, column) in table.columns_of(part) {
            let Some((key, target)) = layout.link(column) else { continue };
            let (name, key, link) = (quoted(&part.name), quoted(key), quoted(&column.name));
            let found = format!(
                "(SELECT t.row_id FROM stage.targets t WHERE t.table_index = {target} AND t.url = {})",
                without_fragment(&link)
            );
            db.execute_batch(&format!(
                "UPDATE {database}.{name} SET {key} = {found} WHERE {link} IS NOT NULL AND {key} IS NOT {found}"
            ))?;
        }
    }
    Ok(())
}

fn without_fragment(url: &str) -> String {
    format!("CASE WHEN instr({url}, '#') > 0 THEN substr({url}, 1, instr({url}, '#') - 1) ELSE {url} END")
}
