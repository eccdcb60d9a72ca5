//! Everything that was learned about a site.

use serde::{Deserialize, Serialize};
use unsite_dom::{Cut, Limits, RawPage, Tree};

use crate::classes::ClassMap;
use crate::database::Database;
use crate::edits::ByHand;
use crate::hex;
use crate::kinds::Kinds;
use crate::lists::ListIndex;
use crate::output::{PageRecord, Schema};
use crate::reader::PageReader;
use crate::recognise::{Recognised, Recogniser};
use crate::roles::sigmoid;
use crate::template::Template;
use crate::training::Training;
use crate::traits::Surroundings;

/// The learned structure of a site.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Wrapper {
    /// Page types, tables and columns.
    pub schema: Schema,
    /// The class names by which page types are recognised, site-wide.
    pub classes: ClassMap,
    /// One for each page type of the schema.
    pub types: Vec<TypeModel>,
    /// Keys of the link targets that most pages share, sorted: the site's frame.
    #[serde(default, with = "hex::list")]
    pub frame: Vec<u64>,
    /// How page types are recognised.
    pub recogniser: Recogniser,
    /// The pages it was learned from.
    pub training: Training,
    /// The names of text fields of forms on the site, sorted: an address that carries a value for one is a search.
    #[serde(default)]
    pub search_fields: Vec<String>,
    /// Where index pages list articles, if the site has any.
    #[serde(default)]
    pub lists: Option<ListIndex>,
    /// The tables behind the site, and what becomes of what is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<Database>,
    /// What people decided about what is read. It follows from the log of edits and is not kept beside it.
    #[serde(skip)]
    pub by_hand: ByHand,
}

/// How to recognise and read the pages of one type.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TypeModel {
    /// How its pages are built.
    pub template: Template,
    /// The table with one row for each page, if the type has values of its own.
    pub page_table: Option<usize>,
    /// How surely its pages are index pages: log-odds above those of the site's average page.
    pub index_logit: f64,
    /// Lists of articles are not read off its pages: after a repair, where known links were not found again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unlisted: bool,
}

impl TypeModel {
    /// How surely its pages are index pages, 0 to 1.
    pub fn index_score(&self) -> f64 {
        sigmoid(self.index_logit)
    }
}

impl Wrapper {
    /// The type of a page; `None` for a page that fits no type. A page that was learned from keeps the type it had.
    pub fn classify(&self, page: &RawPage, tree: &Tree) -> Option<usize> {
        let known = self.training.page_type(page);
        known.or_else(|| self.recognise(tree, &page.url).map(|found| found.page_type))
    }

    /// What a page looks like, whether it was learned from or not.
    pub fn recognise(&self, tree: &Tree, url: &str) -> Option<Recognised> {
        self.recognise_known(tree, url, &Kinds::of(tree))
    }

    pub(crate) fn recognise_known(&self, tree: &Tree, url: &str, kinds: &Kinds) -> Option<Recognised> {
        self.recogniser.recognise_on(tree, url, (&self.classes, kinds), self.training.type_at(url))
    }

    /// Made ready to read many pages.
    pub fn reader(&self) -> PageReader<'_> {
        PageReader::new(self)
    }

    /// Reads everything off a page; for many of them see [`Wrapper::reader`].
    pub fn extract(&self, page: &RawPage, limits: &Limits) -> PageRecord {
        self.reader().extract(page, limits)
    }

    /// Reads a parsed page; for many of them see [`Wrapper::reader`].
    pub fn read(&self, page: &RawPage, tree: &Tree, cuts: &[Cut], page_type: Option<usize>) -> PageRecord {
        self.reader().read(page, tree, cuts, page_type)
    }

    /// The tables that stores hold: those behind the site, or where nobody looked for them those that are read.
    pub fn stored_schema(&self) -> Schema {
        let mut page_types = self.schema.page_types.clone();
        page_types.extend(self.by_hand.page_types().iter().cloned());
        let tables = self.database.as_ref().map_or(&self.schema.tables, |database| &database.tables);
        Schema { page_types, tables: tables.clone() }
    }

    /// A page's rows as stores hold them.
    pub fn stored(&self, record: PageRecord) -> PageRecord {
        let mut stored = match &self.database {
            Some(database) => PageRecord { rows: database.rows(&record), ..record },
            None => record,
        };
        if !self.by_hand.is_empty() {
            let tables = self.database.as_ref().map_or(&self.schema.tables, |database| &database.tables);
            self.by_hand.carry_out(&mut stored, &self.training, tables);
        }
        stored
    }

    /// What of a page's rows stores hold in some of their tables, with what these stand in: the same as of
    /// [`Wrapper::stored`], without the rest and without what went wrong.
    pub fn stored_in(&self, record: &PageRecord, wanted: &[bool]) -> PageRecord {
        let is_wanted = |table: usize| wanted.get(table).copied().unwrap_or(false);
        let needed = self.by_hand.rows_come_from(wanted);
        let rows = match &self.database {
            Some(database) => database.rows_of(record, |table| needed[table]),
            None => record.rows.clone(),
        };
        let mut stored = PageRecord {
            url: record.url.clone(),
            reference: record.reference.clone(),
            role: record.role.clone(),
            rows,
            main_text: None,
            problems: Vec::new(),
            ..*record
        };
        if !self.by_hand.is_empty() {
            let tables = self.database.as_ref().map_or(&self.schema.tables, |database| &database.tables);
            self.by_hand.carry_out(&mut stored, &self.training, tables);
        }
        let mut places = vec![None; stored.rows.len()];
        let mut kept = Vec::new();
        for (at, mut row) in stored.rows.into_iter().enumerate().filter(|(_, row)| is_wanted(row.table)) {
            row.parent = row.parent.and_then(|parent| places[parent]);
            places[at] = Some(kept.len());
            kept.push(row);
        }
        PageRecord { rows: kept, ..stored }
    }

    /// What is known of the site before one of its pages is judged.
    pub fn surroundings(&self) -> Surroundings<'_> {
        Surroundings { frame: &self.frame, search_fields: &self.search_fields }
    }
}
