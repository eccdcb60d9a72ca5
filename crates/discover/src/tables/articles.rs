//! News as an application: the table `articles`, and which list pages lead to each article.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use unsite_dom::{PathStyle, Tree, Url, collapse};
use unsite_wrapper::{ColumnInfo, ListIndex, Read, TableInfo, ValueType, What, Wrapper, address_key};

use super::Looked;
use crate::naming::Namer;
use crate::regions::main_text;
use crate::site::Site;

/// Fewer pages are no table of articles.
const FEWEST: usize = 3;

/// A column is what it seems when this share of the pages agree.
const AGREE: f64 = 0.6;

/// Bytes of the average body; shorter texts are descriptions of things.
const LONG_BODY: f64 = 300.0;

/// So many facts with a label make a data sheet, not an article.
const DATA_SHEET: usize = 3;

/// Paths of links are those of lists of articles when this share of their links lead to articles.
const LEADS_TO_ARTICLES: f64 = 0.8;

/// Steps of a selector that tell what a value is.
const NEAR_STEPS: usize = 2;

/// What words authors are marked by, in names of classes and columns.
const AUTHOR_WORDS: [&str; 6] = ["author", "byline", "writer", "reporter", "creator", "作者"];

/// What words sections are marked by.
const SECTION_WORDS: [&str; 8] =
    ["categor", "cat_", "section", "topic", "rubri", "ressort", "channel", "栏目"];

/// Turns the page type whose pages read like articles into the table `articles`, if there is one.
///
/// # What it does
/// Among the types with the role of articles it looks for one whose pages have a title (the main heading), a long body (the
/// column that holds the page's main text), a date, and an author or a section (a link to an index page); the largest such type.
/// Its columns are called `title`, `author`, `date`, `body`, `section`, `image`; `url` is added. A table `article_lists` has a row
/// for each link from an index page or answer to an article.
/// # Assumes
/// Names of classes for authors; everything else is told by what stands where, in any language.
/// # When it fails
/// A body that fields cut into several columns. Sites with two kinds of articles: only the larger one gets the name.
/// # Paper
/// None; InfoDiscoverer's way from index pages to articles decides which links count as lists.
pub(crate) fn name_articles(site: &Site, type_of: &[usize], read: &[Vec<Looked<'_>>], wrapper: &mut Wrapper) {
    let mut best: Option<(usize, usize, Parts)> = None;
    for (at, read) in read.iter().enumerate() {
        let pages = wrapper.schema.page_types[at].pages;
        if wrapper.schema.page_types[at].role != "article" || pages < FEWEST {
            continue;
        }
        let Some(table) = wrapper.types[at].page_table else { continue };
        if best.as_ref().is_some_and(|(_, most, _)| *most >= pages) {
            continue;
        }
        if let Some(parts) = Parts::find(wrapper, table, read) {
            best = Some((at, pages, parts));
        }
    }
    if let Some((at, _, parts)) = best {
        rename(wrapper, at, &parts);
        list_articles(site, type_of, at, wrapper);
    }
}

/// Which column is which part of an article.
#[derive(Debug, Default)]
struct Parts {
    title: usize,
    body: usize,
    date: usize,
    author: Option<usize>,
    section: Option<usize>,
    image: Option<usize>,
}

impl Parts {
    fn find(wrapper: &Wrapper, table: usize, pages: &[Looked<'_>]) -> Option<Parts> {
        let columns = &wrapper.schema.tables[table].columns;
        if columns.iter().filter(|column| column.label.is_some()).count() >= DATA_SHEET {
            return None;
        }
        let headings = pages.par_iter().map(|page| headings(page.tree)).collect();
        let values = Values { table, pages, headings };
        let text = |at: usize| columns[at].value_type == ValueType::Text;
        let share = |at: usize, agrees: &dyn Fn(&Looked<'_>, &str) -> bool| values.share(at, agrees);
        let title = best((0..columns.len()).filter(|&at| text(at)), |at| values.title_share(at))?;
        let mains: Vec<String> = pages.par_iter().map(|page| squeezed(&main_text(page.tree))).collect();
        if mains.iter().map(String::len).sum::<usize>() as f64 / (mains.len().max(1) as f64) < LONG_BODY {
            return None;
        }
        let body = best((0..columns.len()).filter(|&at| text(at) && at != title), |at| {
            values.main_share(at, &mains)
        })?;
        // A machine's date (`datetime`) is surer than a printed one; of equals the first.
        let dates = (0..columns.len())
            .filter(|&at| columns[at].value_type.is_date() && share(at, &|_, _| true) >= AGREE);
        let date = dates.min_by_key(|&at| (!columns[at].selector.contains("@datetime"), at))?;
        let marked = |at: usize, words: &[&str]| {
            // The steps around the value; those above hold for the whole page.
            let near = columns[at].selector.rsplit(" > ").take(NEAR_STEPS).collect::<Vec<_>>().join(" ");
            let said = format!("{} {near}", columns[at].name).to_lowercase();
            words.iter().any(|word| said.contains(word))
        };
        // A part of the body is of the body.
        let of_body = |at: usize| columns[at].selector.starts_with(&columns[body].selector);
        let free =
            |at: &usize| text(*at) && *at != title && !of_body(*at) && share(*at, &|_, _| true) >= AGREE;
        let author = (0..columns.len())
            .filter(free)
            .find(|&at| marked(at, &AUTHOR_WORDS) || share(at, &is_meta_author) >= AGREE);
        let links_to_index = |at: usize| {
            let link = columns.iter().find(|link| link.name == format!("{}_url", columns[at].name));
            let target =
                link.and_then(|link| link.references).map(|target| wrapper.schema.tables[target].page_type);
            target.is_some_and(|target| wrapper.schema.page_types[target].role == "index")
        };
        let others = |at: &usize| free(at) && Some(*at) != author;
        let section = (0..columns.len())
            .filter(others)
            .find(|&at| marked(at, &SECTION_WORDS))
            .or_else(|| (0..columns.len()).filter(others).find(|&at| links_to_index(at)));
        let image = (0..columns.len()).find(|&at| {
            columns[at].value_type == ValueType::Image && !marked(at, &["avatar", "gravatar", "logo"])
        });
        (author.is_some() || section.is_some()).then_some(Parts { title, body, date, author, section, image })
    }
}

/// The values of the page's own table.
struct Values<'p, 'a> {
    table: usize,
    pages: &'p [Looked<'a>],
    /// What the main headings of each page say.
    headings: Vec<Vec<String>>,
}

impl Values<'_, '_> {
    fn of<'v>(&'v self, page: &'v Looked<'_>, column: usize) -> Option<&'v str> {
        let row = page.rows.first().filter(|row| row.table == self.table)?;
        row.cells.iter().find(|cell| cell.column == column).map(|cell| cell.value.as_str())
    }

    /// The share of the pages on which a column says what a main heading says.
    fn title_share(&self, column: usize) -> f64 {
        let pages = self.pages.iter().zip(&self.headings);
        let is_title = |(page, said): &(&Looked<'_>, &Vec<String>)| {
            self.of(page, column).is_some_and(|value| said.iter().any(|heading| heading == value))
        };
        pages.filter(is_title).count() as f64 / self.pages.len().max(1) as f64
    }

    /// The share of the pages on which a column has a value that agrees.
    fn share(&self, column: usize, agrees: &dyn Fn(&Looked<'_>, &str) -> bool) -> f64 {
        let right =
            self.pages.iter().filter(|page| self.of(page, column).is_some_and(|value| agrees(page, value)));
        right.count() as f64 / self.pages.len().max(1) as f64
    }

    /// How much of the main texts a column holds, and how little else.
    fn main_share(&self, column: usize, mains: &[String]) -> f64 {
        let overlap = |(page, main): (&Looked<'_>, &String)| {
            let value = squeezed(self.of(page, column).unwrap_or_default());
            let start: String = main.chars().take(20).collect();
            let same = !main.is_empty() && (value.contains(&start) || main.contains(&value));
            let (short, long) = (value.len().min(main.len()), value.len().max(main.len()).max(1));
            if same { short as f64 / long as f64 } else { 0.0 }
        };
        self.pages.iter().zip(mains).map(overlap).sum::<f64>() / self.pages.len().max(1) as f64
    }
}

/// The one with the greatest value, if that is large enough; of equals the first.
fn best(columns: impl Iterator<Item = usize>, value: impl Fn(usize) -> f64) -> Option<usize> {
    let measured: Vec<(usize, f64)> =
        columns.map(|at| (at, value(at))).filter(|(_, value)| *value >= AGREE).collect();
    measured.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| *at)
}

/// What the headings of the first order say; without any, those of the second.
fn headings(tree: &Tree) -> Vec<String> {
    let said = |name: &str| -> Vec<String> {
        tree.elements(name).map(|node| collapse(&tree.visible_text(node)).into_owned()).collect()
    };
    Some(said("h1")).filter(|said| !said.is_empty()).unwrap_or_else(|| said("h2"))
}

fn is_meta_author(page: &Looked<'_>, value: &str) -> bool {
    let tree = page.tree;
    tree.elements("meta").any(|meta| {
        tree.attr(meta, "name").is_some_and(|name| name.eq_ignore_ascii_case("author"))
            && tree.attr(meta, "content").is_some_and(|content| collapse(content) == value)
    })
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Gives the table and its columns their names and adds the address.
fn rename(wrapper: &mut Wrapper, at: usize, parts: &Parts) {
    let Some(table) = wrapper.types[at].page_table else { return };
    let old = wrapper.schema.tables[table].name.clone();
    let mut namer = Namer::default();
    let taken = namer.unique("articles");
    wrapper.schema.tables[table].name = taken;
    for (_, info) in wrapper.schema.tables.iter_mut().enumerate().filter(|(other, _)| *other != table) {
        let belongs = info
            .name
            .strip_prefix(&old)
            .filter(|_| info.parent == Some(table))
            .map(|rest| format!("article{rest}"));
        info.name = namer.unique(&belongs.unwrap_or_else(|| std::mem::take(&mut info.name)));
    }
    let named = [
        (Some(parts.title), "title"),
        (parts.author, "author"),
        (Some(parts.date), "date"),
        (Some(parts.body), "body"),
        (parts.section, "section"),
        (parts.image, "image"),
    ];
    let mut names = Namer::default();
    let columns = &mut wrapper.schema.tables[table].columns;
    for (_, name) in named {
        names.unique(name);
    }
    names.unique("url");
    for (at, column) in columns.iter_mut().enumerate() {
        column.name = match named.iter().find(|(part, _)| *part == Some(at)) {
            Some((_, name)) => (*name).to_owned(),
            None => names.unique(&column.name),
        };
    }
    for (_, name) in named.iter().filter(|(part, _)| part.is_none()) {
        let value_type = if *name == "image" { ValueType::Image } else { ValueType::Text };
        columns.push(ColumnInfo { name: (*name).into(), value_type, ..ColumnInfo::default() });
    }
    columns.push(ColumnInfo {
        name: "url".into(),
        value_type: ValueType::Url,
        selector: "the page's own address".into(),
        confidence: 1.0,
        coverage: 1.0,
        ..ColumnInfo::default()
    });
    let column = columns.len() - 1;
    if let Some(document) = wrapper.types[at].template.nodes.first_mut() {
        document.reads.push(Read { what: What::Address, table, column });
    }
}

/// Learns on which paths index pages list articles, and makes the table for it.
fn list_articles(site: &Site, type_of: &[usize], articles: usize, wrapper: &mut Wrapper) {
    let key = |url: &str| {
        let mut url = Url::parse(url).ok()?;
        url.set_fragment(None);
        Some(address_key(&url))
    };
    let known: FxHashMap<u64, bool> = site
        .pages
        .iter()
        .zip(type_of)
        .filter_map(|(page, &at)| Some((key(&page.raw.url)?, at == articles)))
        .collect();
    let mut counts: FxHashMap<u64, (usize, usize, String)> = FxHashMap::default();
    for (page, &at) in site.pages.iter().zip(type_of) {
        if !matches!(wrapper.schema.page_types[at].role.as_str(), "index" | "search") {
            continue;
        }
        let paths = page.tree.path_hashes(PathStyle::Tags);
        for link in page.tree.links(&page.raw.url).iter().filter(|link| link.web && !link.same_page) {
            let Some(mut url) = link.url.clone() else { continue };
            url.set_fragment(None);
            let target = address_key(&url);
            if wrapper.frame.binary_search(&target).is_err()
                && let Some(&is_article) = known.get(&target)
            {
                let written = || (0, 0, page.tree.path(link.node, PathStyle::Tags));
                let (into, all, _) = counts.entry(paths[link.node.index()]).or_insert_with(written);
                *into += usize::from(is_article);
                *all += 1;
            }
        }
    }
    let link_paths: Vec<(u64, String)> = counts
        .into_iter()
        .filter(|(_, (into, all, _))| *into as f64 >= LEADS_TO_ARTICLES * *all as f64)
        .map(|(path, (.., written))| (path, written))
        .collect();
    if link_paths.is_empty() {
        return;
    }
    let column = |name: &str, value_type, references| ColumnInfo {
        name: name.into(),
        value_type,
        references,
        confidence: 1.0,
        coverage: 1.0,
        ..ColumnInfo::default()
    };
    let mut namer = Namer::default();
    for table in &wrapper.schema.tables {
        namer.unique(&table.name);
    }
    wrapper.schema.tables.push(TableInfo {
        name: namer.unique("article_lists"),
        page_type: articles,
        columns: vec![
            column("article", ValueType::Url, wrapper.types[articles].page_table),
            column("list", ValueType::Url, None),
            column("text", ValueType::Text, None),
        ],
        ..TableInfo::default()
    });
    wrapper.lists = Some(ListIndex::new(wrapper.schema.tables.len() - 1, link_paths));
}
