//! The browser's process and the pipe that commands go through.
//!
//! Chromium reads commands from file descriptor 3 and writes answers to 4, each a JSON text that ends with a zero byte.
//! A pipe is safer than the usual port: no other program and no page can reach it. The shell puts the two descriptors
//! where the browser looks for them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The longest answer that is read. A snapshot of the largest page that is kept stays below; more is an attack.
const MAX_MESSAGE: u64 = 256 << 20;

/// What is kept of what the browser says on standard error, for the message when it does not start.
const KEPT_COMPLAINTS: usize = 4 << 10;

/// Moves the ends of the pipes to where Chromium looks for them, and becomes it.
const SHELL: &str = "exec \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null";

/// A running browser.
pub(super) struct Process {
    child: Mutex<Child>,
    input: Mutex<ChildStdin>,
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// Answers to commands that go to the browser as a whole, one at a time.
    own: Mutex<Receiver<Value>>,
    next_id: AtomicU64,
}

#[derive(Default)]
struct Shared {
    /// Where the messages of each session go; the empty name is the browser itself.
    sessions: Mutex<BTreeMap<String, Sender<Value>>>,
    closed: AtomicBool,
    complaints: Mutex<String>,
}

/// Why a command was not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The browser is gone.
    Gone,
    /// It did not answer in time.
    Late,
    /// It refused.
    Refused(String),
}

impl Process {
    /// Starts the browser.
    pub(super) fn start(program: &Path, flags: &[String]) -> std::io::Result<Process> {
        let mut child = Command::new("/bin/sh")
            .args(["-c", SHELL, "sh"])
            .arg(program)
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let missing = || std::io::Error::other("the browser has no pipe");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let errors = child.stderr.take().ok_or_else(missing)?;
        let shared = Arc::new(Shared::default());
        let (sender, own) = channel();
        lock(&shared.sessions).insert(String::new(), sender);
        let (reading, listening) = (Arc::clone(&shared), Arc::clone(&shared));
        let threads = vec![
            std::thread::spawn(move || read_messages(output, &reading)),
            std::thread::spawn(move || read_complaints(errors, &listening)),
        ];
        Ok(Process {
            child: Mutex::new(child),
            input: Mutex::new(input),
            shared,
            threads: Mutex::new(threads),
            own: Mutex::new(own),
            next_id: AtomicU64::new(1),
        })
    }

    /// Sends a command and returns its number.
    pub(super) fn send(&self, session: &str, method: &str, params: Value) -> Result<u64, Failure> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let mut message = json!({"id": id, "method": method, "params": params});
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        let mut input = lock(&self.input);
        match input.write_all(&bytes).and_then(|()| input.flush()) {
            Ok(()) => Ok(id),
            Err(_) => {
                self.shared.closed.store(true, Ordering::SeqCst);
                Err(Failure::Gone)
            }
        }
    }

    /// A command to the browser as a whole, answered.
    pub(super) fn call(&self, method: &str, params: Value, most: Duration) -> Result<Value, Failure> {
        let own = lock(&self.own);
        let id = self.send("", method, params)?;
        let end = Instant::now() + most;
        loop {
            let message = receive(&own, end)?;
            if message["id"] == id {
                return answer(message);
            }
        }
    }

    /// The messages of a session from now on.
    pub(super) fn listen(&self, session: &str) -> Receiver<Value> {
        let (sender, receiver) = channel();
        lock(&self.shared.sessions).insert(session.to_owned(), sender);
        if self.is_gone() {
            lock(&self.shared.sessions).clear();
        }
        receiver
    }

    /// Nobody reads the messages of a session any more.
    pub(super) fn forget(&self, session: &str) {
        lock(&self.shared.sessions).remove(session);
    }

    /// Whether the browser has ended.
    pub(super) fn is_gone(&self) -> bool {
        // Helpers of a browser that was killed may hold its pipes a moment longer.
        self.shared.closed.load(Ordering::SeqCst) || !matches!(lock(&self.child).try_wait(), Ok(None))
    }

    /// What the browser said on standard error, the beginning of it.
    pub(super) fn complaints(&self) -> String {
        lock(&self.shared.complaints).clone()
    }

    /// The number of the process.
    pub(super) fn id(&self) -> u32 {
        lock(&self.child).id()
    }

    /// Ends the browser, whatever it is doing.
    pub(super) fn kill(&self) {
        let mut child = lock(&self.child);
        // An error means that it has ended already.
        let _ = child.kill();
        let _ = child.wait();
        drop(child);
        for thread in lock(&self.threads).drain(..) {
            // Helpers of the browser may hold its pipes a moment longer; they are not waited for.
            if thread.is_finished() {
                let _ = thread.join();
            }
        }
    }

    /// Waits up to a moment for the browser to end by itself.
    pub(super) fn wait_for_end(&self, most: Duration) {
        let end = Instant::now() + most;
        while Instant::now() < end {
            if matches!(lock(&self.child).try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.is_gone() && self.send("", "Browser.close", json!({})).is_ok() {
            self.wait_for_end(Duration::from_secs(2));
        }
        self.kill();
    }
}

/// The next message before a moment.
pub(super) fn receive(messages: &Receiver<Value>, end: Instant) -> Result<Value, Failure> {
    match messages.recv_timeout(end.saturating_duration_since(Instant::now())) {
        Ok(message) => Ok(message),
        Err(RecvTimeoutError::Timeout) => Err(Failure::Late),
        Err(RecvTimeoutError::Disconnected) => Err(Failure::Gone),
    }
}

/// What an answer holds.
pub(super) fn answer(mut message: Value) -> Result<Value, Failure> {
    match message["error"]["message"].as_str() {
        Some(error) => Err(Failure::Refused(error.to_owned())),
        None => Ok(message["result"].take()),
    }
}

fn read_messages(output: ChildStdout, shared: &Shared) {
    let mut output = BufReader::with_capacity(256 << 10, output);
    loop {
        let mut bytes = Vec::new();
        let read = (&mut output).take(MAX_MESSAGE).read_until(0, &mut bytes);
        if read.is_err() || bytes.pop() != Some(0) {
            break;
        }
        let Ok(message) = serde_json::from_slice::<Value>(&bytes) else { continue };
        let session = message["sessionId"].as_str().unwrap_or_default().to_owned();
        let mut sessions = lock(&shared.sessions);
        if sessions.get(&session).is_some_and(|sender| sender.send(message).is_err()) {
            sessions.remove(&session);
        }
    }
    shared.closed.store(true, Ordering::SeqCst);
    // Whoever waits learns that nothing will come.
    lock(&shared.sessions).clear();
}

fn read_complaints(mut errors: impl Read, shared: &Shared) {
    let mut buffer = [0; 1024];
    while let Ok(read @ 1..) = errors.read(&mut buffer) {
        let mut kept = lock(&shared.complaints);
        if kept.len() < KEPT_COMPLAINTS {
            kept.push_str(&String::from_utf8_lossy(&buffer[..read]));
        }
    }
}

/// A lock that a thread which panicked may have left; what it guards is whole all the same.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
