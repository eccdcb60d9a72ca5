//! Threads of our own, made when they are first wanted and made anew in a forked child.
//!
//! The pool that rayon keeps for the process is never used: its threads do not exist in a child, which would wait for them for
//! ever. The lock here is taken only while the interpreter is held, and Python forks only while it is held, so that no child
//! finds it taken.

use std::collections::BTreeMap;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::{Kind, raised};

/// The pools of one process, by their number of threads.
struct Pools {
    process: u32,
    by_threads: BTreeMap<usize, Arc<ThreadPool>>,
}

static POOLS: Mutex<Pools> = Mutex::new(Pools { process: 0, by_threads: BTreeMap::new() });

/// Pools of other processes that are kept for the rest of the time, as many as a chain of forks.
static FOREIGN: Mutex<Vec<BTreeMap<usize, Arc<ThreadPool>>>> = Mutex::new(Vec::new());

/// A pool of so many threads; without a number one for each core.
pub(crate) fn pool(py: Python<'_>, threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    let threads = match threads {
        Some(0) => {
            let advice = "Give 1 or more, or None for one for each core";
            return Err(raised(py, Kind::Any, "threads is 0", "", advice));
        }
        Some(threads) => threads,
        None => available_parallelism().map_or(1, Into::into),
    };
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = process::id();
    if pools.process != process {
        pools.process = process;
        // Their threads are not here: to drop them would be to wait for them.
        let foreign = std::mem::take(&mut pools.by_threads);
        FOREIGN.lock().unwrap_or_else(PoisonError::into_inner).push(foreign);
    }
    if let Some(pool) = pools.by_threads.get(&threads) {
        return Ok(pool.clone());
    }
    let name = |at| format!("unsite-{at}");
    match ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build() {
        Ok(pool) => {
            let pool = Arc::new(pool);
            pools.by_threads.insert(threads, pool.clone());
            Ok(pool)
        }
        Err(error) => {
            let what = format!("{threads} threads cannot be started: {error}");
            Err(raised(py, Kind::Any, &what, "", "Give a smaller number of threads"))
        }
    }
}
