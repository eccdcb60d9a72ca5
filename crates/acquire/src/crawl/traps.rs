//! Places without end: calendars, sessions, facets, paths that lead into themselves.
//!
//! # What it does
//! A trap is an address space that grows without bringing anything. Pages are grouped by the shape of their address, at
//! four levels. A page *brings* something when it shows text or media that are new to the site, or leads to addresses
//! of another group that are not known yet. Addresses found only on pages without anything new are *doubtful*. When
//! doubtful pages of a group bring nothing, one after the other, the group is a trap, and its other doubtful addresses
//! are left alone: sooner the faster the group grows, and much later where pages lead nowhere, because these cannot go
//! on for ever by themselves.
//!
//! # Assumes
//! A page that names others shows something of them. So a thin page that a list, a sitemap or a feed of the site names
//! is never doubtful, however little it says itself.
//!
//! # When it fails
//! A trap that writes fresh words on every page is not recognised; limits on pages and depth are for that. Pages in a
//! chain, reached from one another alone, that differ in small numbers only are left after [`PATIENCE`] of them.
//!
//! # Paper
//! Our own; Koppula et al., "Learning URL patterns for webpage de-duplication" (WSDM 2010) has the idea of shapes.

use rustc_hash::{FxHashMap, FxHashSet};
use url::Url;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::page::ReadPage;
use crate::fetch::host_key;

/// Doubtful pages of one shape in a row that bring nothing, each of which leads to one more: sixty years of a calendar
/// by months.
pub const PATIENCE: u32 = 720;

/// What a page without anything new weighs when it leads to no other page of its group: it is not what makes a trap
/// grow, so that thousands of thin pages may follow one another.
const LEAF: u32 = 1;
/// ... when it leads to one more: a chain.
const LINK: u32 = 8;
/// ... when it leads to several, so that the group grows the faster the more of it is fetched: facets are over after
/// 120 pages.
const BRANCH: u32 = 48;

/// Pages of a group that showed nothing new, in a row, after which being led there is nothing new. A calendar has told the
/// names of all months after twelve pages; twice that.
const DOUBT: u32 = 24;

/// Wider groups are watched for longer, because they hold several others: addresses of one path with any parameters,
/// everything below one first folder, and all of a host, where every link of a site is another each time.
const LEVELS: [u32; 4] = [1, 2, 4, 16];

/// Groups that are watched; a site has dozens. Beyond it new ones are not.
const MOST_GROUPS: usize = 20_000;

/// Bits of the filter that knows what was shown: 4 MiB, whatever the site. With three million texts on it one new text
/// in a hundred is taken for a known one.
const FILTER_BITS: u64 = 1 << 25;

/// A segment longer than this is a token.
const LONGEST_WORD: usize = 24;

/// Watches for traps.
pub struct Traps {
    seen: Vec<u64>,
    groups: FxHashMap<String, Run>,
    found: FxHashSet<String>,
}

/// Doubtful pages of a group in a row.
#[derive(Default)]
struct Run {
    /// Those that showed nothing new, wherever they led: two groups must not vouch for each other for ever.
    pages: u32,
    /// Of those that brought nothing either.
    weight: u32,
}

impl Traps {
    /// Nothing seen yet, but for traps that are known from before.
    pub fn new(known: impl IntoIterator<Item = String>) -> Traps {
        let words = usize::try_from(FILTER_BITS / 64).unwrap_or_default();
        Traps { seen: vec![0; words], groups: FxHashMap::default(), found: known.into_iter().collect() }
    }

    /// Takes in what a page shows; whether anything of it is new to the site.
    pub fn shows_new(&mut self, url: &Url, page: &ReadPage) -> bool {
        // An address put together from parts of others, as facets are, makes nothing new of its own words and numbers.
        let mut recombined = true;
        for part in parts(url) {
            recombined &= !self.add(part);
        }
        let (mut new, mut new_beside_address) = (false, false);
        for text in &page.texts {
            new |= self.add(*text);
        }
        for text in &page.texts_beside_address {
            new_beside_address |= self.add(*text);
        }
        if recombined { new_beside_address } else { new }
    }

    /// Takes in where a page led: `brought` are the addresses that nobody knew before. The group that turns out to be a
    /// trap, if one does.
    pub fn saw(&mut self, url: &Url, doubtful: bool, new: bool, brought: &[Url]) -> Option<String> {
        let brought: Vec<[String; 4]> = brought.iter().map(groups).collect();
        let mut trap = None;
        for (level, group) in groups(url).into_iter().enumerate() {
            let mut inside = 0;
            let mut outside = false;
            for target in brought.iter().map(|target| &target[level]) {
                inside += usize::from(*target == group);
                outside |= *target != group && !self.is_doubted(target);
            }
            if new {
                self.groups.remove(&group);
                continue;
            }
            let room = self.groups.len() < MOST_GROUPS || self.groups.contains_key(&group);
            if !room || !doubtful && !outside {
                continue;
            }
            let run = self.groups.entry(group.clone()).or_default();
            run.pages += u32::from(doubtful);
            run.weight = match inside {
                _ if outside => 0,
                0 => run.weight + LEAF,
                1 => run.weight + LINK,
                _ => run.weight + BRANCH,
            };
            if run.weight >= PATIENCE * LINK * LEVELS[level] && self.found.insert(group.clone()) {
                trap = trap.or(Some(group));
            }
        }
        trap
    }

    /// The trap that a doubtful address is in, if it is in one.
    pub fn holds(&self, url: &Url) -> Option<&str> {
        if self.found.is_empty() {
            return None;
        }
        groups(url).iter().find_map(|group| self.found.get(group)).map(String::as_str)
    }

    fn is_doubted(&self, group: &str) -> bool {
        self.groups.get(group).is_some_and(|run| run.pages >= DOUBT)
    }

    /// Puts something on the filter (Bloom, four bits each); whether it was not on it.
    fn add(&mut self, hash: u64) -> bool {
        let mut is_new = false;
        let step = (hash >> 32) | 1;
        for at in 0..4u64 {
            let bit = hash.wrapping_add(at.wrapping_mul(step)) % FILTER_BITS;
            let word = &mut self.seen[usize::try_from(bit / 64).unwrap_or_default()];
            is_new |= *word & 1 << (bit % 64) == 0;
            *word |= 1 << (bit % 64);
        }
        is_new
    }
}

/// The groups of an address from narrow to wide: its shape with the names of its parameters, such as
/// `a.test/calendar/*?month&year`, the same with any parameters, its first folder, and its host.
fn groups(url: &Url) -> [String; 4] {
    let mut path = host_key(url);
    let host = format!("{path}/**");
    let mut folder = path.clone();
    for (at, segment) in url.path_segments().into_iter().flatten().enumerate() {
        let is_any = segment.len() > LONGEST_WORD || segment.bytes().any(|byte| byte.is_ascii_digit());
        path.push('/');
        path.push_str(if is_any { "*" } else { segment });
        if at == 0 {
            folder.clone_from(&path);
        }
    }
    folder.push_str("/**");
    let any = format!("{path}?*");
    let Some(query) = url.query() else { return [path, any, folder, host] };
    let mut names: Vec<&str> =
        query.split('&').map(|pair| pair.split('=').next().unwrap_or_default()).collect();
    names.sort_unstable();
    names.dedup();
    [format!("{path}?{}", names.join("&")), any, folder, host]
}

/// What an address is put together from: the segments of its path, and its parameters with their values.
fn parts(url: &Url) -> impl Iterator<Item = u64> {
    let segments = url.path_segments().into_iter().flatten().filter(|segment| !segment.is_empty());
    let pairs = url.query().into_iter().flat_map(|query| query.split('&'));
    segments
        .map(|text| xxh3_64_with_seed(text.as_bytes(), 1))
        .chain(pairs.map(|text| xxh3_64(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn page(texts: &[u64]) -> ReadPage {
        let texts: Vec<u64> = texts.iter().map(|text| text.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        ReadPage { texts_beside_address: texts.clone(), texts, ..ReadPage::default() }
    }

    /// Visits pages one after the other, each found on the one before it; how many until there is a trap.
    fn chain(
        traps: &mut Traps,
        most: u64,
        visit: impl Fn(u64) -> (Url, ReadPage, Vec<Url>),
    ) -> Option<(u64, String)> {
        let mut doubtful = false;
        for number in 0..most {
            let (address, page, brought) = visit(number);
            let new = traps.shows_new(&address, &page);
            if let Some(trap) = traps.saw(&address, doubtful, new, &brought) {
                return Some((number, trap));
            }
            doubtful = !new;
        }
        None
    }

    fn month(number: u64) -> Url {
        url(&format!("http://a.test/calendar?m={number}"))
    }

    #[test]
    fn a_calendar_is_a_trap_after_sixty_years() {
        let mut traps = Traps::new([]);
        let (pages, trap) =
            chain(&mut traps, 5000, |m| (month(m), page(&[1, 2, 3 + m % 12]), vec![month(m + 1)])).unwrap();
        assert_eq!(trap, "a.test/calendar?m");
        assert!((720..760).contains(&pages), "{pages}");
        assert!(traps.holds(&month(7777)).is_some() && traps.holds(&url("http://a.test/tea?m=1")).is_none());
        assert!(Traps::new([trap]).holds(&month(1)).is_some());
    }

    #[test]
    fn rare_events_keep_a_calendar_open_whether_it_names_them_or_not() {
        let event = |m: u64| m % 300 == 299;
        let linked = chain(&mut Traps::new([]), 5000, |m| {
            let mut brought = vec![month(m + 1)];
            brought.extend(event(m).then(|| url(&format!("http://a.test/event/{m}"))));
            (month(m), page(&[1, 2, 3 + m % 12]), brought)
        });
        assert_eq!(linked, None);
        let told = chain(&mut Traps::new([]), 5000, |m| {
            (month(m), page(&[1, 2, if event(m) { 1000 + m } else { 3 }]), vec![month(m + 1)])
        });
        assert_eq!(told, None);
    }

    #[test]
    fn thin_pages_that_a_list_names_are_no_trap() {
        let mut traps = Traps::new([]);
        for number in 0..10_000u64 {
            let item = url(&format!("http://a.test/item/{number}"));
            let new = traps.shows_new(&item, &page(&[1, 2]));
            assert_eq!(traps.saw(&item, false, new, &[]), None, "{number}");
        }
    }

    #[test]
    fn leaves_are_given_more_time_than_chains_and_branches_less() {
        let item = |n: u64| url(&format!("http://a.test/item/{n}"));
        let grow = |branches: u64| {
            chain(&mut Traps::new([]), 20_000, |n| {
                (item(n), page(&[1]), (0..branches).map(|b| item(n * 3 + b + 1)).collect())
            })
            .map(|(pages, _)| pages)
        };
        let (leaves, links, branches) = (grow(0).unwrap(), grow(1).unwrap(), grow(3).unwrap());
        assert!(
            leaves > 5000 && (700..760).contains(&links) && branches < 150,
            "{leaves} {links} {branches}"
        );
    }

    #[test]
    fn groups_do_not_vouch_for_each_other() {
        let mut traps = Traps::new([]);
        let page_of = |group: u64, mark: u64| {
            url(&format!("http://a.test/{}?v={mark}", ["a", "b", "c"][group as usize]))
        };
        let ended = (0..10_000u64).find(|n| {
            let brought: Vec<Url> = (0..3).map(|group| page_of(group, n * 3 + group + 1)).collect();
            let address = page_of(n % 3, *n);
            let new = traps.shows_new(&address, &page(&[1]));
            traps.saw(&address, *n > 0, new, &brought).is_some()
        });
        assert!(ended.is_some_and(|pages| pages < 3000), "{ended:?}");
    }

    #[test]
    fn facets_as_paths_are_found_by_their_folder() {
        let words = ["red", "blue", "green", "large", "small", "cotton", "wool", "sale", "new", "old"];
        let facet = |n: u64| {
            let path: Vec<&str> = (0..4).map(|digit| words[(n / 10u64.pow(digit) % 10) as usize]).collect();
            url(&format!("http://a.test/shop/{}/", path.join("/")))
        };
        let found = chain(&mut Traps::new([]), 10_000, |n| {
            (facet(n), page(&[1, 2]), vec![facet(n + 1), facet(n + 2)])
        });
        let (pages, trap) = found.unwrap();
        assert_eq!(trap, "a.test/shop/**");
        assert!(pages < 700, "{pages}");
    }

    #[test]
    fn a_host_on_which_every_link_is_another_each_time_ends() {
        // Pages that lead to nothing of their own kind: none of them makes its group grow.
        let page_of =
            |kind: u64, mark: u64| url(&format!("http://a.test/{}?v={mark}", ["a", "b"][kind as usize]));
        let mut traps = Traps::new([]);
        let ended = (0..20_000u64).find(|n| {
            let brought = [page_of((n + 1) % 2, n * 2 + 1), page_of((n + 1) % 2, n * 2 + 2)];
            let address = page_of(n % 2, *n);
            let new = traps.shows_new(&address, &page(&[1]));
            traps.saw(&address, *n > 0, new, &brought).is_some()
        });
        assert!(ended.is_some_and(|pages| (1900..2000).contains(&pages)), "{ended:?}");
        assert!(traps.holds(&url("http://a.test/elsewhere")).is_some());
        assert!(traps.holds(&url("http://b.test/a?v=1")).is_none());
    }

    #[test]
    fn recombined_addresses_do_not_count_their_own_words() {
        let mut traps = Traps::new([]);
        let shows = |traps: &mut Traps, text: &str, own: u64| {
            let shown = ReadPage { texts: vec![own], texts_beside_address: vec![7], ..ReadPage::default() };
            traps.shows_new(&url(text), &shown)
        };
        assert!(shows(&mut traps, "http://a.test/shop?color=red", 100));
        assert!(shows(&mut traps, "http://a.test/shop?size=l", 101));
        assert!(!shows(&mut traps, "http://a.test/shop?color=red&size=l", 102));
        assert!(shows(&mut traps, "http://a.test/shop?color=blue&size=l", 103));
    }

    #[test]
    fn the_filter_forgets_nothing() {
        let mut traps = Traps::new([]);
        let line = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let new = (0..100_000).filter(|n| traps.add(line(*n))).count();
        assert!(new > 99_900, "{new}");
        assert_eq!((0..100_000).filter(|n| traps.add(line(*n))).count(), 0);
    }
}
