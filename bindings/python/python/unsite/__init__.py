"""Turns a web site back into the database behind it.

>>> import unsite
>>> site = unsite.discover("pages.warc.gz")         # doctest: +SKIP
>>> site.tables["book"]                             # doctest: +SKIP

Pages can be given as a path of any kind that the command line reads, as pairs of ``(url, html)``, as dicts or a table (Arrow,
pandas, polars) with the columns ``url`` and ``html``, or as an iterator of any of these. Tables speak the Arrow PyCapsule
interface: ``polars.DataFrame(table)``, ``pyarrow.table(table)``, ``duckdb.from_arrow(pyarrow.table(table))``.
"""

from unsite._errors import (
    CancelledError,
    DriftWarning,
    EditError,
    EditWarning,
    NoPagesError,
    OutputError,
    PageError,
    RepairError,
    SourceError,
    UnsiteError,
    WrapperError,
)
from unsite._internal import (
    PAGES,
    ROWS,
    ArrowSchema,
    Batches,
    CheckReport,
    DriftWatch,
    RecordBatch,
    SampleState,
    Site,
    Source,
    Table,
    Wrapper,
    __version__,
    discover,
    learn,
)

__all__ = [
    "PAGES",
    "ROWS",
    "ArrowSchema",
    "Batches",
    "CancelledError",
    "CheckReport",
    "DriftWarning",
    "DriftWatch",
    "EditError",
    "EditWarning",
    "NoPagesError",
    "OutputError",
    "PageError",
    "RecordBatch",
    "RepairError",
    "SampleState",
    "Site",
    "Source",
    "SourceError",
    "Table",
    "UnsiteError",
    "Wrapper",
    "WrapperError",
    "__version__",
    "discover",
    "learn",
]
