//! The whole site: tables, pages and gold together.

use crate::gold::{self, GoldPage, GoldTable};
use crate::knobs::Knobs;
use crate::model::Shop;
use crate::pages::Builder;
use crate::tables;
use crate::templates;

/// A generated site with everything there is to know about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Site {
    /// The knobs it was made with, clamped.
    pub knobs: Knobs,
    /// Its pages, home first.
    pub pages: Vec<SamplePage>,
    /// The tables it was made from.
    pub tables: Vec<GoldTable>,
    /// The labels of its pages, in the same order.
    pub gold: Vec<GoldPage>,
}

/// One page in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SamplePage {
    /// Its address.
    pub url: String,
    /// File name below the folder of a saved site, as in `book/the-quiet-harbour.html`.
    pub path: String,
    /// The document.
    pub html: String,
}

impl Site {
    /// Makes the site that the knobs describe. The same knobs always give the same bytes.
    pub fn generate(knobs: &Knobs) -> Site {
        let knobs = knobs.clamped();
        let shop = Shop::generate(&knobs);
        let builder = Builder::new(&knobs, &shop);
        let (chrome, views) = (builder.chrome(), builder.pages());
        let gold = views.iter().enumerate().map(|(index, page)| gold::label(index, page)).collect();
        let tables = tables::tables(&views);
        let render = |page: &crate::view::Page| SamplePage {
            url: page.url.clone(),
            path: page.path.clone(),
            html: templates::render(&knobs, &chrome, page),
        };
        let pages = views.iter().map(render).collect();
        Site { knobs, pages, tables, gold }
    }

    /// The table with this name.
    pub fn table(&self, name: &str) -> Option<&GoldTable> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// The site as the files of a gold site, ready to be packed: `meta.json`, `gold.jsonl` and
    /// `pages/NNNNN.html`.
    pub fn gold_files(&self) -> Vec<(String, Vec<u8>)> {
        let mut lines = String::new();
        for page in &self.gold {
            // Plain strings and numbers always serialise.
            lines.push_str(&serde_json::to_string(page).unwrap_or_default());
            lines.push('\n');
        }
        let mut files = vec![
            ("meta.json".to_string(), gold::meta(&self.knobs, self.pages.len()).into_bytes()),
            ("gold.jsonl".to_string(), lines.into_bytes()),
        ];
        let numbered = self.pages.iter().enumerate();
        files.extend(numbered.map(|(index, page)| (gold::file_name(index), page.html.clone().into_bytes())));
        files
    }

    /// The site as a browser would save it: each page under its `path`, with the saved-page comment that
    /// tells where it came from after the document type.
    pub fn saved_files(&self) -> Vec<(String, Vec<u8>)> {
        let saved = |page: &SamplePage| {
            let mark = format!("<!-- saved from url=({:04}){} -->\n", page.url.len(), page.url);
            let split = page.html.find('\n').map_or(0, |at| at + 1);
            let (doctype, rest) = page.html.split_at(split);
            (page.path.clone(), format!("{doctype}{mark}{rest}").into_bytes())
        };
        self.pages.iter().map(saved).collect()
    }
}
