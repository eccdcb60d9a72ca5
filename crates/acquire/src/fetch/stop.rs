//! Stopping in an orderly way.

use std::sync::Arc;
use std::thread;

use tokio::sync::watch;

/// A request to stop that reaches everyone who waits. Clones are the same request.
#[derive(Debug, Clone)]
pub struct Stop {
    sender: Arc<watch::Sender<bool>>,
}

impl Default for Stop {
    fn default() -> Self {
        Stop { sender: Arc::new(watch::Sender::new(false)) }
    }
}

impl Stop {
    /// Asks everyone to stop.
    pub fn request(&self) {
        self.sender.send_replace(true);
    }

    /// Whether somebody has asked.
    pub fn is_requested(&self) -> bool {
        *self.sender.borrow()
    }

    /// Ctrl-C (and on Unix a polite `kill`) asks to stop; the second one calls `again` and no longer waits.
    pub fn on_interrupt(&self, again: impl Fn() + Send + 'static) -> std::io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let stop = self.clone();
        thread::Builder::new().name("interrupt".into()).spawn(move || {
            runtime.block_on(async {
                let mut signals = match Signals::new() {
                    Ok(signals) => signals,
                    // Without a handler Ctrl-C ends the program as it always does.
                    Err(_) => return,
                };
                signals.next().await;
                stop.request();
                signals.next().await;
                again();
            });
        })?;
        Ok(())
    }

    /// Waits until somebody asks.
    pub(crate) async fn requested(&self) {
        let mut receiver = self.sender.subscribe();
        // The sender lives as long as `self` does.
        let _ = receiver.wait_for(|stop| *stop).await;
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> std::io::Result<Signals> {
        Ok(Signals)
    }

    async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}
