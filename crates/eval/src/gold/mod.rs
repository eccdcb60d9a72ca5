//! Gold sites: pages whose database is known.

mod archive;
mod labels;
mod schema;

pub use archive::gold_paths;
pub use labels::{GoldPage, Meta, Ordered, Text};
pub use schema::{TrueSchema, TrueTable};

use crate::EvalError;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The labels of one gold site. Its pages are read by `unsite-acquire`, which never sees the labels.
#[derive(Debug, Clone, PartialEq)]
pub struct GoldSite {
    /// The `.tar.zst` file, or any name for a site that was made in memory.
    pub path: PathBuf,
    /// What the site says about itself.
    pub meta: Meta,
    /// The labels of each page, in the order of `gold.jsonl`.
    pub pages: Vec<GoldPage>,
    /// The tables behind the site, where they are known.
    pub schema: Option<TrueSchema>,
}

impl GoldSite {
    /// Reads the labels from a gold site. The pages behind them are skipped, not unpacked.
    pub fn load(path: &Path) -> Result<Self, EvalError> {
        let (meta, gold) = archive::read_labels(path)?;
        let mut site = Self::from_parts(path, &meta, &gold)?;
        site.schema = schema::read(path, &site.meta.name)?;
        Ok(site)
    }

    /// A gold site from the contents of its `meta.json` and `gold.jsonl`.
    pub fn from_parts(path: impl Into<PathBuf>, meta: &[u8], gold: &[u8]) -> Result<Self, EvalError> {
        let path = path.into();
        let meta = match serde_json::from_slice(meta) {
            Ok(meta) => meta,
            Err(error) => return Err(EvalError::Gold { path, what: format!("meta.json: {error}") }),
        };
        let mut pages = Vec::new();
        for (number, line) in gold.split(|&byte| byte == b'\n').enumerate() {
            if line.trim_ascii().is_empty() {
                continue;
            }
            match serde_json::from_slice(line) {
                Ok(page) => pages.push(page),
                Err(error) => {
                    let what = format!("gold.jsonl line {}: {error}", number + 1);
                    return Err(EvalError::Gold { path, what });
                }
            }
        }
        Ok(GoldSite { path, meta, pages, schema: None })
    }
}

/// One round of leave-one-site-out: positions in the list of sites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// To be measured; themes of one site are held out together.
    pub held_out: Vec<usize>,
    /// To be learned from.
    pub training: Vec<usize>,
}

/// The rounds of leave-one-site-out. Several designs of one site (the same `site` in their [`Meta`], or a site of
/// that name) are one site: a method trained on one of them has seen the data of the others.
pub fn leave_one_out<'a>(sites: impl IntoIterator<Item = &'a Meta>) -> Vec<Fold> {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut count = 0;
    for (i, meta) in sites.into_iter().enumerate() {
        groups.entry(meta.site.as_deref().unwrap_or(&meta.name)).or_default().push(i);
        count = i + 1;
    }
    let mut folds: Vec<Fold> = groups
        .into_values()
        .map(|held_out| {
            let training = (0..count).filter(|i| held_out.binary_search(i).is_err()).collect();
            Fold { held_out, training }
        })
        .collect();
    folds.sort_by_key(|fold| fold.held_out.first().copied());
    folds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meta(name: &str, site: Option<&str>) -> Meta {
        Meta { name: name.into(), site: site.map(Into::into), ..Meta::default() }
    }

    #[test]
    fn labels_keep_their_order_and_any_scalar_is_text() {
        let line = r#"{"file":"pages/1.html","page_type":null,"fields":{"z":["1"],"a":[2,null,true,1.5]},"open_fields":null,
            "records":[{"b":"x","a":7}],"form_types":["s","l"],"unknown_key":{"x":[]}}"#
            .replace('\n', " ");
        let site =
            GoldSite::from_parts("x", br#"{"name":"n","suite":"s","more":1}"#, line.as_bytes()).unwrap();
        let page = &site.pages[0];
        assert_eq!(page.page_type, None);
        let fields: Vec<(&str, Vec<&str>)> =
            page.fields.iter().map(|(k, vs)| (k, vs.iter().map(|v| v.as_str()).collect())).collect();
        assert_eq!(fields, [("z", vec!["1"]), ("a", vec!["2", "None", "True", "1.5"])]);
        assert_eq!(
            page.records[0].iter().map(|(k, v)| (k, v.as_str())).collect::<Vec<_>>(),
            [("b", "x"), ("a", "7")]
        );
        assert!(page.open_fields.is_empty());
        assert_eq!(page.form_types, ["s", "l"]);
    }

    #[test]
    fn a_repeated_name_keeps_its_place_and_takes_the_last_value() {
        let gold = br#"{"file":"p","fields":{"a":["1"],"b":["2"],"a":["3"]}}"#;
        let site = GoldSite::from_parts("x", br#"{"name":"n","suite":"s"}"#, gold).unwrap();
        let names: Vec<(&str, &str)> =
            site.pages[0].fields.iter().map(|(k, vs)| (k, vs[0].as_str())).collect();
        assert_eq!(names, [("a", "3"), ("b", "2")]);
    }

    #[test]
    fn errors_name_the_line() {
        let error = GoldSite::from_parts(
            "x.tar.zst",
            br#"{"name":"n","suite":"s"}"#,
            b"{\"file\":\"a\"}\n\n{\"file\":3}\n",
        )
        .unwrap_err()
        .to_string();
        assert!(error.starts_with("x.tar.zst: gold.jsonl line 3: "), "{error}");
        let error = GoldSite::from_parts("x.tar.zst", b"[]", b"").unwrap_err().to_string();
        assert!(error.contains("meta.json"), "{error}");
    }

    #[test]
    fn themes_of_one_site_are_held_out_together() {
        let sites = [
            meta("b__one", Some("b")),
            meta("a", None),
            meta("b__two", Some("b")),
            meta("b", None),
            meta("c", None),
        ];
        let folds = leave_one_out(&sites);
        assert_eq!(
            folds,
            [
                Fold { held_out: vec![0, 2, 3], training: vec![1, 4] },
                Fold { held_out: vec![1], training: vec![0, 2, 3, 4] },
                Fold { held_out: vec![4], training: vec![0, 1, 2, 3] },
            ]
        );
        assert!(leave_one_out([]).is_empty());
    }
}
