//! How page types are told apart, as code can.

use unsite_wrapper::{Family, Wrapper};

/// What tells the page types of a site apart: the named marks of its recogniser. How like a type's own pages a page is
/// cannot be said: that is known by hashes alone.
#[derive(Debug, Clone, Default)]
pub(super) struct TypesPlan {
    /// All page types, those that nothing is read from too.
    pub(super) all: Vec<String>,
    /// The pages that each was learned from.
    pub(super) pages: Vec<u32>,
    /// The class and id names that stand in paths, and beginnings of others.
    pub(super) names: [Vec<String>; 2],
    /// What tells them apart.
    pub(super) marks: Vec<NamedMark>,
}

/// Family, name, and how many pages of which type have it.
pub(super) type NamedMark = (&'static str, String, Vec<(u32, u32)>);

impl TypesPlan {
    pub(super) fn of(wrapper: &Wrapper) -> Self {
        let recogniser = &wrapper.recogniser;
        let named = recogniser.marks.iter().filter(|mark| !mark.name.is_empty());
        let marks = named
            .filter_map(|mark| Some((mark.family.map(Family::name)?, mark.name.clone(), mark.types.clone())));
        TypesPlan {
            all: wrapper.schema.page_types.iter().map(|info| info.name.clone()).collect(),
            pages: recogniser.pages.clone(),
            names: wrapper.classes.written(),
            marks: marks.collect(),
        }
    }
}
