//! The examples do what they say.

#[path = "../examples/drift.rs"]
mod drift;
#[path = "../examples/export.rs"]
mod export;
#[path = "../examples/learn_and_extract.rs"]
mod learn_and_extract;

#[test]
fn learn_and_extract_runs() {
    learn_and_extract::main().unwrap();
}

#[test]
fn drift_runs() {
    drift::main().unwrap();
}

#[test]
fn export_runs() {
    export::main().unwrap();
}
