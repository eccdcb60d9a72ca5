//! Pages as a real browser shows them.
//!
//! # What it does
//! Starts a Chromium without a window, hands it documents that were fetched, lets their scripts run, and takes down the
//! page and where its texts were drawn. A page has a time limit; a few tabs work side by side; a tab that crashes or
//! hangs is ended and a browser that dies is started again.
//!
//! # Assumes
//! A Unix system with Chromium or a relative of it on PATH.
//!
//! # When it fails
//! Pages that show nothing before somebody scrolls, clicks or signs in.
//!
//! # Paper
//! Chrome DevTools Protocol, over `--remote-debugging-pipe`.

mod find;
mod guard;
mod process;
mod records;
mod requests;
mod snapshot;
mod tab;

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use thiserror::Error;
use unsite_dom::Layout;

pub use find::find_browser;
use guard::Guard;
use process::{Failure, Process, lock};
pub(crate) use records::pack_rendered;
pub use records::{render_exchange, write_rendered};
use tab::Tab;

/// The window that pages are laid out in, in CSS pixels: a common one of desks.
pub(crate) const WINDOW_WIDTH: u32 = 1280;
const WINDOW_HEIGHT: u32 = 1024;

/// How long the browser may take to start; a cold disk takes some seconds.
const START_TIME: Duration = Duration::from_secs(30);

/// Pages after which a tab is closed and another one opened: scripts of one page leave memory behind.
const TAB_PAGES: usize = 200;

/// How a browser is used.
#[derive(Debug, Clone)]
pub struct BrowserOptions {
    /// The program; the first one on PATH if none is given.
    pub program: Option<PathBuf>,
    /// How many pages are rendered side by side.
    pub tabs: usize,
    /// How long one page may take. What is there then is taken.
    pub page_time: Duration,
    /// What the browser calls itself; its own name if none is given.
    pub user_agent: Option<String>,
    /// Whether loopback and private addresses may be connected to.
    pub allow_private: bool,
}

impl Default for BrowserOptions {
    fn default() -> Self {
        let page_time = Duration::from_secs(20);
        BrowserOptions { program: None, tabs: 2, page_time, user_agent: None, allow_private: false }
    }
}

/// A document that was fetched and is to be rendered.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// Its address.
    pub url: &'a str,
    /// The HTTP status it came with.
    pub status: u16,
    /// The header fields it came with.
    pub headers: &'a [(String, String)],
    /// Its body, content encoding already undone.
    pub body: &'a [u8],
}

/// A page as the browser shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The page's nodes written down as HTML, in UTF-8.
    pub html: String,
    /// Where its texts were drawn.
    pub layout: Layout,
    /// False when time was up before the page was quiet.
    pub finished: bool,
    /// How many of its requests were not let through: images, fonts, trackers, foreign frames.
    pub blocked: usize,
}

/// Why there is no rendered page.
#[derive(Debug, Error)]
pub enum BrowserError {
    /// There is no browser.
    #[error(
        "no Chromium was found on PATH; install it (Debian, Ubuntu: apt-get install chromium; Fedora: dnf install \
         chromium; macOS: brew install --cask chromium) or leave --browser away"
    )]
    NotFound,
    /// It does not run.
    #[error("{program} does not start: {reason}")]
    NotStarted {
        /// The program.
        program: String,
        /// What it said.
        reason: String,
    },
    /// One page could not be rendered.
    #[error("{url} cannot be rendered: {reason}")]
    Page {
        /// The page.
        url: String,
        /// What happened.
        reason: String,
    },
}

/// A browser with a few tabs. It is ended when this is dropped.
pub struct Browser {
    options: BrowserOptions,
    program: PathBuf,
    sandbox: bool,
    guard: Guard,
    state: Mutex<State>,
    tab_is_free: Condvar,
}

#[derive(Default)]
struct State {
    running: Option<Running>,
    idle: Vec<(Tab, usize)>,
    open: usize,
    starts: usize,
}

/// The profile is deleted after the process has ended: fields are dropped in order.
struct Running {
    process: Arc<Process>,
    _profile: TempDir,
}

impl Browser {
    /// Finds and starts a browser.
    pub fn start(options: BrowserOptions) -> Result<Browser, BrowserError> {
        let program = match &options.program {
            Some(program) => program.clone(),
            None => find_browser().ok_or(BrowserError::NotFound)?,
        };
        let allows: guard::Allows = if options.allow_private {
            |_: IpAddr| true
        } else {
            |address: IpAddr| crate::fetch::why_not_public(address).is_none()
        };
        let not_started = |reason: String| BrowserError::NotStarted { program: shown(&program), reason };
        let guard = Guard::start(allows).map_err(|error| not_started(error.to_string()))?;
        let browser = Browser {
            sandbox: !find::is_root(),
            program,
            options,
            guard,
            state: Mutex::default(),
            tab_is_free: Condvar::new(),
        };
        let running = Some(browser.launch()?);
        *lock(&browser.state) = State { running, starts: 1, ..State::default() };
        Ok(browser)
    }

    /// Renders one page. May be called from several threads; more of them than tabs wait.
    pub fn render(&self, document: &Document<'_>) -> Result<Rendered, BrowserError> {
        let failed = |reason: String| BrowserError::Page { url: document.url.to_owned(), reason };
        // A browser that died while it rendered another page is no fault of this one.
        for is_last in [false, true] {
            let (mut tab, pages) = match self.take_tab(document) {
                Err(BrowserError::Page { .. }) if !is_last => continue,
                other => other?,
            };
            match tab.render(document, self.options.page_time) {
                Ok(rendered) => {
                    self.give_back(Some((tab, pages + 1)));
                    return Ok(rendered);
                }
                Err(Failure::Gone) if !is_last => {
                    drop(tab);
                    self.give_back(None);
                }
                Err(failure) => {
                    if failure == Failure::Late {
                        tab.crash();
                    }
                    drop(tab);
                    self.give_back(None);
                    let seconds = self.options.page_time.as_secs();
                    return Err(failed(match failure {
                        Failure::Late => format!("it did not answer within {seconds} s; the tab was ended"),
                        Failure::Gone => "its tab crashed twice".to_owned(),
                        Failure::Refused(reason) => reason,
                    }));
                }
            }
        }
        Err(failed("its tab crashed twice".to_owned()))
    }

    /// How many pages are rendered side by side.
    pub fn tabs(&self) -> usize {
        self.options.tabs.max(1)
    }

    /// How many connections were refused because they led to a private address.
    pub fn refused_connections(&self) -> usize {
        self.guard.refused()
    }

    /// How often the browser was started; more than once means that it died.
    pub fn starts(&self) -> usize {
        lock(&self.state).starts
    }

    /// What its user should know: that the sandbox is off.
    pub fn warning(&self) -> Option<&'static str> {
        (!self.sandbox).then_some(
            "Chromium's sandbox does not work for root and is off: render pages of strangers as another user",
        )
    }

    /// The number of the browser's process, while it runs.
    pub fn process_id(&self) -> Option<u32> {
        lock(&self.state).running.as_ref().map(|running| running.process.id())
    }

    fn launch(&self) -> Result<Running, BrowserError> {
        let not_started = |reason: String| BrowserError::NotStarted { program: shown(&self.program), reason };
        let profile =
            TempDir::with_prefix("unsite-browser-").map_err(|error| not_started(error.to_string()))?;
        let agent = self.options.user_agent.as_deref();
        let flags = find::flags(profile.path(), self.guard.port(), agent, self.sandbox);
        let process =
            Process::start(&self.program, &flags).map_err(|error| not_started(error.to_string()))?;
        if let Err(failure) = process.call("Browser.getVersion", json!({}), START_TIME) {
            process.wait_for_end(Duration::from_millis(200));
            return Err(not_started(start_failure(&failure, &process.complaints())));
        }
        Ok(Running { process: Arc::new(process), _profile: profile })
    }

    /// An idle tab, or a new one if there may be more; waits otherwise.
    fn take_tab(&self, document: &Document<'_>) -> Result<(Tab, usize), BrowserError> {
        let mut state = lock(&self.state);
        loop {
            if state.running.as_ref().is_none_or(|running| running.process.is_gone()) {
                state.open -= state.idle.len().min(state.open);
                state.idle.clear();
                state.running = None;
                state.running = Some(self.launch()?);
                state.starts += 1;
            }
            if let Some(tab) = state.idle.pop() {
                return Ok(tab);
            }
            if state.open < self.tabs()
                && let Some(running) = &state.running
            {
                let process = Arc::clone(&running.process);
                state.open += 1;
                drop(state);
                return match Tab::open(process) {
                    Ok(tab) => Ok((tab, 0)),
                    Err(failure) => {
                        self.give_back(None);
                        let reason = format!("no tab could be opened ({failure:?})");
                        Err(BrowserError::Page { url: document.url.to_owned(), reason })
                    }
                };
            }
            state = self.tab_is_free.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn give_back(&self, tab: Option<(Tab, usize)>) {
        let mut state = lock(&self.state);
        match tab.filter(|(tab, pages)| *pages < TAB_PAGES && !tab.is_gone()) {
            Some(tab) => state.idle.push(tab),
            None => state.open = state.open.saturating_sub(1),
        }
        self.tab_is_free.notify_one();
    }
}

/// Why the browser did not start, in words that help.
fn start_failure(failure: &Failure, complaints: &str) -> String {
    if complaints.contains("No usable sandbox") || complaints.contains("sandbox_host_linux") {
        return "its sandbox needs user namespaces, which this system forbids (sysctl kernel.unprivileged_userns_clone=1 \
                or the distribution's own package of Chromium allow them)"
            .to_owned();
    }
    let last = complaints.lines().rev().find(|line| !line.trim().is_empty());
    match (last, failure) {
        (Some(line), _) => line.trim().to_owned(),
        (None, Failure::Late) => format!("no answer within {} s", START_TIME.as_secs()),
        (None, _) => "it ended at once and said nothing".to_owned(),
    }
}

fn shown(program: &std::path::Path) -> String {
    program.display().to_string()
}
