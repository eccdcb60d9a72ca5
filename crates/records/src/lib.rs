//! Record linkage and deduplication by experts; knows records, not HTML.
