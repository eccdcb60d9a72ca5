//! Where all is clear, the default and the exact method that it stands for say the same.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::learn_one_type;
use unsite_dom::{Limits, NodeId, Tree};
use unsite_methods::data::{cluster_texts, data_method};
use unsite_wrapper::node_at;

/// A small clean site of one page type: a title, some labelled values of different kinds, by chance in one of two designs.
fn clean_site(seed: usize) -> Vec<String> {
    let mut state = seed as u64 * 0x9e37_79b9_7f4a_7c15 + 1;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let words =
        ["amber", "birch", "cobalt", "delta", "ember", "flint", "grove", "harbour", "indigo", "juniper"];
    let as_table = next(2) == 0;
    let number = 4 + next(5);
    let page = |next: &mut dyn FnMut(usize) -> usize| {
        let title = format!("{} {} {}", words[next(10)], words[next(10)], next(900) + 100);
        let fields = [
            ("Price:", format!("{}.{:02} EUR", next(90) + 10, next(100))),
            ("Published:", format!("{}-{:02}-{:02}", 1990 + next(30), 1 + next(12), 1 + next(28))),
            ("Colour:", words[next(10)].to_owned()),
            ("Weight:", format!("{} g", next(900) + 50)),
        ];
        let rows: String = fields
            .iter()
            .map(|(label, value)| match as_table {
                true => format!("<tr><th>{label}</th><td>{value}</td></tr>"),
                false => format!("<dt>{label}</dt><dd>{value}</dd>"),
            })
            .collect();
        let list = if as_table { format!("<table>{rows}</table>") } else { format!("<dl>{rows}</dl>") };
        format!("<h1 class=name>{title}</h1>{list}")
    };
    (0..number).map(|_| page(&mut next)).collect()
}

/// Evidence between the places of a template gives what the exact clustering of all pairs of texts gives.
#[test]
fn on_small_clean_sites_the_default_agrees_with_exact_confhex() {
    let method = data_method("confhex-all").expect("it is there");
    for seed in 0..40 {
        let pages = clean_site(seed);
        let (wrapper, records) = learn_one_type("item", &pages);
        let html = |body: &String| format!("<html><body>{body}</body></html>");
        let trees: Vec<Tree> =
            pages.iter().map(|body| Tree::parse(html(body).as_bytes(), None, &Limits::default()).0).collect();
        let exact: BTreeMap<(usize, NodeId), usize> =
            cluster_texts(method, &trees.iter().collect::<Vec<_>>())
                .into_iter()
                .map(|(page, node, cluster)| ((page, node), cluster))
                .collect();
        // Each value that both read: its column here, its cluster there.
        let mut pairs: BTreeSet<(String, usize)> = BTreeSet::new();
        for (page, record) in records.iter().enumerate() {
            for row in &record.rows {
                for cell in row.cells.iter() {
                    let tree = &trees[page];
                    let column = &wrapper.schema.tables[row.table].columns[cell.column];
                    let node = node_at(tree, &cell.path).and_then(|node| {
                        tree.descendants(node).find(|&inner| exact.contains_key(&(page, inner)))
                    });
                    if let Some(node) = node.filter(|&node| tree.text(node).trim() == cell.value) {
                        pairs.insert((column.name.clone(), exact[&(page, node)]));
                    }
                }
            }
        }
        let columns: BTreeSet<&String> = pairs.iter().map(|(column, _)| column).collect();
        let clusters: BTreeSet<usize> = pairs.iter().map(|(_, cluster)| *cluster).collect();
        assert!(columns.len() >= 5, "seed {seed}: {pairs:?}");
        assert_eq!((columns.len(), clusters.len()), (pairs.len(), pairs.len()), "seed {seed}: {pairs:?}");
    }
}
