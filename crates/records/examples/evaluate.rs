//! Prints the measured tables of the guide (docs/records.md).
//!
//! `cargo run --release -p unsite-records --example evaluate -- cora ../shared/data/dedup/cora.jsonl`
//! `cargo run --release -p unsite-records --example evaluate -- worth ../shared/data/dedup/cora.jsonl`
//! `cargo run --release -p unsite-records --example evaluate -- mistakes ../shared/data/dedup/cora.jsonl`
//! `cargo run --release -p unsite-records --example evaluate -- dirty`
//! `cargo run --release -p unsite-records --example evaluate -- scale 10000 100000 1000000`
//! `cargo run --release -p unsite-records --example evaluate -- people 1000000 > people.csv` writes the records of `scale`,
//! with the number of the person, for other programs (`scripts/peer_dedup.py`).
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a command, not the library"
)]

use std::collections::BTreeMap;
use std::time::Instant;

use unsite_learn::measures::Prf;
use unsite_records::cora::{Cora, Protocol};
use unsite_records::dedup::{Dedup, DedupConfig, Method, dedup};
use unsite_records::dirty::{DirtyConfig, Shape, generate};
use unsite_records::evaluate::pairwise;
use unsite_records::experts::{Panel, REGISTRY};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file = arguments.get(1).map_or("../shared/data/dedup/cora.jsonl", String::as_str);
    match arguments.first().map(String::as_str) {
        Some("cora") => cora(file),
        Some("worth") => worth(file, arguments.get(2..).unwrap_or_default()),
        Some("mistakes") => mistakes(file),
        Some("dirty") => dirty(),
        Some("scale") => scale(&arguments[1..]),
        Some("people") => people(arguments.get(1).map_or("1000", String::as_str)),
        _ => {
            Err("say cora [FILE], worth [FILE [EXPERT...]], mistakes [FILE], dirty, scale SIZE..., or people SIZE".into())
        }
    }
}

fn row(name: &str, score: &Prf, note: &str) {
    println!("| {name} | {:.4} | {:.4} | **{:.4}** | {note} |", score.precision, score.recall, score.f1);
}

fn cora(path: &str) -> Outcome {
    let cora = Cora::parse(&std::fs::read_to_string(path)?)?;
    let started = Instant::now();
    let papers = cora.unsupervised()?;
    println!("| Cora ({} citations) | P | R | F1 | |\n|---|---|---|---|---|", cora.records.len());
    row("papers, unsupervised", &papers, &format!("all citations, {:.1} s", started.elapsed().as_secs_f64()));
    row("papers, pre-trained defaults", &cora.pretrained()?, "all citations");
    let baseline = Panel::string_edit_baseline();
    for (protocol, note) in [(Protocol::Disjoint, "disjoint folds"), (Protocol::Sections, "sections")] {
        row("papers, trained", &cora.trained_papers(protocol, &Panel::All)?.pooled, note);
        row("papers, trained, string-edit baseline", &cora.trained_papers(protocol, &baseline)?.pooled, note);
        row("venues, trained, joint", &cora.joint_venues(protocol, &Panel::All)?.pooled, note);
        row("venues, trained, alone", &cora.trained_venues(protocol, &Panel::All)?.pooled, note);
        row(
            "venues, trained, alone, string-edit baseline",
            &cora.trained_venues(protocol, &baseline)?.pooled,
            note,
        );
    }
    Ok(())
}

/// What each expert is worth, by leaving it out; of all experts, or of those that are named.
fn worth(path: &str, named: &[String]) -> Outcome {
    let cora = Cora::parse(&std::fs::read_to_string(path)?)?;
    println!(
        "| without | papers, disjoint | papers, sections | venues joint, disjoint | venues joint, sections | papers, unsupervised |\n|---|---|---|---|---|---|"
    );
    let mut panels = vec![("(all experts)".to_owned(), Panel::All)];
    let wanted = REGISTRY.iter().filter(|e| named.is_empty() || named.iter().any(|n| n == e.name));
    panels.extend(wanted.map(|e| (e.name.to_owned(), Panel::Without(vec![e.name.to_owned()]))));
    for (name, panel) in panels {
        let config = DedupConfig { panel: panel.clone(), ..DedupConfig::default() };
        let unsupervised = pairwise(&dedup(&cora.records, &config)?.clusters, &cora.papers);
        println!(
            "| {name} | {:.4} | {:.4} | {:.4} | {:.4} | {:.4} |",
            cora.trained_papers(Protocol::Disjoint, &panel)?.pooled.f1,
            cora.trained_papers(Protocol::Sections, &panel)?.pooled.f1,
            cora.joint_venues(Protocol::Disjoint, &panel)?.pooled.f1,
            cora.joint_venues(Protocol::Sections, &panel)?.pooled.f1,
            unsupervised.f1,
        );
    }
    Ok(())
}

/// Which venues were taken for each other and which were torn apart, where it cost most.
fn mistakes(path: &str) -> Outcome {
    const SHOWN: usize = 14;
    let cora = Cora::parse(&std::fs::read_to_string(path)?)?;
    let venue = cora.records.require_field("venue")?;
    for protocol in [Protocol::Disjoint, Protocol::Sections] {
        for (name, found) in [
            ("joint", cora.joint_venues(protocol, &Panel::All)?),
            ("alone", cora.trained_venues(protocol, &Panel::All)?),
        ] {
            let folds: Vec<String> = found.folds.iter().map(|f| format!("{:.4}", f.f1)).collect();
            println!("\n{protocol:?} {name}: {:.4} (folds {})", found.pooled.f1, folds.join(", "));
            let fold_of = cora.folds(protocol);
            let mut cells: BTreeMap<(u32, &str, usize), Vec<u32>> = BTreeMap::new();
            for (record, cluster) in found.clusters.iter().enumerate() {
                let key = (*cluster, cora.venues[record].as_str(), fold_of[record]);
                cells.entry(key).or_default().push(record as u32);
            }
            let cells: Vec<_> = cells.into_iter().collect();
            let mut wrong: Vec<(usize, &str, u32, u32)> = Vec::new();
            for (i, ((cluster, label, fold), members)) in cells.iter().enumerate() {
                for ((other_cluster, other_label, other_fold), others) in &cells[i + 1..] {
                    let cost = members.len() * others.len();
                    if cluster == other_cluster {
                        wrong.push((cost, "merged", members[0], others[0]));
                    } else if label == other_label && fold == other_fold {
                        wrong.push((cost, "split ", members[0], others[0]));
                    }
                }
            }
            wrong.sort_by_key(|w| std::cmp::Reverse(w.0));
            let text = |r: u32| cora.records.value(r, venue).unwrap_or("-").to_owned();
            for (cost, kind, a, b) in wrong.into_iter().take(SHOWN) {
                println!("  {kind} {cost:6} pairs, fold {}: {} | {}", fold_of[a as usize], text(a), text(b));
            }
        }
    }
    Ok(())
}

fn dirty() -> Outcome {
    println!(
        "| 10,000 generated records | noise | unsupervised F1 | pre-trained F1 | pairs kept by blocking | estimated |"
    );
    println!("|---|---|---|---|---|---|");
    for (shape, name) in [(Shape::People, "people"), (Shape::Books, "books")] {
        for noise in [0.05, 0.1, 0.2, 0.3] {
            let config = DirtyConfig { shape, records: 10_000, noise, ..DirtyConfig::default() };
            let (records, truth) = generate(&config);
            let found = dedup(&records, &DedupConfig::default())?;
            let pretrained = DedupConfig { method: Method::Pretrained, ..DedupConfig::default() };
            let by_defaults = dedup(&records, &pretrained)?;
            println!(
                "| {name} | {:.0} % | {:.4} | {:.4} | {:.4} | {:.4} |",
                noise * 100.0,
                pairwise(&found.clusters, &truth).f1,
                pairwise(&by_defaults.clusters, &truth).f1,
                unsite_records::evaluate::pair_completeness(&records, &DedupConfig::default(), &truth),
                found.completeness,
            );
        }
    }
    Ok(())
}

fn scale(sizes: &[String]) -> Outcome {
    println!(
        "| records | pairs compared | F1 | seconds | CPU seconds | CPU microseconds a record | peak memory |\n|---|---|---|---|---|---|---|"
    );
    for size in sizes {
        let config = DirtyConfig { records: size.parse()?, ..DirtyConfig::default() };
        let (records, truth) = generate(&config);
        let (started, busy) = (Instant::now(), cpu_seconds());
        let found: Dedup = dedup(&records, &DedupConfig::default())?;
        let seconds = started.elapsed().as_secs_f64();
        println!(
            "| {} | {} | {:.4} | {seconds:.1} | {:.1} | {:.0} | {} |",
            records.len(),
            found.compared,
            pairwise(&found.clusters, &truth).f1,
            cpu_seconds() - busy,
            (cpu_seconds() - busy) * 1e6 / records.len() as f64,
            peak_memory(),
        );
    }
    Ok(())
}

fn people(size: &str) -> Outcome {
    let config = DirtyConfig { records: size.parse()?, ..DirtyConfig::default() };
    let (records, truth) = generate(&config);
    println!("unique_id,{},person", config.shape.fields().join(","));
    for (record, person) in truth.iter().enumerate() {
        let value = |field| records.value(record as u32, field).unwrap_or_default().replace('"', "\"\"");
        let values = (0..records.fields().len()).map(|field| format!("\"{}\"", value(field)));
        println!("{record},{},{person}", values.collect::<Vec<_>>().join(","));
    }
    Ok(())
}

/// Processor time of all threads, where the system says it: other work on the machine does not count.
fn cpu_seconds() -> f64 {
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or("");
    let ticks: f64 = after.split_whitespace().skip(11).take(2).filter_map(|t| t.parse::<f64>().ok()).sum();
    ticks / TICKS
}

/// The most memory this process has had, where the system says it.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.map_or_else(|| "?".to_owned(), |l| l.trim().to_owned())
}
