//! How fast pages become trees, and how large those are.
//!
//! Prints two ratios: our throughput (decoding, guards, limits and the flat layout included) over that of
//! html5ever alone into the barest linked arena, measured in turns in this run; and bytes of tree per byte
//! of HTML. Pages are generated here; `UNSITE_BENCH_PAGES` may name a folder of `.html` files to add.
#![allow(missing_docs, clippy::print_stdout, clippy::disallowed_types, clippy::disallowed_methods)]

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::{Attribute, QualName, parse_document};
use unsite_dom::{Limits, Tree};

/// Rounds of the comparison; the best time of each side counts, which is the one least disturbed.
const ROUNDS: usize = 40;

fn bench(c: &mut Criterion) {
    let mut pages = vec![("shop", shop()), ("article", article()), ("table", table())];
    pages.extend(given_pages());
    let mut logs = 0.0;
    let (mut tree_bytes, mut html_bytes) = (0, 0);
    for (name, page) in &pages {
        let ratio = throughput_ratio(page);
        let (tree, _) = Tree::parse(page.as_bytes(), None, &Limits::default());
        println!(
            "{name}: {} KiB, throughput ratio {ratio:.3}, bytes of tree per byte {:.2}",
            page.len() / 1024,
            tree.bytes() as f64 / page.len() as f64
        );
        logs += ratio.ln();
        tree_bytes += tree.bytes();
        html_bytes += page.len();
    }
    println!("throughput ratio: {:.3}", (logs / pages.len() as f64).exp());
    println!("bytes of tree per byte of HTML: {:.2}", tree_bytes as f64 / html_bytes as f64);
    let mut group = c.benchmark_group("parse");
    group.sample_size(20);
    for (name, page) in &pages {
        group.throughput(Throughput::Bytes(page.len() as u64));
        group.bench_function(format!("unsite/{name}"), |b| b.iter(|| ours(page)));
        group.bench_function(format!("html5ever/{name}"), |b| b.iter(|| bare(page)));
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);

fn ours(page: &str) -> usize {
    Tree::parse(black_box(page.as_bytes()), None, &Limits::default()).0.len()
}

fn bare(page: &str) -> usize {
    parse_document(Arena::new(), Default::default()).one(black_box(page)).len()
}

fn throughput_ratio(page: &str) -> f64 {
    let (mut our_best, mut bare_best) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        our_best = our_best.min(seconds(|| ours(page)));
        bare_best = bare_best.min(seconds(|| bare(page)));
    }
    bare_best / our_best
}

fn seconds(run: impl Fn() -> usize) -> f64 {
    let start = Instant::now();
    black_box(run());
    start.elapsed().as_secs_f64()
}

fn given_pages() -> Vec<(&'static str, String)> {
    let Ok(folder) = std::env::var("UNSITE_BENCH_PAGES") else {
        println!("given pages skipped: UNSITE_BENCH_PAGES names no folder");
        return Vec::new();
    };
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ext| ext == "html" || ext == "htm"));
    paths.sort();
    let read = |path| std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    paths.into_iter().take(20).filter_map(read).map(|page| ("given", page)).collect()
}

/// A list of products as shops write them: many attributes, little text, inline scripts.
fn shop() -> String {
    let mut page = String::from(
        "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Books - Shop</title>\
         <link rel=stylesheet href=/style.css><script>window.data = {\"page\": 1, \"list\": [1, 2, 3]};</script></head>\
         <body class=\"list page\"><nav><ul>",
    );
    for i in 0..60 {
        let _ = writeln!(
            page,
            "<li class=\"nav-item\"><a class=\"nav-link\" href=\"/category/{i}\">Category {i}</a></li>"
        );
    }
    page.push_str("</ul></nav><div id=\"main\" class=\"container main-content\">\n");
    for i in 0..900 {
        let _ = writeln!(
            page,
            "    <div class=\"product-card col-md-4\" data-id=\"{i}\" data-price=\"{}.99\">\n      \
             <a href=\"/book/{i}-the-title\" class=\"product-link\" title=\"The title of book {i}\">\
             <img class=\"cover lazy\" src=\"/covers/{i}.jpg\" alt=\"Cover of book {i}\" width=\"120\" height=\"180\"></a>\n      \
             <h3 class=\"product-title\"><a href=\"/book/{i}-the-title\">The title of book {i}</a></h3>\n      \
             <p class=\"product-author\">by <a href=\"/author/{}\">Author {}</a></p>\n      \
             <span class=\"price\"><del>{}.99 &euro;</del> <ins>{}.99 &euro;</ins></span>\n      \
             <!-- rating -->\n      <button type=\"button\" class=\"btn btn-primary add-to-cart\" data-sku=\"B{i}\">Add to cart</button>\n    </div>",
            i % 40 + 5,
            i % 70,
            i % 70,
            i % 40 + 8,
            i % 40 + 5,
        );
    }
    page.push_str("</div><footer><p>Imprint &amp; contact</p></footer></body></html>");
    page
}

/// Long text with few tags.
fn article() -> String {
    let mut page =
        String::from("<html><head><title>Essay</title></head><body><div class=article><h1>Essay</h1>\n");
    for i in 0..700 {
        let _ = writeln!(
            page,
            "<p>Paragraph {i} talks at some length about the sea, the old house and <em>the garden</em>, as people \
             did when letters were written by hand; it mentions <a href=\"/note/{i}\">a note</a>, quotes &ldquo;a \
             line or two&rdquo; and goes on until nobody remembers how it began. There is a second sentence, too, \
             because paragraphs of one sentence look hurried, and a third that ends it.</p>"
        );
    }
    page.push_str("</div></body></html>");
    page
}

/// A plain old table: short tags, hardly any text.
fn table() -> String {
    let mut page = String::from("<html><body bgcolor=#ffffff><table border=0 cellpadding=2>\n");
    for i in 0..2500 {
        let _ = writeln!(
            page,
            "<tr><td align=right>{i}</td><td><b>Name {i}</b></td><td><font size=2>{} kg</font></td><td nowrap>12.05.{}</td>\
             <td><a href=\"show.php?id={i}\">details</a></td></tr>",
            i * 7 % 90,
            1950 + i % 60
        );
    }
    page.push_str("</table></body></html>");
    page
}

/// The least that html5ever can be made to fill: nodes linked in one vector, nothing copied out.
struct Arena {
    nodes: RefCell<Vec<Bare>>,
}

struct Bare {
    parent: u32,
    first: u32,
    last: u32,
    previous: u32,
    next: u32,
    name: QualName,
    attrs: Vec<Attribute>,
    text: Option<StrTendril>,
}

const NONE: u32 = u32::MAX;

impl Arena {
    fn new() -> Self {
        let arena = Arena { nodes: RefCell::default() };
        arena.push(QualName::new(None, html5ever::ns!(), "".into()), Vec::new(), None);
        arena
    }

    fn push(&self, name: QualName, attrs: Vec<Attribute>, text: Option<StrTendril>) -> u32 {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Bare {
            parent: NONE,
            first: NONE,
            last: NONE,
            previous: NONE,
            next: NONE,
            name,
            attrs,
            text,
        });
        nodes.len() as u32 - 1
    }

    fn insert(&self, parent: u32, child: NodeOrText<u32>, next: u32) {
        let child = match child {
            NodeOrText::AppendNode(node) => {
                self.remove_from_parent(&node);
                node
            }
            NodeOrText::AppendText(text) => {
                let mut nodes = self.nodes.borrow_mut();
                let before =
                    if next == NONE { nodes[parent as usize].last } else { nodes[next as usize].previous };
                if before != NONE
                    && let Some(have) = &mut nodes[before as usize].text
                {
                    have.push_tendril(&text);
                    return;
                }
                drop(nodes);
                self.push(QualName::new(None, html5ever::ns!(), "".into()), Vec::new(), Some(text))
            }
        };
        let mut nodes = self.nodes.borrow_mut();
        let previous = if next == NONE { nodes[parent as usize].last } else { nodes[next as usize].previous };
        match previous {
            NONE => nodes[parent as usize].first = child,
            _ => nodes[previous as usize].next = child,
        }
        match next {
            NONE => nodes[parent as usize].last = child,
            _ => nodes[next as usize].previous = child,
        }
        let node = &mut nodes[child as usize];
        (node.parent, node.previous, node.next) = (parent, previous, next);
    }
}

impl TreeSink for Arena {
    type Handle = u32;
    type Output = Vec<Bare>;
    type ElemName<'a> = std::cell::Ref<'a, QualName>;

    fn finish(self) -> Vec<Bare> {
        self.nodes.into_inner()
    }
    fn parse_error(&self, _: Cow<'static, str>) {}
    fn get_document(&self) -> u32 {
        0
    }
    fn elem_name<'a>(&'a self, target: &'a u32) -> Self::ElemName<'a> {
        std::cell::Ref::map(self.nodes.borrow(), |nodes| &nodes[*target as usize].name)
    }
    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _: ElementFlags) -> u32 {
        self.push(name, attrs, None)
    }
    fn create_comment(&self, text: StrTendril) -> u32 {
        self.push(QualName::new(None, html5ever::ns!(), "".into()), Vec::new(), Some(text))
    }
    fn create_pi(&self, _: StrTendril, data: StrTendril) -> u32 {
        self.create_comment(data)
    }
    fn append(&self, parent: &u32, child: NodeOrText<u32>) {
        self.insert(*parent, child, NONE);
    }
    fn append_based_on_parent_node(&self, element: &u32, previous: &u32, child: NodeOrText<u32>) {
        let parent = self.nodes.borrow()[*element as usize].parent;
        match parent {
            NONE => self.append(previous, child),
            _ => self.insert(parent, child, *element),
        }
    }
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn get_template_contents(&self, target: &u32) -> u32 {
        *target
    }
    fn same_node(&self, x: &u32, y: &u32) -> bool {
        x == y
    }
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn append_before_sibling(&self, sibling: &u32, child: NodeOrText<u32>) {
        let parent = self.nodes.borrow()[*sibling as usize].parent;
        if parent != NONE {
            self.insert(parent, child, *sibling);
        }
    }
    fn add_attrs_if_missing(&self, target: &u32, attrs: Vec<Attribute>) {
        let mut nodes = self.nodes.borrow_mut();
        let have = &mut nodes[*target as usize].attrs;
        for attr in attrs {
            if have.iter().all(|old| old.name != attr.name) {
                have.push(attr);
            }
        }
    }
    fn remove_from_parent(&self, target: &u32) {
        let mut nodes = self.nodes.borrow_mut();
        let Bare { parent, previous, next, .. } = nodes[*target as usize];
        if parent == NONE {
            return;
        }
        match previous {
            NONE => nodes[parent as usize].first = next,
            _ => nodes[previous as usize].next = next,
        }
        match next {
            NONE => nodes[parent as usize].last = previous,
            _ => nodes[next as usize].previous = previous,
        }
        let node = &mut nodes[*target as usize];
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
    }
    fn reparent_children(&self, node: &u32, new_parent: &u32) {
        loop {
            let child = self.nodes.borrow()[*node as usize].first;
            if child == NONE {
                return;
            }
            self.insert(*new_parent, NodeOrText::AppendNode(child), NONE);
        }
    }
}
