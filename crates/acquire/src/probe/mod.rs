//! Asking a search form for what the site holds.
//!
//! # What it does
//! Finds the search form, sends words through it and follows the pages of results. A few nonsense words come first: they
//! show what the site says when nothing matches. Then come common words of the site's language, and as soon as there are
//! results, words from them: in turn the one that most known results hold, which brings many, and a rare one. Everything
//! is written to an archive.
//!
//! # Assumes
//! The search answers single words, and results are links or texts in a list.
//!
//! # When it fails
//! Searches that need several fields at once, or that answer by script (a browser helps there).
//!
//! # Paper
//! Caverlee, Liu, Buttler (THOR, 2004): 100 dictionary and 10 nonsense words. Barbosa, Freire, Siphoning hidden-web data
//! through keyword-based interfaces (2004): words of earlier answers, the most frequent first.

mod answers;
mod coverage;
mod fill;
mod find;
mod form;
mod pagination;
mod questions;
mod reading;
mod report;
mod rules;
mod session;
mod words;

use std::io;

use thiserror::Error;
use unsite_dom::Terms;
use url::Url;

use crate::fetch::FetchError;

pub use answers::AnswerClass;
pub use report::{Ended, FormReport, ProbeReport, QueryReport};
pub use rules::SiteRules;
pub use session::{Allowed, ProbeTools};
pub use words::{WordKind, probe_languages};

/// How a site is probed.
#[derive(Debug, Clone)]
pub struct ProbeOptions {
    /// The form to take: its number on the page from 1, its id, its name or its action.
    pub form: Option<String>,
    /// Words of the lists and of answers that are sent.
    pub words: usize,
    /// Nonsense words that are sent.
    pub nonsense: usize,
    /// What random choices start from.
    pub seed: u64,
    /// The language of the words; that of the page if none is given.
    pub language: Option<String>,
    /// Pages that are fetched in all.
    pub max_pages: usize,
    /// Pages of results that are read for one query.
    pub pages_per_query: usize,
    /// Answers in a row that may bring nothing new before it ends.
    pub patience: usize,
}

impl Default for ProbeOptions {
    fn default() -> Self {
        ProbeOptions {
            form: None,
            words: 100,
            nonsense: 10,
            seed: 0,
            language: None,
            max_pages: 1000,
            pages_per_query: 30,
            patience: 30,
        }
    }
}

/// What happens while a site is probed.
#[derive(Debug, Clone)]
pub enum ProbeEvent<'a> {
    /// The form was found.
    Form(&'a FormReport),
    /// Something is being asked for.
    Asking {
        /// The word.
        word: &'a str,
        /// The page of its results, from 1.
        page: usize,
        /// How far it is.
        status: ProbeStatus,
    },
    /// A query was answered; its class may still change when more is known.
    Answered {
        /// The query.
        query: &'a QueryReport,
        /// How far it is.
        status: ProbeStatus,
    },
}

/// How far a probe is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProbeStatus {
    /// How many queries were answered.
    pub sent: usize,
    /// How many there may be.
    pub most: usize,
    /// How many requests were sent.
    pub requests: usize,
    /// How many different results were seen.
    pub results: usize,
    /// Bytes of all answers.
    pub bytes: u64,
    /// What went wrong.
    pub errors: usize,
}

/// Why a site could not be probed at all.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// There is no form.
    #[error(
        "no search form was found on {start} and {} pages that it links to; give the address of the page where it stands, \
         or name the form with --form",
        looked_at.saturating_sub(1)
    )]
    NoForm {
        /// Where it began.
        start: String,
        /// How many pages were looked at.
        looked_at: usize,
    },
    /// The form that was asked for is not there.
    #[error(
        "{page} has no form {form}; it has {there}. --form takes a number from 1, an id, a name or an action"
    )]
    NoSuchForm {
        /// The page.
        page: String,
        /// What was asked for.
        form: String,
        /// What is there.
        there: String,
    },
    /// The form that was asked for is never sent.
    #[error("the form {form} of {page} is not sent: {why}")]
    Refused {
        /// The page.
        page: String,
        /// What was asked for.
        form: String,
        /// Why.
        why: String,
    },
    /// The site does not want to be asked.
    #[error("{url} is not asked: {why}")]
    NotAllowed {
        /// The address.
        url: String,
        /// Why.
        why: String,
    },
    /// It could not be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// It could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Probes a site from a page on.
pub fn probe(
    start: &Url,
    options: &ProbeOptions,
    tools: ProbeTools<'_>,
    watch: &mut dyn FnMut(&ProbeEvent<'_>),
) -> Result<ProbeReport, ProbeError> {
    let mut session = session::Session::new(tools);
    let (found, page) = find::find_form(&mut session, start, options.form.as_deref())?;
    let guessed = || Terms::new().language(&page.tree).map(|language| language.code().to_owned());
    let language = options.language.clone().or_else(guessed).unwrap_or_else(|| "en".to_owned());
    let mut questions = questions::Questions::new(session, found, options, &language);
    watch(&ProbeEvent::Form(questions.form()));
    questions.ask_all(watch)?;
    Ok(questions.report())
}
