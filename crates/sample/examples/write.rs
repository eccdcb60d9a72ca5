//! Writes a sample site as a folder of saved pages:
//! `cargo run -p unsite-sample --example write -- DIR [KNOBS.json]`.
//! With `--gold` writes the files of a gold site instead; with `--random=SEED` the knobs are drawn.
#![allow(clippy::disallowed_methods, reason = "an example may read arguments and write files")]
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::error::Error;
use std::path::Path;

use unsite_sample::{Knobs, Site};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (flags, plain): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|a| a.starts_with("--"));
    let folder = Path::new(plain.first().ok_or("usage: write DIR [KNOBS.json] [--random=SEED] [--gold]")?);
    let knobs = match plain.get(1) {
        Some(file) => serde_json::from_slice(&std::fs::read(file)?)?,
        None => match flags.iter().find_map(|flag| flag.strip_prefix("--random=")) {
            Some(seed) => Knobs::random(seed.parse()?),
            None => Knobs::default(),
        },
    };
    let site = Site::generate(&knobs);
    let gold = flags.iter().any(|flag| *flag == "--gold");
    let files = if gold { site.gold_files() } else { site.saved_files() };
    for (path, bytes) in &files {
        let target = folder.join(path);
        if let Some(parent) = target.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(target, bytes)?;
    }
    println!("{} files in {}", files.len(), folder.display());
    Ok(())
}
