//! Names people would choose for tables and columns.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::{ColumnInfo, ValueType};

use super::facts::{Fate, is_data};
use crate::naming::{Namer, base_name, slug};

/// A word that so many columns begin with says nothing of any: class names begin with the block they stand in.
const SHARED: usize = 3;

/// What an element is called that has neither label nor class.
const NO_NAMES: [&str; 2] = ["text", "link"];

/// What the column that names rows is called: `name` where the site says so, else `title`.
pub(super) fn title(info: &ColumnInfo) -> &'static str {
    let said = info.label.as_deref().and_then(slug).unwrap_or_else(|| base_name(&info.name).to_owned());
    let is_name = |word: &str| word == "name" || word == "username";
    if said.split('_').any(is_name) { "name" } else { "title" }
}

/// What the columns of a table are called, as far as their neighbours have a say in it.
pub(super) struct Called<'a> {
    columns: &'a [ColumnInfo],
    fates: &'a [Fate],
    /// What begins the names of its columns and says nothing: the table's own name, the class of the block.
    prefixes: Vec<String>,
    /// For columns of links, what the things they lead to are called.
    leads_to: &'a dyn Fn(&ColumnInfo) -> Option<String>,
}

impl<'a> Called<'a> {
    pub(super) fn new(
        table: &str,
        columns: &'a [ColumnInfo],
        fates: &'a [Fate],
        leads_to: &'a dyn Fn(&ColumnInfo) -> Option<String>,
    ) -> Called<'a> {
        let facts = columns.iter().zip(fates).filter(|(_, fate)| **fate == Fate::Fact);
        let unlabelled: Vec<&str> =
            facts.filter(|(info, _)| info.label.is_none()).map(|(info, _)| info.name.as_str()).collect();
        let mut first: FxHashMap<&str, usize> = FxHashMap::default();
        for word in unlabelled.iter().filter_map(|name| Some(name.split_once('_')?.0)) {
            *first.entry(word).or_default() += 1;
        }
        let shared = first.iter().filter(|&(_, &times)| times >= SHARED && 2 * times > unlabelled.len());
        let own = table.rsplit('_').next().unwrap_or(table);
        let mut prefixes: Vec<String> = shared.map(|(word, _)| (*word).to_owned()).collect();
        prefixes.extend([table.to_owned(), own.to_owned()]);
        prefixes.sort_by_key(|prefix| std::cmp::Reverse(prefix.len()));
        prefixes.dedup();
        Called { columns, fates, prefixes, leads_to }
    }

    /// A name that no other column of the table has: the plain one, then with what it holds behind it.
    pub(super) fn column(&self, namer: &mut Namer, at: usize) -> String {
        let info = &self.columns[at];
        let label = info.label.as_deref().and_then(slug);
        let base = self.base(at);
        let kind = match info.value_type {
            ValueType::Url if !base.ends_with("url") => Some("url"),
            ValueType::Date | ValueType::DateDayFirst | ValueType::DateMonthFirst | ValueType::DateTime => {
                Some("date")
            }
            ValueType::Integer | ValueType::Decimal => Some("number"),
            ValueType::Money => Some("amount"),
            ValueType::Text => Some("text"),
            _ => None,
        };
        let with_kind = kind.map(|kind| format!("{base}_{kind}"));
        let read = base_name(&info.name).to_owned();
        let tag = last_tag(&info.selector).map(|tag| format!("{base}_{tag}"));
        // What has no name is called by what it holds.
        let by_kind = kind.filter(|_| NO_NAMES.contains(&base.as_str())).map(str::to_owned);
        let names = [by_kind, Some(base.clone()), label, Some(read), with_kind, tag];
        match names.into_iter().flatten().find(|name| !namer.is_taken(name)) {
            Some(name) => namer.unique(&name),
            None => namer.unique(&base),
        }
    }

    fn base(&self, at: usize) -> String {
        let info = &self.columns[at];
        let read = base_name(&info.name);
        if info.label.is_some() {
            return self.whole(at).map_or(read, |whole| base_name(&self.columns[whole].name)).to_owned();
        }
        if let Some(name) = (self.leads_to)(info).filter(|_| own_class(&info.selector).is_none()) {
            let is_link = info.value_type == ValueType::Url;
            return if is_link { format!("{name}_url") } else { name };
        }
        // Data for machines has names that were chosen.
        let witness = (0..self.columns.len()).find(|&other| other != at && self.witnesses(other, at));
        let named = witness.map_or(read, |witness| base_name(&self.columns[witness].name));
        let named = self
            .whole(at)
            .filter(|_| witness.is_none())
            .map_or(named, |whole| base_name(&self.columns[whole].name));
        self.plain(named).to_owned()
    }

    /// Does data for machines say the same?
    fn witnesses(&self, other: usize, at: usize) -> bool {
        is_data(&self.columns[other])
            && match &self.fates[other] {
                Fate::CopyOf(of) => *of == at,
                Fate::Hidden(why) => *why == format!("tells {}", self.columns[at].name),
                Fate::Fact | Fate::Continues(_) => false,
            }
    }

    /// Of a text of which one part is all that is told: the column of the whole text.
    fn whole(&self, at: usize) -> Option<usize> {
        let (of, _) = self.columns[at].selector.split_once(" \u{201c}")?;
        let parts = (0..self.columns.len()).filter(|&other| {
            self.fates[other] == Fate::Fact
                && self.columns[other].selector.split_once(" \u{201c}").is_some_and(|(whole, _)| whole == of)
        });
        let whole = (0..self.columns.len()).find(|&other| self.columns[other].selector == of)?;
        (parts.count() == 1 && self.fates[whole] != Fate::Fact).then_some(whole)
    }

    /// A name without what the table or the block around it is called.
    fn plain<'n>(&self, name: &'n str) -> &'n str {
        let stripped =
            self.prefixes.iter().find_map(|prefix| name.strip_prefix(prefix.as_str())?.strip_prefix('_'));
        stripped.filter(|rest| slug(rest).is_some_and(|rest| rest != "url")).unwrap_or(name)
    }
}

/// The tag of the last step of a way.
fn last_tag(selector: &str) -> Option<&str> {
    let step =
        selector.split([' ', '\u{201c}']).next_back().filter(|_| !selector.contains(['@', '\u{201c}']))?;
    let tag = step.split(['.', '#', '[', '*', ':']).next()?;
    (!tag.is_empty() && tag.bytes().all(|b| b.is_ascii_alphanumeric())).then_some(tag)
}

/// The class or id that the last step of a way has itself.
fn own_class(selector: &str) -> Option<&str> {
    let step = selector.split(" @").next()?.rsplit(" > ").next()?;
    step.split(['[', '*', ' ', ':']).next()?.split_once(['.', '#']).map(|(_, class)| class)
}

/// Names that only one of these has.
pub(super) fn alone(names: impl Iterator<Item = String>) -> FxHashSet<String> {
    let mut times: FxHashMap<String, usize> = FxHashMap::default();
    for name in names {
        *times.entry(name).or_default() += 1;
    }
    times.into_iter().filter(|&(_, times)| times == 1).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(name: &str, selector: &str, label: Option<&str>) -> ColumnInfo {
        ColumnInfo {
            name: name.into(),
            selector: selector.into(),
            label: label.map(str::to_owned),
            ..ColumnInfo::default()
        }
    }

    #[test]
    fn columns_are_called_by_what_they_are_and_not_by_where_they_stand() {
        let columns = [
            info("book_isbn", "p.book_isbn", None),
            info("price_now", "p.price-now", None),
            info("price", "embedded data Book.offers.price", None),
            info("stars", "p.stars", None),
            info("stars_out_of", "p.stars \u{201c} … out of\u{201d}", None),
            info("book_size", "li", Some("Book size:")),
            info("breadcrumb", "div.breadcrumb > a", None),
        ];
        let tells = |name: &str| Fate::Hidden(format!("tells {name}"));
        let fates = [
            Fate::Fact,
            Fate::Fact,
            tells("price_now"),
            tells("stars_out_of"),
            Fate::Fact,
            Fate::Fact,
            Fate::Fact,
        ];
        let leads_to = |info: &ColumnInfo| (info.name == "breadcrumb").then(|| "category".to_owned());
        let called = Called::new("book", &columns, &fates, &leads_to);
        let mut namer = Namer::default();
        let names: Vec<String> = [0, 1, 4, 5, 6].map(|at| called.column(&mut namer, at)).to_vec();
        assert_eq!(names, ["isbn", "price", "stars", "book_size", "category"]);
    }

    #[test]
    fn what_all_classes_begin_with_says_nothing() {
        let columns = ["product_name", "product_cost", "product_weight"].map(|name| info(name, name, None));
        let fates = [const { Fate::Fact }; 3];
        let called = Called::new("item", &columns, &fates, &|_| None);
        let mut namer = Namer::default();
        assert_eq!([0, 1, 2].map(|at| called.column(&mut namer, at)), ["name", "cost", "weight"]);
    }
}
