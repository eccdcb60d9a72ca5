//! Which step is a trail of breadcrumbs.

use super::grow::Grown;

/// The word by which templates of all kinds call them; Schema.org and WAI-ARIA use it too.
const CRUMB: &str = "crumb";

/// Is this step the outermost one that is called a trail of breadcrumbs, and not one of the crumbs?
pub(super) fn is_trail(grown: &Grown, step: usize) -> bool {
    let is_called = |step: usize| {
        let name = &grown.template.nodes[step].step;
        let names = name.split(['[', ':', '*']).next().unwrap_or_default();
        names.to_ascii_lowercase().contains(CRUMB)
    };
    if step == 0 || grown.lists[step] || !is_called(step) {
        return false;
    }
    let mut above = grown.template.nodes[step].parent;
    while above != 0 {
        if is_called(above) {
            return false;
        }
        above = grown.template.nodes[above].parent;
    }
    true
}
