//! Sinks: SQLite, CSV, JSON Lines.
