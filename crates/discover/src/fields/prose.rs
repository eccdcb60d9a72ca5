//! Running text: paragraphs and inline tags that are one value.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::{NodeId, Tree};
use unsite_wrapper::{TEXT_SIGNATURE, View};

use super::grow::Instance;
use super::labels::{Count, Labels, could_be_label, has_digit};
use super::siblings::{Member, by_parent};

/// Running text has at least this many characters on the mean: names, prices and labels are shorter.
const LONG: usize = 120;

/// Inline elements do not break a text.
const INLINE: [&str; 36] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong",
    "sub", "sup", "time", "tt", "u", "var", "wbr", "center",
];

/// Are these instances running text with inline markup? A text alone is not: it needs no regrouping.
pub(crate) fn is_prose(views: &[View], instances: &[Instance], members: &[(u64, Vec<Member>)]) -> bool {
    let mut pieces = 0usize;
    let mut characters = 0usize;
    let (mut broken, mut linked) = (0usize, 0usize);
    for instance in instances {
        let view = &views[instance.page as usize];
        let texts = view.texts_in(instance.node);
        if texts.is_empty() {
            continue;
        }
        pieces += 1;
        broken += usize::from(texts.len() > 1);
        characters += view.texts[texts].iter().map(|text| text.value.len()).sum::<usize>();
        for node in view.tree.descendants(instance.node) {
            if is_block(view.tree, node) {
                return false;
            }
            if view.tree.name(node) == "a" {
                linked += said(view, node);
            }
        }
    }
    let long = characters >= LONG * pieces && linked as f64 <= LINKS * characters as f64;
    is_varied(views, instances, members) && pieces > 0 && broken > 0 && long
}

/// Does nothing stand at the same place of these instances as a field does?
fn is_varied(views: &[View], instances: &[Instance], members: &[(u64, Vec<Member>)]) -> bool {
    let shown = members.iter().flat_map(|(_, group)| group).filter(|member| member.position == 0).count();
    members.iter().all(|(_, group)| {
        !is_anchored(views, group, instances.len()) && !opens_with_link(views, group, shown)
    })
}

/// A link that opens nearly all instances is what they are about: the title of a search hit. Sentences rarely begin so.
fn opens_with_link(views: &[View], group: &[Member], instances: usize) -> bool {
    let is_link = views[group[0].page as usize].tree.name(group[0].node) == "a";
    let opening = group.iter().filter(|member| member.position == 0).count();
    is_link && instances >= FEW_INSTANCES && opening as f64 >= OPENED * instances as f64
}

/// The share of instances that begin with a link where the link is a field, and how many instances show it.
const OPENED: f64 = 0.9;
const FEW_INSTANCES: usize = 4;

/// Inline elements that hold more than words of the text around them.
const OWN_VALUES: [&str; 5] = ["a", "br", "data", "img", "time"];

/// Are these instances short texts of which a few have words marked up inside? What is marked stands between other words;
/// a field that stands beside another one comes before or behind it.
pub(crate) fn is_phrase(views: &[View], instances: &[Instance]) -> bool {
    let (mut plain, mut marked, mut inside) = (0usize, 0usize, 0usize);
    for instance in instances {
        let Instance { page, node } = *instance;
        let view = &views[page as usize];
        let texts = view.texts_in(node).len();
        if texts < 2 {
            plain += texts;
            continue;
        }
        let tree = view.tree;
        let only_words = |below: NodeId| !is_block(tree, below) && !OWN_VALUES.contains(&tree.name(below));
        if !tree.descendants(node).all(only_words) {
            return false;
        }
        marked += 1;
        let mut ends = view.content_children(node);
        let first = ends.next().is_some_and(|child| tree.is_text(child));
        inside += usize::from(first && ends.last().is_some_and(|child| tree.is_text(child)));
    }
    marked > 0 && plain > marked && 2 * inside > marked
}

/// Are these instances texts with words marked in them, however short? What is marked stands amid words that differ.
pub(crate) fn is_marked_text(views: &[View], members: &[(u64, Vec<Member>)]) -> bool {
    let (texts, marked): (Vec<_>, Vec<_>) = members.iter().partition(|(kind, _)| *kind == TEXT_SIGNATURE);
    let only_words = |member: &Member| {
        let tree = views[member.page as usize].tree;
        let is_word = |node: NodeId| !is_block(tree, node) && !OWN_VALUES.contains(&tree.name(node));
        is_word(member.node) && tree.descendants(member.node).all(is_word)
    };
    let marked: Vec<Member> = marked.into_iter().flat_map(|(_, group)| group).copied().collect();
    !texts.is_empty() && !marked.is_empty() && marked.iter().all(only_words) && is_amid_words(views, &marked)
}

/// Is a single element of one kind all that these instances hold?
pub(crate) fn wraps_one(members: &[(u64, Vec<Member>)], instances: usize) -> bool {
    matches!(members, [(kind, only)]
        if *kind != TEXT_SIGNATURE && only.len() == instances && by_parent(only).len() == instances)
}

/// Elements that running text is made of, besides inline ones.
const FLOW: [&str; 14] =
    ["p", "ul", "ol", "li", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "figure", "figcaption", "hr"];

/// A kind of child that stands exactly once in this share of the instances is a field of its own.
pub(super) const ANCHORED: f64 = 0.5;

/// Instances whose markup is looked at.
const LOOKED_AT: usize = 50;

/// Text of which more than this share stands in links is a list of links.
const LINKS: f64 = 0.5;

/// Are these instances running text with paragraphs? `members` are their children by kind.
pub(crate) fn is_flow(views: &[View], instances: &[Instance], members: &[(u64, Vec<Member>)]) -> bool {
    if let [(_, items)] = members
        && are_names(views, items)
    {
        return false;
    }
    let (mut characters, mut linked, mut broken) = (0usize, 0usize, 0usize);
    let (mut items, mut records) = (0usize, 0usize);
    let every = instances.len().div_ceil(LOOKED_AT).max(1);
    let looked_at: Vec<&Instance> = instances.iter().step_by(every).collect();
    for instance in &looked_at {
        let view = &views[instance.page as usize];
        for node in view.tree.descendants(instance.node).filter(|&node| view.tree.is_element(node)) {
            let tag = view.tree.name(node);
            if !INLINE.contains(&tag) && !FLOW.contains(&tag) && view.has_content(node) {
                return false;
            }
            if is_marked_up(view.tree, node) || (tag == "li" && is_record(view, node)) {
                return false;
            }
            if tag == "a" {
                linked += said(view, node);
            }
            items += usize::from(tag == "li");
            records += usize::from(tag == "li" && is_in_parts(view, node));
        }
        let texts = view.texts_in(instance.node);
        broken += usize::from(texts.len() > 1);
        characters += view.texts[texts].iter().map(|text| text.value.len()).sum::<usize>();
    }
    let long = characters >= LONG * looked_at.len() && linked as f64 <= LINKS * characters as f64;
    long && is_varied(views, instances, members)
        && broken * 3 >= looked_at.len()
        && 2 * records <= items
        && !are_built_alike(views, &looked_at)
}

/// Items that are compared: of fewer, a few may say the same by chance.
const COMPARED: usize = 8;

/// Do most of the items of these instances say the same words beside others (`diff`, `posted by`)? Sentences do not; a template
/// does.
fn are_built_alike(views: &[View], instances: &[&Instance]) -> bool {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    let mut items = 0usize;
    for instance in instances {
        let view = &views[instance.page as usize];
        for item in view.tree.descendants(instance.node).filter(|&node| view.tree.name(node) == "li") {
            let mut texts: Vec<&str> = view.texts[view.texts_in(item)]
                .iter()
                .map(|text| text.value.as_ref())
                .filter(|text| text.contains(char::is_alphabetic))
                .collect();
            texts.sort_unstable();
            texts.dedup();
            if texts.len() > 1 {
                items += 1;
                texts.into_iter().for_each(|text| *counts.entry(text).or_default() += 1);
            }
        }
    }
    items >= COMPARED && counts.into_values().any(|count| 2 * count > items)
}

/// First texts of lines recur in this many elements before they are the template's.
const RECURRING: usize = 3;

/// Do most lines of these elements begin with a text of the template (`Born:` `1903`)? It stands once in each and recurs.
pub(crate) fn are_facts(views: &[View], group: &[Member]) -> bool {
    let every = group.len().div_ceil(LOOKED_AT).max(1);
    let mut firsts: Vec<&str> = Vec::new();
    let mut counts: FxHashMap<&str, Count> = FxHashMap::default();
    for (at, member) in (0u32..).zip(group.iter().step_by(every)) {
        let view = &views[member.page as usize];
        let lines = view.tree.descendants(member.node).filter(|&node| is_line(view.tree, node));
        let broken = lines.map(|line| &view.texts[view.texts_in(line)]).filter(|texts| texts.len() > 1);
        for first in broken.map(|texts| texts[0].value.as_ref()) {
            counts.entry(first).or_default().see(at);
            firsts.push(first);
        }
    }
    let is_label = |text: &&&str| {
        let count = &counts[**text];
        count.parents >= RECURRING && count.is_single() && could_be_label(text) && !has_digit(text)
    };
    firsts.len() >= COMPARED && 2 * firsts.iter().filter(is_label).count() > firsts.len()
}

/// A block with nothing but inline elements inside.
fn is_line(tree: &Tree, node: NodeId) -> bool {
    is_block(tree, node) && !tree.descendants(node).any(|below| is_block(tree, below))
}

/// Of the instances with any text, this share says something outside of blocks.
const BARE: f64 = 0.8;

/// Are these instances what readers of a site wrote: long texts with quotes, tables and whatever else in between? Markup of
/// the template stands in most instances; theirs does not, and most is said outside of it.
pub(crate) fn is_written(views: &[View], instances: &[Instance], members: &[(u64, Vec<Member>)]) -> bool {
    let has_text = |instance: &&Instance| !views[instance.page as usize].texts_in(instance.node).is_empty();
    let shown = instances.iter().filter(has_text).count();
    // What each instance says outside of blocks.
    let mut outside = vec![0usize; instances.len()];
    for (_, group) in members {
        let plain = group.iter().all(|member| is_plain(views[member.page as usize].tree, member.node));
        let flow = plain || FLOW.contains(&views[group[0].page as usize].tree.name(group[0].node));
        let of_template = if flow {
            is_anchored(views, group, instances.len())
        } else {
            by_parent(group).len() as f64 >= ANCHORED * shown as f64
        };
        if of_template || opens_with_link(views, group, shown) {
            return false;
        }
        for member in group.iter().filter(|_| plain) {
            outside[member.parent as usize] += said(&views[member.page as usize], member.node);
        }
    }
    let bare = outside.iter().filter(|&&said| said > 0).count();
    bare > 0 && bare as f64 >= BARE * shown as f64 && are_long(views, instances, &outside)
}

/// Is there much text in these instances, in several pieces, most of it outside of blocks in most of them, little of it in
/// links, and none of it marked up as fields?
fn are_long(views: &[View], instances: &[Instance], outside: &[usize]) -> bool {
    let (mut characters, mut linked, mut broken) = (0usize, 0usize, 0usize);
    let (mut shown, mut mostly_outside) = (0usize, 0usize);
    for (instance, outside) in instances.iter().zip(outside) {
        let view = &views[instance.page as usize];
        let all = said(view, instance.node);
        characters += all;
        shown += usize::from(all > 0);
        mostly_outside += usize::from(all > 0 && 2 * outside >= all);
        broken += usize::from(view.texts_in(instance.node).len() > 1);
        for node in view.tree.descendants(instance.node).filter(|&node| view.tree.is_element(node)) {
            if is_marked_up(view.tree, node) {
                return false;
            }
            if view.tree.name(node) == "a" {
                linked += said(view, node);
            }
        }
    }
    broken > 0
        && 2 * mostly_outside >= shown
        && characters >= PARAGRAPH * shown
        && linked as f64 <= LINKS * characters as f64
}

/// Does one of the labels stand outside of blocks?
pub(crate) fn has_bare_label(views: &[View], members: &[(u64, Vec<Member>)], labels: &Labels) -> bool {
    let is_label = |member: &Member| {
        let view = &views[member.page as usize];
        let mut texts = view.texts[view.texts_in(member.node)].iter();
        is_plain(view.tree, member.node) && texts.any(|text| labels.of(&text.value).is_some())
    };
    !labels.is_empty() && members.iter().flat_map(|(_, group)| group).any(is_label)
}

/// A text, an inline element or a paragraph, with nothing but inline elements inside.
fn is_plain(tree: &Tree, node: NodeId) -> bool {
    (!is_block(tree, node) || tree.name(node) == "p")
        && !tree.descendants(node).any(|below| is_block(tree, below))
}

/// How much a node says, in bytes.
fn said(view: &View, node: NodeId) -> usize {
    view.texts[view.texts_in(node)].iter().map(|text| text.value.len()).sum()
}

/// Microdata says that there are fields here.
fn is_marked_up(tree: &Tree, node: NodeId) -> bool {
    tree.attr(node, "itemprop").is_some() || tree.attr(node, "itemscope").is_some()
}

/// An item of a list with a heading or a picture of its own, or with several parts that the template names, is a record,
/// not a sentence.
fn is_record(view: &View, node: NodeId) -> bool {
    let named = view.content_children(node).filter(|&child| view.tree.attr(child, "class").is_some());
    named.take(2).count() == 2
        || view
            .content_children(node)
            .any(|child| matches!(view.tree.name(child), "h2" | "h3" | "h4" | "h5" | "h6" | "img"))
}

/// Does everything that an item says stand in elements of several kinds (a link, a span, a paragraph)? Between the marked
/// words of a sentence stand others.
fn is_in_parts(view: &View, item: NodeId) -> bool {
    let mut kinds: Vec<u64> = Vec::new();
    for child in view.content_children(item) {
        if view.tree.is_text(child) {
            return false;
        }
        kinds.push(view.signatures[child.index()]);
    }
    kinds.sort_unstable();
    kinds.dedup();
    kinds.len() > 1
}

/// A named child, or a heading, that stands once in most instances.
pub(crate) fn is_anchored(views: &[View], group: &[Member], instances: usize) -> bool {
    let tree = views[group[0].page as usize].tree;
    let named = ["class", "id", "itemprop"].iter().any(|name| tree.attr(group[0].node, name).is_some());
    let heading = matches!(tree.name(group[0].node), "h1" | "h2" | "h3" | "table" | "dl");
    let once = by_parent(group).iter().filter(|range| range.len() == 1).count();
    (named || heading) && once as f64 >= ANCHORED * instances as f64 && !is_amid_words(views, group)
}

/// Do these inline elements stand between words that differ from one to the next, as marked words of a sentence do? The words
/// around a field (`by`, `on`) are always the same.
fn is_amid_words(views: &[View], group: &[Member]) -> bool {
    let (mut amid, mut words) = (0usize, FxHashSet::default());
    for member in group {
        let view = &views[member.page as usize];
        let tree = view.tree;
        if is_block(tree, member.node) {
            return false;
        }
        let texts = view.texts_in(member.node);
        let beside = |at: Option<usize>| {
            let text = at.and_then(|at| view.texts.get(at))?;
            (tree.parent(text.node) == tree.parent(member.node)).then_some(text.value.as_ref())
        };
        if let (Some(before), Some(behind)) = (beside(texts.start.checked_sub(1)), beside(Some(texts.end))) {
            amid += 1;
            words.insert((before, behind));
        }
    }
    2 * amid > group.len() && 2 * words.len() > amid && words.len() >= FEW_INSTANCES
}

/// Paragraphs have at least this many characters on the mean; items of lists mostly have fewer.
const PARAGRAPH: usize = 80;

/// Of the paragraphs that are written as `div`, this share ends as sentences do.
const SENTENCES: f64 = 0.8;

/// Are these members the paragraphs of a running text? Templates that name everything write them as `div`; then they must be
/// long and end as sentences do, because rows are written so too.
pub(crate) fn are_paragraphs(views: &[View], group: &[Member]) -> bool {
    let (mut characters, mut linked, mut sentences, mut unnamed) = (0usize, 0usize, 0usize, 0usize);
    let every = group.len().div_ceil(LOOKED_AT).max(1);
    let looked_at: Vec<&Member> = group.iter().step_by(every).collect();
    for member in &looked_at {
        let view = &views[member.page as usize];
        match view.tree.name(member.node) {
            "p" => {}
            "div" => unnamed += 1,
            _ => return false,
        }
        for node in view.tree.descendants(member.node).filter(|&node| view.tree.is_element(node)) {
            if !INLINE.contains(&view.tree.name(node)) {
                return false;
            }
            if view.tree.name(node) == "a" {
                linked += said(view, node);
            }
        }
        let texts = &view.texts[view.texts_in(member.node)];
        characters += texts.iter().map(|text| text.value.len()).sum::<usize>();
        sentences += usize::from(texts.last().is_some_and(|text| ends_sentence(&text.value)));
    }
    let (least, sentences) = match unnamed {
        0 => (PARAGRAPH, true),
        _ => (LONG, sentences as f64 >= SENTENCES * looked_at.len() as f64),
    };
    sentences && characters >= least * looked_at.len() && linked as f64 <= LINKS * characters as f64
}

/// Are these the items of a list that says names, not sentences?
fn are_names(views: &[View], items: &[Member]) -> bool {
    let (mut characters, mut sentences) = (0usize, 0usize);
    for item in items {
        let view = &views[item.page as usize];
        let texts = &view.texts[view.texts_in(item.node)];
        if view.tree.name(item.node) != "li" || texts.len() != 1 {
            return false;
        }
        characters += texts[0].value.len();
        sentences += usize::from(ends_sentence(&texts[0].value));
    }
    characters < PARAGRAPH * items.len() && 2 * sentences < items.len()
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end_matches(['"', '\'', '”', '’', '“', '»', '«', '」', '』', ')', '）'])
        .ends_with(['.', '!', '?', '…', '。', '！', '？', ':', '：'])
}

/// Do these members say nearly all they say in links?
pub(crate) fn are_links(views: &[View], group: &[Member]) -> bool {
    let (mut characters, mut linked) = (0usize, 0usize);
    let every = group.len().div_ceil(LOOKED_AT).max(1);
    for member in group.iter().step_by(every) {
        let view = &views[member.page as usize];
        let links = view.tree.descendants(member.node).filter(|&node| view.tree.name(node) == "a");
        linked += links.map(|link| said(view, link)).sum::<usize>();
        characters += said(view, member.node);
    }
    linked as f64 > LINKS * characters as f64
}

/// Nearly every instance shows exactly one text: what is wrapped around it does not matter.
const SINGLE: f64 = 0.98;

/// Does each of these instances hold a single text?
pub(crate) fn is_single_text(views: &[View], instances: &[Instance]) -> bool {
    let (mut shown, mut single) = (0usize, 0usize);
    for instance in instances {
        let texts = views[instance.page as usize].texts_in(instance.node).len();
        shown += usize::from(texts > 0);
        single += usize::from(texts == 1);
    }
    shown > 0 && single as f64 >= SINGLE * shown as f64
}

fn is_block(tree: &Tree, node: NodeId) -> bool {
    tree.is_element(node) && !INLINE.contains(&tree.name(node))
}
