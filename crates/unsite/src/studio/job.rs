//! Long work: one thing at a time, told while it goes on, and stopped when somebody wants it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail};
use serde_json::{Value, json};
use unsite::Progress;

/// The long work of a studio.
#[derive(Default)]
pub(super) struct Jobs {
    current: Mutex<Option<Arc<Job>>>,
    count: AtomicUsize,
}

/// One piece of long work.
pub(super) struct Job {
    number: usize,
    what: String,
    state: Mutex<State>,
    is_stopped: AtomicBool,
}

#[derive(Default)]
struct State {
    stage: &'static str,
    done: usize,
    total: Option<usize>,
    /// What came out, once it has ended.
    end: Option<Result<Value, String>>,
}

impl Jobs {
    /// Starts work in a thread of its own, unless there is some going on.
    pub(super) fn start(
        &self,
        what: &str,
        work: impl FnOnce(&mut Told) -> Result<Value> + Send + 'static,
    ) -> Result<Value> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = current.as_ref().filter(|job| !job.has_ended()) {
            bail!("{} goes on; wait for it, or stop it", job.what);
        }
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let job = Arc::new(Job {
            number,
            what: what.to_owned(),
            state: Mutex::new(State::default()),
            is_stopped: AtomicBool::new(false),
        });
        *current = Some(Arc::clone(&job));
        let told = json!({"job": number});
        std::thread::spawn(move || {
            let mut progress = Told(Arc::clone(&job));
            let end = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&mut progress)));
            let end = end.unwrap_or_else(|_| Err(anyhow::anyhow!("it broke; the terminal says how")));
            let end = match end {
                Ok(_) if job.is_stopped() => Err("stopped".to_owned()),
                Ok(value) => Ok(value),
                Err(error) => Err(format!("{error:#}")),
            };
            job.lock().end = Some(end);
        });
        Ok(told)
    }

    /// How the last work stands.
    pub(super) fn told(&self) -> Value {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(job) = current.as_ref() else { return Value::Null };
        let state = job.lock();
        let (result, error) = match &state.end {
            None => (None, None),
            Some(Ok(result)) => (Some(result), None),
            Some(Err(error)) => (None, Some(error)),
        };
        json!({
            "job": job.number, "what": job.what, "stage": state.stage, "done": state.done, "total": state.total,
            "ended": state.end.is_some(), "result": result, "error": error,
        })
    }

    /// Stops what goes on, as soon as it looks up.
    pub(super) fn stop(&self) {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = current.as_ref() {
            job.is_stopped.store(true, Ordering::Relaxed);
        }
    }
}

impl Job {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_ended(&self) -> bool {
        self.lock().end.is_some()
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

/// Told how work goes on.
pub(super) struct Told(Arc<Job>);

impl Told {
    /// Fails when somebody has stopped the work.
    pub(super) fn go_on(&self) -> Result<()> {
        if self.0.is_stopped() {
            bail!("stopped");
        }
        Ok(())
    }
}

impl Progress for Told {
    fn stage(&mut self, name: &'static str, total: Option<usize>) {
        let mut state = self.0.lock();
        (state.stage, state.done, state.total) = (name, 0, total);
    }

    fn advance(&mut self, pages: usize) {
        self.0.lock().done += pages;
    }

    fn is_cancelled(&mut self) -> bool {
        self.0.is_stopped()
    }
}
