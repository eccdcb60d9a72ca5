//! Long work without the interpreter: signals are looked for and progress is told while it goes on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use unsite::Progress;

use crate::errors::{self, Kind, raised};

/// How long Ctrl-C may go unheard.
const LISTEN: Duration = Duration::from_millis(50);

enum Told<T> {
    Stage(&'static str, Option<usize>),
    Advance(usize),
    Done(anyhow::Result<T>),
}

struct Teller<T> {
    to: Sender<Told<T>>,
    is_cancelled: Arc<AtomicBool>,
}

impl<T> Progress for Teller<T> {
    fn stage(&mut self, name: &'static str, total: Option<usize>) {
        // Nobody listens any more after Ctrl-C.
        let _ = self.to.send(Told::Stage(name, total));
    }

    fn advance(&mut self, pages: usize) {
        let _ = self.to.send(Told::Advance(pages));
    }

    fn is_cancelled(&mut self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

/// Where a run stands, for a callback.
struct Standing<'py> {
    callback: Option<Bound<'py, PyAny>>,
    stage: &'static str,
    done: usize,
    total: Option<usize>,
}

impl Standing<'_> {
    fn tell(&self) -> PyResult<()> {
        match &self.callback {
            Some(callback) => callback.call1((self.stage, self.done, self.total)).map(drop),
            None => Ok(()),
        }
    }
}

/// Does something on a thread of its own. On Ctrl-C, or when the callback raises, the exception goes on at once and the work
/// stops at the next page or batch.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut dyn Progress) -> anyhow::Result<T> + Send + 'static,
) -> PyResult<T> {
    let (to, told) = channel();
    let is_cancelled = Arc::new(AtomicBool::new(false));
    let mut teller = Teller { to: to.clone(), is_cancelled: is_cancelled.clone() };
    let worker = thread::Builder::new().name("unsite".to_owned()).spawn(move || {
        let result = work(&mut teller);
        let _ = to.send(Told::Done(result));
    });
    if let Err(error) = worker {
        let what = format!("no thread can be started: {error}");
        return Err(raised(py, Kind::Any, &what, "", "Close some programs, or raise the limit"));
    }
    let standing = Standing { callback: callback.cloned(), stage: "", done: 0, total: None };
    let result = listen(py, &Mutex::new(told), standing);
    if result.is_err() {
        is_cancelled.store(true, Ordering::Relaxed);
    }
    result
}

/// The receiver is used by one thread at a time, which its type alone cannot say.
fn listen<T: Send>(
    py: Python<'_>,
    told: &Mutex<Receiver<Told<T>>>,
    mut standing: Standing<'_>,
) -> PyResult<T> {
    loop {
        let next = wait(py, told);
        py.check_signals()?;
        match next {
            Ok(Told::Stage(stage, total)) => {
                standing = Standing { stage, total, done: 0, ..standing };
                standing.tell()?;
            }
            Ok(Told::Advance(pages)) => {
                standing.done += pages;
                standing.tell()?;
            }
            Ok(Told::Done(result)) => return result.map_err(|error| errors::of(py, &error)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let advice = "This is a mistake of unsite: report it with the page that it happened on";
                return Err(raised(py, Kind::Any, "the work ended without a result", "", advice));
            }
        }
    }
}

fn wait<T: Send>(py: Python<'_>, told: &Mutex<Receiver<Told<T>>>) -> Result<Told<T>, RecvTimeoutError> {
    py.detach(|| match told.lock() {
        Ok(told) => told.recv_timeout(LISTEN),
        Err(_) => Err(RecvTimeoutError::Disconnected),
    })
}
