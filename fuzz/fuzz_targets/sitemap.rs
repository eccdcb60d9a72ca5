#![no_main]
use libfuzzer_sys::fuzz_target;
use unsite_acquire::crawl::read_list;

fuzz_target!(|bytes: &[u8]| drop(read_list(bytes)));
