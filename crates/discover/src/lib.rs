//! The brain: from pages to page types, roles, regions, fields and tables.
