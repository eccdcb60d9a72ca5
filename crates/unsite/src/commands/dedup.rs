//! `unsite dedup`: duplicates among records.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::json;
use unsite::Exit;
use unsite_records::canonical::{Survivorship, canonical};
use unsite_records::cluster::Decided;
use unsite_records::dedup::{Dedup, DedupConfig, Method, dedup, train};
use unsite_records::kinds::{FieldKind, Schema};
use unsite_records::model::{Model, TrainConfig};
use unsite_records::record::RecordSet;
use unsite_records::review::{apply_decisions, read_decisions, review_table};
use unsite_store::records_io::{
    RecordTable, read_records, read_text_table, write_rows, write_text, write_with_column,
};

use crate::cli::Global;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Records: .jsonl, .csv, .tsv, .parquet, or DATABASE.db:TABLE
    input: String,
    /// Every record with its cluster: .jsonl or .csv; beside it goes one record for each cluster (`.canonical`)
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Which value survives in a cluster's record: most-frequent, longest, most-complete, first
    #[arg(long, value_name = "RULE", default_value = "most-frequent", value_parser = survivorship)]
    survivor: Survivorship,
    /// Doubtful pairs for people to decide; decisions already in the file are obeyed
    #[arg(long, value_name = "FILE.csv")]
    review: Option<PathBuf>,
    /// Cluster a second thing that records mention, by these fields (papers and their `venue,venue_vol`)
    #[arg(long, value_name = "FIELDS", value_delimiter = ',')]
    joint: Vec<String>,
    #[command(flatten)]
    records: RecordArgs,
}

/// The field that holds the id of a record unless another is named.
const DEFAULT_ID: &str = "id";

/// How records are read and judged; shared by `dedup`, `link` and `why-same`.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Records")]
pub(crate) struct RecordArgs {
    /// The field with each record's id; without one, lines are numbered
    #[arg(long, value_name = "FIELD", default_value = DEFAULT_ID)]
    pub(crate) id: String,
    /// Fields that take no part; of two sources, fields of either
    #[arg(long, value_name = "FIELDS", value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,
    /// Kinds of fields, where the values mislead: `price=number,code=identifier`
    #[arg(long, value_name = "FIELD=KIND", value_delimiter = ',', value_parser = field_kind)]
    pub(crate) kind: Vec<(String, FieldKind)>,
    /// Use the built-in defaults instead of estimating from the records
    #[arg(long)]
    pub(crate) pretrained: bool,
    /// Learn from this field, which says what belongs together, then judge all records
    #[arg(long, value_name = "FIELD", conflicts_with = "pretrained")]
    pub(crate) train: Option<String>,
    /// Read a saved model
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["pretrained", "train"])]
    pub(crate) model: Option<PathBuf>,
    /// Save the model that was used
    #[arg(long, value_name = "FILE.json")]
    pub(crate) save_model: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let (table, records, mut messages) = args.records.read_one(&args.input)?;
    // A field that is not there is told before hours of comparing, not after.
    for name in &args.joint {
        records.require_field(name)?;
    }
    let mut config = args.records.config(&table, &records)?;
    let earlier = match args.review.as_deref().filter(|path| path.is_file()) {
        Some(path) => {
            let (decisions, odd) = read_decisions(&read_text_table(path)?);
            messages.extend(odd.into_iter().map(|m| m.text));
            decisions
        }
        None => Vec::new(),
    };
    let (decided, odd) = apply_decisions(&records, &earlier);
    messages.extend(odd.into_iter().map(|m| m.text));
    config.decided = decided;
    let found = dedup(&records, &config)?;
    messages.extend(found.messages.iter().map(|m| m.text.clone()));
    write_with_column(&args.output, &table, "cluster", &found.clusters)?;
    if !args.joint.is_empty() {
        joint(args, &records, &config, &found)?;
    }
    let summary = canonical_path(&args.output);
    write_rows(&summary, &rows_of(&canonical(&records, &found.clusters, args.survivor)))?;
    if let Some(path) = &args.review {
        write_rows(path, &review_table(&records, &found, &earlier))?;
    }
    args.records.save(&found.model)?;
    let partial = set_aside(&args.output, &table, &mut messages)?;
    report(&ui, &records, &found, &messages, &args.output)?;
    Ok(if partial { Exit::Partial } else { Exit::Done })
}

/// The clusters of what the records mention: papers are the groups whose venues are clustered.
fn joint(args: &Args, records: &RecordSet, config: &DedupConfig, found: &Dedup) -> Result<()> {
    let others = records.fields().iter().filter(|field| !args.joint.contains(field));
    let kinds = others.map(|field| (field.clone(), FieldKind::Ignored));
    let config = DedupConfig {
        schema: Some(Schema { kinds: kinds.chain(args.records.kind.iter().cloned()).collect() }),
        groups: Some(found.clusters.clone()),
        method: Method::Unsupervised,
        // What people decided is about the records, not about what they mention.
        decided: Decided::default(),
        ..config.clone()
    };
    let second = dedup(records, &config)?;
    let column = format!("{}_cluster", args.joint[0]);
    let written = read_records(&args.output.to_string_lossy())?;
    write_with_column(&args.output, &written, &column, &second.clusters)?;
    Ok(())
}

pub(crate) fn report(
    ui: &crate::ui::Ui,
    records: &RecordSet,
    found: &Dedup,
    messages: &[String],
    output: &Path,
) -> Result<()> {
    let kinds: serde_json::Map<String, serde_json::Value> =
        found.kinds.iter().map(|(name, kind)| (name.clone(), json!(kind.name()))).collect();
    if ui.json {
        ui.print_json(&json!({
            "records": records.len(), "clusters": found.count, "compared": found.compared,
            "pair_completeness": found.completeness, "doubtful": found.doubtful.len(), "kinds": kinds,
            "model": found.model.provenance, "messages": messages, "output": output.display().to_string(),
        }))?;
        return Ok(());
    }
    if ui.quiet {
        return Ok(());
    }
    let mut text = format!(
        "{} records are {} things ({} pairs compared; blocking kept about {:.1} % of the true pairs)\n",
        records.len(),
        found.count,
        found.compared,
        found.completeness * 100.0
    );
    let fields: Vec<String> =
        found.kinds.iter().map(|(name, kind)| format!("{name} {}", kind.name())).collect();
    text += &format!("fields: {}\nmodel: {}\n", fields.join(", "), found.model.provenance);
    for message in messages {
        text += &format!("note: {}\n", crate::ui::printable(message));
    }
    text += &format!("written to {}\n", output.display());
    ui.print(&text)?;
    Ok(())
}

/// Keeps what could not be read beside the output; says whether there was any.
pub(crate) fn set_aside(output: &Path, table: &RecordTable, messages: &mut Vec<String>) -> Result<bool> {
    if table.rejected.is_empty() {
        return Ok(false);
    }
    let path = PathBuf::from(format!("{}.rejected", output.display()));
    write_text(&path, &table.rejected)?;
    messages.push(format!("{} lines are no records; they are in {}", table.rejected.len(), path.display()));
    Ok(true)
}

pub(crate) fn rows_of(records: &RecordSet) -> Vec<Vec<String>> {
    let id_column = if records.field("id").is_some() { "record_id" } else { "id" };
    let mut rows =
        vec![[id_column.to_owned()].into_iter().chain(records.fields().iter().cloned()).collect::<Vec<_>>()];
    for record in 0..records.len() as u32 {
        let values = records.row(record).map(|v| v.unwrap_or("").to_owned());
        rows.push([records.id(record).to_owned()].into_iter().chain(values).collect());
    }
    rows
}

impl RecordArgs {
    /// Reads records that stand alone.
    pub(crate) fn read_one(&self, name: &str) -> Result<(RecordTable, RecordSet, Vec<String>)> {
        let table = read_records(name)?;
        self.known(&[&table])?;
        let address: Vec<String> = table.address.iter().cloned().collect();
        let (records, messages) = self.taking_part(name, &table, &address)?;
        Ok((table, records, messages))
    }

    /// Reads two sources. Addresses are compared where the sources share some: where both are of one site.
    pub(crate) fn read_both(&self, names: [&str; 2]) -> Result<[(RecordTable, RecordSet, Vec<String>); 2]> {
        let (first, second) = (read_records(names[0])?, read_records(names[1])?);
        self.known(&[&first, &second])?;
        let addresses = |table: &RecordTable| -> BTreeSet<String> {
            let at = table.fields.iter().position(|field| Some(field) == table.address.as_ref());
            at.map_or_else(BTreeSet::new, |at| {
                table.rows.iter().filter_map(|row| row.get(at)?.clone()).collect()
            })
        };
        let share = !addresses(&first).is_disjoint(&addresses(&second));
        let apart =
            |table: &RecordTable| table.address.iter().filter(|_| !share).cloned().collect::<Vec<_>>();
        let (records, messages) = self.taking_part(names[0], &first, &apart(&first))?;
        let (others, more) = self.taking_part(names[1], &second, &apart(&second))?;
        Ok([(first, records, messages), (second, others, more)])
    }

    /// A field to ignore that is nowhere is a slip.
    fn known(&self, tables: &[&RecordTable]) -> Result<()> {
        for name in &self.ignore {
            if !tables.iter().any(|table| table.fields.contains(name)) {
                let fields: Vec<String> = tables.iter().map(|table| table.fields.join(", ")).collect();
                bail!(
                    "there is no field {name:?} to ignore; the fields are {}",
                    fields.join("; of the other source ")
                );
            }
        }
        Ok(())
    }

    /// The records of a table. The answers of an earlier run (`cluster`, `..._cluster`) are never compared; what only says where
    /// a row stands is compared when `--kind` says what it is.
    fn taking_part(
        &self,
        name: &str,
        table: &RecordTable,
        addresses: &[String],
    ) -> Result<(RecordSet, Vec<String>)> {
        let mut messages = table.messages.clone();
        if table.rows.is_empty() {
            messages.push(format!("{name} holds no records"));
        }
        let answers: Vec<&String> =
            table.fields.iter().filter(|f| *f == "cluster" || f.ends_with("_cluster")).collect();
        if !answers.is_empty() {
            let names: Vec<&str> = answers.iter().map(|f| f.as_str()).collect();
            messages.push(format!("not compared, because it looks like an answer: {}", names.join(", ")));
        }
        let asked_for = |field: &String| self.kind.iter().any(|(name, _)| name == field);
        let places: Vec<&String> =
            table.places.iter().chain(addresses).filter(|&field| !asked_for(field)).collect();
        if !places.is_empty() {
            let names: Vec<&str> = places.iter().map(|f| f.as_str()).collect();
            messages.push(format!(
                "not compared, because it says where a row stands and not what it is: {}",
                names.join(", ")
            ));
        }
        let id = table.fields.iter().position(|f| *f == self.id);
        if id.is_none() && self.id != DEFAULT_ID && !table.rows.is_empty() {
            bail!("{name} has no field {:?} for --id; its fields are {}", self.id, table.fields.join(", "));
        }
        let taking_part: Vec<usize> = (0..table.fields.len())
            .filter(|&f| {
                let field = &table.fields[f];
                Some(f) != id
                    && !answers.contains(&field)
                    && !places.contains(&field)
                    && !self.ignore.contains(field)
            })
            .collect();
        let mut records = RecordSet::new(taking_part.iter().map(|&f| table.fields[f].clone()).collect());
        for (at, row) in table.rows.iter().enumerate() {
            let given = id.and_then(|f| row.get(f).cloned().flatten());
            let values = taking_part.iter().map(|&f| row.get(f).cloned().flatten());
            records.push(given.unwrap_or_else(|| (at + 1).to_string()), values);
        }
        messages.extend(records.make_ids_unique().map(|m| m.text));
        Ok((records, messages))
    }

    /// The configuration these flags ask for; trains when asked to.
    pub(crate) fn config(&self, table: &RecordTable, records: &RecordSet) -> Result<DedupConfig> {
        for (name, _) in &self.kind {
            records.require_field(name)?;
        }
        let mut config =
            DedupConfig { schema: Some(Schema { kinds: self.kind.clone() }), ..DedupConfig::default() };
        if self.pretrained {
            config.method = Method::Pretrained;
        }
        if let Some(path) = &self.model {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read the model {}", path.display()))?;
            let model = Model::from_json(&text).with_context(|| path.display().to_string())?;
            config.method = Method::Model(Box::new(model));
        }
        if let Some(label) = &self.train {
            let Some(at) = table.fields.iter().position(|f| f == label) else {
                bail!(
                    "there is no field {label:?} to learn from; the fields are {}",
                    table.fields.join(", ")
                );
            };
            let truth: Vec<Option<&String>> =
                table.rows.iter().map(|row| row.get(at).and_then(Option::as_ref)).collect();
            let kept: Vec<u32> = (0..records.len() as u32).collect();
            let records = records.select(&kept, &[label.as_str()]);
            config.method =
                Method::Model(Box::new(train(&records, &truth, &config, &TrainConfig::default())?));
            config.schema = Some(Schema {
                kinds: self.kind.iter().cloned().chain([(label.clone(), FieldKind::Ignored)]).collect(),
            });
        }
        Ok(config)
    }

    pub(crate) fn save(&self, model: &Model) -> Result<()> {
        if let Some(path) = &self.save_model {
            write_text(path, &[model.to_json()])?;
        }
        Ok(())
    }
}

fn canonical_path(output: &Path) -> PathBuf {
    let ending = output.extension().and_then(|e| e.to_str()).unwrap_or("jsonl");
    output.with_extension(format!("canonical.{ending}"))
}

fn survivorship(name: &str) -> Result<Survivorship, String> {
    Survivorship::from_name(name)
        .ok_or_else(|| "the rules are most-frequent, longest, most-complete and first".to_owned())
}

fn field_kind(text: &str) -> Result<(String, FieldKind), String> {
    let (field, kind) = text.split_once('=').ok_or("write FIELD=KIND")?;
    let kind = FieldKind::from_name(kind)
        .ok_or("the kinds are text, names, identifier, number, date, category and ignored")?;
    Ok((field.to_owned(), kind))
}
