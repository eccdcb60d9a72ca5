//! What pages and values looked like: counts over pages, so that every page is one independent observation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::Wrapper;
use crate::output::{PageRecord, ValueType};
use crate::structure::{MarkCount, StructureCounter, StructureMark};
use crate::typing::typed;

/// Sorts of values.
pub const KINDS: [&str; 10] = [
    "integer",
    "amount",
    "date",
    "address",
    "word",
    "few words",
    "sentence",
    "running text",
    "code",
    "signs",
];

/// Classes of lengths: by powers of two of the number of characters.
const LENGTHS: usize = 14;

/// Classes of numbers of rows: none, 1, 2, 3-4, 5-8, ...
const COUNTS: usize = 12;

/// Parts that the pages are cut into, in the order of their addresses, to learn what varies from part to part.
pub(crate) const PARTS: usize = 4;

/// Examples kept of a column.
const EXAMPLES: usize = 3;

/// What the pages of a site looked like.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteProfile {
    /// Pages looked at.
    pub pages: u32,
    /// Of these, pages that would not be recognised if they were new: of types with a single page, or unlike their type.
    pub strangers: u32,
    /// One for each page type.
    pub types: Vec<TypeProfile>,
}

/// What the pages of a type looked like.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TypeProfile {
    /// Pages looked at.
    pub pages: u32,
    /// By table of the schema.
    pub tables: BTreeMap<usize, TableProfile>,
    /// How the pages are built, in the order of the marks; empty where nobody looked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub structure: Vec<MarkCount>,
}

/// The rows of one table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TableProfile {
    /// Pages by their number of rows.
    pub rows: Counts,
    /// By column.
    pub columns: BTreeMap<usize, ColumnProfile>,
}

/// The values of one column; of each page its first value counts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ColumnProfile {
    /// Pages with a value, out of those with a row of the table.
    pub filled: Counts,
    /// Pages by the sort of the value.
    pub kinds: Counts,
    /// Pages by the length of the value.
    pub lengths: Counts,
    /// Some values.
    pub examples: Vec<String>,
    /// Addresses of some pages without a value; not kept in the file.
    #[serde(skip)]
    pub without: Vec<String>,
}

/// Pages by class, and how much the share of a class varied between parts of the site: what is volatile.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Pages in each class.
    pub pages: Vec<u32>,
    /// The largest difference of a class's share between one part of the pages and all of them.
    #[serde(default)]
    pub volatile: f64,
    #[serde(skip)]
    parts: Vec<Vec<u32>>,
}

impl Counts {
    /// Counts that are known.
    pub fn new(pages: Vec<u32>) -> Self {
        Counts { pages, ..Counts::default() }
    }

    /// Counts by part of the site.
    pub(crate) fn of_parts(parts: Vec<Vec<u32>>) -> Self {
        let classes = parts.iter().map(Vec::len).max().unwrap_or(0);
        let of = |class: usize| parts.iter().filter_map(|part| part.get(class)).sum();
        let mut counts = Counts { pages: (0..classes).map(of).collect(), volatile: 0.0, parts };
        counts.settle();
        counts
    }

    fn note(&mut self, class: usize, part: usize) {
        let add = |counts: &mut Vec<u32>| {
            if counts.len() <= class {
                counts.resize(class + 1, 0);
            }
            counts[class] += 1;
        };
        add(&mut self.pages);
        if self.parts.len() <= part {
            self.parts.resize(part + 1, Vec::new());
        }
        add(&mut self.parts[part]);
    }

    /// All pages.
    pub fn total(&self) -> u32 {
        self.pages.iter().sum()
    }

    /// The pages in a class.
    pub fn of(&self, class: usize) -> u32 {
        self.pages.get(class).copied().unwrap_or(0)
    }

    /// The share of pages in a class.
    pub fn share(&self, class: usize) -> f64 {
        f64::from(self.of(class)) / f64::from(self.total().max(1))
    }

    fn settle(&mut self) {
        let mut volatile = 0.0f64;
        for part in &self.parts {
            let total: u32 = part.iter().sum();
            if total >= 5 {
                for class in 0..self.pages.len() {
                    let share = f64::from(part.get(class).copied().unwrap_or(0)) / f64::from(total);
                    volatile = volatile.max((share - self.share(class)).abs());
                }
            }
        }
        self.volatile = (volatile * 1000.0).round() / 1000.0;
        self.parts = Vec::new();
    }
}

/// Collects a profile page by page.
#[derive(Debug, Clone, Default)]
pub struct Profiler {
    profile: SiteProfile,
    structure: Vec<StructureCounter>,
}

impl Profiler {
    /// For the pages of a wrapper.
    pub fn new(wrapper: &Wrapper) -> Self {
        let mut profile =
            SiteProfile { types: vec![TypeProfile::default(); wrapper.types.len()], ..Default::default() };
        for (at, table) in wrapper.schema.tables.iter().enumerate() {
            let columns = (0..table.columns.len()).map(|column| (column, ColumnProfile::default())).collect();
            let empty = TableProfile { columns, ..TableProfile::default() };
            for &page_type in table.also_on.iter().chain([&table.page_type]) {
                profile.types[page_type].tables.insert(at, empty.clone());
            }
        }
        let structure = vec![StructureCounter::default(); wrapper.types.len()];
        Profiler { profile, structure }
    }

    /// For pages that are compared with a profile: they are looked at for what it knows, and for what is new.
    pub fn against(wrapper: &Wrapper, known: &SiteProfile) -> Self {
        let structure =
            known.types.iter().map(|known| StructureCounter::expecting(&known.structure)).collect();
        Profiler { structure, ..Profiler::new(wrapper) }
    }

    /// Notes a page. `at` of `of` says where in the order of addresses it stands, for what varies from part to part.
    pub fn page(&mut self, record: &PageRecord, at: usize, of: usize) {
        self.profile.pages += 1;
        let Some(page_type) = record.page_type else {
            self.profile.strangers += 1;
            return;
        };
        let part = at * PARTS / of.max(1);
        let profile = &mut self.profile.types[page_type];
        profile.pages += 1;
        for (&at, table) in &mut profile.tables {
            let rows = record.rows.iter().filter(|row| row.table == at);
            let count = rows.clone().count();
            table.rows.note(count_class(count), part);
            if count == 0 {
                continue;
            }
            let mut first: BTreeMap<usize, &str> = BTreeMap::new();
            for cell in rows.flat_map(|row| &row.cells) {
                first.entry(cell.column).or_insert(&cell.value);
            }
            for (column, profile) in &mut table.columns {
                let value = first.get(column);
                profile.filled.note(usize::from(value.is_some()), part);
                if value.is_none() && profile.without.len() < EXAMPLES {
                    profile.without.push(record.url.clone());
                }
                if let Some(value) = value {
                    profile.kinds.note(kind(value), part);
                    profile.lengths.note(length_class(value), part);
                    if profile.examples.len() < EXAMPLES {
                        profile.examples.push(value.chars().take(80).collect());
                    }
                }
            }
        }
    }

    /// Notes how a page is built.
    pub fn structure(&mut self, page_type: Option<usize>, marks: &[StructureMark], at: usize, of: usize) {
        if let Some(counter) = page_type.and_then(|page_type| self.structure.get_mut(page_type)) {
            counter.page(marks, at * PARTS / of.max(1));
        }
    }

    /// Notes that a page which was learned from would not have been recognised.
    pub fn stranger(&mut self) {
        self.profile.strangers += 1;
    }

    /// The profile.
    pub fn finish(mut self) -> SiteProfile {
        for table in self.profile.types.iter_mut().flat_map(|profile| profile.tables.values_mut()) {
            table.rows.settle();
            for column in table.columns.values_mut() {
                column.filled.settle();
                column.kinds.settle();
                column.lengths.settle();
            }
        }
        for (profile, counter) in self.profile.types.iter_mut().zip(self.structure) {
            profile.structure = counter.finish();
        }
        self.profile
    }
}

impl SiteProfile {
    /// Whether it is known how pages of a type are built in this respect.
    pub fn knows(&self, page_type: Option<usize>, mark: u64) -> bool {
        let structure =
            page_type.and_then(|page_type| self.types.get(page_type)).map(|known| &known.structure);
        structure.is_some_and(|marks| marks.binary_search_by_key(&mark, |known| known.mark).is_ok())
    }

    /// Says what does not fit the wrapper.
    pub(crate) fn check(&self, wrapper: &Wrapper) -> Result<(), String> {
        let tables = &wrapper.schema.tables;
        let fits = self.types.len() == wrapper.types.len()
            && self.types.iter().flat_map(|profile| &profile.tables).all(|(&table, profile)| {
                let columns = tables.get(table).map_or(0, |table| table.columns.len());
                table < tables.len() && profile.columns.keys().all(|&column| column < columns)
            });
        if fits { Ok(()) } else { Err("the profile is of other tables than the wrapper".into()) }
    }
}

fn count_class(count: usize) -> usize {
    let class = match count {
        0 => 0,
        1 => 1,
        more => 1 + (more - 1).ilog2() as usize + 1,
    };
    class.min(COUNTS - 1)
}

/// What a class of numbers of rows is called.
pub fn count_name(class: usize) -> String {
    match class {
        0 => "no rows".into(),
        1 => "1 row".into(),
        2 => "2 rows".into(),
        class if class == COUNTS - 1 => format!("over {} rows", 1 << (class - 2)),
        class => format!("{} to {} rows", (1 << (class - 2)) + 1, 1 << (class - 1)),
    }
}

fn length_class(value: &str) -> usize {
    (value.chars().count().max(1).ilog2() as usize).min(LENGTHS - 1)
}

/// What a class of lengths is called.
pub fn length_name(class: usize) -> String {
    if class == LENGTHS - 1 {
        format!("over {} characters", (1 << class) - 1)
    } else {
        format!("{} to {} characters", 1 << class, (1 << (class + 1)) - 1)
    }
}

/// The sort of a value, as a place in [`KINDS`].
fn kind(value: &str) -> usize {
    if typed(ValueType::Integer, value).is_some() {
        return 0;
    }
    if [ValueType::Decimal, ValueType::Money].into_iter().any(|number| typed(number, value).is_some()) {
        return 1;
    }
    if typed(ValueType::Date, value).is_some() {
        return 2;
    }
    if value.contains("://") && !value.contains(' ') {
        return 3;
    }
    let (mut letters, mut digits, mut dense) = (0usize, 0usize, 0usize);
    for c in value.chars() {
        letters += usize::from(c.is_alphabetic());
        digits += usize::from(c.is_numeric());
        // Scripts without spaces between words.
        dense += usize::from(('\u{2e80}'..='\u{9fff}').contains(&c) || ('\u{e00}'..='\u{e7f}').contains(&c));
    }
    let words = value.split_whitespace().count() + dense / 2;
    match (letters, digits, words) {
        (0, 0, _) => 9,
        (letters, digits, words) if digits > 0 && words <= 3 && letters <= 2 * digits => 8,
        (_, _, 0..=1) => 4,
        (_, _, 2..=6) => 5,
        (_, _, 7..=30) => 6,
        _ => 7,
    }
}
