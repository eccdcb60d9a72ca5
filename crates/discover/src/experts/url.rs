//! The address.

use super::{Expert, url_shape};

pub(super) const EXPERT: Expert = Expert {
    name: "url",
    about: "the address: route words, depth, names of parameters",
    read: |page| url_shape::read(page.url, true),
    weigh: url_shape::weigh,
    weight: |_, _| 1.0,
    score: url_shape::score,
};
