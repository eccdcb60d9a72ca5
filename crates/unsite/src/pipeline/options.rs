//! How a run is done.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::ThreadPool;

use unsite_discover::page_types;
use unsite_dom::Limits;
use unsite_methods::data::DataMethod;
use unsite_methods::page_types::{METHODS, Method};
use unsite_site::Settings;
use unsite_store::Meta;
use unsite_wrapper::{Route, Schema};

pub use unsite_site::{DEFAULT_SAMPLE, DEFAULT_SEED};

/// How a run is done.
#[derive(Clone)]
pub struct Options {
    /// What random choices start from.
    pub seed: u64,
    /// How much of hostile pages is looked at.
    pub limits: Limits,
    /// Pages that discovery learns from; all pages are extracted.
    pub sample: usize,
    /// How page types are found.
    pub method: &'static Method,
    /// What that way is told: experts, their model, a search log, the number of types. Its seed is not used.
    pub page_types: page_types::Options,
    /// Also keep the main text of every page.
    pub main_text: bool,
    /// A published framework in the place of the default's fields and tables.
    pub data_method: Option<&'static DataMethod>,
    /// The threads that do the work; without them those of the process.
    pub pool: Option<Arc<ThreadPool>>,
}

impl Default for Options {
    fn default() -> Self {
        let method = &METHODS[0];
        Options {
            seed: DEFAULT_SEED,
            limits: Limits::default(),
            sample: DEFAULT_SAMPLE,
            method,
            page_types: page_types::Options::default(),
            main_text: false,
            data_method: None,
            pool: None,
        }
    }
}

impl Options {
    /// What the method that groups pages is told.
    pub fn page_type_options(&self) -> page_types::Options {
        page_types::Options { seed: self.seed, ..self.page_types.clone() }
    }

    /// The same for the façade, with the name of what is learned from.
    pub fn settings(&self, name: String) -> Settings {
        Settings {
            seed: self.seed,
            sample: self.sample,
            limits: self.limits,
            method: self.method,
            page_types: self.page_types.clone(),
            name,
        }
    }

    /// Does something on the threads of the run.
    pub fn on_pool<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// What `_meta` says about a run with these options.
    pub fn meta(&self, source: &str, schema: &Schema) -> Meta {
        let mut meta = Meta::new(env!("CARGO_PKG_VERSION"), self.seed)
            .with("source", source)
            .with("method", self.method.name);
        let asked = &self.page_types;
        for (name, experts) in [("only", &asked.only), ("without", &asked.without)] {
            if !experts.is_empty() {
                meta = meta.with(name, experts.join(","));
            }
        }
        if let Some(k) = asked.k {
            meta = meta.with("types", k.to_string());
        }
        if let Some(model) = &asked.model {
            meta = meta.with("model", &model.provenance);
        }
        if let Some(log) = &asked.search_log {
            meta = meta.with("search_log", format!("{} clicks", log.clicks.len()));
        }
        meta.with("sample", self.sample.to_string())
            .with("max_page_bytes", self.limits.page_bytes.to_string())
            .with("max_depth", self.limits.depth.to_string())
            .with("max_nodes", self.limits.nodes.to_string())
            .with("routes", routes(schema))
    }
}

/// Every way to each column, `table.column` as the schema calls them, for receipts.
fn routes(schema: &Schema) -> String {
    let mut all: BTreeMap<String, &[Route]> = BTreeMap::new();
    for table in &schema.tables {
        for column in table.columns.iter().filter(|column| !column.routes.is_empty()) {
            all.insert(format!("{}.{}", table.name, column.name), &column.routes);
        }
    }
    // Texts and numbers have a JSON form.
    serde_json::to_string(&all).unwrap_or_default()
}
