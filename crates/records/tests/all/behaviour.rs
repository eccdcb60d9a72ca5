//! What must hold for any records.

use unsite_records::cluster::Decided;
use unsite_records::dedup::{DedupConfig, Method, Pairing, dedup, why_same};
use unsite_records::dirty::{DirtyConfig, Shape, generate};
use unsite_records::evaluate::{pair_completeness, pairwise};
use unsite_records::link::link;
use unsite_records::record::RecordSet;
use unsite_records::review::{Decision, Verdict, apply_decisions, review_table};

fn people(records: usize, noise: f64) -> (RecordSet, Vec<u32>) {
    generate(&DirtyConfig { records, noise, ..DirtyConfig::default() })
}

#[test]
fn dirty_duplicates_are_found_at_five_percent_noise() {
    for shape in [Shape::People, Shape::Books] {
        let (records, truth) =
            generate(&DirtyConfig { shape, records: 2_000, noise: 0.05, ..DirtyConfig::default() });
        for method in [Method::Unsupervised, Method::Pretrained] {
            let found = dedup(&records, &DedupConfig { method, ..DedupConfig::default() }).expect("it runs");
            let score = pairwise(&found.clusters, &truth);
            assert!(score.f1 >= 0.95, "{shape:?} {score:?}");
        }
        assert!(pair_completeness(&records, &DedupConfig::default(), &truth) >= 0.99);
    }
}

#[test]
fn heavy_noise_does_not_collapse() {
    let (records, truth) = people(2_000, 0.3);
    let score = pairwise(&dedup(&records, &DedupConfig::default()).expect("it runs").clusters, &truth);
    assert!(score.f1 >= 0.85, "{score:?}");
}

#[test]
fn threads_change_nothing() {
    let (records, _) = people(1_500, 0.1);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let found = dedup(&records, &DedupConfig::default()).expect("it runs");
            (found.clusters.clone(), found.model.to_json(), review_table(&records, &found, &[]))
        })
    };
    assert_eq!(run(1), run(8));
}

#[test]
fn decisions_are_obeyed() {
    let (records, truth) = people(400, 0.05);
    let (a, b) = pair(&truth, true);
    let (c, d) = pair(&truth, false);
    let decision = |x: u32, y: u32, verdict| Decision {
        id_a: records.id(x).into(),
        id_b: records.id(y).into(),
        verdict,
    };
    let decisions = [decision(a, b, Verdict::Different), decision(c, d, Verdict::Same)];
    let (decided, messages) = apply_decisions(&records, &decisions);
    assert!(messages.is_empty());
    let found = dedup(&records, &DedupConfig { decided, ..DedupConfig::default() }).expect("it runs");
    assert_ne!(found.clusters[a as usize], found.clusters[b as usize]);
    assert_eq!(found.clusters[c as usize], found.clusters[d as usize]);
    let table = review_table(&records, &found, &decisions);
    assert_eq!((table[1][2].as_str(), table[2][2].as_str()), ("different", "same"));
}

fn pair(truth: &[u32], same: bool) -> (u32, u32) {
    for a in 0..truth.len() {
        for b in 0..a {
            if (truth[a] == truth[b]) == same {
                return (b as u32, a as u32);
            }
        }
    }
    (0, 1)
}

#[test]
fn odd_sets_are_no_problem() {
    let config = DedupConfig::default();
    assert_eq!(dedup(&RecordSet::default(), &config).expect("empty").count, 0);
    let mut one = RecordSet::default();
    one.push_named("1", &[("a", "x")]);
    assert_eq!(dedup(&one, &config).expect("one").clusters, [0]);
    let mut blank = RecordSet::new(vec!["a".into()]);
    (0..50).for_each(|i| blank.push(i.to_string(), [None]));
    assert_eq!(dedup(&blank, &config).expect("blank").count, 50);
    let mut huge = RecordSet::new(vec!["a".into(), "b".into()]);
    for i in 0..4 {
        huge.push(i.to_string(), [Some("word ".repeat(220_000)), Some(format!("{i}\u{0}\u{202e}"))]);
    }
    assert_eq!(dedup(&huge, &config).expect("huge").clusters.len(), 4);
}

#[test]
fn many_equal_records_stay_near_linear() {
    let mut same = RecordSet::new(vec!["name".into(), "city".into()]);
    (0..3_000)
        .for_each(|i| same.push(i.to_string(), [Some("Ann Example".to_owned()), Some("Rome".to_owned())]));
    let found = dedup(&same, &DedupConfig::default()).expect("it runs");
    assert!(found.compared < 3_000 * 200, "{}", found.compared);
}

#[test]
fn two_sources_are_linked_one_to_one() {
    let (records, truth) = people(600, 0.05);
    // The first record of each person against the second one.
    let (mut first, mut second, mut seen) = (Vec::new(), Vec::new(), std::collections::BTreeMap::new());
    for (record, person) in truth.iter().enumerate() {
        let count = seen.entry(*person).or_insert(0);
        *count += 1;
        match *count {
            1 => first.push(record as u32),
            2 => second.push(record as u32),
            _ => {}
        }
    }
    let config = DedupConfig { pairing: Pairing::OneToOne, ..DedupConfig::default() };
    let linked = link(&records.select(&first, &[]), &records.select(&second, &[]), &config).expect("it runs");
    let right = linked
        .links
        .iter()
        .filter(|l| truth[first[l.a as usize] as usize] == truth[second[l.b as usize] as usize])
        .count();
    assert!(right as f64 >= 0.95 * second.len() as f64, "{right} of {}", second.len());
    assert!(right as f64 >= 0.95 * linked.links.len() as f64);
    let mut used: Vec<u32> = linked.links.iter().map(|l| l.a).collect();
    used.dedup();
    assert_eq!(used.len(), linked.links.len());
}

#[test]
fn the_evidence_sums_to_the_score() {
    let (records, _) = people(300, 0.05);
    let found = dedup(&records, &DedupConfig { decided: Decided::default(), ..DedupConfig::default() })
        .expect("it runs");
    let (sum, opinions) = why_same(&records, &DedupConfig::default(), &found.model, 0, 1);
    let total: f32 = opinions.iter().map(|o| o.log_odds).sum::<f32>() + found.model.bias as f32;
    assert!((sum - total).abs() < 1e-3);
    assert!(opinions.len() > 10);
}
