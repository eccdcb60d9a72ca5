//! Blocks that are told apart by what is inside them: as conditions of XPath, and as lists of paths for code that can
//! compare.

use unsite_wrapper::{Kind, SHAPE_DEPTH, Spec, TEXT_SIGNATURE, Template, shape_feature};

use super::names::node_test;
use super::steps::Piece;

/// How many features that tell a block apart are written out.
const FEATURES_SHOWN: usize = 3;

/// Which of the blocks that stand here a block is most like: exactly what matching asks.
pub(super) fn likest(template: &Template, spec: &Spec, alike: &[&Spec]) -> Piece {
    let mut shapes: Vec<&[u64]> = alike.iter().map(|other| other.shape.as_slice()).collect();
    shapes.dedup();
    let which = shapes.iter().position(|shape| *shape == spec.shape).unwrap_or_default();
    Piece::Shaped { shapes: shapes.iter().map(|shape| paths(template, shape)).collect(), which }
}

/// What stands in this block and not in those it could be taken for, or the other way round: as near as XPath can say it.
pub(super) fn condition(template: &Template, spec: &Spec, alike: &[&Spec]) -> Result<Piece, String> {
    let mut shapes: Vec<&[u64]> = alike.iter().map(|other| other.shape.as_slice()).collect();
    shapes.dedup();
    let mine = written(template, &spec.shape);
    let theirs: Vec<Vec<FeaturePath>> = shapes
        .into_iter()
        .filter(|shape| *shape != spec.shape)
        .map(|other| written(template, other))
        .collect();
    let joined = |paths: Vec<&FeaturePath>| {
        let paths: Vec<&str> =
            paths.into_iter().take(FEATURES_SHOWN).map(|path| path.written.as_str()).collect();
        (!paths.is_empty()).then(|| paths.join(" or "))
    };
    let present = mine.iter().filter(|path| theirs.iter().all(|theirs| path.tells_from(theirs)));
    if let Some(present) = joined(present.collect()) {
        return Ok(Piece::Condition(format!("[{present}]")));
    }
    let mut absent = String::new();
    for theirs in &theirs {
        let telling = theirs.iter().filter(|path| path.tells_from(&mine)).collect();
        let telling = joined(telling).ok_or("it is told from its neighbours only by how much is inside")?;
        absent += &format!("[not({telling})]");
    }
    Ok(Piece::Condition(absent))
}

/// A feature as a path of XPath.
struct FeaturePath {
    feature: u64,
    written: String,
    /// The path without class names.
    tags: String,
}

impl FeaturePath {
    /// Do blocks with these features not have it? A path without class names also finds what has some.
    fn tells_from(&self, others: &[FeaturePath]) -> bool {
        let bare = self.written == self.tags;
        others.iter().all(|other| other.feature != self.feature && !(bare && other.tags == self.tags))
    }
}

fn written(template: &Template, shape: &[u64]) -> Vec<FeaturePath> {
    const TEXT: &str = "text()[normalize-space()]";
    let named = |kind: &Option<&Kind>| kind.map_or_else(|| TEXT.to_owned(), |kind| node_test(&[kind], &[]));
    let tag = |kind: &Option<&Kind>| kind.map_or(TEXT, |kind| kind.tag.as_str()).to_owned();
    let path = |(feature, kinds): (u64, Vec<Option<&Kind>>)| FeaturePath {
        feature,
        written: kinds.iter().map(named).collect::<Vec<_>>().join("/"),
        tags: kinds.iter().map(tag).collect::<Vec<_>>().join("/"),
    };
    decoded(template, shape).into_iter().map(path).collect()
}

/// Features as paths of kinds: `li.row/a/text()`. Those that nothing is known of count as something that is nowhere.
fn paths(template: &Template, shape: &[u64]) -> Vec<String> {
    let step = |kind: &Option<&Kind>| kind.map_or_else(|| "text()".to_owned(), Kind::step_name);
    let mut paths: Vec<String> = decoded(template, shape)
        .iter()
        .map(|(_, kinds)| kinds.iter().map(step).collect::<Vec<_>>().join("/"))
        .collect();
    paths.extend((paths.len()..shape.len()).map(|unknown| format!("?{unknown}")));
    paths
}

/// The features that are known as paths of kinds (`None` is a text), the shortest first. A feature is a hash of the path
/// above it and a kind, so that all paths are tried that begin with known ones.
fn decoded<'t>(template: &'t Template, shape: &[u64]) -> Vec<(u64, Vec<Option<&'t Kind>>)> {
    let mut found: Vec<(u64, Vec<Option<&Kind>>)> = Vec::new();
    let mut level = vec![(0u64, Vec::new())];
    for _ in 0..SHAPE_DEPTH {
        let mut below = Vec::new();
        for (path, above) in &level {
            let kinds = template.kinds.iter().map(|kind| (kind.signature, Some(kind)));
            for (signature, kind) in kinds.chain([(TEXT_SIGNATURE, None)]) {
                let feature = shape_feature(*path, signature);
                if shape.binary_search(&feature).is_err() {
                    continue;
                }
                let mut kinds: Vec<Option<&Kind>> = above.clone();
                kinds.push(kind);
                if kind.is_some() {
                    below.push((feature, kinds.clone()));
                }
                found.push((feature, kinds));
            }
        }
        level = below;
    }
    found
}
