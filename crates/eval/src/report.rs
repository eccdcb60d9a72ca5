//! Scores of many sites as a table for people and as JSON.

use crate::gold::Meta;
use crate::score::{Effort, Set, TargetScore, naming};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use unsite_learn::measures::Prf;
use unsite_learn::measures::effort::labelling_bits;

/// F1 from which a target counts as well served.
const WELL_SERVED: f64 = 0.9;
/// Width of the column of names in the table.
const NAME_WIDTH: usize = 32;
/// Longest text of an example in the table.
const EXAMPLE_WIDTH: usize = 70;

/// How much the table says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// A line for each site.
    Sites,
    /// Also a line for each target with the column that served it, and examples of what went wrong.
    Targets,
}

/// The scores of many sites under one set of measures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// What was measured.
    pub set: Set,
    /// The sites that have labels for it, in the order they were given.
    pub sites: Vec<SiteScore>,
    /// Means of each suite.
    pub suites: BTreeMap<String, Mean>,
    /// Means over all sites.
    pub mean: Mean,
}

/// The score of one site: the mean of its targets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SiteScore {
    /// The site.
    pub name: String,
    /// Its suite.
    pub suite: String,
    /// Means over the targets; zeros if the method failed.
    #[serde(flatten)]
    pub prf: Prf,
    /// Number of columns that were found.
    pub columns: usize,
    /// How long the method took.
    pub seconds: f64,
    /// Why the method failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What it costs a person to get at the labelled fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Its parts.
    pub targets: Vec<TargetScore>,
}

/// Means over sites.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Mean {
    /// Number of sites, failed ones included.
    pub sites: usize,
    /// Means of the sites' means; every site counts the same.
    #[serde(flatten)]
    pub prf: Prf,
    /// Share of the targets whose F1 is above .9.
    pub well_served: f64,
    /// Number of targets.
    pub targets: usize,
    /// What it costs a person to point at the right column: the mean of log2 of the number of columns.
    pub bits: f64,
    /// How long the method took on all sites together.
    pub seconds: f64,
    /// Means of the further numbers over the sites, a failed one counting 0.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub more: BTreeMap<&'static str, f64>,
}

impl Report {
    /// Computes the means.
    pub fn new(set: Set, sites: Vec<SiteScore>) -> Self {
        let mut by_suite: BTreeMap<String, Vec<&SiteScore>> = BTreeMap::new();
        for site in &sites {
            by_suite.entry(site.suite.clone()).or_default().push(site);
        }
        let suites = by_suite.into_iter().map(|(suite, sites)| (suite, Mean::of(&sites))).collect();
        let mean = Mean::of(&sites.iter().collect::<Vec<_>>());
        Report { set, sites, suites, mean }
    }

    /// A table, the means last.
    pub fn text(&self, detail: Detail) -> String {
        let mut out = String::new();
        let title = format!("{} by site", self.set);
        line(&mut out, format_args!("{title:NAME_WIDTH$}     P     R    F1  columns   seconds"));
        for site in &self.sites {
            site_line(&mut out, site);
            for target in site.targets.iter().filter(|_| detail == Detail::Targets) {
                target_lines(&mut out, target);
            }
        }
        if self.suites.len() > 1 {
            for (suite, mean) in &self.suites {
                line(&mut out, format_args!("mean of {suite}: {}", mean_text(mean)));
            }
        }
        match self.sites.is_empty() {
            true => line(&mut out, format_args!("No site has labels for {}.", self.set)),
            false => line(&mut out, format_args!("MEAN {}: {}", self.set, mean_text(&self.mean))),
        }
        if let Some((named, all)) = self.named() {
            let share = named as f64 / all as f64;
            line(
                &mut out,
                format_args!(
                    "NAMED {}: {named} of {all} labelled facts called as on the page, {share:.3}",
                    self.set
                ),
            );
        }
        out
    }

    /// Where the labels are those of the pages: how many labelled facts have a column of that name, and how many a column.
    fn named(&self) -> Option<(usize, usize)> {
        let targets = self.sites.iter().flat_map(|site| &site.targets);
        Some(naming::named(targets)).filter(|(_, all)| *all > 0 && self.set == Set::Open)
    }

    /// The labelling effort by site, the mean last; nothing when the set has no fields.
    pub fn effort_text(&self) -> String {
        let known: Vec<(&str, Effort)> =
            self.sites.iter().filter_map(|site| Some((site.name.as_str(), site.effort?))).collect();
        if known.is_empty() {
            return String::new();
        }
        let mut out = String::new();
        let title = format!("effort for {}", self.set);
        line(
            &mut out,
            format_args!("{title:NAME_WIDTH$} fields  columns  columns/field   bits  type + field bits"),
        );
        let mean =
            |part: fn(&Effort) -> f64| known.iter().map(|(_, e)| part(e)).sum::<f64>() / known.len() as f64;
        for (name, effort) in &known {
            let Effort { fields, columns, pointed_at, bits, type_bits, field_bits } = effort;
            line(
                &mut out,
                format_args!(
                    "{name:NAME_WIDTH$} {fields:6} {columns:8} {pointed_at:14.2} {bits:6.2}  {type_bits:.2} + {field_bits:.2}"
                ),
            );
        }
        line(
            &mut out,
            format_args!(
                "MEAN effort for {}: {:.2} bits a field over {} sites, {:.2} columns a field; in two steps {:.2} + {:.2}",
                self.set,
                mean(|e| e.bits),
                known.len(),
                mean(|e| e.pointed_at),
                mean(|e| e.type_bits),
                mean(|e| e.field_bits)
            ),
        );
        out
    }

    /// Everything, as one JSON object.
    pub fn json(&self) -> serde_json::Value {
        let mut json = serde_json::json!(self);
        if let Some((named, all)) = self.named() {
            json["named"] = serde_json::json!({ "facts": all, "named": named });
        }
        json
    }
}

impl SiteScore {
    /// The score of a site from its targets.
    pub fn new(meta: &Meta, targets: Vec<TargetScore>, columns: usize, seconds: f64) -> Self {
        let prf = mean_prf(targets.iter().map(|target| target.prf));
        let (name, suite) = (meta.name.clone(), meta.suite.clone());
        SiteScore { name, suite, prf, columns, seconds, failure: None, effort: None, targets }
    }

    /// The score of a site where the method failed.
    pub fn failed(meta: &Meta, why: &str, seconds: f64) -> Self {
        SiteScore { failure: Some(why.to_string()), ..SiteScore::new(meta, Vec::new(), 0, seconds) }
    }
}

impl Mean {
    fn of(sites: &[&SiteScore]) -> Self {
        let targets: Vec<f64> =
            sites.iter().flat_map(|site| &site.targets).map(|target| target.prf.f1).collect();
        let worked: Vec<usize> =
            sites.iter().filter(|site| site.failure.is_none()).map(|site| site.columns).collect();
        let mut more: BTreeMap<&str, f64> = BTreeMap::new();
        for site in sites {
            for target in &site.targets {
                for (name, value) in &target.more {
                    *more.entry(name).or_default() += value / (site.targets.len() * sites.len()) as f64;
                }
            }
        }
        Mean {
            sites: sites.len(),
            prf: mean_prf(sites.iter().map(|site| site.prf)),
            well_served: targets.iter().filter(|f1| **f1 > WELL_SERVED).count() as f64
                / targets.len().max(1) as f64,
            targets: targets.len(),
            // An empty sum is -0, which would be printed with its sign; adding 0 takes it away.
            bits: (labelling_bits(worked.iter().copied()) + 0.0) / worked.len().max(1) as f64,
            seconds: sites.iter().map(|site| site.seconds).sum::<f64>() + 0.0,
            more,
        }
    }
}

fn mean_prf(scores: impl Iterator<Item = Prf>) -> Prf {
    let scores: Vec<Prf> = scores.collect();
    if scores.is_empty() { Prf::default() } else { Prf::mean(&scores) }
}

fn site_line(out: &mut String, site: &SiteScore) {
    let name = &site.name;
    if let Some(why) = &site.failure {
        return line(out, format_args!("{name:NAME_WIDTH$} FAILED, counts 0: {why}"));
    }
    let Prf { precision, recall, f1 } = site.prf;
    let mut text = format!(
        "{name:NAME_WIDTH$} {precision:.3} {recall:.3} {f1:.3} {:8} {:9.1}",
        site.columns, site.seconds
    );
    if let [only] = site.targets.as_slice() {
        let _ = write!(text, "  {}", said_about(only));
    }
    line(out, format_args!("{text}"));
}

fn target_lines(out: &mut String, target: &TargetScore) {
    let Prf { precision, recall, f1 } = target.prf;
    let (name, width) = (&target.name, NAME_WIDTH - 4);
    line(out, format_args!("    {name:width$} {precision:.3} {recall:.3} {f1:.3}  {}", said_about(target)));
    for miss in &target.misses {
        let page = &miss.page;
        line(
            out,
            format_args!("        {page}: expected {}, got {}", listed(&miss.expected), listed(&miss.got)),
        );
    }
}

fn said_about(target: &TargetScore) -> String {
    match &target.matched {
        Some(column) => column.clone(),
        None if target.note.is_empty() => "nothing found".to_string(),
        None => target.note.clone(),
    }
}

fn mean_text(mean: &Mean) -> String {
    let Prf { precision, recall, f1 } = mean.prf;
    let named = mean.more.get("names").map_or(String::new(), |share| format!("; {share:.3} of the names"));
    format!(
        "P {precision:.3} R {recall:.3} F1 {f1:.3} over {} sites; {:.3} of {} targets above {WELL_SERVED}; {:.2} bits a field; {:.1} s{named}",
        mean.sites, mean.well_served, mean.targets, mean.bits, mean.seconds
    )
}

fn listed(values: &[String]) -> String {
    if values.is_empty() {
        return "nothing".to_string();
    }
    let shown: Vec<String> = values
        .iter()
        .map(|value| {
            let flat = value.split_whitespace().collect::<Vec<_>>().join(" ");
            match flat.char_indices().nth(EXAMPLE_WIDTH) {
                Some((end, _)) => format!("\"{}...\"", &flat[..end]),
                None => format!("\"{flat}\""),
            }
        })
        .collect();
    shown.join(", ")
}

fn line(out: &mut String, text: std::fmt::Arguments) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GoldSite, Observed, Scorer};

    fn scored(suite: &str) -> SiteScore {
        let gold: String = (0..4)
            .map(|i| format!("{{\"file\":\"{i}.html\",\"fields\":{{\"title\":[\"T{i}\"]}}}}\n"))
            .collect();
        let meta = format!("{{\"name\":\"shop\",\"suite\":\"{suite}\"}}");
        let site = GoldSite::from_parts("x", meta.as_bytes(), gold.as_bytes()).unwrap();
        let mut found = Observed::default();
        for i in 0..3 {
            found.add_cell(&format!("{i}.html"), "t", &i.to_string(), "name", &format!("T{i}"));
        }
        found.add_cell("3.html", "t", "3", "name", "wrong");
        let targets = Scorer::new(&site.pages, &found).score(Set::Fields);
        SiteScore::new(&site.meta, targets, found.columns(), 0.0)
    }

    #[test]
    fn the_table_ends_with_the_means_and_shows_what_went_wrong() {
        let failed = SiteScore::failed(&Meta { name: "gone".into(), ..Meta::default() }, "no such file", 0.0);
        let report = Report::new(Set::Fields, vec![scored("one"), failed]);
        assert_eq!(report.mean.prf.f1, 0.375);
        assert_eq!((report.mean.sites, report.mean.targets, report.mean.bits), (2, 1, 0.0));
        let text = report.text(Detail::Targets);
        let want = "\
fields by site                       P     R    F1  columns   seconds
shop                             0.750 0.750 0.750        1       0.0  t.name
    title                        0.750 0.750 0.750  t.name
        3.html: expected \"T3\", got \"wrong\"
gone                             FAILED, counts 0: no such file
mean of : P 0.000 R 0.000 F1 0.000 over 1 sites; 0.000 of 0 targets above 0.9; 0.00 bits a field; 0.0 s
mean of one: P 0.750 R 0.750 F1 0.750 over 1 sites; 0.000 of 1 targets above 0.9; 0.00 bits a field; 0.0 s
MEAN fields: P 0.375 R 0.375 F1 0.375 over 2 sites; 0.000 of 1 targets above 0.9; 0.00 bits a field; 0.0 s
";
        assert_eq!(text, want);
        assert_eq!(report.text(Detail::Sites).lines().count(), 6);
    }

    #[test]
    fn json_has_the_same_numbers() {
        let json = Report::new(Set::MainText, vec![scored("one")]).json();
        assert_eq!(json["set"], "main-text");
        assert_eq!(json["mean"]["f1"], 0.75);
        assert_eq!(json["suites"]["one"]["sites"], 1);
        assert_eq!(json["sites"][0]["targets"][0]["matched"], "t.name");
        assert_eq!(json["sites"][0]["targets"][0]["misses"][0]["expected"][0], "T3");
    }

    #[test]
    fn nothing_measured_is_said() {
        assert!(
            Report::new(Set::Roles, Vec::new())
                .text(Detail::Sites)
                .ends_with("No site has labels for roles.\n")
        );
    }
}
