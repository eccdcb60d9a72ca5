//! The command line.

#[cfg(feature = "crawl")]
mod browser_args;
mod cli;
mod commands;
#[cfg(feature = "crawl")]
mod fetch_args;
mod page_type_flags;
#[cfg(feature = "studio")]
mod studio;
mod ui;

use std::io;
use std::process::ExitCode;

use clap::Parser;
use unsite::Exit;
use unsite::pipeline::NoPages;
use unsite_acquire::SourceError;

/// Memory comes and goes in small pieces on every core.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let result = cli.global.apply().and_then(|()| cli.command.run(&cli.global));
    match result {
        Ok(exit) => exit.into(),
        // Whoever read standard output has seen enough.
        Err(error) if is_closed_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            cli.global.ui().error(&said_once(&error));
            exit_of(&error).into()
        }
    }
}

/// The message and its causes, without those that it names already.
fn said_once(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |said, cause| match cause.to_string() {
        cause if said.is_empty() => cause,
        cause if said.contains(&cause) => said,
        cause => format!("{said}: {cause}"),
    })
}

fn exit_of(error: &anyhow::Error) -> Exit {
    if error.is::<NoPages>() {
        return Exit::NothingFound;
    }
    match error.downcast_ref::<SourceError>() {
        Some(SourceError::NoPages { .. } | SourceError::Empty { .. }) => Exit::NothingFound,
        _ => Exit::Error,
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
