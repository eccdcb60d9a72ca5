//! `unsite methods`: what `--method` and `--data-method` can be.

use anyhow::Result;
use serde_json::json;
use unsite::Exit;
use unsite_methods::data::DATA_METHODS;
use unsite_methods::page_types::METHODS;

use crate::cli::Global;
use crate::ui::Grid;

#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    if ui.json {
        let methods: Vec<_> =
            METHODS.iter().map(|method| json!({"name": method.name, "about": method.about})).collect();
        let data: Vec<_> =
            DATA_METHODS.iter().map(|method| json!({"name": method.name, "about": method.about})).collect();
        ui.print_json(&json!({ "methods": methods, "data_methods": data }))?;
        return Ok(Exit::Done);
    }
    let mut grid = Grid::new(METHODS.len());
    grid.text("method", usize::MAX, METHODS.iter().map(|method| method.name));
    grid.text("about", usize::MAX, METHODS.iter().map(|method| method.about));
    let mut data = Grid::new(DATA_METHODS.len());
    data.text("data method", usize::MAX, DATA_METHODS.iter().map(|method| method.name));
    data.text("about", usize::MAX, DATA_METHODS.iter().map(|method| method.about));
    let shown = [grid, data].map(|grid| grid.lines(0, ui.width()).0.join("\n") + "\n");
    ui.print(&shown.join("\n"))?;
    Ok(Exit::Done)
}
