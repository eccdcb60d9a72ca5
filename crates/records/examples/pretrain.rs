//! Prints the pre-trained defaults (`src/defaults.json`).
//!
//! `cargo run --release -p unsite-records --example pretrain > crates/records/src/defaults.json`
#![allow(clippy::print_stdout, reason = "a command, not the library")]

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{}", unsite_records::defaults::pretrain()?.to_json());
    Ok(())
}
