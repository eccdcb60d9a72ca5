//! `unsite why-same`: what every expert says about two records.

use anyhow::{Result, anyhow};
use serde_json::json;
use unsite::Exit;
use unsite_records::dedup::{Method, dedup, why_same};
use unsite_records::defaults::pretrained;
use unsite_records::record::RecordSet;

use super::dedup::RecordArgs;
use crate::cli::Global;
use crate::ui::printable;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Records: .jsonl, .csv, .tsv, .parquet, or DATABASE.db:TABLE
    input: String,
    /// The id of one record
    first: String,
    /// The id of the other
    second: String,
    #[command(flatten)]
    records: RecordArgs,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let (table, records, _) = args.records.read_one(&args.input)?;
    let config = args.records.config(&table, &records)?;
    let (a, b) = (place(&records, &args.first)?, place(&records, &args.second)?);
    let model = match &config.method {
        Method::Unsupervised => dedup(&records, &config)?.model,
        Method::Pretrained => pretrained(),
        Method::Model(model) => (**model).clone(),
    };
    let (sum, opinions) = why_same(&records, &config, &model, a, b);
    let probability = 1.0 / (1.0 + (-sum).exp());
    if ui.json {
        ui.print_json(&json!({
            "first": args.first, "second": args.second, "log_odds": sum, "probability": probability,
            "before_evidence": model.bias, "opinions": opinions, "model": model.provenance,
        }))?;
        return Ok(Exit::Done);
    }
    let mut text = String::new();
    for (name, (x, y)) in records.fields().iter().zip(records.row(a).zip(records.row(b))) {
        text += &format!("{name}\n  {}\n  {}\n", printable(x.unwrap_or("-")), printable(y.unwrap_or("-")));
    }
    text += &format!("\n{:40} {:>6} {:>9}\n", "expert", "score", "log-odds");
    for opinion in opinions.iter().filter(|o| o.score.is_some()) {
        let score = opinion.score.map_or(String::new(), |s| format!("{s:.2}"));
        text += &format!("{:40} {score:>6} {:>+9.2}\n", opinion.judge, opinion.log_odds);
    }
    text += &format!("{:40} {:>6} {:>+9.2}\n", "before any evidence", "", model.bias);
    let verdict = if sum > 0.0 { "the same" } else { "different" };
    text += &format!(
        "{:40} {:>6} {sum:>+9.2}\n\n{verdict}, with probability {:.1} %\n",
        "sum",
        "",
        100.0 * probability.max(1.0 - probability)
    );
    ui.print(&text)?;
    Ok(Exit::Done)
}

fn place(records: &RecordSet, id: &str) -> Result<u32> {
    (0..records.len() as u32)
        .find(|&r| records.id(r) == id)
        .ok_or_else(|| anyhow!("there is no record with the id {id:?}"))
}
