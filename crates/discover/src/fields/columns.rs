//! From the steps of a grown template to columns and tables.
//!
//! A step that is read gives a column; the steps of a list give the columns of a child table. Constant
//! columns are template and go; lists that say the same on every page (menus, footers) go as a whole.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::{Base, NodeId};
use unsite_wrapper::{
    ColumnInfo, Inherit, Read, Spec, TEXT_SIGNATURE, TableInfo, View, What, base_url, value, walk,
};

use super::TypeFields;
use super::callings::{Calling, callings};
use super::facts;
use super::grow::Grown;
use super::headings;
use super::lead;
use super::lost;
use super::merge;
use super::names::NameSource;
use super::page_facts;
use super::parts;
pub(super) use super::slot::Slot;
use super::template_blocks::{main_first, template_lists};
use super::trails;
use super::types::{self, Typed};
use super::unlabelled;
use super::worth;
use crate::naming::Namer;
use crate::regions::SharedBlocks;
use crate::thing_names::ThingNames;

/// A list that reads the same on this share of the pages that have it belongs to the template.
const STATIC_LIST: f64 = 0.9;

/// Chooses the columns of one page type. `urls` are the pages' addresses.
pub(crate) fn columns(
    views: &[View],
    urls: &[&str],
    mut grown: Grown,
    table_name: &str,
    page_type: usize,
    (shared, things): (&SharedBlocks, &ThingNames),
) -> TypeFields {
    let mut list_of = lists(&grown);
    let mut observed = observe(views, urls, &grown, &list_of);
    if facts::dissolve_groups(&mut grown, &observed.0, &list_of) {
        list_of = lists(&grown);
        observed = observe(views, urls, &grown, &list_of);
    }
    let (mut slots, list_texts, instances) = observed;
    let mut dropped = static_lists(&list_texts, views.len());
    dropped.extend(worth::static_lists(&slots, views.len()));
    dropped.extend(template_lists(views, &grown, page_type, shared));
    let words = worth::whole_words(&slots, &instances);
    let varied = worth::varied_marks(&grown, slots.iter().filter(|slot| varies(slot, views.len())));
    slots.retain(|slot| {
        !under_dropped(&grown, slot.list, &list_of, &dropped)
            && (varies(slot, views.len())
                || is_table_cell(&grown, slot, views.len())
                || worth::is_marked_as_value(&grown, slot, &varied, views.len()))
            && !worth::is_splinter(&grown, slot, views.len())
            && (slot.what != What::Word || words.contains(&slot.step))
    });
    worth::drop_wholes_of_one_part(&grown, &mut slots);
    drop_repeated_titles(&grown, &mut slots);
    let idle = worth::idle_links(&grown, &slots, views);
    let mut idle = idle.into_iter();
    slots.retain(|_| !idle.next().unwrap_or(false));
    let list_of = fold_value_lists(&mut grown, &mut slots, list_of);
    let mut landmarks = std::mem::take(&mut grown.landmarks.texts);
    let names = facts::take_apart(views, &landmarks, things, &mut slots);
    landmarks.extend(names.iter().cloned());
    landmarks.sort_unstable();
    if lost::add_lost(views, &grown.template, &landmarks, &names, &mut slots) {
        grown.template.landmarks = landmarks;
    }
    let mut slots = merge::merge(&grown, slots);
    unlabelled::take_labels_off(&grown, &mut slots);
    // The elements inside a heading are its parts.
    let is_in_parts = |slot: &Slot| {
        slot.what == What::Prose
            && !grown.template.nodes[slot.step].prose
            && is_heading(&grown.tags[slot.step])
    };
    parts::add_parts(&mut slots, is_in_parts);
    lead::add_lead(&grown, &mut slots, views.len());
    // In page order; what the head says comes last.
    let place = |slot: &Slot| {
        let in_head = slot.what.is_in_head();
        (in_head, slot.mean_place())
    };
    slots.sort_by(|a, b| place(a).0.cmp(&place(b).0).then(place(a).1.total_cmp(&place(b).1)));
    let callings = callings(views, &grown, &slots);
    assemble(grown, slots, &list_of, &instances, (&callings, things), table_name, page_type)
}

/// What a link shows when it is pointed at mostly repeats what it says, and then says nothing of its own.
fn drop_repeated_titles(grown: &Grown, slots: &mut Vec<Slot>) {
    let is_title = |slot: &Slot| {
        grown.tags[slot.step] == "a" && matches!(&slot.what, What::Attribute(name) if name == "title")
    };
    let known = parts::values_by_row(slots.iter().filter(|slot| !is_title(slot)));
    slots.retain(|slot| !is_title(slot) || !parts::is_known(slot, &known));
}

/// A part of a record that says more than this share of its columns is the record, and what opens it a heading.
const MOST_OF_A_RECORD: f64 = 2.0 / 3.0;

/// Whether most of what a table's rows say stands at this step or below it.
fn is_most_of_its_row(grown: &Grown, step: usize, tables: &[TableInfo]) -> bool {
    let nodes = &grown.template.nodes;
    let Some(table) = nodes[step].rows_of else { return false };
    let mut columns: Vec<usize> = Vec::new();
    let mut open = vec![step];
    while let Some(at) = open.pop() {
        columns.extend(nodes[at].reads.iter().filter(|read| read.table == table).map(|read| read.column));
        open.extend(nodes[at].specs.iter().map(|spec| spec.node).filter(|&below| below > at));
    }
    columns.sort_unstable();
    columns.dedup();
    columns.len() as f64 > MOST_OF_A_RECORD * tables[table].columns.len() as f64
}

/// For each step, the innermost list step at or above it; 0 when there is none.
fn lists(grown: &Grown) -> Vec<usize> {
    let mut list_of = vec![0; grown.template.nodes.len()];
    for step in 1..list_of.len() {
        list_of[step] = match grown.opened_by[step] {
            Some(opener) => opener,
            None if grown.lists[step] => step,
            None => list_of[grown.template.nodes[step].parent],
        };
    }
    list_of
}

/// What may be read at a step.
fn readable(grown: &Grown, step: usize, under_prose: bool) -> Vec<What> {
    let mut reads = Vec::new();
    let node = &grown.template.nodes[step];
    let tag = grown.tags[step].as_str();
    if !under_prose {
        if node.prose {
            reads.push(What::Prose);
        } else if step > 0 && tag.is_empty() {
            reads.push(What::Text);
        }
    }
    // A link and a heading are called by all that they say, and a label names all that is said behind it, also where parts of it are marked.
    // Where several labels stand inside, the first is that of a line.
    let is_named = tag == "a" || grown.label_of[step].is_some() && node.labels.len() < 2;
    let in_parts = is_named && holds_texts_and_marks(grown, step) || is_heading(tag) && node.specs.len() > 1;
    if in_parts && !under_prose && !node.prose {
        reads.push(What::Prose);
    }
    if node.prose || tag.is_empty() {
        reads.push(What::Word);
    }
    if trails::is_trail(grown, step) {
        reads.push(What::Trail);
    }
    match tag {
        "a" => reads.extend(["href", "title"].map(|name| What::Attribute(name.into()))),
        // Components write `span` where others write `time`.
        "abbr" | "span" => reads.extend(["title", "datetime"].map(|name| What::Attribute(name.into()))),
        "img" => reads.extend([What::Attribute("src".into()), What::Attribute("alt".into())]),
        "time" => reads.push(What::Attribute("datetime".into())),
        _ => {}
    }
    reads
}

fn is_heading(tag: &str) -> bool {
    matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Whether texts and elements stand beside each other at a step.
fn holds_texts_and_marks(grown: &Grown, step: usize) -> bool {
    let is_text = |spec: &Spec| spec.signature == TEXT_SIGNATURE;
    let specs = &grown.template.nodes[step].specs;
    specs.iter().any(is_text) && !specs.iter().all(is_text)
}

/// Lists by page: one hash of everything that the list says there.
type ListTexts = FxHashMap<usize, FxHashMap<u32, u64>>;

fn observe(
    views: &[View],
    urls: &[&str],
    grown: &Grown,
    list_of: &[usize],
) -> (Vec<Slot>, ListTexts, Vec<usize>) {
    let mut slots: Vec<Slot> = Vec::new();
    let mut slots_of: Vec<Vec<usize>> = Vec::new();
    let mut under_prose = vec![false; list_of.len()];
    for (step, &list) in list_of.iter().enumerate() {
        slots_of.push(Vec::new());
        let above = grown.template.nodes[step].parent;
        under_prose[step] = step > 0 && (under_prose[above] || grown.template.nodes[above].prose);
        let mut reads = readable(grown, step, under_prose[step]);
        if step == 0 {
            reads.extend(page_facts::head_names(views).into_iter().map(What::Head));
            reads.extend(page_facts::data_paths(views).into_iter().map(What::Data));
        }
        for what in reads {
            slots_of[step].push(slots.len());
            slots.push(Slot::new(step, what, list));
        }
    }
    let mut list_texts = ListTexts::default();
    let mut instances = vec![0usize; list_of.len()];
    let pages: Vec<(Vec<usize>, Vec<Seen>)> = (0..views.len())
        .into_par_iter()
        .map(|page| observe_page(&views[page], urls[page], grown, &slots, &slots_of))
        .collect();
    for (page, (steps, values)) in (0u32..).zip(pages) {
        steps.into_iter().for_each(|step| instances[step] += 1);
        for seen in values {
            let slot = &mut slots[seen.slot];
            let hash = slot.see((page, seen.row), seen.value, seen.place);
            let mut list = slot.list;
            while list != 0 {
                let text = list_texts.entry(list).or_default().entry(page).or_default();
                *text = text.rotate_left(7) ^ hash;
                list = list_of[grown.template.nodes[list].parent];
            }
        }
    }
    (slots, list_texts, instances)
}

/// A value on a page.
struct Seen {
    slot: usize,
    value: String,
    /// The number of its row on the page.
    row: u32,
    /// Where it stands, see [`Slot::place`].
    place: f64,
}

/// The step of each node that the template was laid over, and the values, in document order.
fn observe_page(
    view: &View,
    url: &str,
    grown: &Grown,
    slots: &[Slot],
    slots_of: &[Vec<usize>],
) -> (Vec<usize>, Vec<Seen>) {
    let base = base_url(view.tree, url);
    let base = base.as_ref().map(Base::new);
    let mut rows: FxHashMap<usize, u32> = FxHashMap::default();
    let (mut steps, mut values) = (Vec::new(), Vec::new());
    walk(view, &grown.template, |visit| {
        steps.push(visit.step);
        if grown.lists[visit.step] {
            *rows.entry(visit.step).or_default() += 1;
        }
        let node = &grown.template.nodes[visit.step];
        for &slot in slots_of[visit.step].iter().filter(|_| !is_pixel(view, visit.node)) {
            if let Some(value) = value(view, visit.node, &slots[slot].what, node, base) {
                let row = rows.get(&slots[slot].list).copied().unwrap_or(0);
                let place = visit.node.index() as f64 / view.tree.len() as f64;
                values.push(Seen { slot, value, row, place });
            }
        }
        None
    });
    (steps, values)
}

/// A picture of a single point shows nothing: it counts visits.
fn is_pixel(view: &View, node: NodeId) -> bool {
    let is_point = |name: &str| matches!(view.tree.attr(node, name).map(str::trim), Some("0" | "1"));
    view.tree.name(node) == "img" && is_point("width") && is_point("height")
}

fn static_lists(list_texts: &ListTexts, pages: usize) -> FxHashSet<usize> {
    let mut dropped = FxHashSet::default();
    if pages < 3 {
        return dropped;
    }
    for (&list, texts) in list_texts {
        let mut counts: FxHashMap<u64, usize> = FxHashMap::default();
        for &text in texts.values() {
            *counts.entry(text).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or(0);
        if texts.len() >= 3 && most as f64 >= STATIC_LIST * texts.len() as f64 {
            dropped.insert(list);
        }
    }
    dropped
}

/// A list inside the rows of another list that only says one thing (tags, authors) is several values of one column.
fn fold_value_lists(grown: &mut Grown, slots: &mut [Slot], list_of: Vec<usize>) -> Vec<usize> {
    let mut texts: FxHashMap<usize, usize> = FxHashMap::default();
    let mut has_inner: FxHashSet<usize> = FxHashSet::default();
    for slot in slots.iter() {
        let link = matches!(&slot.what, What::Attribute(name) if name == "href");
        *texts.entry(slot.list).or_default() += usize::from(!link);
        if slot.list != 0 {
            has_inner.insert(list_of[grown.template.nodes[slot.list].parent]);
        }
    }
    let mut folded = false;
    for (&list, &count) in &texts {
        let above = list_of[grown.template.nodes[list].parent];
        // Rows that say nothing themselves have no columns that the values could join.
        let inside = list != 0 && above != 0 && texts.contains_key(&above);
        if inside && count <= 1 && !has_inner.contains(&list) {
            grown.lists[list] = false;
            folded = true;
        }
    }
    if !folded {
        return list_of;
    }
    let list_of = lists(grown);
    for slot in slots {
        slot.list = list_of[slot.step];
    }
    list_of
}

fn under_dropped(grown: &Grown, list: usize, list_of: &[usize], dropped: &FxHashSet<usize>) -> bool {
    let mut list = list;
    while list != 0 {
        if dropped.contains(&list) {
            return true;
        }
        list = list_of[grown.template.nodes[list].parent];
    }
    false
}

/// A column says different things in different places; on one or two pages anything might.
fn varies(slot: &Slot, pages: usize) -> bool {
    match slot.values {
        0 => false,
        1 | 2 if pages > 20 => false,
        _ => slot.distinct_values() > 1 || (pages < 3 && slot.list == 0),
    }
}

/// On this many pages a column that always says the same would have said something else.
const ENOUGH_PAGES: usize = 30;

/// A cell of a table with rows keeps its column even when it always says the same: the table has that column.
fn is_table_cell(grown: &Grown, slot: &Slot, pages: usize) -> bool {
    pages < ENOUGH_PAGES && slot.list != 0 && slot.values > 1 && !matches!(slot.what, What::Attribute(_)) && {
        let above = grown.template.nodes[slot.step].parent;
        grown.tags[slot.step] == "td" || grown.tags[above] == "td"
    }
}

fn assemble(
    mut grown: Grown,
    slots: Vec<Slot>,
    list_of: &[usize],
    instances: &[usize],
    (callings, things): (&FxHashMap<usize, Calling>, &ThingNames),
    table_name: &str,
    page_type: usize,
) -> TypeFields {
    // The lists that are tables, in document order of their steps; a list without columns of its own but with
    // a list inside stays, so that the inner one has a row to belong to.
    let mut used: Vec<usize> = vec![0];
    for slot in &slots {
        let mut above = Vec::new();
        let mut list = slot.list;
        while list != 0 {
            above.push(list);
            list = list_of[grown.template.nodes[list].parent];
        }
        used.extend(above.into_iter().rev());
    }
    // In page order, a list after the one it stands in: as their first columns come; but for the main one, which is first.
    let mut order: Vec<usize> = Vec::new();
    for list in used {
        if !order.contains(&list) {
            order.push(list);
        }
    }
    let mut used = order;
    main_first(&mut used, &grown, &slots, list_of);
    let table_of: FxHashMap<usize, usize> = used.iter().enumerate().map(|(at, &list)| (list, at)).collect();
    let mut table_names = Namer::default();
    let mut tables: Vec<TableInfo> = Vec::new();
    for &list in &used {
        let (name, parent) = if list == 0 {
            (table_names.unique(table_name), None)
        } else {
            let above = list_of[grown.template.nodes[list].parent];
            let source = NameSource::of(&grown, list, None)
                .called(callings.get(&list))
                .without_ways(|label| things.is_way(label));
            let name = table_names.unique(&format!("{table_name}_{}", source.table_name()));
            (name, Some(table_of[&above]))
        };
        tables.push(TableInfo { name, page_type, parent, ..TableInfo::default() });
    }
    let mut column_names: Vec<Namer> = tables.iter().map(|_| Namer::default()).collect();
    let mut headings = headings::names_of_groups(&grown, &slots, list_of);
    headings.extend(headings::heading_of_main_list(&grown, &slots, list_of));
    let mut places: Vec<(usize, usize)> = Vec::new();
    for slot in slots {
        let table = table_of[&slot.list];
        let source = NameSource::of(&grown, slot.step, Some(&slot.what))
            .called(callings.get(&slot.step))
            .without_ways(|label| things.is_way(label));
        let Typed { value_type, share } = types::infer(&slot.what, &slot.examples);
        let rows = if slot.list == 0 { instances[0] } else { instances[slot.list] };
        let column = tables[table].columns.len();
        tables[table].columns.push(ColumnInfo {
            name: column_names[table].unique(&source.column_name()),
            value_type,
            selector: grown.template.selector(slot.step, &slot.what),
            label: source.label,
            confidence: share,
            coverage: (slot.values as f64 / rows.max(1) as f64).min(1.0),
            ..ColumnInfo::default()
        });
        places.push((table, column));
        for &step in slot.also.iter().chain([&slot.step]) {
            let read = Read { what: slot.what.clone(), table, column };
            grown.template.nodes[step].reads.push(read);
        }
    }
    for (heading, list) in headings {
        let (from_table, from_column) = places[heading];
        let table = table_of[&list];
        let mut info = tables[from_table].columns[from_column].clone();
        info.name = column_names[table].unique(&info.name);
        grown.template.inherits.push(Inherit {
            table,
            column: tables[table].columns.len(),
            from_table,
            from_column,
        });
        tables[table].columns.push(info);
    }
    for step in 1..grown.template.nodes.len() {
        let opener = grown.opened_by[step];
        if let Some(&table) =
            opener.or(grown.lists[step].then_some(step)).and_then(|list| table_of.get(&list))
        {
            grown.template.nodes[step].rows_of = Some(table);
            grown.template.nodes[step].continues = opener.is_some();
        }
    }
    for step in (1..grown.template.nodes.len()).filter(|&step| grown.comes_again[step]) {
        grown.template.nodes[step].again = is_most_of_its_row(&grown, step, &tables);
    }
    TypeFields { template: grown.template, tables }
}
