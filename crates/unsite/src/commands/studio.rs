//! `unsite studio`: a page in the browser to look at what was found, and to change it.

use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Result;
use serde_json::json;
use unsite::Exit;

use crate::cli::{Discovery, Global};
use crate::studio::{Address, Opened, Studio, open, serve};
use crate::ui::Ui;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Pages (a folder, .warc[.gz, .zst], .wacz, .jsonl, gold site, .html file), a database of `unsite run`, or a wrapper
    source: String,
    /// What was learned about the site; looked for beside the source, and learned where it is not there
    #[arg(short, long, value_name = "FILE")]
    wrapper: Option<PathBuf>,
    /// The pages that a database or wrapper was made from; looked for beside it and here
    #[arg(long, value_name = "SOURCE")]
    pages: Option<String>,
    /// The port; 8377 or the next that is free if not given
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// The address to listen at. Whoever can reach it and knows the secret can change the wrapper
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Only print the address; open no browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    discovery: Discovery,
}

pub(crate) fn run(args: &Args, global: &Global) -> Result<Exit> {
    let ui = global.ui();
    let opened =
        Opened { what: &args.source, wrapper: args.wrapper.as_deref(), pages: args.pages.as_deref() };
    let studio = open(&opened, args.discovery.options(global), ui)?;
    if !args.host.is_loopback() {
        ui.warn(&format!(
            "listening at {}: whoever can reach it and learns the address can change the wrapper",
            args.host
        ));
    }
    let address = Address { ip: args.host, port: args.port };
    serve(studio.clone(), &address, |url| {
        let printed =
            if ui.json { ui.print_json(&json!({"url": url})) } else { ui.print(&format!("{url}\n")) };
        // The studio is there, whether anybody reads where or not.
        drop(printed);
        ui.hint("open the address in a browser; Ctrl+C stops the studio");
        if !args.no_open {
            browse(url);
        }
    })?;
    keep_what_is_not_kept(&studio, ui);
    Ok(Exit::Done)
}

/// Asks the system to open an address; where it cannot, the address stands in the terminal.
fn browse(url: &str) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let quiet = || Stdio::null();
    let _ = Command::new(program).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
}

/// Changes that were not kept are not lost: they are written beside the wrapper.
fn keep_what_is_not_kept(studio: &Studio, ui: Ui) {
    let edits = studio.unkept();
    if edits.is_empty() {
        return;
    }
    let wrapper = studio.wrapper_file();
    let file = wrapper.with_extension("edits.json");
    let text = serde_json::to_string_pretty(&edits).unwrap_or_default();
    match fs::write(&file, text) {
        Ok(()) => ui.warn(&format!(
            "changes that were not kept are in {0}; unsite edit {1} {0} makes them",
            file.display(),
            wrapper.display()
        )),
        Err(error) => {
            ui.warn(&format!("changes that were not kept are lost: cannot write {}: {error}", file.display()))
        }
    }
}
