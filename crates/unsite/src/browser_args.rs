//! The flags of every command that may render pages in a browser.

use anyhow::Result;
use clap::Args;
use unsite_acquire::browser::Browser;
use unsite_acquire::fetch::FetchOptions;

use crate::ui::Ui;

/// How pages are rendered: not at all, in a program without a browser.
#[cfg(not(feature = "browser"))]
#[derive(Args, Clone)]
pub(crate) struct BrowserArgs {}

#[cfg(not(feature = "browser"))]
impl BrowserArgs {
    /// Starts nothing.
    pub(crate) fn start(&self, _: &FetchOptions, _: Ui) -> Result<Option<Browser>> {
        Ok(None)
    }
}

/// How pages are rendered.
#[cfg(feature = "browser")]
#[derive(Args, Clone)]
#[command(next_help_heading = "Rendering")]
pub(crate) struct BrowserArgs {
    /// Render pages with Chromium, for sites that need scripts; keeps where texts stand
    #[arg(long)]
    browser: bool,
    /// Pages to render side by side
    #[arg(long, value_name = "N", default_value_t = 2, requires = "browser", value_parser = clap::value_parser!(u8).range(1..=32))]
    tabs: u8,
    /// Seconds that one page may take; what it shows then is kept
    #[arg(long, value_name = "SECONDS", default_value_t = 20, requires = "browser", value_parser = clap::value_parser!(u16).range(1..))]
    page_time: u16,
    /// The browser to use instead of the first Chromium on PATH
    #[arg(long, value_name = "PROGRAM", requires = "browser")]
    browser_program: Option<std::path::PathBuf>,
}

#[cfg(feature = "browser")]
impl BrowserArgs {
    /// Starts the browser if it was asked for.
    pub(crate) fn start(&self, fetching: &FetchOptions, ui: Ui) -> Result<Option<Browser>> {
        use std::time::Duration;
        use unsite_acquire::browser::BrowserOptions;
        if !self.browser {
            return Ok(None);
        }
        let browser = Browser::start(BrowserOptions {
            program: self.browser_program.clone(),
            tabs: usize::from(self.tabs),
            page_time: Duration::from_secs(u64::from(self.page_time)),
            user_agent: Some(fetching.user_agent.clone()),
            allow_private: fetching.allow_private,
        })?;
        if let Some(warning) = browser.warning() {
            ui.warn(warning);
        }
        Ok(Some(browser))
    }
}
