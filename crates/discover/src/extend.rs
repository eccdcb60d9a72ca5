//! A wrapper with further page types, learned from pages that fit none of those it has.

use unsite_wrapper::{PageMarks, Recogniser, SavedWrapper, Training, Wrapper};

use crate::induce::induce;
use crate::learned::remember;
use crate::naming::Namer;
use crate::page_types::PageTypes;
use crate::site::Site;

/// Adds the types that pages without one were grouped into, with their tables, behind the old ones.
///
/// # What it does
/// What the paper does with unclassified pages: cluster them, make new wrappers. Old types, tables and columns keep
/// their places and names.
/// # Assumes
/// The pages are strangers to the wrapper; a mark that only they have is on no page of the old types.
/// # When it fails
/// Single strangers become types of their own.
/// # Paper
/// Flesca and others, the architecture.
pub fn extend(site: &Site, old: &SavedWrapper, mut types: PageTypes) -> SavedWrapper {
    // The recogniser looks at pages through the class names it knows.
    types.classes = old.wrapper.classes.clone();
    let mut namer = Namer::default();
    for info in &old.wrapper.schema.page_types {
        namer.unique(&info.name);
    }
    types.names = types.names.iter().map(|name| namer.unique(name)).collect();
    let type_of = types.type_of.clone();
    let new = induce(site, types);
    let mut saved = old.clone();
    append(&mut saved.wrapper, &new, site, &type_of);
    saved.wrapper.database = match (&old.wrapper.database, &new.database) {
        (Some(old_database), Some(fresh)) => Some(old_database.joined(fresh, old.wrapper.types.len())),
        (known, _) => known.as_ref().map(|known| known.grown(&saved.wrapper.schema.tables)),
    };
    let fresh = remember(site, new, old.provenance.clone());
    let first_type = old.wrapper.types.len();
    let first_table = old.wrapper.schema.tables.len();
    saved.profile.pages += fresh.profile.pages;
    saved.profile.strangers += fresh.profile.strangers;
    saved.profile.types.extend(fresh.profile.types.into_iter().map(|mut profile| {
        profile.tables =
            profile.tables.into_iter().map(|(table, profile)| (table + first_table, profile)).collect();
        profile
    }));
    let names: Vec<String> = fresh.wrapper.schema.tables.iter().map(|table| table.name.clone()).collect();
    for mut page in fresh.known {
        page.page_type += first_type;
        for (at, name) in names.iter().enumerate() {
            let renamed = &saved.wrapper.schema.tables[first_table + at].name;
            if renamed != name
                && let Some(rows) = page.rows.remove(name)
            {
                page.rows.insert(renamed.clone(), rows);
            }
        }
        saved.known.push(page);
    }
    saved.provenance.history.push(format!(
        "{} new page types from {} pages",
        fresh.wrapper.types.len(),
        site.pages.len()
    ));
    saved
}

/// Puts page types and tables behind those that are there.
fn append(wrapper: &mut Wrapper, new: &Wrapper, site: &Site, type_of: &[usize]) {
    let (first_type, first_table) = (wrapper.types.len(), wrapper.schema.tables.len());
    let mut names = Namer::default();
    for table in &wrapper.schema.tables {
        names.unique(&table.name);
    }
    wrapper.schema.page_types.extend(new.schema.page_types.iter().cloned());
    for mut table in new.schema.tables.iter().cloned() {
        table.name = names.unique(&table.name);
        table.page_type += first_type;
        for page_type in &mut table.also_on {
            *page_type += first_type;
        }
        table.parent = table.parent.map(|parent| parent + first_table);
        for column in &mut table.columns {
            column.references = column.references.map(|target| target + first_table);
        }
        wrapper.schema.tables.push(table);
    }
    for mut model in new.types.iter().cloned() {
        model.page_table = model.page_table.map(|table| table + first_table);
        for node in &mut model.template.nodes {
            node.rows_of = node.rows_of.map(|table| table + first_table);
            for read in &mut node.reads {
                read.table += first_table;
            }
        }
        for rule in &mut model.template.inherits {
            rule.table += first_table;
            rule.from_table += first_table;
        }
        wrapper.types.push(model);
    }
    let marks: Vec<PageMarks> =
        site.pages.iter().map(|page| PageMarks::of(&page.tree, &page.raw.url, &wrapper.classes)).collect();
    wrapper.recogniser = Recogniser::joined(&wrapper.recogniser, &new.recogniser, &marks, type_of);
    let placed = site.pages.iter().zip(type_of).map(|(page, at)| (&page.raw, at + first_type));
    wrapper.training.add(Training::new(placed));
}
