//! Dirty duplicates with known truth: invented people, and records of them with mistakes.

use unsite_learn::rng::Rng;

use crate::record::RecordSet;

/// What the records are about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Shape {
    /// People: names, address, telephone number, date of birth.
    #[default]
    People,
    /// Books: title, authors, publisher, year, price, number.
    Books,
}

impl Shape {
    /// The fields of such records.
    pub fn fields(self) -> &'static [&'static str] {
        match self {
            Shape::People => &["given_name", "surname", "street", "city", "postcode", "phone", "born"],
            Shape::Books => &["title", "authors", "publisher", "year", "price", "isbn"],
        }
    }

    /// Pairs of fields that people mix up.
    fn swaps(self) -> &'static [(usize, usize)] {
        match self {
            Shape::People => &[(0, 1), (2, 3), (4, 5)],
            Shape::Books => &[(0, 1), (1, 2), (3, 4)],
        }
    }
}

/// What to generate.
#[derive(Debug, Clone, PartialEq)]
pub struct DirtyConfig {
    /// What the records are about.
    pub shape: Shape,
    /// Records in all.
    pub records: usize,
    /// Probability of each kind of mistake: for every value of a duplicate a typing slip, an abbreviation, a missing value;
    /// for every duplicate two values swapped between fields.
    pub noise: f64,
    /// Share of people who have more than one record.
    pub duplicated: f64,
    /// Records of one person at most.
    pub most: usize,
    /// Same seed, same records.
    pub seed: u64,
}

impl Default for DirtyConfig {
    fn default() -> DirtyConfig {
        DirtyConfig { shape: Shape::People, records: 1_000, noise: 0.05, duplicated: 0.4, most: 4, seed: 1 }
    }
}

/// Makes records and, for each, the number of the person it is about.
///
/// Names and places follow Zipf's law over invented words, so that common names collide as real ones do. The records come
/// in random order.
pub fn generate(config: &DirtyConfig) -> (RecordSet, Vec<u32>) {
    let rng = Rng::new(config.seed);
    let words = Words::new(&mut rng.fork(0));
    let mut rows: Vec<(u32, Vec<Option<String>>)> = Vec::with_capacity(config.records);
    let mut person = 0_u32;
    while rows.len() < config.records {
        let mut rng = rng.fork(u64::from(person) + 1);
        let original = words.thing(config.shape, &mut rng);
        let copies = if rng.chance(config.duplicated) { 1 + rng.below(config.most.max(2) - 1) } else { 0 };
        for copy in 0..=copies.min(config.records - rows.len() - 1) {
            let row = if copy == 0 { original.clone() } else { damaged(&original, config, &mut rng) };
            rows.push((person, row));
        }
        person += 1;
    }
    rng.fork(u64::MAX).shuffle(&mut rows);
    let mut set = RecordSet::new(config.shape.fields().iter().map(|f| (*f).to_owned()).collect());
    let mut truth = Vec::with_capacity(rows.len());
    for (number, (person, row)) in rows.into_iter().enumerate() {
        set.push(number.to_string(), row);
        truth.push(person);
    }
    (set, truth)
}

/// Pools of invented words.
struct Words {
    given: Vec<String>,
    surnames: Vec<String>,
    streets: Vec<String>,
    cities: Vec<String>,
}

impl Words {
    fn new(rng: &mut Rng) -> Words {
        let mut pool = |count: usize, fewest: usize, most: usize| -> Vec<String> {
            (0..count).map(|_| word(rng, fewest, most)).collect()
        };
        Words {
            given: pool(600, 2, 3),
            surnames: pool(8_000, 2, 4),
            streets: pool(4_000, 2, 3),
            cities: pool(800, 2, 3),
        }
    }

    fn thing(&self, shape: Shape, rng: &mut Rng) -> Vec<Option<String>> {
        match shape {
            Shape::People => self.person(rng),
            Shape::Books => self.book(rng),
        }
    }

    fn book(&self, rng: &mut Rng) -> Vec<Option<String>> {
        let mut words: Vec<String> = Vec::new();
        for _ in 0..3 + rng.below(6) {
            // Every third word is a small one, as in real titles.
            let small = rng.below(3) == 0 && !words.is_empty();
            words.push(if small {
                ["of", "the", "and", "in", "for", "a"][rng.below(6)].to_owned()
            } else {
                self.surnames[zipf(rng, self.surnames.len())].to_lowercase()
            });
        }
        let name = |rng: &mut Rng| {
            format!(
                "{} {}",
                self.given[zipf(rng, self.given.len())],
                self.surnames[zipf(rng, self.surnames.len())]
            )
        };
        let authors: Vec<String> = (0..1 + rng.below(3)).map(|_| name(rng)).collect();
        let values = [
            words.join(" "),
            authors.join(" and "),
            format!("{} Press", self.cities[zipf(rng, 60)]),
            format!("{}", 1950 + rng.below(70)),
            format!("${}.{:02}", 5 + rng.below(80), [0, 50, 95, 99][rng.below(4)]),
            format!("97{}-{:05}-{:04}", 8 + rng.below(2), rng.below(100_000), rng.below(10_000)),
        ];
        values.into_iter().map(Some).collect()
    }

    fn person(&self, rng: &mut Rng) -> Vec<Option<String>> {
        let kind = ["Street", "Road", "Avenue", "Lane", "Square"][rng.below(5)];
        let city = zipf(rng, self.cities.len());
        let values = [
            self.given[zipf(rng, self.given.len())].clone(),
            self.surnames[zipf(rng, self.surnames.len())].clone(),
            format!("{} {} {kind}", 1 + rng.below(300), self.streets[rng.below(self.streets.len())]),
            self.cities[city].clone(),
            format!("{:05}", 10_000 + (city * 97 + rng.below(60)) % 90_000),
            format!("0{} {:06}", 100 + rng.below(900), rng.below(1_000_000)),
            format!("{:04}-{:02}-{:02}", 1930 + rng.below(80), 1 + rng.below(12), 1 + rng.below(28)),
        ];
        values.into_iter().map(Some).collect()
    }
}

fn word(rng: &mut Rng, fewest: usize, most: usize) -> String {
    const STARTS: [&str; 24] = [
        "b", "br", "d", "dr", "f", "g", "gr", "h", "k", "kl", "l", "m", "n", "p", "pr", "r", "s", "st", "t",
        "tr", "v", "w", "z", "ch",
    ];
    const VOWELS: [&str; 9] = ["a", "e", "i", "o", "u", "ai", "ea", "ou", "ie"];
    const ENDS: [&str; 10] = ["", "", "n", "r", "l", "s", "m", "rd", "nd", "ck"];
    let mut out = String::new();
    for _ in 0..fewest + rng.below(most - fewest + 1) {
        out.push_str(STARTS[rng.below(STARTS.len())]);
        out.push_str(VOWELS[rng.below(VOWELS.len())]);
        out.push_str(ENDS[rng.below(ENDS.len())]);
    }
    let mut letters = out.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A rank with probability proportional to `1 / (rank + 10)`: the head is flattened as in real name lists.
fn zipf(rng: &mut Rng, count: usize) -> usize {
    let (low, high) = (10.0_f64.ln(), (count as f64 + 10.0).ln());
    ((low + rng.next_f64() * (high - low)).exp() - 10.0).clamp(0.0, count as f64 - 1.0) as usize
}

fn damaged(original: &[Option<String>], config: &DirtyConfig, rng: &mut Rng) -> Vec<Option<String>> {
    let noise = config.noise;
    let mut row: Vec<Option<String>> = original.to_vec();
    for value in &mut row {
        if let Some(text) = value {
            if rng.chance(noise) {
                *text = abbreviated(text);
            }
            if rng.chance(noise) {
                *text = slipped(text, rng);
            }
        }
        if rng.chance(noise) {
            *value = None;
        }
    }
    if rng.chance(noise) {
        let (a, b) = config.shape.swaps()[rng.below(config.shape.swaps().len())];
        row.swap(a, b);
    }
    row
}

/// The last word cut to its first letters: "Grove Street" to "Grove St", "Marie" to "M".
fn abbreviated(text: &str) -> String {
    match text.rsplit_once(' ') {
        Some((rest, last)) if last.chars().all(char::is_alphabetic) => {
            format!("{rest} {}.", last.chars().take(2).collect::<String>())
        }
        None if text.chars().all(char::is_alphabetic) => {
            format!("{}.", text.chars().take(1).collect::<String>())
        }
        _ => text.to_owned(),
    }
}

/// One typing slip: a letter left out, doubled, replaced or swapped with the next.
fn slipped(text: &str, rng: &mut Rng) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    if letters.is_empty() {
        return String::new();
    }
    let at = rng.below(letters.len());
    let digit = letters[at].is_ascii_digit();
    match rng.below(4) {
        0 => {
            letters.remove(at);
        }
        1 => letters.insert(at, letters[at]),
        2 => {
            letters[at] = if digit {
                (b'0' + rng.below(10) as u8) as char
            } else {
                (b'a' + rng.below(26) as u8) as char
            }
        }
        _ => {
            let next = (at + 1).min(letters.len() - 1);
            letters.swap(at, next);
        }
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_records() {
        let config = DirtyConfig { records: 300, noise: 0.2, ..DirtyConfig::default() };
        let (a, truth) = generate(&config);
        assert_eq!((a.clone(), truth.clone()), generate(&config));
        assert_eq!(a.len(), 300);
        assert_ne!(a, generate(&DirtyConfig { seed: 2, ..config }).0);
        let people = truth.iter().collect::<std::collections::BTreeSet<_>>().len();
        assert!((120..250).contains(&people), "{people}");
    }

    #[test]
    fn without_noise_copies_are_equal() {
        let (set, truth) = generate(&DirtyConfig { records: 200, noise: 0.0, ..DirtyConfig::default() });
        for a in 0..200 {
            for b in 0..a {
                if truth[a] == truth[b] {
                    assert!(set.row(a as u32).eq(set.row(b as u32)));
                }
            }
        }
    }
}
