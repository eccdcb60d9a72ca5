//! The statements that put what was seen now to what was seen before, in the SQL that SQLite and PostgreSQL share.

use crate::merge::Sides;

impl Sides<'_> {
    /// Before anything else is written: pages of which a newer capture came stay as captures of their own.
    pub(crate) fn supersede(&self) -> String {
        let Sides { new, old, .. } = self;
        format!(
            "INSERT INTO {old}_pages (id, url, ref, page_type, role, index_score, problems, captured, latest)
             SELECT (SELECT coalesce(max(id), 0) FROM
                         (SELECT max(id) AS id FROM {old}_pages UNION ALL SELECT max(id) FROM {new}_pages) m)
                     + row_number() OVER (ORDER BY o.id),
                 o.url, o.ref, o.page_type, o.role, o.index_score, o.problems, o.captured, 0
             FROM {old}_pages o JOIN {new}_pages n ON n.id = o.id
             WHERE o.captured <> n.captured AND o.latest IS DISTINCT FROM 0
                 AND NOT EXISTS (SELECT 1 FROM {old}_pages p WHERE p.url = o.url AND p.captured = o.captured AND p.latest = 0)
                 AND NOT EXISTS (SELECT 1 FROM {new}_pages p WHERE p.url = o.url AND p.captured = o.captured)"
        )
    }

    /// For a database that had no history: what its pages say was seen when they were captured.
    pub(crate) fn history_so_far(&self) -> String {
        let (old, values) = (self.old, self.old_values());
        format!(
            "INSERT INTO {old}_history SELECT DISTINCT c.table_name, v.row_id, c.column_name, v.value,
                 p.captured, p.captured, p.id
             FROM {values} v JOIN {old}_columns c ON c.id = v.column_id JOIN {old}_pages p ON p.id = v.page_id
             WHERE p.captured IS NOT NULL AND p.page_type IS NOT NULL AND v.copy = 0 AND v.row_id IS NOT NULL"
        )
    }

    /// While the pages are still those from before: every sighting on addresses that were captured again, capture by capture.
    /// A capture that is read again tells only what is read now.
    pub(crate) fn sightings(&self) -> String {
        let Sides { new, old, .. } = self;
        let seen = "h.page_id, h.table_name, h.row_id, h.column_name, h.value, c.captured AS at";
        let at = "c.url = a.url AND c.captured >= h.first_seen AND c.captured <= h.last_seen AND c.page_type IS NOT NULL";
        format!(
            "CREATE TABLE {new}_seen AS
             SELECT {seen} FROM {old}_history h JOIN {old}_pages a ON a.id = h.page_id JOIN {old}_pages c ON {at}
             WHERE h.page_id IN (SELECT page_id FROM {new}_history) AND NOT EXISTS
                 (SELECT 1 FROM {new}_pages n WHERE n.url = a.url AND n.captured = c.captured AND n.page_type IS NOT NULL)
             UNION
             SELECT {seen} FROM {new}_history h
             JOIN (SELECT id, url FROM {new}_pages UNION SELECT id, url FROM {old}_pages) a ON a.id = h.page_id
             JOIN {new}_pages c ON {at}"
        )
    }

    /// Once the pages of both sides are there: sightings in one capture after the other are one span again.
    pub(crate) fn history(&self) -> [String; 2] {
        let Sides { new, old, .. } = self;
        let cell = "page_id, table_name, row_id, column_name, value";
        [
            format!("DELETE FROM {old}_history WHERE page_id IN (SELECT page_id FROM {new}_seen)"),
            format!(
                "INSERT INTO {old}_history
                 SELECT table_name, row_id, column_name, value, min(at), max(at), page_id FROM
                     (SELECT s.*, c.n - row_number() OVER (PARTITION BY s.page_id, s.table_name, s.row_id, s.column_name,
                          s.value ORDER BY s.at) AS span
                      FROM {new}_seen s JOIN
                          (SELECT page_id, at, row_number() OVER (PARTITION BY page_id ORDER BY at) AS n FROM
                               (SELECT DISTINCT x.page_id, c.captured AS at
                                FROM (SELECT DISTINCT page_id FROM {new}_seen) x
                                JOIN {old}_pages a ON a.id = x.page_id JOIN {old}_pages c ON c.url = a.url
                                WHERE c.captured IS NOT NULL AND c.page_type IS NOT NULL) moments) c
                          ON c.page_id = s.page_id AND c.at = s.at) spans
                 GROUP BY {cell}, span ORDER BY {cell}, min(at)"
            ),
        ]
    }
}
