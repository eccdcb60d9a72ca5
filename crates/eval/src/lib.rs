//! Gold sites, the measures of the papers on them, the gate.
