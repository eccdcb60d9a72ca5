//! The address without its query.

use super::{Expert, url_shape};

pub(super) const EXPERT: Expert = Expert {
    name: "base-url",
    about: "the address without its query",
    read: |page| url_shape::read(page.url, false),
    weigh: url_shape::weigh,
    weight: |_, _| 1.0,
    score: url_shape::score,
};
