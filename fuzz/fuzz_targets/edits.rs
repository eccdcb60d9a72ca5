#![no_main]
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use unsite_dom::{RawPage, Tree};
use unsite_wrapper::edits::{Edit, ExampleCell, Step, Trail};
use unsite_wrapper::{ClassMap, SavedWrapper, Schema, ValueType, View};

struct Learned {
    saved: SavedWrapper,
    pages: Vec<(RawPage, Tree)>,
    /// Ways down to places of the pages, each with the cells that a row there would have.
    places: Vec<(Trail, Vec<ExampleCell>)>,
}

static LEARNED: LazyLock<Learned> = LazyLock::new(|| {
    let mut pages = Vec::new();
    let mut places = Vec::new();
    // One page in four is read: some of each type.
    for page in unsite_fuzz::books().pages.into_iter().step_by(4) {
        let tree = Tree::parse(page.html.as_bytes(), None, &unsite_fuzz::LIMITS).0;
        let view = View::new(&tree, &ClassMap::default());
        for node in tree.nodes().skip(1).step_by(7) {
            places.push((Trail::of(&view, node), Trail::cells(&view, node)));
        }
        drop(view);
        let raw = RawPage {
            reference: page.url.clone(),
            url: page.url,
            bytes: page.html.into_bytes().into(),
            ..RawPage::default()
        };
        pages.push((raw, tree));
    }
    Learned { saved: unsite_fuzz::books_wrapper(), pages, places }
});

// An edit is a line of JSON or a few bytes that choose one; whatever the log says, the wrapper stays one that can be used.
fuzz_target!(|bytes: &[u8]| {
    let Learned { saved: learned, pages, .. } = &*LEARNED;
    let schema = learned.wrapper.stored_schema();
    let read = |line: &[u8]| match line.first() {
        Some(b'{') => serde_json::from_slice::<Step>(line).ok(),
        _ => chosen(line, &schema).map(Step::from),
    };
    let steps: Vec<Step> = bytes.split(|&byte| byte == b'\n').take(40).filter_map(read).collect();
    steps.iter().for_each(|step| drop(step.edit.to_string()));
    let mut saved = learned.clone();
    match saved.edit(steps.clone()) {
        Ok(()) => {
            let mut undone = saved.clone();
            undone.undo(steps.len());
            assert!(undone == *learned, "undoing does not lead back");
        }
        // A log may say so all the same: what cannot be made is told, and the others are made.
        Err(_) => {
            assert!(saved == *learned, "edits that cannot be made have changed something");
            saved.edits = steps;
        }
    }
    let edited = saved.edited();
    let mut wrapper = edited.saved.wrapper.clone();
    // Page types that were split off are known to those who edit alone.
    let types = wrapper.types.len();
    for table in wrapper.database.iter_mut().flat_map(|database| &mut database.tables) {
        table.page_type = table.page_type.min(types - 1);
    }
    wrapper.check().expect("an edited wrapper fits together");
    let again = SavedWrapper::from_text(&saved.to_text()).expect("what was written can be read");
    assert!(again.edited().saved == edited.saved, "the log says another thing when it is read again");
    let designs = edited.saved.designs();
    let schema = designs.schema();
    assert_sound(schema);
    for (page, tree) in pages {
        let (design, record) = designs.read(page, tree, &[]);
        let record = designs.stored(design, record);
        assert!(record.page_type.is_none_or(|page_type| page_type < schema.page_types.len()));
        for (at, row) in record.rows.iter().enumerate() {
            let table = &schema.tables[row.table];
            assert!(
                row.cells.iter().all(|cell| cell.column < table.columns.len()),
                "a cell without a column"
            );
            assert!(row.parent.is_none_or(|parent| parent < at), "a row before the one that it belongs to");
        }
    }
});

fn assert_sound(schema: &Schema) {
    for (at, table) in schema.tables.iter().enumerate() {
        assert!(table.page_type < schema.page_types.len(), "a table of no page type");
        assert!(table.parent.is_none_or(|parent| parent < schema.tables.len() && parent != at));
        let same = |other: &unsite_wrapper::TableInfo| other.name == table.name;
        assert!(
            schema.tables.iter().filter(|other| same(other)).count() == 1,
            "two tables of one name: {}",
            table.name
        );
        for column in &table.columns {
            let alike = table.columns.iter().filter(|other| other.name == column.name).count();
            assert!(alike == 1, "two columns of one name: {}.{}", table.name, column.name);
            assert!(column.references.is_none_or(|to| to < schema.tables.len()));
        }
    }
}

/// The edit that a few bytes mean: its kind, and which of the things that there are it is about.
fn chosen(bytes: &[u8], schema: &Schema) -> Option<Edit> {
    let at = |place: usize| bytes.get(place).copied().unwrap_or_default() as usize;
    let one_of =
        |names: Vec<&String>, place: usize| Some(names.get(at(place) % names.len().max(1))?.to_string());
    let table = one_of(schema.tables.iter().map(|table| &table.name).collect(), 1)?;
    let from = one_of(schema.tables.iter().map(|table| &table.name).collect(), 2)?;
    let columns = &schema.tables.iter().find(|info| info.name == table)?.columns;
    let column =
        |place| one_of(columns.iter().map(|column| &column.name).collect(), place).unwrap_or_default();
    let page_type =
        |place| one_of(schema.page_types.iter().map(|info| &info.name).collect(), place).unwrap_or_default();
    let to = bytes.get(4..).map(|rest| String::from_utf8_lossy(rest).into_owned()).unwrap_or_default();
    let (trail, cells) = LEARNED.places.get((at(2) << 8 | at(3)) % LEARNED.places.len())?.clone();
    Some(match at(0) % 19 {
        0 => Edit::RenameColumn { column: column(2), table, to },
        1 => Edit::DropColumn { column: column(2), table },
        2 => Edit::RestoreColumn { column: column(2), table },
        3 => Edit::MergeColumns { column: column(2), from: column(3), table },
        4 => Edit::SplitColumn { column: column(2), table, at: "a".into(), into: vec!["left".into(), to] },
        5 => {
            let types =
                [ValueType::Text, ValueType::Integer, ValueType::Decimal, ValueType::Date, ValueType::Url];
            Edit::RetypeColumn { column: column(2), table, to: types[at(3) % types.len()] }
        }
        6 => Edit::RenameTable { table, to },
        7 => Edit::DropTable { table },
        8 => Edit::RestoreTable { table },
        9 => Edit::MergeTables { table, from },
        10 => Edit::SplitTable { page_type: page_type(2), table, to },
        11 => Edit::RenamePageType { page_type: page_type(2), to },
        12 => Edit::DropPageType { page_type: page_type(2) },
        13 => Edit::MergePageTypes { page_type: page_type(2), from: page_type(3) },
        14 => {
            let (address, to) = to.split_once(' ').unwrap_or(("*", &to));
            Edit::SplitPageType { page_type: page_type(2), address: address.into(), to: to.into() }
        }
        15 => Edit::MakeColumn {
            page_type: page_type(1),
            name: to,
            cell: ExampleCell { trail, ..ExampleCell::default() },
        },
        16 => Edit::MakeRows { page_type: page_type(1), table: to, row: trail, cells },
        17 => Edit::NotRows { table },
        _ => Edit::WrongValue { column: column(2), table, value: to, url: None },
    })
}
