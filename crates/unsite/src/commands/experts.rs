//! `unsite experts`: what `--only` and `--without` can name.

use anyhow::Result;
use serde_json::json;
use unsite::Exit;
use unsite_discover::evidence::Model;
use unsite_discover::experts::EXPERTS;

use crate::cli::Global;
use crate::ui::Grid;

#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let model = Model::built_in();
    let calibrated = model.calibrate(&[true; EXPERTS.len()]);
    let weights = calibrated.weights();
    if ui.json {
        let experts: Vec<_> = EXPERTS
            .iter()
            .zip(weights)
            .map(|(expert, weight)| json!({"name": expert.name, "about": expert.about, "weight": weight}))
            .collect();
        ui.print_json(&json!({ "experts": experts, "trained_on": model.provenance }))?;
        return Ok(Exit::Done);
    }
    let mut grid = Grid::new(EXPERTS.len());
    grid.text("expert", usize::MAX, EXPERTS.iter().map(|expert| expert.name));
    grid.numbers("weight", weights.iter().map(|weight| format!("{weight:.2}")));
    grid.text("about", usize::MAX, EXPERTS.iter().map(|expert| expert.about));
    ui.print(&(grid.lines(0, ui.width()).0.join("\n") + "\n"))?;
    Ok(Exit::Done)
}
