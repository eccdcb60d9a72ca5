//! Real software for tests: installed once from PyPI into a folder below the target directory.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What is installed, with the versions that the tests were written with.
const PACKAGES: [&str; 2] = ["datasette==0.65.5", "roundup==2.6.0"];

/// Installing takes a few seconds where packages are at hand, minutes over a slow line, and for ever without any.
const INSTALL_TIME: Duration = Duration::from_secs(600);

/// How long a server may take until it listens.
const START_TIME: Duration = Duration::from_secs(120);

/// A server that is ended when the test is over.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The Python that has the packages, or nothing with the reason on standard error.
pub(crate) fn python() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("software");
    let python = folder.join("venv/bin/python");
    fs::create_dir_all(&folder).ok()?;
    // Tests of several files may want it at once.
    let lock = File::create(folder.join("lock")).ok()?;
    lock.lock().ok()?;
    if run(Command::new(&python).args(["-c", "import datasette, roundup"]), INSTALL_TIME) {
        return Some(python);
    }
    let made = run(Command::new("python3").args(["-m", "venv"]).arg(folder.join("venv")), INSTALL_TIME);
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    if made && run(Command::new(&python).args(install).args(PACKAGES), INSTALL_TIME) {
        return Some(python);
    }
    eprintln!("skipped: {} cannot be had (python3 with venv, and PyPI, are needed)", PACKAGES.join(" and "));
    None
}

/// Runs something to its end; true if it succeeds in time.
pub(crate) fn run(command: &mut Command, most: Duration) -> bool {
    let spawned = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = spawned else { return false };
    let end = Instant::now() + most;
    while Instant::now() < end {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Err(_) => return false,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback is there");
    listener.local_addr().expect("has an address").port()
}

/// Starts a server and waits until it listens.
pub(crate) fn serve(command: &mut Command, port: u16) -> Server {
    let child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
    let mut server = Server { child, port };
    let end = Instant::now() + START_TIME;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(server.child.try_wait().is_ok_and(|ended| ended.is_none()), "the server ended at once");
        assert!(Instant::now() < end, "the server does not listen");
        std::thread::sleep(Duration::from_millis(50));
    }
    server
}
