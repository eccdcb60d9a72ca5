//! Everything that could be read off the pages, not only what discovery chose.

use unsite_wrapper::{ColumnInfo, Read, TableInfo, Template, What, Wrapper};

/// What the head may say; other names are columns only where discovery chose them.
const HEADS: [&str; 9] = [
    "title",
    "description",
    "keywords",
    "author",
    "date",
    "og:title",
    "og:description",
    "og:image",
    "article:published_time",
];

/// An element with at most so many steps below may be one value that is split over them.
const FEW_STEPS: usize = 6;

/// An element with more steps below is not a row that stands for itself.
const MANY_STEPS: usize = 60;

/// A value is tried as one of so many elements around it: what a row shows stands that deep inside it at most.
const ROWS_AROUND: usize = 6;

/// A wrapper that reads more.
pub(super) struct WithCandidates {
    pub(super) wrapper: Wrapper,
    /// For each table how many columns discovery chose; those behind are candidates.
    pub(super) chosen: Vec<usize>,
    /// For each table, whether discovery chose it.
    pub(super) tables: usize,
}

/// Adds a column for everything that can be read at any step.
pub(super) fn with_candidates(learned: &Wrapper) -> WithCandidates {
    let mut wrapper = learned.clone();
    let tables = wrapper.schema.tables.len();
    for at in 0..wrapper.types.len() {
        if wrapper.types[at].page_table.is_none() {
            wrapper.types[at].page_table = Some(wrapper.schema.tables.len());
            let name = wrapper.schema.page_types[at].name.clone();
            wrapper.schema.tables.push(TableInfo { name, page_type: at, ..TableInfo::default() });
        }
    }
    let chosen = wrapper.schema.tables.iter().map(|table| table.columns.len()).collect();
    for at in 0..wrapper.types.len() {
        let page_table = wrapper.types[at].page_table.unwrap_or_default();
        let mut template = std::mem::take(&mut wrapper.types[at].template);
        let below = steps_below(&template);
        let mut table_of: Vec<usize> = Vec::with_capacity(template.nodes.len());
        // For each step the elements around it that may be a row, the nearest last.
        let mut around: Vec<Vec<usize>> = Vec::with_capacity(template.nodes.len());
        for (step, &under) in below.iter().enumerate() {
            let node = &template.nodes[step];
            // A parent has a smaller number than its children; what a file says otherwise belongs to the page.
            let above = table_of.get(node.parent).copied().unwrap_or(page_table);
            let table = node.rows_of.unwrap_or(if step == 0 { page_table } else { above });
            table_of.push(table);
            let readable = readable(&template, step, under);
            let is_single = step > 0 && table == page_table && node.rows_of.is_none();
            let mut rows = around.get(node.parent).cloned().unwrap_or_default();
            if is_single && (1..=MANY_STEPS).contains(&under) {
                rows.push(wrapper.schema.tables.len());
                template.nodes[step].rows_of = rows.last().copied();
                wrapper.schema.tables.push(listed(&template, step, &[], at, page_table));
            }
            if table == page_table {
                for &row in rows.iter().rev().take(ROWS_AROUND) {
                    add_reads(&mut template, step, &readable, row, &mut wrapper.schema.tables[row]);
                }
            }
            around.push(rows);
            if is_single && under == 0 && !readable.is_empty() {
                let list = wrapper.schema.tables.len();
                try_as_list(&mut template, step, list, &readable);
                wrapper.schema.tables.push(listed(&template, step, &readable, at, page_table));
            }
            add_reads(&mut template, step, &readable, table, &mut wrapper.schema.tables[table]);
        }
        wrapper.types[at].template = template;
    }
    WithCandidates { wrapper, chosen, tables }
}

/// Adds a column for everything that can be read at a step and is not read yet.
fn add_reads(template: &mut Template, step: usize, readable: &[What], table: usize, info: &mut TableInfo) {
    for what in readable {
        if template.nodes[step].reads.iter().any(|read| read.what == *what && read.table == table) {
            continue;
        }
        let name = format!("candidate_{}", info.columns.len());
        let selector = template.selector(step, what);
        info.columns.push(ColumnInfo { name, selector, ..ColumnInfo::default() });
        let read = Read { what: what.clone(), table, column: info.columns.len() - 1 };
        template.nodes[step].reads.push(read);
    }
}

/// Every instance of a step may be a row: what was a list may stand alone on the pages that were looked at.
fn try_as_list(template: &mut Template, step: usize, list: usize, readable: &[What]) {
    let node = &mut template.nodes[step];
    node.rows_of = Some(list);
    let reads = readable.iter().enumerate();
    node.reads.extend(reads.map(|(column, what)| Read { what: what.clone(), table: list, column }));
}

fn listed(template: &Template, step: usize, readable: &[What], page_type: usize, parent: usize) -> TableInfo {
    let column = |what: &What| ColumnInfo {
        name: format!("candidate_{what:?}"),
        selector: template.selector(step, what),
        ..ColumnInfo::default()
    };
    TableInfo {
        name: format!("candidate_{step}"),
        page_type,
        parent: Some(parent),
        columns: readable.iter().map(column).collect(),
        ..TableInfo::default()
    }
}

fn steps_below(template: &Template) -> Vec<usize> {
    let mut below = vec![0; template.nodes.len()];
    for step in (1..template.nodes.len()).rev() {
        let parent = template.nodes[step].parent;
        if parent < step {
            below[parent] += below[step] + 1;
        }
    }
    below
}

fn readable(template: &Template, step: usize, below: usize) -> Vec<What> {
    if step == 0 {
        return HEADS.iter().map(|name| What::Head((*name).to_owned())).collect();
    }
    let node = &template.nodes[step];
    let tag = node.step.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let mut reads = Vec::new();
    match below {
        0 if node.prose => reads.push(What::Prose),
        0 => reads.extend([What::Text, What::Prose]),
        1..=FEW_STEPS => reads.push(What::Prose),
        _ => {}
    }
    let attributes: &[&str] = match tag {
        "a" => &["href"],
        "img" => &["src", "alt"],
        "time" => &["datetime"],
        _ => &[],
    };
    reads.extend(attributes.iter().map(|name| What::Attribute((*name).to_owned())));
    reads
}
