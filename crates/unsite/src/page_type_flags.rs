//! The flags of every command that groups pages into types.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use unsite_discover::evidence::Model;
use unsite_discover::experts::EXPERTS;
use unsite_discover::page_types::{self, LogProblem, SearchLog};
use unsite_learn::edit::levenshtein;
use unsite_methods::page_types::{METHODS, Method, confhex, method};

use crate::ui::Ui;

/// Methods that hear experts, and those that read a search log.
const METHODS_WITH_EXPERTS: [&str; 2] = ["auto", "confhex"];
const METHODS_WITH_LOG: [&str; 2] = ["auto", "keyclus"];

/// A name with at most this many wrong letters is taken for a slip.
const SLIP: usize = 3;

/// How page types are found.
#[derive(Args, Clone)]
#[command(next_help_heading = "Page types")]
pub(crate) struct PageTypeFlags {
    /// How page types are found; `unsite methods` lists the ways
    #[arg(long, value_name = "NAME", default_value = METHODS[0].name, value_parser = parse_method)]
    method: MethodName,
    #[command(flatten)]
    told: TypingFlags,
}

/// What the finding of page types is told, whatever way it goes.
#[derive(Args, Clone)]
#[command(next_help_heading = "Page types")]
pub(crate) struct TypingFlags {
    /// How many page types there are; found when not given
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    types: Option<usize>,
    /// Hear only these experts on pages, several with commas; `unsite experts` lists them
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = parse_expert)]
    only: Vec<String>,
    /// Do not hear these experts on pages, several with commas
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = parse_expert)]
    without: Vec<String>,
    /// What the experts' scores mean: a file that `unsite train` wrote, instead of what comes with the program
    #[arg(long, value_name = "FILE", value_parser = read_model)]
    model: Option<Arc<Model>>,
    /// Which searches led to which pages: CSV or TSV of query,url[,clicks], or a Google Search Console export
    #[arg(long, value_name = "FILE", value_parser = read_log)]
    search_log: Option<ReadLog>,
}

/// A search log and what of it could not be used.
#[derive(Clone)]
struct ReadLog {
    name: String,
    log: Arc<SearchLog>,
    problems: Vec<LogProblem>,
}

impl PageTypeFlags {
    /// The method that was asked for.
    pub(crate) fn method(&self) -> &'static Method {
        self.method.0
    }

    /// What the method is told, with a warning where it does not listen.
    pub(crate) fn options(&self, seed: u64, ui: Ui) -> page_types::Options {
        self.told.options(self.method.0, seed, ui)
    }
}

impl TypingFlags {
    /// What a method is told, with a warning where it does not listen.
    pub(crate) fn options(&self, method: &Method, seed: u64, ui: Ui) -> page_types::Options {
        let options = page_types::Options {
            seed,
            k: self.types,
            search_log: self.search_log.as_ref().map(|read| Arc::clone(&read.log)),
            only: self.only.clone(),
            without: self.without.clone(),
            model: self.model.clone(),
        };
        self.warn(method, &options, ui);
        options
    }

    fn warn(&self, method: &Method, options: &page_types::Options, ui: Ui) {
        let name = method.name;
        let chosen = !self.only.is_empty() || !self.without.is_empty();
        if chosen && !METHODS_WITH_EXPERTS.contains(&name) {
            let listed = METHODS_WITH_EXPERTS.join(" and ");
            ui.warn(&format!("{name} hears no experts; --only and --without count for {listed}"));
        } else if chosen {
            let own: Vec<&str> = match method.is_default() {
                true => EXPERTS.iter().map(|expert| expert.name).collect(),
                false => confhex::EXPERTS.to_vec(),
            };
            if own.iter().all(|expert| !options.hears(expert)) {
                ui.warn("every expert is switched off; all pages are of one type");
            }
        }
        if let Some(read) = &self.search_log {
            if !METHODS_WITH_LOG.contains(&name) {
                let listed = METHODS_WITH_LOG.join(" and ");
                ui.warn(&format!("{name} reads no search log; --search-log counts for {listed}"));
            }
            if let Some(first) = read.problems.first() {
                let more = read.problems.len() - 1;
                let more = if more > 0 { format!(", and {more} more lines") } else { String::new() };
                ui.warn(&format!("not all of {} could be used: {first}{more}", read.name));
            }
        }
        if self.model.is_some() && !method.is_default() {
            ui.warn(&format!("{name} has nothing to learn from --model; it counts for {}", METHODS[0].name));
        }
    }
}

/// A method that was asked for by name.
#[derive(Clone, Copy)]
struct MethodName(&'static Method);

fn parse_method(name: &str) -> Result<MethodName, String> {
    method(name)
        .map(MethodName)
        .ok_or_else(|| unknown("method", name, METHODS.iter().map(|method| method.name)))
}

fn parse_expert(name: &str) -> Result<String, String> {
    match EXPERTS.iter().any(|expert| expert.name == name) {
        true => Ok(name.to_owned()),
        false => Err(unknown("expert", name, EXPERTS.iter().map(|expert| expert.name))),
    }
}

fn unknown(kind: &str, name: &str, known: impl Iterator<Item = &'static str> + Clone) -> String {
    let wrong_letters = |one: &str| levenshtein(name.as_bytes(), one.as_bytes());
    let near = known.clone().min_by_key(|one| wrong_letters(one)).filter(|one| wrong_letters(one) <= SLIP);
    let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
    let known: Vec<&str> = known.collect();
    format!("there is no such {kind}{near}; the {kind}s are {}", known.join(", "))
}

fn read_model(name: &str) -> Result<Arc<Model>, String> {
    let text = read(name)?;
    let model: Model = serde_json::from_str(&text)
        .map_err(|error| format!("this is no model that `unsite train -o {name}` wrote ({error})"))?;
    match model.problem() {
        None => Ok(Arc::new(model)),
        Some(problem) => Err(format!("{problem}; train it again with `unsite train GOLD... -o {name}`")),
    }
}

fn read_log(name: &str) -> Result<ReadLog, String> {
    let (log, problems) = SearchLog::parse(&read(name)?);
    if log.clicks.is_empty() {
        let reason = problems.first().map_or("it is empty".to_owned(), LogProblem::to_string);
        return Err(format!(
            "no click of it can be used: {reason}; it should hold lines of query,url[,clicks]"
        ));
    }
    Ok(ReadLog { name: name.to_owned(), log: Arc::new(log), problems })
}

fn read(name: &str) -> Result<String, String> {
    let bytes = fs::read(Path::new(name)).map_err(|error| format!("cannot read it: {error}"))?;
    // Search Console and spreadsheets write UTF-16 where people ask for Unicode text.
    Ok(unsite_dom::decode(&bytes, None).0.into_owned())
}

pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".into()),
        Ok(number) => Ok(number),
        Err(error) => Err(format!("{error}")),
    }
}
