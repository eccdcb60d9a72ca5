//! What the columns of things are, before anything is put together.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_wrapper::ValueType;

use super::facts::{About, Fate, facts, frame, is_head};
use super::lists::Surroundings;
use super::sheets::is_address;

/// Every page of a kind says it: all but a few strays.
const EVERY: f64 = 0.9;
/// What fewer of them say is a whim of their pages: the share of things that a fact told by lists needs.
const OFTEN: f64 = 0.3;
/// A text of this many letters, on the mean, describes what it stands with, also on a page that lists other things.
const DESCRIBES: usize = 30;
/// Rows that are looked at: what holds in all of so many holds.
const LOOKED_AT: usize = 100;
/// What holds of this share holds of all but those at the ends, and strays.
const NEARLY_ALL: f64 = 0.8;
/// A thing refers to things of one kind in fewer ways than this.
const ITEMS: usize = 5;
/// Fewer rows show no rule.
const FEWEST: usize = 3;

impl Surroundings<'_> {
    /// For each thing, what its columns are.
    pub(super) fn facts_of_things(&self) -> Vec<Vec<Fate>> {
        let columns = |table: usize| &self.wrapper.schema.tables[table].columns[..];
        let tables: Vec<_> = self.things.iter().map(|thing| (thing.table, columns(thing.table))).collect();
        let mut frame = frame(self.sheets, &tables);
        frame.extend(self.everywhere.iter().copied());
        for thing in self.things {
            for column in self.references(thing.table) {
                frame.remove(&(thing.table, column));
            }
        }
        (0..self.things.len()).map(|at| self.facts_of(at, &frame)).collect()
    }

    fn facts_of(&self, at: usize, frame: &FxHashSet<(usize, usize)>) -> Vec<Fate> {
        let thing = &self.things[at];
        let sheet = &self.sheets.tables[thing.table];
        let all: Vec<usize> = (0..sheet.rows.len()).collect();
        let first: Vec<usize> = all.iter().copied().filter(|&row| thing.is_first[row]).collect();
        let frame = frame.iter().filter(|(table, _)| *table == thing.table).map(|(_, column)| *column);
        let about = About {
            table: thing.table,
            columns: &self.wrapper.schema.tables[thing.table].columns,
            rows: if first.is_empty() { &all } else { &first },
            title: Some(thing.title),
            is_list: false,
            frame: &frame.collect(),
            leads: &|column| self.leads(thing.table, column),
        };
        let mut fates = facts(self.sheets, &about);
        self.hide_neighbours(thing.table, &mut fates);
        self.hide_lists(&about, &mut fates);
        if thing.lists {
            self.only_what_describes(&about, &mut fates);
        }
        fates
    }

    /// Pages that list other things say of themselves what they are called, what is labelled and what describes them.
    fn only_what_describes(&self, about: &About<'_>, fates: &mut [Fate]) {
        let sheets = self.sheets;
        for (column, fate) in fates.iter_mut().enumerate().filter(|(_, fate)| **fate == Fate::Fact) {
            let info = &about.columns[column];
            let rows = &about.rows[..about.rows.len().min(LOOKED_AT)];
            let texts: Vec<&str> =
                rows.iter().filter_map(|&row| sheets.text(about.table, row, column)).collect();
            let letters: usize = texts.iter().map(|text| text.chars().count()).sum();
            let describes =
                letters >= DESCRIBES * texts.len() && !is_head(info) && !is_address(info.value_type);
            let is_named = about.title == Some(column);
            // What every one of them says behind a label is a fact, and what differs from one to the next; what recurs and leads
            // somewhere is a way to narrow their lists.
            let different = texts.iter().collect::<FxHashSet<_>>().len();
            let is_own = texts.len() >= FEWEST && 2 * different > texts.len();
            let share = texts.len() as f64 / rows.len().max(1) as f64;
            let is_often = share >= EVERY || share >= OFTEN && !self.is_in_a_link(about.table, column);
            let is_labelled = info.label.is_some() && (is_own || is_often);
            let is_picture = info.value_type == ValueType::Image && 2 * different > rows.len();
            if !is_named && !describes && !is_labelled && !is_picture {
                *fate = Fate::Hidden("a page that lists other things says it in passing".into());
            }
        }
    }

    /// Does a text stand in a link?
    fn is_in_a_link(&self, table: usize, column: usize) -> bool {
        let columns = &self.wrapper.schema.tables[table].columns;
        let links = (0..columns.len()).filter(|&link| columns[link].value_type == ValueType::Url);
        links.into_iter().any(|link| self.text_of(table, link) == Some(column))
    }

    /// Hides the texts of links that lead from nearly every thing to one of its kind, each to another: the one before and the next.
    fn hide_neighbours(&self, table: usize, fates: &mut [Fate]) {
        let columns = &self.wrapper.schema.tables[table].columns;
        let sheet = &self.sheets.tables[table];
        for link in (0..columns.len()).filter(|&column| columns[column].value_type == ValueType::Url) {
            let mut led_to: FxHashSet<String> = FxHashSet::default();
            let mut rows = 0;
            for (row, _) in sheet.column(link) {
                rows += 1;
                let key = self.sheets.text(table, row, link).map(|url| (self.address)(url));
                let own = &self.sheets.pages[sheet.rows[row].0].key;
                led_to.extend(key.filter(|key| key != own && self.targets.expected(key) == Some(table)));
            }
            let is_way = rows as f64 >= NEARLY_ALL * sheet.rows.len() as f64
                && led_to.len() as f64 >= NEARLY_ALL * f64::from(rows)
                && sheet.rows.len() >= FEWEST;
            if let Some(text) = self.text_of(table, link).filter(|_| is_way)
                && fates[text] == Fate::Fact
            {
                fates[text] = Fate::Hidden("names the one before or the next".into());
            }
        }
    }

    /// Hides columns that name things of one kind, when there are many: a list whose items stand at places of their own.
    fn hide_lists(&self, about: &About<'_>, fates: &mut [Fate]) {
        let sheet = &self.sheets.tables[about.table];
        for thing in self.things {
            let names: FxHashSet<u64> =
                self.sheets.tables[thing.table].column(thing.title).map(|(_, name)| name).collect();
            let names_them = |&column: &usize| {
                let (mut filled, mut named) = (0usize, 0usize);
                for value in
                    about.rows.iter().map(|&row| sheet.value(row, column)).filter(|&value| value != 0)
                {
                    filled += 1;
                    named += usize::from(names.contains(&value));
                }
                filled > 0 && named as f64 >= NEARLY_ALL * filled as f64
            };
            let facts =
                (0..fates.len()).filter(|&column| fates[column] == Fate::Fact && about.title != Some(column));
            let items: Vec<usize> = facts.filter(names_them).collect();
            if items.len() >= ITEMS {
                for column in items {
                    fates[column] = Fate::Hidden("one of a list of things".into());
                }
            }
        }
    }

    /// The columns that say which thing of another kind a row belongs to: links, and the texts in them.
    fn references(&self, table: usize) -> Vec<usize> {
        let columns = &self.wrapper.schema.tables[table].columns;
        let sheet = &self.sheets.tables[table];
        let mut found = Vec::new();
        for link in (0..columns.len()).filter(|&column| columns[column].value_type == ValueType::Url) {
            let mut led_to: FxHashMap<String, usize> = FxHashMap::default();
            let mut rows = 0;
            for (row, _) in sheet.column(link) {
                rows += 1;
                let key = self.sheets.text(table, row, link).map(|url| (self.address)(url));
                let thing = key.as_deref().and_then(|key| self.thing_of_table(self.targets.table(key)?));
                if let (Some(key), Some(_)) = (key, thing.filter(|&thing| self.things[thing].table != table))
                {
                    *led_to.entry(key).or_default() += 1;
                }
            }
            if led_to.len() >= FEWEST && 2 * led_to.values().sum::<usize>() > rows {
                found.push(link);
                found.extend(self.text_of(table, link));
            }
        }
        found
    }

    /// The column that holds the text of a link, where only one does.
    pub(super) fn text_of(&self, table: usize, link: usize) -> Option<usize> {
        let columns = &self.wrapper.schema.tables[table].columns;
        let mut inside: FxHashMap<usize, usize> = FxHashMap::default();
        let mut rows = 0;
        for (row, _) in self.sheets.tables[table].column(link).take(LOOKED_AT) {
            let cells = &self.sheets.row(table, row).cells;
            let Some(its) = cells.iter().find(|cell| cell.column == link) else { continue };
            rows += 1;
            let is_text = |column: usize| !is_address(columns[column].value_type);
            let within = cells.iter().filter(|cell| is_text(cell.column) && is_within(&cell.path, &its.path));
            for column in within.map(|cell| cell.column).collect::<FxHashSet<_>>() {
                *inside.entry(column).or_default() += 1;
            }
        }
        let mut often = inside.iter().filter(|(_, count)| **count as f64 >= EVERY * f64::from(rows));
        let text = often.next().map(|(column, _)| *column);
        text.filter(|_| often.next().is_none())
    }
}

/// Is a node another one, or inside it?
fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::is_within;

    #[test]
    fn a_node_is_inside_another_by_whole_steps() {
        assert!(is_within("html/body/a[1]", "html/body/a[1]"));
        assert!(is_within("html/body/a[1]/b", "html/body/a[1]"));
        assert!(!is_within("html/body/a[10]", "html/body/a[1"));
        assert!(!is_within("html/body/a[2]", "html/body/a[1]"));
    }
}
