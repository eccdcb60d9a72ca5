//! Whose turn it is: one request at a time for a host, and a pause behind each.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use tokio::sync::Notify;
use url::Url;

/// The queue in front of every host.
pub(crate) struct Turns {
    delay: Duration,
    at_once: usize,
    hosts: Mutex<FxHashMap<String, Host>>,
    changed: Notify,
}

#[derive(Default)]
struct Host {
    running: usize,
    /// Nothing begins before.
    free_from: Option<Instant>,
    /// What the host itself asked for.
    delay: Duration,
}

/// The right to one request; the pause begins when it is dropped.
pub(crate) struct Turn<'a> {
    turns: &'a Turns,
    host: String,
}

impl Turns {
    pub(crate) fn new(delay: Duration, at_once: usize) -> Turns {
        Turns { delay, at_once: at_once.max(1), hosts: Mutex::default(), changed: Notify::new() }
    }

    /// Waits until the host may be asked.
    pub(crate) async fn take(&self, url: &Url) -> Turn<'_> {
        let name = host_key(url);
        loop {
            let changed = self.changed.notified();
            let wait = {
                let mut hosts = self.lock();
                let host = hosts.entry(name.clone()).or_default();
                let now = Instant::now();
                match host.free_from {
                    _ if host.running >= self.at_once => None,
                    Some(from) if from > now => Some(from - now),
                    _ => {
                        host.running += 1;
                        return Turn { turns: self, host: name };
                    }
                }
            };
            match wait {
                Some(wait) => tokio::select! {
                    () = tokio::time::sleep(wait) => {}
                    () = changed => {}
                },
                None => changed.await,
            }
        }
    }

    /// How long until a request to the host could begin; nothing if now.
    pub(crate) fn wait(&self, host: &str) -> Duration {
        let now = Instant::now();
        let from = self.lock().get(host).and_then(|host| host.free_from);
        from.map_or(Duration::ZERO, |from| from.saturating_duration_since(now))
    }

    /// The host asks for more time between requests; the larger wish wins.
    pub(crate) fn ask_delay(&self, host: &str, delay: Duration) -> Duration {
        let mut hosts = self.lock();
        let entry = hosts.entry(host.to_owned()).or_default();
        entry.delay = delay;
        entry.delay.max(self.delay)
    }

    /// Nothing is sent to the host for this long.
    pub(crate) fn pause(&self, host: &str, pause: Duration) {
        let until = Instant::now().checked_add(pause);
        let mut hosts = self.lock();
        let entry = hosts.entry(host.to_owned()).or_default();
        entry.free_from = entry.free_from.max(until);
    }

    fn lock(&self) -> MutexGuard<'_, FxHashMap<String, Host>> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some(host) = self.turns.lock().get_mut(&self.host) {
            host.running = host.running.saturating_sub(1);
            let delay = host.delay.max(self.turns.delay);
            if !delay.is_zero() {
                host.free_from = host.free_from.max(Instant::now().checked_add(delay));
            }
        }
        self.turns.changed.notify_waiters();
    }
}

/// What stands for a host: its name, and its port where that is not the usual one.
pub fn host_key(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}
