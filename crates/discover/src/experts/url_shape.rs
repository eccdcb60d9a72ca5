//! Addresses as slots with values: what both address experts compare.

use rustc_hash::{FxHashMap, FxHashSet};
use unsite_dom::Url;
use unsite_learn::rng::Rng;

use super::page_view::{hash, mix};
use super::{Feature, Features, Weights};

/// Steps of a path that are looked at.
const MAX_STEPS: usize = 12;

/// A value on more than this share of the addresses that have its slot is a word of the site's routes; below, ever
/// more surely data.
const ROUTE_SHARE: f64 = 0.1;

/// What is left of the likeness after one slot with different route words.
const DIFFERENT_ROUTE: f64 = 0.08;

/// What is left after a slot with values that the same routes continue: tenants, languages, folders.
const DIFFERENT_FOLDER: f64 = 0.85;

/// What is left after a slot with values that all have pages of their own: they may be sections of one catalogue or
/// routes of a site that lists everything, so that the address says little.
const DIFFERENT_SECTION: f64 = 0.55;

/// A slot with at most so many values is one of route words; with twice as many, one of folders.
const FEW_ROUTES: f64 = 7.0;

/// Where at least this many values of a slot have pages of their own, they are sections of a catalogue: `/devel/` lists what is
/// below `/devel/`, while nothing stands at `/tag/`.
const FEWEST_SECTIONS: usize = 3;

/// What is left after a slot that only one address has.
const MISSING_SLOT: f64 = 0.25;

/// The same for the name of a parameter of a program that answers everything.
const MISSING_PARAMETER: f64 = 0.35;

/// What is left where two addresses of one route ask for it with other parameters, however many: filters, orders and
/// sessions make no other kind of page, forms and their answers often do.
const OTHER_OPTIONS: f64 = 0.65;

/// Two addresses are of one route when their steps leave at least this much: data differs, or a folder.
const SAME_ROUTE: f64 = 0.8;

/// A program answers everything when more than this share of a site's addresses have its path: then its parameters are the
/// routes.
const ANSWERS_EVERYTHING: f64 = 0.5;

/// A word belongs to the routes when it comes behind this many different beginnings, or in front of this many words.
const ROUTE_NEIGHBOURS: usize = 3;

/// Words that address a further page of the same list where a number follows, in languages whose sites we have seen.
pub(crate) const PAGERS: [&str; 14] = [
    "page",
    "paged",
    "p",
    "pg",
    "pageno",
    "page_no",
    "seite",
    "pagina",
    "start",
    "startwith",
    "@startwith",
    "offset",
    "from",
    "first",
];

/// What numbers are folded to, and what pages are sorted by inside a path: initials, digits of a hash.
const ANY: &str = "#";

/// Slots by number, kept in [`Feature::value`]; steps count from [`FIRST_STEP`].
const SITE: usize = 0;
const HOST: usize = 1;
const ENDING: usize = 2;
const PARAMETER: usize = 3;
/// The last step has a slot of its own: folders make paths longer, what a page is stands at the end.
const LAST_STEP: usize = 4;
const FIRST_STEP: usize = 5;
/// The values of each parameter have a slot of their own, by its name; so many that two names hardly share one, and few enough
/// for [`Feature::value`] to hold them exactly.
const FIRST_VALUE: usize = 1 << 10;
const VALUE_SLOTS: u64 = 1 << 23;

/// A parameter that more than this share of the addresses with parameters have belongs to the program that answers there, and
/// its values may name kinds of pages (`a=commit`); what fewer have narrows or orders (`sort`).
const OF_THE_PROGRAM: f64 = 0.5;

/// A kind of page has more pages than this, on the mean: words that were searched for come once, or with the few parts of their
/// answer.
const PAGES_OF_A_KIND: f64 = 4.0;

/// Kinds with a single page are rarer than this among the pages.
const RARE: f64 = 0.05;

/// The parts of an address: site and host, first word and ending of each step of the path, names and values of parameters.
/// Digits are folded, so that numbers and years are one value; pagers are left out. [`Feature::above`] is the word without
/// its slot.
pub(super) fn read(url: &str) -> Features {
    let Ok(url) = Url::parse(url) else { return Features::default() };
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let mut features = vec![part(SITE, site(host)), part(HOST, host)];
    let mut steps: Vec<&str> =
        url.path().split('/').filter(|step| !step.is_empty()).take(MAX_STEPS).collect();
    if let [.., word, number] = steps.as_slice()
        && PAGERS.contains(word)
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        steps.truncate(steps.len() - 2);
    }
    for (at, step) in steps.iter().enumerate() {
        let last = at + 1 == steps.len();
        let (stem, ending) =
            step.rsplit_once('.').filter(|(_, ending)| is_ending(ending)).unwrap_or((step, ""));
        let word = stem.split('.').find(|piece| !piece.is_empty()).unwrap_or(stem);
        let word = space(word).unwrap_or(word);
        let sorts = at > 0 && !last && word.len() == 1;
        let word = if sorts { ANY.to_owned() } else { fold(word) };
        features.push(part(if last { LAST_STEP } else { FIRST_STEP + at }, &word));
        if last && !ending.is_empty() {
            features.push(part(ENDING, &fold(ending)));
        }
    }
    for (name, value) in parameters(&url) {
        let name = part(PARAMETER, &name);
        let values = value_slot(&name);
        features.push(name);
        if !value.is_empty() {
            features.push(part(values, &value));
        }
    }
    Features::new(features)
}

/// The parameters of an address, each name once, folded; `;` parts them as `&` does.
fn parameters(url: &Url) -> Vec<(String, String)> {
    let pairs = url.query().unwrap_or_default().split(['&', ';']).filter(|pair| !pair.is_empty());
    let mut named: Vec<(String, String)> = pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .filter(|(name, value)| {
            let counts = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            !(counts && PAGERS.contains(&name.to_lowercase().as_str()))
        })
        .map(|(name, value)| (fold(name), fold(space(value).unwrap_or(value))))
        .take(MAX_STEPS)
        .collect();
    named.sort_unstable();
    named.dedup_by(|next, kept| next.0 == kept.0);
    named
}

/// The space that a name belongs to, where it says so: `Category:` of `Category:Players`, `huts:` of `huts:start`.
fn space(name: &str) -> Option<&str> {
    let at = name.find(':').map(|at| at + 1);
    let written = at.or_else(|| name.to_ascii_lowercase().find("%3a").map(|at| at + 3))?;
    (written < name.len()).then(|| &name[..written])
}

/// The slot of a parameter's values.
fn value_slot(name: &Feature) -> usize {
    FIRST_VALUE + (name.above % VALUE_SLOTS) as usize
}

/// Counts addresses with each value and with each slot, and marks the values that are folders: the same route words
/// come below them and below other values of their slot.
pub(super) fn weigh(pages: &[&Features]) -> Weights {
    let mut weights = Weights::counted(pages);
    let mut neighbours: FxHashMap<(u64, bool), FxHashSet<u64>> = FxHashMap::default();
    let paths: Vec<Vec<Feature>> = pages.iter().map(|page| steps(page)).collect();
    for (page, path) in pages.iter().zip(&paths) {
        for feature in page.iter() {
            *weights.of.entry(slot(feature)).or_default() += 1.0;
        }
        let mut before = 0;
        for pair in path.windows(2) {
            before = mix(before, pair[0].above);
            neighbours.entry((pair[1].above, false)).or_default().insert(before);
            neighbours.entry((pair[0].above, true)).or_default().insert(pair[1].above);
        }
    }
    for path in &paths {
        *weights.of.entry(program(path)).or_default() += 1.0 / pages.len() as f64;
    }
    let asking = pages.iter().filter(|page| page.iter().any(is_parameter)).count() as f64;
    let mut values: FxHashMap<usize, FxHashSet<u64>> = FxHashMap::default();
    for value in pages.iter().flat_map(|page| page.iter()).filter(|part| is_value(part)) {
        values.entry(value.value as usize).or_default().insert(value.key);
    }
    let names: FxHashMap<u64, Feature> = (pages.iter().flat_map(|page| page.iter()))
        .filter(|part| is_parameter(part))
        .map(|part| (part.key, *part))
        .collect();
    let mut naming_kinds: Vec<usize> = Vec::new();
    for name in names.values() {
        let count = weights.count(name.key);
        let kinds = values.get(&value_slot(name)).into_iter().flatten();
        let (mut all, mut single) = (0.0, 0.0);
        for &kind in kinds {
            all += 1.0;
            single += if weights.count(kind) < 2.0 { 1.0 } else { 0.0 };
        }
        let are_kinds = count >= PAGES_OF_A_KIND * all && single <= RARE * count;
        if count > OF_THE_PROGRAM * asking && are_kinds {
            naming_kinds.push(value_slot(name));
        }
    }
    naming_kinds.sort_unstable();
    // Where the values of one decide which parameters come with them, those of others are data.
    let deciding: Vec<usize> =
        naming_kinds.iter().copied().filter(|&values| decides_parameters(pages, values)).collect();
    for &values in if deciding.is_empty() { &naming_kinds } else { &deciding } {
        weights.of.insert(naming(values as f32), 1.0);
    }
    for values in deciding {
        weights.of.insert(surely_naming(values as f32), 1.0);
    }
    let mut recurring: FxHashMap<u64, u64> = FxHashMap::default();
    for feature in pages.iter().flat_map(|page| page.iter()) {
        // What ends a path is no folder; further pages of lists make data recur there.
        if feature.value != LAST_STEP as f32 && weights.count(feature.key) >= 2.0 {
            recurring.insert(feature.key, slot(feature));
        }
    }
    // Where the path of a page goes on elsewhere, its last word is a folder with a page of its own.
    let own_pages: FxHashSet<u64> = paths
        .iter()
        .filter_map(|path| Some(mix((FIRST_STEP + path.len() - 1) as u64, path.last()?.above)))
        .collect();
    let mut values_of: FxHashMap<u64, Vec<u64>> = FxHashMap::default();
    for (value, slot) in recurring {
        values_of.entry(slot).or_default().push(value);
    }
    for (slot, values) in values_of {
        let with_pages: Vec<u64> = values.iter().copied().filter(|value| own_pages.contains(value)).collect();
        weights.of.insert(variety(slot), values.len() as f64);
        if with_pages.len() >= FEWEST_SECTIONS {
            weights.of.extend(with_pages.into_iter().map(|value| (section(value), 1.0)));
        }
    }
    let digits = hash(&[ANY]);
    let is_route = |word: u64| {
        let many = |side| neighbours.get(&(word, side)).is_some_and(|words| words.len() >= ROUTE_NEIGHBOURS);
        word != digits && (many(false) || many(true))
    };
    let mut values_above: FxHashMap<(u64, u64), FxHashSet<u64>> = FxHashMap::default();
    for path in &paths {
        for (at, value) in path.iter().enumerate() {
            for below in path[at + 1..].iter().filter(|below| is_route(below.above)) {
                values_above.entry((slot(value), below.above)).or_default().insert(value.key);
            }
        }
    }
    for values in values_above.values().filter(|values| values.len() >= 2) {
        for &value in values {
            weights.of.insert(folder(value), 1.0);
        }
    }
    weights
}

/// Times that what comes with the values of a parameter is dealt to the pages at random: what goes together more than in all of
/// them does so by chance once in 21.
const DEALS: usize = 20;

/// More is decided than is left open.
const DECIDED: f64 = 0.5;

/// Do the values of a parameter decide which other parameters an address has? `a=tree` comes with a file, `a=log` with a page;
/// whichever project it is (`p=one`), all of them come. Measured as the uncertainty coefficient (Theil 1972).
fn decides_parameters(pages: &[&Features], values: usize) -> bool {
    let (mut kinds, mut company): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
    for page in pages {
        let Some(kind) = page.iter().find(|part| part.value == values as f32) else { continue };
        kinds.push(kind.key);
        company.push(page.iter().filter(|part| is_parameter(part)).fold(0, |all, name| mix(all, name.key)));
    }
    let (told, all) = (dependence(&kinds, &company), dependence(&company, &company));
    // The seed is arbitrary; it is fixed so that a site is always judged alike.
    let mut rng = Rng::new(7);
    let chance = (0..DEALS).map(|_| {
        rng.shuffle(&mut company);
        dependence(&kinds, &company)
    });
    told > DECIDED * all && told > chance.fold(0.0, f64::max)
}

/// How much two things depend on each other: their mutual information, times their number.
fn dependence(a: &[u64], b: &[u64]) -> f64 {
    let count = |values: &[u64]| {
        let mut counts: FxHashMap<u64, f64> = FxHashMap::default();
        values.iter().for_each(|&value| *counts.entry(value).or_default() += 1.0);
        counts
    };
    let (of_a, of_b) = (count(a), count(b));
    let pairs: Vec<(u64, u64)> = a.iter().copied().zip(b.iter().copied()).collect();
    let mut counts: FxHashMap<(u64, u64), f64> = FxHashMap::default();
    pairs.iter().for_each(|&pair| *counts.entry(pair).or_default() += 1.0);
    let all = pairs.len() as f64;
    let mut terms: Vec<f64> =
        counts.iter().map(|((a, b), n)| n * (n * all / (of_a[a] * of_b[b])).ln()).collect();
    // Sums depend on their order.
    terms.sort_by(f64::total_cmp);
    terms.into_iter().sum()
}

/// Product over the slots of either address: 1 for equal values and for values that are both data, less for route
/// words that differ.
pub(super) fn score(weights: &Weights, a: &Features, b: &Features) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let mut score = 1.0;
    let mut only_a: Vec<Feature> = Vec::new();
    let mut only_b: Vec<Feature> = Vec::new();
    a.beside(b, |x, y| match (x, y) {
        (Some(x), None) => only_a.push(*x),
        (None, Some(y)) => only_b.push(*y),
        _ => {}
    });
    let mut parameters = 1.0;
    let mut differ = false;
    for x in only_a {
        let same_slot = |y: &Feature| y.value == x.value && x.value != PARAMETER as f32;
        match only_b.iter().position(same_slot) {
            Some(at) if says_nothing(weights, &x) => {
                only_b.swap_remove(at);
            }
            Some(at) => score *= alike(weights, &x, &only_b.swap_remove(at)),
            // A parameter that only one address has is missed once, by its name.
            None if is_value(&x) => {}
            None if is_parameter(&x) => (parameters, differ) = (parameters * missing(weights, &x), true),
            None => score *= missing(weights, &x),
        }
    }
    for y in only_b.iter().filter(|y| !is_value(y)) {
        match is_parameter(y) {
            true => (parameters, differ) = (parameters * missing(weights, y), true),
            false => score *= missing(weights, y),
        }
    }
    if differ && score >= SAME_ROUTE && !parameters_are_routes(weights, a) {
        return Some(score * OTHER_OPTIONS);
    }
    Some(score * parameters)
}

/// Whether nothing but parameters says what an address is for.
fn parameters_are_routes(weights: &Weights, address: &Features) -> bool {
    let path = steps(address);
    path.is_empty() || weights.count(program(&path)) > ANSWERS_EVERYTHING
}

/// Marks the path of a program.
fn program(path: &[Feature]) -> u64 {
    path.iter().fold(5, |all, step| mix(all, step.key))
}

/// How alike two different values of one slot are.
fn alike(weights: &Weights, x: &Feature, y: &Feature) -> f64 {
    // However many sites there are: each has its own programs.
    if x.value == SITE as f32 {
        return DIFFERENT_ROUTE;
    }
    // A single address says nothing about its value, hence the 1.
    let most = (weights.count(x.key).max(weights.count(y.key)) - 1.0).max(0.0);
    let share = most / weights.count(slot(x)).max(2.0);
    let data = 1.0 - (share / ROUTE_SHARE).min(1.0);
    let folders = weights.count(folder(x.key)) > 0.0 && weights.count(folder(y.key)) > 0.0;
    let values = weights.count(variety(slot(x)));
    let least = if folders {
        DIFFERENT_FOLDER
    } else if weights.count(section(x.key)) > 0.0 && weights.count(section(y.key)) > 0.0 {
        DIFFERENT_SECTION
    } else if weights.count(surely_naming(x.value)) > 0.0 {
        DIFFERENT_ROUTE
    } else {
        let many = ((values - FEW_ROUTES) / FEW_ROUTES).clamp(0.0, 1.0);
        DIFFERENT_ROUTE + (DIFFERENT_FOLDER - DIFFERENT_ROUTE) * many
    };
    least + (1.0 - least) * data
}

/// What is left after a slot that only one address has.
fn missing(weights: &Weights, part: &Feature) -> f64 {
    if weights.count(folder(part.key)) > 0.0 {
        DIFFERENT_FOLDER
    } else if part.value == PARAMETER as f32 {
        MISSING_PARAMETER
    } else {
        MISSING_SLOT
    }
}

fn is_parameter(part: &Feature) -> bool {
    part.value == PARAMETER as f32
}

fn is_value(part: &Feature) -> bool {
    part.value >= FIRST_VALUE as f32
}

/// A value of a parameter that names no kind of page.
fn says_nothing(weights: &Weights, part: &Feature) -> bool {
    is_value(part) && weights.count(naming(part.value)) == 0.0
}

/// The steps of an address in order.
fn steps(page: &Features) -> Vec<Feature> {
    let mut steps: Vec<Feature> =
        page.iter().filter(|part| part.value >= LAST_STEP as f32 && !is_value(part)).copied().collect();
    steps.sort_by(|a, b| a.value.total_cmp(&b.value));
    if steps.first().is_some_and(|step| step.value == LAST_STEP as f32) {
        steps.rotate_left(1);
    }
    steps
}

fn slot(feature: &Feature) -> u64 {
    mix(1, feature.value as u64)
}

fn folder(value: u64) -> u64 {
    mix(2, value)
}

fn variety(slot: u64) -> u64 {
    mix(3, slot)
}

/// Marks a value as a section of a catalogue.
fn section(value: u64) -> u64 {
    mix(6, value)
}

/// Marks the slot of values that may name kinds of pages.
fn naming(values: f32) -> u64 {
    mix(4, values as u64)
}

/// Marks the slot of values that decide what else an address has.
fn surely_naming(values: f32) -> u64 {
    mix(7, values as u64)
}

fn part(slot: usize, value: &str) -> Feature {
    let word = hash(&[value]);
    Feature::new(mix(slot as u64, word), slot as f32).below(word)
}

/// What countries hand out names below.
const BELOW_COUNTRIES: [&str; 12] =
    ["ac", "co", "com", "edu", "go", "gov", "gob", "ne", "net", "nom", "or", "org"];

/// The part of a host name that one owner has: `example.org` of `shop.example.org`, `example.co.uk` of `www.example.co.uk`.
pub(crate) fn site(host: &str) -> &str {
    let is_address = host.starts_with('[') || host.bytes().all(|byte| byte == b'.' || byte.is_ascii_digit());
    if is_address {
        return host;
    }
    let mut dots = host.rmatch_indices('.').map(|(at, _)| at);
    let (Some(last), Some(second)) = (dots.next(), dots.next()) else { return host };
    let below_country = host.len() - last == 3 && BELOW_COUNTRIES.contains(&&host[second + 1..last]);
    match (below_country, dots.next()) {
        (false, _) => &host[second + 1..],
        (true, Some(third)) => &host[third + 1..],
        (true, None) => host,
    }
}

/// `html`, `aspx`, `php5`: not the end of a sentence that became an address.
fn is_ending(text: &str) -> bool {
    (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Runs of digits as `#`, letters in lower case.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_ascii_digit() {
            folded.extend(c.to_lowercase());
        } else if !folded.ends_with('#') {
            folded.push('#');
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_what_one_owner_has() {
        for (host, owned) in [
            ("shop.example.org", "example.org"),
            ("example.org", "example.org"),
            ("news.bbc.co.uk", "bbc.co.uk"),
            ("bbc.co.uk", "bbc.co.uk"),
            ("sport.abc.de", "abc.de"),
            ("de.wikipedia.org", "wikipedia.org"),
            ("localhost", "localhost"),
            ("127.0.0.1", "127.0.0.1"),
            ("[::1]", "[::1]"),
            ("", ""),
        ] {
            assert_eq!(site(host), owned, "{host}");
        }
    }

    #[test]
    fn parameters_are_parted_by_semicolons_and_page_numbers_are_left_out() {
        let read = |url: &str| parameters(&Url::parse(url).unwrap());
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            read("http://a.test/?p=x.git;a=commit;h=12ab"),
            [pair("a", "commit"), pair("h", "#ab"), pair("p", "x.git")]
        );
        assert_eq!(read("http://a.test/?p=3&tag=tea"), [pair("tag", "tea")]);
        assert_eq!(read("http://a.test/?flag&flag=1"), [pair("flag", "")]);
    }

    #[test]
    fn the_space_of_a_name_is_a_route() {
        assert_eq!(space("Category:Players"), Some("Category:"));
        assert_eq!(space("huts%3Astart"), Some("huts%3A"));
        assert_eq!((space("plain"), space("ends:")), (None, None));
        let url = |at: usize| match at % 2 {
            0 => format!("http://a.test/doku.php?id=huts:h{}", "x".repeat(at)),
            _ => format!("http://a.test/doku.php?id=routes:r{}", "y".repeat(at)),
        };
        let pages: Vec<Features> = (0..20).map(|at| read(&url(at))).collect();
        let weights = weigh(&pages.iter().collect::<Vec<_>>());
        assert!(score(&weights, &pages[0], &pages[1]).unwrap() < 0.2);
        assert_eq!(score(&weights, &pages[0], &pages[2]), Some(1.0));
    }

    #[test]
    fn the_value_of_a_parameter_that_all_addresses_have_can_name_the_kind_of_page() {
        let url = |at: usize| format!("http://a.test/?a={};h={at}", ["commit", "tree"][at % 2]);
        let pages: Vec<Features> = (0..20).map(|at| read(&url(at))).collect();
        let weights = weigh(&pages.iter().collect::<Vec<_>>());
        assert!(score(&weights, &pages[0], &pages[1]).unwrap() < 0.2);
        assert_eq!(score(&weights, &pages[0], &pages[2]), Some(1.0));
    }

    #[test]
    fn how_rows_are_ordered_and_whose_session_it_is_names_no_kind_of_page() {
        let order = |at: usize| ["", "&sort=name", "&sort=price", "&sort=age"][at % 4];
        let url = |at: usize| format!("http://a.test/list?kind={at}{}", order(at));
        let pages: Vec<Features> = (0..40).map(|at| read(&url(at))).collect();
        // Half of the addresses have the parameter at most: the others count as often.
        let all: Vec<&Features> = pages.iter().chain(pages.iter().step_by(4)).collect();
        let all: Vec<&Features> = all.iter().copied().chain(pages.iter().step_by(4)).collect();
        let weights = weigh(&all);
        assert_eq!(score(&weights, &pages[1], &pages[2]), Some(1.0));
        let pages: Vec<Features> = (0..40)
            .map(|at| read(&format!("http://a.test/item?session=x{at}y{at}z{}", at * 7 % 5)))
            .collect();
        let weights = weigh(&pages.iter().collect::<Vec<_>>());
        assert_eq!(score(&weights, &pages[1], &pages[2]), Some(1.0));
    }

    #[test]
    fn filters_of_one_route_make_no_other_kind_of_page() {
        let url = |at: usize| match at % 4 {
            0 | 3 => format!("http://a.test/ticket/{at}"),
            1 => format!("http://a.test/query?owner=u{at}&order=id"),
            _ => format!("http://a.test/query?status=open&group=g{at}"),
        };
        let pages: Vec<Features> = (0..30).map(|at| read(&url(at))).collect();
        let weights = weigh(&pages.iter().collect::<Vec<_>>());
        assert_eq!(score(&weights, &pages[1], &pages[2]), Some(OTHER_OPTIONS));
        assert!(score(&weights, &pages[0], &pages[1]).unwrap() < 0.2);
        // Where one path answers everything, nothing else says what a page is.
        let url = |at: usize| format!("http://a.test/index.php?{}={at}", ["topic", "user"][at % 2]);
        let pages: Vec<Features> = (0..30).map(|at| read(&url(at))).collect();
        let weights = weigh(&pages.iter().collect::<Vec<_>>());
        assert!(score(&weights, &pages[0], &pages[1]).unwrap() < 0.2);
    }

    #[test]
    fn sites_have_their_own_routes_however_many_there_are() {
        let urls: Vec<String> = (0..40).map(|at| format!("http://s{at}.test/item/{at}")).collect();
        let pages: Vec<Features> = urls.iter().map(|url| read(url)).collect();
        let weights = weigh(&pages.iter().collect::<Vec<_>>());
        assert!(score(&weights, &pages[0], &pages[1]).unwrap() <= DIFFERENT_ROUTE);
        let urls: Vec<String> = (0..40).map(|at| format!("http://t{at}.host.test/item/{at}")).collect();
        let pages: Vec<Features> = urls.iter().map(|url| read(url)).collect();
        let weights = weigh(&pages.iter().collect::<Vec<_>>());
        assert!(score(&weights, &pages[0], &pages[1]).unwrap() > DIFFERENT_FOLDER);
    }
}
