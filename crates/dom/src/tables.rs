//! Tables as grids, and lists.

use crate::tree::{NodeId, Tree};

/// The widest table that is read. Browsers stop a single `colspan` at the same number.
const MAX_COLUMNS: u32 = 1000;

/// What browsers make of the largest `rowspan`.
const MAX_ROW_SPAN: u32 = 65_534;

/// The most slots that [`Table::grid`] spells out; rows beyond are left out.
const MAX_SLOTS: usize = 1 << 20;

/// A table; nested tables are tables of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The `table` element.
    pub node: NodeId,
    /// Its `caption` element.
    pub caption: Option<NodeId>,
    /// Its `tr` elements, those of `thead` first only if they come first in the page.
    pub rows: Vec<NodeId>,
    /// Its cells in document order. Cells beyond the thousandth column are left out.
    pub cells: Vec<Cell>,
    /// How many columns there are, spans counted.
    pub columns: u32,
}

/// A cell and the rectangle it covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The `td` or `th` element.
    pub node: NodeId,
    /// The first row it covers, from 0.
    pub row: u32,
    /// The first column it covers, from 0.
    pub column: u32,
    /// How many rows it covers, at least 1 and never beyond the table.
    pub row_span: u32,
    /// How many columns it covers, at least 1.
    pub column_span: u32,
    /// A `th`, or a cell of the `thead`.
    pub header: bool,
}

impl Table {
    /// For every row and column the index in `cells` of the cell that covers it. Bounded: at most about
    /// a million slots are made, rows beyond them are left out.
    pub fn grid(&self) -> Vec<Vec<Option<u32>>> {
        let width = self.columns as usize;
        let height = self.rows.len().min(MAX_SLOTS / width.max(1));
        let mut grid = vec![vec![None; width]; height];
        for (i, cell) in self.cells.iter().enumerate() {
            let last = (cell.row + cell.row_span).min(height as u32);
            for row in cell.row..last {
                for column in cell.column..cell.column + cell.column_span {
                    // Where rectangles overlap the first cell keeps the slot.
                    grid[row as usize][column as usize].get_or_insert(i as u32);
                }
            }
        }
        grid
    }
}

/// What kind of list it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ListKind {
    /// `ul` and `menu`.
    Unordered,
    /// `ol`.
    Ordered,
    /// `dl`: names and values.
    Description,
}

/// A list; nested lists are lists of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List {
    /// The list element.
    pub node: NodeId,
    /// What kind of list it is.
    pub kind: ListKind,
    /// Its items in order.
    pub items: Vec<ListItem>,
}

/// An item of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListItem {
    /// Of a description list, the `dt` elements of the group.
    pub terms: Vec<NodeId>,
    /// The `li`, or the `dd` elements of the group.
    pub values: Vec<NodeId>,
}

impl Tree {
    /// Every table in document order.
    ///
    /// ```
    /// use unsite_dom::{Limits, Tree};
    /// let html = b"<table><tr><th colspan=2>Book<tr><td>Larkspur<td>12 EUR</table>";
    /// let (tree, _) = Tree::parse(html, None, &Limits::default());
    /// let table = tree.tables().remove(0);
    /// assert_eq!(table.grid(), [[Some(0), Some(0)], [Some(1), Some(2)]]);
    /// assert!(table.cells[0].header);
    /// ```
    pub fn tables(&self) -> Vec<Table> {
        self.elements("table").map(|node| self.table(node)).collect()
    }

    /// Every list in document order.
    pub fn lists(&self) -> Vec<List> {
        let list = |node| {
            let kind = match self.name(node) {
                "ul" | "menu" => ListKind::Unordered,
                "ol" => ListKind::Ordered,
                "dl" => ListKind::Description,
                _ => return None,
            };
            let items = match kind {
                ListKind::Description => self.description_items(node),
                _ => self
                    .children(node)
                    .filter(|&child| self.name(child) == "li")
                    .map(|item| ListItem { terms: Vec::new(), values: vec![item] })
                    .collect(),
            };
            Some(List { node, kind, items })
        };
        self.nodes().filter_map(list).collect()
    }

    fn table(&self, node: NodeId) -> Table {
        let mut table = Table { node, caption: None, rows: Vec::new(), cells: Vec::new(), columns: 0 };
        let mut in_head = Vec::new();
        for child in self.children(node) {
            match self.name(child) {
                "caption" if table.caption.is_none() => table.caption = Some(child),
                "tr" => table.rows.push(child),
                name @ ("thead" | "tbody" | "tfoot") => {
                    let before = table.rows.len();
                    table.rows.extend(self.children(child).filter(|&row| self.name(row) == "tr"));
                    if name == "thead" {
                        in_head.push(before..table.rows.len());
                    }
                }
                _ => {}
            }
        }
        // The row from which on each column is free again.
        let mut free_from: Vec<u32> = Vec::new();
        let height = table.rows.len() as u32;
        let mut heads = in_head.into_iter().peekable();
        for (row, &row_node) in table.rows.iter().enumerate() {
            while heads.next_if(|head| head.end <= row).is_some() {}
            let head_row = heads.peek().is_some_and(|head| head.contains(&row));
            let row = row as u32;
            let mut column = 0u32;
            for cell in self.children(row_node) {
                let header = match self.name(cell) {
                    "th" => true,
                    "td" => head_row,
                    _ => continue,
                };
                while free_from.get(column as usize).is_some_and(|&free| free > row) {
                    column += 1;
                }
                if column >= MAX_COLUMNS {
                    break;
                }
                let column_span = self.span(cell, "colspan", MAX_COLUMNS).max(1).min(MAX_COLUMNS - column);
                let row_span = match self.span(cell, "rowspan", MAX_ROW_SPAN) {
                    // Zero reaches down to the end of the table.
                    0 => height - row,
                    rows => rows.min(height - row),
                };
                let end = column + column_span;
                if free_from.len() < end as usize {
                    free_from.resize(end as usize, 0);
                }
                free_from[column as usize..end as usize].fill(row + row_span);
                table.cells.push(Cell { node: cell, row, column, row_span, column_span, header });
                column = end;
            }
        }
        table.columns = free_from.len() as u32;
        table
    }

    /// A span as browsers read it: leading digits, 1 where there are none, cut to a sane size.
    fn span(&self, cell: NodeId, attribute: &str, limit: u32) -> u32 {
        let Some(value) = self.attr(cell, attribute) else { return 1 };
        let value = value.trim_start();
        let digits = value.trim_start_matches('+').bytes().take_while(u8::is_ascii_digit);
        let parsed = digits.fold(None, |sum: Option<u32>, digit| {
            Some(sum.unwrap_or(0).saturating_mul(10).saturating_add(u32::from(digit - b'0')))
        });
        parsed.map_or(1, |span| span.min(limit))
    }

    /// The groups of a `dl`: terms, then values, until the next term. Groups may be wrapped in `div`.
    fn description_items(&self, list: NodeId) -> Vec<ListItem> {
        let mut items: Vec<ListItem> = Vec::new();
        let mut open = false;
        let mut add = |node: NodeId, boundary: bool| {
            if boundary {
                open = false;
                return;
            }
            let term = self.name(node) == "dt";
            if !open || (term && items.last().is_some_and(|item| !item.values.is_empty())) {
                items.push(ListItem::default());
                open = true;
            }
            if let Some(item) = items.last_mut() {
                if term { item.terms.push(node) } else { item.values.push(node) }
            }
        };
        for child in self.children(list) {
            match self.name(child) {
                "dt" | "dd" => add(child, false),
                "div" => {
                    add(child, true);
                    for inner in self.children(child).filter(|&inner| matches!(self.name(inner), "dt" | "dd"))
                    {
                        add(inner, false);
                    }
                    add(child, true);
                }
                _ => {}
            }
        }
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn tree(html: &str) -> Tree {
        Tree::parse(html.as_bytes(), None, &Limits::default()).0
    }

    fn words(tree: &Tree, table: &Table) -> Vec<String> {
        let cell = |slot: Option<u32>| {
            slot.map_or("-".to_owned(), |i| tree.visible_text(table.cells[i as usize].node))
        };
        table.grid().into_iter().map(|row| row.into_iter().map(cell).collect::<Vec<_>>().join("|")).collect()
    }

    #[test]
    fn spans_cover_what_browsers_let_them_cover() {
        let tree = tree(
            "<table><caption>c</caption><thead><tr><td>h<th>i<th>j</thead>\
             <tr><td rowspan=2>a<td colspan=2>b<tr><td>c<tr><td rowspan=0>d<td>e<td>f<td>g<tr><td>x</table>",
        );
        let table = &tree.tables()[0];
        assert_eq!(words(&tree, table), ["h|i|j|-", "a|b|b|-", "a|c|-|-", "d|e|f|g", "d|x|-|-"]);
        assert!(table.caption.is_some());
        let headers = table.cells.iter().filter(|cell| cell.header).count();
        assert_eq!(headers, 3);
    }

    #[test]
    fn absurd_spans_allocate_nothing() {
        let tree =
            tree("<table><tr><td colspan=9007199254740993 rowspan=99999999999999999999>a<td>b<tr><td>c");
        let table = &tree.tables()[0];
        assert_eq!(table.columns, MAX_COLUMNS);
        assert_eq!((table.cells.len(), table.cells[0].row_span), (1, 2));
        assert_eq!(table.grid().len(), 2);
        let tall = format!("<table>{}", "<tr><td colspan=1000 rowspan=65534>x".repeat(5000));
        let table = &self::tree(&tall).tables()[0];
        assert!(table.grid().len() <= MAX_SLOTS / 1000);
        for bad in ["-3", "x", "", "0"] {
            let html = format!("<table><tr><td colspan='{bad}'>a<td>b");
            assert_eq!(self::tree(&html).tables()[0].columns, 2, "{bad}");
        }
    }

    #[test]
    fn nested_tables_are_tables_of_their_own() {
        let tree = tree("<table><tr><td><table><tr><td>1<td>2</table><td>o</table>");
        let tables = tree.tables();
        assert_eq!(tables.iter().map(|table| table.cells.len()).collect::<Vec<_>>(), [2, 2]);
        assert_eq!(tree.tables()[1].rows.len(), 1);
    }

    #[test]
    fn lists_and_their_items() {
        let tree = tree(
            "<ul><li>a<li>b<ol><li>c</ol></ul>\
             <dl><dt>n<dt>m<dd>1<dd>2<dt>o<dd>3</dd><div><dt>p<dd>4</div><dd>5</dl>",
        );
        let lists = tree.lists();
        let kinds: Vec<_> = lists.iter().map(|list| (list.kind, list.items.len())).collect();
        assert_eq!(kinds, [(ListKind::Unordered, 2), (ListKind::Ordered, 1), (ListKind::Description, 4)]);
        let sizes: Vec<_> = lists[2].items.iter().map(|item| (item.terms.len(), item.values.len())).collect();
        assert_eq!(sizes, [(2, 2), (1, 1), (1, 1), (0, 1)]);
    }
}
