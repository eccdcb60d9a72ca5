//! Root-to-node paths, as strings for people and as hashes for everything else.

use std::fmt::Write;

use xxhash_rust::xxh3::xxh3_64;

use crate::text::{collapse, is_blank};
use crate::tree::{NodeId, Tree};

/// Steps of an ordinary path, and bytes of one: room that is made at once.
const PATH_STEPS: usize = 24;
const STEP_BYTES: usize = 8;

/// How much of each element a path tells.
///
/// The string of a text node's path is that of its parent element; its hash has one more step, `#text`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathStyle {
    /// Tag names alone: `html/body/div/p`.
    Tags,
    /// With id and class, as KeyClus writes them: `html/body[@class=dp]/div[@id=main]/h1`. The id comes
    /// first; classes keep their order, with one space between them.
    Attributes,
    /// With the place among the siblings of the same name, as THOR writes it: `html/body/table[3]`,
    /// 1-based and only where there are several. The hash of a text counts the texts beside it that are
    /// not blank, always.
    Indexed,
}

/// The hash of the empty path, which is the document's.
const ROOT: u64 = 0x9e37_79b9_7f4a_7c15;

impl Tree {
    /// The path from the root to `node`; empty for the document. Ids and classes are not escaped.
    ///
    /// Costs the depth, with [`PathStyle::Indexed`] the siblings of every ancestor too: for whole pages
    /// use [`Tree::path_hashes`] and spell out only what is shown to people.
    pub fn path(&self, node: NodeId, style: PathStyle) -> String {
        let mut steps: Vec<NodeId> = self.ancestors(node).filter(|&above| self.is_element(above)).collect();
        steps.reverse();
        if self.is_element(node) {
            steps.push(node);
        }
        let mut path = String::new();
        for (i, &step) in steps.iter().enumerate() {
            if i > 0 {
                path.push('/');
            }
            self.write_step(&mut path, step, style);
        }
        path
    }

    /// One 64-bit hash per node. Equal paths have equal hashes, on whatever page they stand.
    /// One pass in document order: linear in the nodes, however they are nested.
    pub fn path_hashes(&self, style: PathStyle) -> Vec<u64> {
        let text_step = xxh3_64(b"#text");
        let name_steps: Vec<u64> = self.names.iter().map(|name| xxh3_64(name.as_bytes())).collect();
        // Names beyond those a page may have are all one.
        let tag = |node: NodeId| name_steps.get(self.name_id(node) as usize).copied().unwrap_or(text_step);
        match style {
            PathStyle::Tags => self.fold_paths(tag),
            PathStyle::Attributes => {
                let (id, class) = (self.names.find("id"), self.names.find("class"));
                self.fold_paths(|node| {
                    let mut step = tag(node);
                    if let Some(id) = self.attr_by(node, id).map(collapse).filter(|id| !id.is_empty()) {
                        step = mix(step, xxh3_64(id.as_bytes()));
                    }
                    if let Some(class) = self.attr_by(node, class).map(collapse).filter(|c| !c.is_empty()) {
                        step = mix(step, !xxh3_64(class.as_bytes()));
                    }
                    step
                })
            }
            PathStyle::Indexed => {
                let places = self.sibling_places();
                self.fold_paths(|node| match places[node.index()] {
                    0 => tag(node),
                    place => mix(tag(node), u64::from(place)),
                })
            }
        }
    }

    /// Path hashes out of any description of a single node: the hash of a node is that of its parent
    /// mixed with `step(node)`. `step` is asked once for every node but the document, in document order.
    ///
    /// ```
    /// use unsite_dom::{Limits, Tree};
    /// let (tree, _) = Tree::parse(b"<p>one<p>two", None, &Limits::default());
    /// let depth_alone = tree.fold_paths(|_| 1);
    /// let paragraphs: Vec<_> = tree.elements("p").map(|p| depth_alone[p.index()]).collect();
    /// assert_eq!(paragraphs[0], paragraphs[1]);
    /// ```
    pub fn fold_paths(&self, mut step: impl FnMut(NodeId) -> u64) -> Vec<u64> {
        let mut hashes = Vec::with_capacity(self.len());
        for node in self.nodes() {
            let hash = match self.parent(node) {
                Some(parent) => mix(hashes[parent.index()], step(node)),
                None => ROOT,
            };
            hashes.push(hash);
        }
        hashes
    }

    /// For every element its 1-based place among the siblings of its name, or 0 where it is the only one;
    /// for every text its 1-based place among the texts beside it that are not blank, 0 for blank ones.
    pub fn sibling_places(&self) -> Vec<u32> {
        let mut places = vec![0u32; self.len()];
        let mut counts = vec![0u32; self.names.len() + 1];
        for parent in self.nodes() {
            let mut texts = 0;
            for child in self.children(parent).filter(|&child| self.is_text(child)) {
                if !is_blank(self.text(child)) {
                    texts += 1;
                    places[child.index()] = texts;
                }
            }
            self.count_elements(parent, &mut counts, |child, place| places[child.index()] = place);
        }
        places
    }

    /// Tells the place of each element below a parent among those of its name, 0 of the only one. `counts` are counters
    /// by name, used for one parent at a time and set back afterwards.
    fn count_elements(&self, parent: NodeId, counts: &mut [u32], mut tell: impl FnMut(NodeId, u32)) {
        let slot = |node: NodeId| (self.name_id(node) as usize).min(self.names.len());
        let elements = || self.children(parent).filter(|&child| self.is_element(child));
        for child in elements() {
            counts[slot(child)] += 1;
            tell(child, counts[slot(child)]);
        }
        // The first of its name sees how many there are; the others have a place in any case.
        for child in elements() {
            if std::mem::take(&mut counts[slot(child)]) == 1 {
                tell(child, 0);
            }
        }
    }

    /// Writes the [`PathStyle::Indexed`] paths of some nodes.
    pub fn indexed_paths(&self) -> IndexedPaths<'_> {
        IndexedPaths {
            tree: self,
            places: vec![0; self.len()],
            counts: vec![0; self.names.len() + 1],
            last: String::with_capacity(PATH_STEPS * STEP_BYTES),
            steps: Vec::with_capacity(PATH_STEPS),
            new: Vec::with_capacity(PATH_STEPS),
        }
    }

    fn write_step(&self, path: &mut String, element: NodeId, style: PathStyle) {
        path.push_str(self.name(element));
        match style {
            PathStyle::Tags => {}
            PathStyle::Attributes => {
                for name in ["id", "class"] {
                    if let Some(value) = self.attr(element, name).map(collapse).filter(|v| !v.is_empty()) {
                        let _ = write!(path, "[@{name}={value}]");
                    }
                }
            }
            PathStyle::Indexed => {
                let Some(parent) = self.parent(element) else { return };
                let same =
                    self.children(parent).filter(|&child| self.name_id(child) == self.name_id(element));
                let (mut place, mut all) = (0, 0);
                for sibling in same {
                    all += 1;
                    place += usize::from(sibling <= element);
                }
                if all > 1 {
                    let _ = write!(path, "[{place}]");
                }
            }
        }
    }
}

/// Writes [`PathStyle::Indexed`] paths: siblings are counted once, and only where a path leads.
///
/// ```
/// use unsite_dom::{Limits, Tree};
/// let (tree, _) = Tree::parse(b"<p>one<p>two", None, &Limits::default());
/// let mut paths = tree.indexed_paths();
/// let paragraphs: Vec<_> = tree.elements("p").map(|p| paths.of(p)).collect();
/// assert_eq!(paragraphs, ["html/body/p[1]", "html/body/p[2]"]);
/// ```
pub struct IndexedPaths<'t> {
    tree: &'t Tree,
    /// One more than the place; 0 where nobody has counted yet.
    places: Vec<u32>,
    counts: Vec<u32>,
    /// The last path, and its steps with where each ends: the next path mostly begins like it.
    last: String,
    steps: Vec<(NodeId, usize)>,
    /// The steps that a path has beyond that, lowest first.
    new: Vec<NodeId>,
}

impl IndexedPaths<'_> {
    /// The path of a node; that of a text is its element's.
    pub fn of(&mut self, node: NodeId) -> String {
        let tree = self.tree;
        // Nodes are numbered in document order: what the last path shares with this one holds the node.
        let holds = |above: NodeId| above == node || (above < node && node < tree.end(above));
        while self.steps.pop_if(|(step, _)| !holds(*step)).is_some() {}
        self.last.truncate(self.steps.last().map_or(0, |&(_, end)| end));
        let lowest = self.steps.last().map(|&(step, _)| step);
        let mut at = Some(node);
        while let Some(step) = at.filter(|&step| Some(step) != lowest) {
            if tree.is_element(step) {
                self.new.push(step);
            }
            at = tree.parent(step);
        }
        while let Some(step) = self.new.pop() {
            if !self.last.is_empty() {
                self.last.push('/');
            }
            self.last.push_str(tree.name(step));
            let place = self.place(step);
            if place > 0 {
                self.last.push('[');
                push_number(&mut self.last, place);
                self.last.push(']');
            }
            self.steps.push((step, self.last.len()));
        }
        self.last.clone()
    }

    fn place(&mut self, element: NodeId) -> u32 {
        if self.places[element.index()] == 0 {
            self.places[element.index()] = 1;
            if let Some(parent) = self.tree.parent(element) {
                let places = &mut self.places;
                self.tree.count_elements(parent, &mut self.counts, |child, place| {
                    places[child.index()] = place + 1;
                });
            }
        }
        self.places[element.index()] - 1
    }
}

/// Joins two hashes so that order matters (the finalizer is that of splitmix64).
pub(crate) fn mix(above: u64, step: u64) -> u64 {
    let mut z = above.rotate_left(23).wrapping_add(step).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 30)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number in decimal, without the ways of formatting: every cell has a path.
fn push_number(to: &mut String, mut number: u32) {
    let mut digits = [0u8; 10];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    to.extend(digits[at..].iter().map(|&digit| char::from(digit)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn tree(html: &str) -> Tree {
        Tree::parse(html.as_bytes(), None, &Limits::default()).0
    }

    #[test]
    fn paths_one_after_the_other_are_those_written_alone() {
        let tree = tree("<div><p>1<b>2</b><p>3<ul><li><a>4</a><li>5</ul></div><div><p>6</div>text");
        let alone = |node: NodeId| tree.path(node, PathStyle::Indexed);
        let mut paths = tree.indexed_paths();
        let forth = tree.nodes();
        let back = (0..tree.len() as u32).rev().map(NodeId);
        let across = (0..tree.len() as u32).map(|at| NodeId(at * 7 % tree.len() as u32));
        for node in forth.chain(back).chain(across) {
            assert_eq!(paths.of(node), alone(node));
        }
    }

    #[test]
    fn three_ways_to_write_a_path() {
        let tree = tree("<body class=' dp  x'><div id=main><h1>A</h1></div><div><p>1<p>2</div>");
        let heading = tree.elements("h1").next().unwrap();
        assert_eq!(tree.path(heading, PathStyle::Tags), "html/body/div/h1");
        assert_eq!(tree.path(heading, PathStyle::Attributes), "html/body[@class=dp x]/div[@id=main]/h1");
        assert_eq!(tree.path(heading, PathStyle::Indexed), "html/body/div[1]/h1");
        let second = tree.elements("p").nth(1).unwrap();
        assert_eq!(tree.path(second, PathStyle::Indexed), "html/body/div[2]/p[2]");
        let text = tree.children(second).next().unwrap();
        assert_eq!(tree.path(text, PathStyle::Tags), "html/body/div/p");
        assert_eq!(tree.path(NodeId::DOCUMENT, PathStyle::Tags), "");
    }

    #[test]
    fn hashes_are_equal_exactly_where_paths_are_even_across_pages() {
        let pages = [
            tree("<div id=a><p class='x y'>1<p>2<b>3</b></div><table></table><table><tr><td>1<td>2</table>"),
            tree("<p>0</p><i>new names first</i><div id=a><p class='x  y'>1<p>2<b>3</b></div><div>4</div>"),
        ];
        for style in [PathStyle::Tags, PathStyle::Attributes, PathStyle::Indexed] {
            let mut seen: Vec<(String, u64)> = Vec::new();
            for page in &pages {
                let hashes = page.path_hashes(style);
                seen.extend(
                    page.nodes()
                        .filter(|&n| page.is_element(n))
                        .map(|n| (page.path(n, style), hashes[n.index()])),
                );
            }
            for (path, hash) in &seen {
                for (other_path, other_hash) in &seen {
                    assert_eq!(path == other_path, hash == other_hash, "{path} {other_path}");
                }
            }
        }
    }

    #[test]
    fn id_and_class_of_the_same_value_differ() {
        let tree = tree("<p id=a>1<p class=a>2");
        let hashes = tree.path_hashes(PathStyle::Attributes);
        let p: Vec<_> = tree.elements("p").map(|p| hashes[p.index()]).collect();
        assert_ne!(p[0], p[1]);
    }

    #[test]
    fn a_text_is_one_step_below_its_element_and_counted_when_indexed() {
        let tree = tree("<p>a<br>b<br> <br>c</p><p>d</p>");
        let texts: Vec<_> = tree.nodes().filter(|&n| tree.is_text(n)).collect();
        let tags = tree.path_hashes(PathStyle::Tags);
        assert_eq!(tags[texts[0].index()], tags[texts[1].index()]);
        assert_ne!(tags[texts[0].index()], tags[tree.elements("p").next().unwrap().index()]);
        let places = tree.sibling_places();
        let of_texts: Vec<_> = texts.iter().map(|t| places[t.index()]).collect();
        assert_eq!(of_texts, [1, 2, 0, 3, 1]);
    }

    #[test]
    fn a_million_children_are_hashed_in_one_pass() {
        let tree = tree(&"<p>".repeat(1_000_000));
        let hashes = tree.path_hashes(PathStyle::Indexed);
        assert_eq!(hashes.len(), tree.len());
        let last = NodeId(tree.len() as u32 - 1);
        assert_eq!(tree.path(last, PathStyle::Indexed), "html/body/p[1000000]");
    }
}
