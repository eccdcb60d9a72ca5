//! The command line.

use anyhow::Result;
use clap::{Parser, Subcommand};
use unsite::pipeline;
use unsite_acquire::{Source, SourceOptions};
use unsite_store::Output;

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Acquire, discover, extract, store
    Run {
        /// A folder, .warc[.gz], .wacz, .jsonl, gold site or -
        source: String,
        /// Where to write
        #[arg(short)]
        output: String,
        /// No progress, no summary
        #[arg(long)]
        quiet: bool,
    },
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    match cli.command {
        Command::Run { source, output, .. } => {
            let options = pipeline::Options::default();
            let source = Source::open(&source, &SourceOptions::default())?;
            let output = Output::parse(&output)?;
            pipeline::run(&source, &output, &options, &mut ())?;
            Ok(())
        }
    }
}
