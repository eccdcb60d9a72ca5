//! A progress bar on standard error, where somebody looks at it.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use unsite::Progress;

/// How often the display moves while nothing is counted.
const TICK: Duration = Duration::from_millis(120);

/// A bar for stages whose number of pages is known, a spinner for the others; gone when it is dropped.
pub(crate) struct Bar {
    bar: ProgressBar,
    counting: ProgressStyle,
    waiting: ProgressStyle,
    thinking: ProgressStyle,
}

impl Bar {
    pub(crate) fn new() -> Bar {
        let style = |template: &str, otherwise: fn() -> ProgressStyle| {
            ProgressStyle::with_template(template).unwrap_or_else(|_| otherwise())
        };
        let counting = style("{msg:12} {bar:32} {pos}/{len}", ProgressStyle::default_bar);
        let waiting = style("{msg:12} {spinner} {pos}", ProgressStyle::default_spinner);
        let thinking = style("{msg:12} {spinner} {elapsed}", ProgressStyle::default_spinner);
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(TICK);
        Bar { bar, counting, waiting, thinking }
    }
}

impl Progress for Bar {
    fn stage(&mut self, name: &'static str, total: Option<usize>) {
        self.bar.reset();
        let style = if total.is_some() { &self.counting } else { &self.thinking };
        self.bar.set_style(style.clone());
        self.bar.set_length(total.unwrap_or_default() as u64);
        self.bar.set_message(name);
    }

    fn advance(&mut self, pages: usize) {
        // A stage without a total shows its time until something is counted in it.
        if self.bar.position() == 0 && self.bar.length() == Some(0) {
            self.bar.set_style(self.waiting.clone());
        }
        self.bar.inc(pages as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
