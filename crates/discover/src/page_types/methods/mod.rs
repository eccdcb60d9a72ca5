//! The registry of page clustering methods: one file each, one line here.

use super::{Options, auto};
use crate::site::Site;

/// A way to group pages.
pub struct Method {
    /// What `--method` calls it.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// A label for each page of the site; equal labels are one type.
    pub cluster: fn(&Site, &Options) -> Vec<usize>,
}

/// All methods, the default first.
pub const METHODS: &[Method] =
    &[Method { name: "auto", about: "whatever measures best", cluster: auto::cluster }];

/// The method of that name.
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}
