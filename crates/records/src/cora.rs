//! The Cora citations: reading them, and the measurements of the guide.

use unsite_learn::measures::Prf;

use crate::dedup::{DedupConfig, dedup};
use crate::evaluate::{CrossValidated, cross_validate, cross_validate_joint, folds, pairwise, sections};
use crate::experts::Panel;
use crate::kinds::{FieldKind, Schema};
use crate::model::TrainConfig;
use crate::record::{RecordSet, RecordsError};

/// Citations with both answers.
#[derive(Debug, Clone)]
pub struct Cora {
    /// The citations, without their answers.
    pub records: RecordSet,
    /// The paper of each.
    pub papers: Vec<String>,
    /// The venue of each.
    pub venues: Vec<String>,
}

/// How the three folds are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// No paper and no venue in two folds ([`folds`]).
    Disjoint,
    /// The three collections of the file ([`sections`]), no paper in two of them.
    Sections,
}

impl Cora {
    /// Reads JSON Lines with `id`, `cluster`, `venue_cluster` and text fields.
    pub fn parse(text: &str) -> Result<Cora, serde_json::Error> {
        let (mut papers, mut venues) = (Vec::new(), Vec::new());
        let mut records = RecordSet::default();
        for line in text.lines().filter(|l| !l.trim().is_empty()) {
            let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line)?;
            let text =
                |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let field = |name: &str| object.get(name).map(text).unwrap_or_default();
            papers.push(field("cluster"));
            venues.push(field("venue_cluster"));
            let named: Vec<(&str, String)> = object
                .iter()
                .filter(|(name, _)| !["id", "cluster", "venue_cluster"].contains(&name.as_str()))
                .map(|(name, value)| (name.as_str(), text(value)))
                .collect();
            let named: Vec<(&str, &str)> = named.iter().map(|(n, v)| (*n, v.as_str())).collect();
            records.push_named(field("id"), &named);
        }
        Ok(Cora { records, papers, venues })
    }

    /// Papers without labels: all citations, everything estimated from them.
    pub fn unsupervised(&self) -> Result<Prf, RecordsError> {
        Ok(pairwise(&dedup(&self.records, &DedupConfig::default())?.clusters, &self.papers))
    }

    /// Papers with the defaults that come with the program, which have never seen a citation.
    pub fn pretrained(&self) -> Result<Prf, RecordsError> {
        let config = DedupConfig { method: crate::dedup::Method::Pretrained, ..DedupConfig::default() };
        Ok(pairwise(&dedup(&self.records, &config)?.clusters, &self.papers))
    }

    /// Papers, trained on two folds and measured on the third.
    pub fn trained_papers(&self, protocol: Protocol, panel: &Panel) -> Result<CrossValidated, RecordsError> {
        self.trained(&self.papers, protocol, panel)
    }

    /// Venues by themselves, likewise.
    pub fn trained_venues(&self, protocol: Protocol, panel: &Panel) -> Result<CrossValidated, RecordsError> {
        self.trained(&self.venues, protocol, panel)
    }

    /// Venues with papers (`--joint`), likewise.
    pub fn joint_venues(&self, protocol: Protocol, panel: &Panel) -> Result<CrossValidated, RecordsError> {
        let papers = DedupConfig { panel: panel.clone(), ..DedupConfig::default() };
        let ignored = |name: &str| !name.starts_with("venue");
        let fields = self.records.fields().iter().filter(|f| ignored(f));
        let schema = Schema { kinds: fields.map(|f| (f.clone(), FieldKind::Ignored)).collect() };
        let venues = DedupConfig { schema: Some(schema), ..papers.clone() };
        cross_validate_joint(
            &self.records,
            &self.papers,
            &self.venues,
            &self.folds(protocol),
            &papers,
            &venues,
        )
    }

    fn trained(
        &self,
        truth: &[String],
        protocol: Protocol,
        panel: &Panel,
    ) -> Result<CrossValidated, RecordsError> {
        let config = DedupConfig { panel: panel.clone(), ..DedupConfig::default() };
        cross_validate(&self.records, truth, &self.folds(protocol), &config, &TrainConfig::default())
    }

    /// The fold of each citation.
    pub fn folds(&self, protocol: Protocol) -> Vec<usize> {
        match protocol {
            Protocol::Disjoint => folds(&[&self.papers, &self.venues], 3),
            Protocol::Sections => sections(&self.papers, 3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_kept_apart_from_the_records() {
        let text = "{\"id\": 7, \"cluster\": \"p\", \"venue_cluster\": 3, \"title\": \"T\"}\n\n{\"id\": 8, \"cluster\": \"p\", \"author\": \"A\"}\n";
        let cora = Cora::parse(text).expect("valid lines");
        assert_eq!(cora.records.fields(), ["title", "author"]);
        assert_eq!((cora.records.id(0), cora.papers[1].as_str(), cora.venues[0].as_str()), ("7", "p", "3"));
        assert!(Cora::parse("{").is_err());
    }
}
