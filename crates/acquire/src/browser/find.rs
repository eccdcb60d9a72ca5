//! Which browser there is, and how it is started.

use std::env;
use std::path::{Path, PathBuf};

/// Names under which Chromium and its relatives are installed, the freest first.
const NAMES: [&str; 7] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "microsoft-edge-stable",
    "headless_shell",
];

/// The first Chromium on PATH.
pub fn find_browser() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    NAMES.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|file| is_program(file)))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

/// Whether the process is root's, for whom Chromium refuses to start its sandbox. Asked of the process table, since the
/// standard library does not know.
pub(super) fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let effective = status.lines().find_map(|line| line.strip_prefix("Uid:")?.split_whitespace().nth(1));
    match effective {
        Some(id) => id == "0",
        None => env::var("USER").is_ok_and(|user| user == "root"),
    }
}

/// The flags that the browser is started with: no window, nothing of the user's profile, nothing that calls home, and
/// every connection through the guard.
pub(super) fn flags(profile: &Path, guard_port: u16, user_agent: Option<&str>, sandbox: bool) -> Vec<String> {
    let mut flags: Vec<String> = [
        "--headless=new",
        "--remote-debugging-pipe",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-breakpad",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-dev-shm-usage",
        "--disable-extensions",
        "--disable-gpu",
        "--disable-sync",
        "--disable-quic",
        "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AutofillServerCommunication",
        "--block-new-web-contents",
        "--hide-scrollbars",
        "--mute-audio",
        "--metrics-recording-only",
        "--no-pings",
        "--password-store=basic",
        "--use-mock-keychain",
        // Loopback too goes through the guard, and nothing goes past it.
        "--proxy-bypass-list=<-loopback>",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    ]
    .map(str::to_owned)
    .to_vec();
    flags.push(format!("--proxy-server=http://127.0.0.1:{guard_port}"));
    flags.push(format!("--user-data-dir={}", profile.display()));
    flags.extend(user_agent.map(|agent| format!("--user-agent={agent}")));
    if !sandbox {
        flags.push("--no-sandbox".into());
    }
    flags
}
