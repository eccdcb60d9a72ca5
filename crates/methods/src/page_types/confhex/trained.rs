//! The shipped histograms.
//!
//! Trained with `cargo run --release -p unsite-eval --example page_methods -- --train --only confhex SUITES` on the
//! labelled suites page-types, live and redesign (45 sites, at most 120 pages of each, every site with the same weight).

use super::Shares;
use super::experts::EXPERTS;

/// For each expert, the shares of pairs in each tenth of the score, summed over sites: inside types, between types.
pub(super) const SHARES: [Shares; EXPERTS.len()] = [
    // url
    [
        [0.000, 0.000, 0.004, 0.032, 0.258, 4.079, 6.397, 13.546, 10.589, 10.097],
        [0.000, 0.000, 0.008, 0.656, 4.876, 7.067, 18.596, 9.494, 3.746, 0.557],
    ],
    // base-url
    [
        [0.000, 0.000, 0.000, 0.000, 0.174, 3.734, 6.147, 12.705, 11.202, 11.036],
        [0.000, 0.000, 0.012, 0.693, 3.156, 5.401, 17.717, 11.405, 4.943, 1.675],
    ],
    // template
    [
        [0.990, 3.430, 2.648, 4.733, 6.360, 4.859, 5.206, 6.046, 6.214, 4.516],
        [3.739, 5.846, 7.319, 8.673, 6.924, 3.177, 2.461, 2.870, 3.694, 0.298],
    ],
    // layout
    [
        [0.264, 0.223, 0.241, 0.235, 0.475, 0.836, 1.321, 1.924, 3.890, 35.592],
        [7.524, 3.598, 2.578, 3.017, 3.618, 4.023, 3.378, 2.688, 2.594, 11.981],
    ],
    // list
    [
        [0.197, 1.957, 2.086, 1.994, 4.249, 6.230, 6.217, 8.757, 10.035, 3.277],
        [0.973, 5.817, 6.647, 6.507, 8.499, 6.271, 3.496, 3.186, 1.864, 1.741],
    ],
    // table
    [
        [1.017, 3.086, 3.415, 4.137, 5.051, 7.031, 7.553, 6.755, 6.075, 0.881],
        [3.282, 4.900, 9.392, 8.881, 6.969, 4.653, 4.887, 1.494, 0.522, 0.021],
    ],
];
