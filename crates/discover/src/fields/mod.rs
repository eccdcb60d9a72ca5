//! From the pages of a type to columns: which texts are template, which are values, which repeat.

mod alternation;
mod blocks;
mod callings;
mod coincidences;
mod columns;
mod companions;
mod exchange;
mod facts;
mod grow;
mod headings;
mod labels;
mod landmarks;
mod lead;
mod lost;
mod merge;
mod names;
mod nesting;
mod opening_words;
mod page_facts;
mod parts;
mod patterns;
mod prose;
mod runs;
mod shapes;
mod siblings;
mod slot;
mod template_blocks;
mod trails;
pub(crate) mod types;
mod unlabelled;
mod variants;
mod worth;

use rayon::prelude::*;
use unsite_dom::Tree;
use unsite_wrapper::{TableInfo, Template, View};

use crate::regions::SharedBlocks;
use crate::thing_names::ThingNames;
use crate::vocabulary::class_map_of_template;

/// The template of one page type, and the tables it fills, numbered from 0: the page's own first.
pub(crate) struct TypeFields {
    template: Template,
    tables: Vec<TableInfo>,
}

/// Learns the fields of one page type from its pages, which come in a fixed order. Blocks that the pages of other types
/// share become no tables, and what the things of the site are called labels nothing.
pub(crate) fn learn(
    trees: &[&Tree],
    urls: &[&str],
    table_name: &str,
    page_type: usize,
    (shared, names): (&SharedBlocks, &ThingNames),
) -> TypeFields {
    let classes = class_map_of_template(trees);
    let views: Vec<View> = trees.par_iter().map(|tree| View::new(tree, &classes)).collect();
    let grown = grow::grow(&views, classes, names);
    columns::columns(&views, urls, grown, table_name, page_type, (shared, names))
}

impl TypeFields {
    /// Appends the tables to the site's, and returns the template with its reads pointing there, and the
    /// page's own table.
    pub(crate) fn place(mut self, tables: &mut Vec<TableInfo>) -> (Template, Option<usize>) {
        // A page type without values of its own and without lists has no table.
        if self.tables.len() == 1 && self.tables[0].columns.is_empty() {
            return (self.template, None);
        }
        let first = tables.len();
        for node in &mut self.template.nodes {
            node.rows_of = node.rows_of.map(|table| table + first);
            for read in &mut node.reads {
                read.table += first;
            }
        }
        for rule in &mut self.template.inherits {
            rule.table += first;
            rule.from_table += first;
        }
        for mut table in self.tables {
            table.parent = table.parent.map(|parent| parent + first);
            tables.push(table);
        }
        (self.template, Some(first))
    }
}
