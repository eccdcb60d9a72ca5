//! `unsite methods`: what `--method` can be.

use anyhow::Result;
use serde_json::json;
use unsite::Exit;
use unsite_discover::page_types::methods::METHODS;

use crate::cli::Global;
use crate::ui::Grid;

#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    if ui.json {
        let methods: Vec<_> =
            METHODS.iter().map(|method| json!({"name": method.name, "about": method.about})).collect();
        ui.print_json(&json!({ "methods": methods }))?;
        return Ok(Exit::Done);
    }
    let mut grid = Grid::new(METHODS.len());
    grid.text("method", usize::MAX, METHODS.iter().map(|method| method.name));
    grid.text("about", usize::MAX, METHODS.iter().map(|method| method.about));
    ui.print(&(grid.lines(0, ui.width()).0.join("\n") + "\n"))?;
    Ok(Exit::Done)
}
