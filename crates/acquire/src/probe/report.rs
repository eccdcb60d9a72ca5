//! What a probe has found out.

use serde::Serialize;

use super::answers::AnswerClass;

/// What a probe has found out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProbeReport {
    /// The form that was asked.
    pub form: FormReport,
    /// Every query in the order in which it was sent.
    pub queries: Vec<QueryReport>,
    /// How many requests were sent, those for the form, pagination and redirects included.
    pub requests: usize,
    /// How many pages of results were read beyond the first one of each answer.
    pub further_pages: usize,
    /// How many different results were seen.
    pub results: usize,
    /// How many there are, estimated from how often each was seen.
    pub estimated_results: f64,
    /// Results seen by results there are, as far as that can be estimated; none without results.
    pub estimated_coverage: Option<f64>,
    /// Why it ended.
    pub ended: Ended,
    /// What went wrong on the way.
    pub problems: Vec<String>,
}

/// The form that was asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FormReport {
    /// The page it stands on.
    pub page: String,
    /// Where it is sent.
    pub action: String,
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The field that takes the words.
    pub field: String,
    /// Other ways to fill it in that were tried: fields, and selections with an option.
    pub others: Vec<String>,
    /// How surely it searches, as a logit.
    pub score: f64,
    /// The language whose words were asked first.
    pub language: String,
}

/// One query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryReport {
    /// The word.
    pub word: String,
    /// Where the word comes from.
    pub kind: &'static str,
    /// What was filled in otherwise than usual.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub variant: String,
    /// The address of the answer.
    pub url: String,
    /// Its class: `several`, `one`, `no match` or `error`.
    pub class: &'static str,
    /// Pages of results that were read.
    pub pages: usize,
    /// Results on them.
    pub results: usize,
    /// Results that no earlier query had brought.
    pub new: usize,
}

/// Why a probe ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// All words were asked.
    WordsUsedUp,
    /// The last answers brought nothing new.
    NothingNew,
    /// As many pages were fetched as were allowed.
    PagesUsedUp,
    /// The site failed several times in a row.
    SiteFails,
    /// Somebody stopped it.
    Stopped,
    /// There is no room for more.
    CannotWrite,
}

impl Ended {
    /// Whether it would have gone on.
    pub fn is_partial(self) -> bool {
        matches!(self, Ended::SiteFails | Ended::Stopped | Ended::CannotWrite)
    }

    /// The reason as a sentence for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Ended::WordsUsedUp => "all words were asked",
            Ended::NothingNew => "the last answers brought nothing new",
            Ended::PagesUsedUp => "as many pages were fetched as --max-pages allows",
            Ended::SiteFails => "the site failed several times in a row",
            Ended::Stopped => "it was stopped",
            Ended::CannotWrite => "the archive could not be written",
        }
    }
}

impl ProbeReport {
    /// How many queries were answered with a class, and the address of the first of them.
    pub fn class(&self, class: AnswerClass) -> (usize, Option<&str>) {
        let mut of_class = self.queries.iter().filter(|query| query.class == class.name()).peekable();
        let example = of_class.peek().map(|query| query.url.as_str());
        (of_class.count(), example)
    }
}
