//! Names that people would choose: from labels, class names and tags.

use unsite_wrapper::What;

use super::callings::Calling;
use super::grow::Grown;
use super::unlabelled::label_of;
use crate::naming::{singular, slug};

/// A label this many steps above a value still introduces it, whatever classes stand between.
const NEAR: usize = 3;

/// A text and the element around it.
const OWN: usize = 1;

/// What a column or table can be named after.
#[derive(Debug, Default)]
pub(crate) struct NameSource {
    /// The nearest label above or at the step, inside its list.
    pub(crate) label: Option<String>,
    /// It stands above the value's own element, and names all of a block.
    is_of_block: bool,
    /// The value is a link, or an element with one.
    is_link: bool,
    class: Option<String>,
    tag: String,
    /// What the page's own markup for machines calls it, or the type of a list's rows.
    property: Option<String>,
    /// For a list: the classes and ids of its rows and of what holds them.
    around: Vec<String>,
    suffix: &'static str,
    /// For a part of a text: the constant words beside it.
    part: Option<String>,
}

impl NameSource {
    /// Looks from the step upwards as far as its list (or the page) reaches.
    pub(crate) fn of(grown: &Grown, step: usize, what: Option<&What>) -> Self {
        let mut source = NameSource::default();
        let mut at = step;
        let mut height = 0;
        while at != 0 {
            let node = &grown.template.nodes[at];
            let own_row = grown.lists[at] && what.is_some();
            if source.tag.is_empty() {
                source.tag = grown.tags[at].clone();
            }
            // The label of a whole list names the list, and one far above names the block around.
            if source.label.is_none() && !own_row && (source.class.is_none() || height <= NEAR) {
                source.label.clone_from(&grown.label_of[at]);
                source.is_of_block = height > OWN;
            }
            let class = class_name(&node.step);
            if what.is_none() && height <= NEAR && (height == 0 || !grown.lists[at]) {
                source.around.extend(class.clone());
            }
            if source.class.is_none() {
                source.class = class;
            }
            if own_row {
                break;
            }
            at = node.parent;
            height += 1;
        }
        let whole = match what {
            Some(What::Part(whole, _) | What::Lead(whole)) => Some(&**whole),
            what => what,
        };
        if let Some(What::Head(name)) = whole {
            source.class =
                Some(if name == "title" { "page_title".to_owned() } else { format!("meta_{name}") });
        }
        if let Some(What::Data(path)) = whole {
            source.class = Some(data_name(path));
        }
        if let Some(What::Behind(behind)) = whole {
            source.label = Some(behind.landmark.clone()).filter(|landmark| !landmark.is_empty());
            source.tag.clone_from(&behind.tag);
        }
        match what {
            Some(What::Part(_, part)) if label_of(part).is_some() => {
                let words = label_of(part).filter(|label| label.chars().any(char::is_alphanumeric));
                source.label = source.label.or_else(|| words.map(str::to_owned));
            }
            Some(What::Part(_, part)) => source.part = part_name(&part.constants, part.index),
            _ => {}
        }
        let is_link = |at: usize| grown.tags[at] == "a";
        source.is_link = source.tag == "a"
            || grown.template.nodes[step].specs.iter().any(|spec| is_link(spec.node))
            || matches!(what, Some(What::Attribute(name)) if name == "href");
        source.suffix = match what {
            Some(What::Attribute(name)) => match name.as_str() {
                "href" => "_url",
                "src" => "_image",
                "alt" => "_alt",
                "title" => "_title",
                _ => "_value",
            },
            Some(What::Lead(_)) => "_lead",
            _ => "",
        };
        source
    }

    /// With what the page calls the values. The label of a row says less than the head of a column, and more than what
    /// happens to stand before.
    pub(super) fn called(mut self, calling: Option<&Calling>) -> Self {
        match calling {
            Some(Calling::Head(head)) => self.label = Some(head.clone()),
            Some(Calling::Before(text)) if self.label.is_none() => self.label = Some(text.clone()),
            Some(Calling::Property(name)) => self.property = Some(name.clone()),
            _ => {}
        }
        self
    }

    /// Without a label that is itself a way to another part of the site: in a trail each step stands behind another one, and a
    /// block may begin with one.
    pub(super) fn without_ways(mut self, is_way: impl Fn(&str) -> bool) -> Self {
        if self.is_of_block || self.is_link {
            self.label = self.label.filter(|label| !is_way(label));
        }
        self
    }

    pub(crate) fn column_name(&self) -> String {
        let stem = self
            .label
            .as_deref()
            .and_then(slug)
            .or_else(|| self.property.as_deref().and_then(slug))
            .or_else(|| self.class.as_deref().and_then(slug))
            .unwrap_or_else(|| tag_word(&self.tag).to_owned());
        if let Some(part) = &self.part {
            return format!("{stem}_{part}");
        }
        if stem.ends_with(self.suffix) { stem } else { format!("{stem}{}", self.suffix) }
    }

    /// The name of a list: what its heading and its markup agree on, else the type of its rows, its heading, or its class.
    pub(crate) fn table_name(&self) -> String {
        let heading = self.label.as_deref().and_then(slug);
        let property = self.property.as_deref().and_then(slug);
        let around: Vec<String> = self.around.iter().filter_map(|class| slug(class)).collect();
        let markup = around.iter().chain(&property);
        let said: Vec<String> = markup.flat_map(|name| name.split('_').map(singular)).collect();
        let agreed = heading.as_deref().and_then(|heading| {
            let both: Vec<&str> = heading.split('_').filter(|word| said.contains(&singular(word))).collect();
            (!both.is_empty()).then(|| both.join("_"))
        });
        // `review` in `reviews`, whatever language the heading is in.
        let many = around.split_first().and_then(|(row, above)| {
            let holds = |name: &&String| *name != row && singular(name) == singular(row);
            above.iter().any(|name| holds(&name)).then(|| row.clone())
        });
        // A sentence is no name, if there is another.
        let short = heading.clone().filter(|heading| heading.split('_').count() <= HEADING_WORDS);
        let class = self.class.as_deref().and_then(slug).map(|class| without_layout(&class).to_owned());
        agreed.or(many).or(property).or(short).or(class).or(heading).unwrap_or_else(|| "items".to_owned())
    }
}

/// More words are a sentence.
const HEADING_WORDS: usize = 2;

/// Words of class names that say how something is laid out.
const LAYOUT: [&str; 8] = ["list", "items", "row", "rows", "wrapper", "container", "box", "table"];

/// A class name without the words behind it that say how it is laid out: `related_list` holds what is related.
fn without_layout(class: &str) -> &str {
    match class.rsplit_once('_') {
        Some((name, last)) if LAYOUT.contains(&last) => without_layout(name),
        _ => class,
    }
}

/// The end of a path in data for machines, with what stands before it where it says little: `Book.offers.price` is a `price`,
/// `Book.author.name` an `author_name`.
fn data_name(path: &str) -> String {
    let parts: Vec<&str> = path.split('.').collect();
    match parts[..] {
        [_, .., above, last] if SAYS_LITTLE.contains(&last) => format!("{above}_{last}"),
        [_, .., last] => last.to_owned(),
        _ => path.to_owned(),
    }
}

/// Properties that every kind of thing has.
const SAYS_LITTLE: [&str; 6] = ["name", "url", "id", "value", "text", "type"];

/// Words of a constant that make a name.
const NAME_WORDS: usize = 3;

/// The last words before a part, or else the first ones after it.
fn part_name(constants: &[String], index: usize) -> Option<String> {
    let before = slug(&constants[index]);
    let after = slug(&constants[index + 1]);
    let before = before.map(|name| name.rsplit('_').take(NAME_WORDS).map(str::to_owned).collect::<Vec<_>>());
    let name = match (before, after) {
        (Some(mut words), _) => {
            words.reverse();
            words.join("_")
        }
        (None, Some(after)) => after.split('_').take(NAME_WORDS).collect::<Vec<_>>().join("_"),
        (None, None) => format!("part_{}", index + 1),
    };
    Some(name)
}

/// The last class or id in a step: the most special one people wrote.
fn class_name(step: &str) -> Option<String> {
    let names = step.split(['[', ':', '*']).next()?;
    let (_, last) = names.rsplit_once(['.', '#'])?;
    (!last.is_empty()).then(|| last.to_owned())
}

fn tag_word(tag: &str) -> &str {
    match tag {
        "a" => "link",
        "img" => "image",
        // What holds no longer.
        "s" | "strike" | "del" => "old",
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "title",
        "time" => "date",
        _ => "text",
    }
}
