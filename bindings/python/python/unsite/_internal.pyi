from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import Any, Protocol, TypeAlias, TypedDict, final

__all__ = [
    "ArrowSchema",
    "CheckReport",
    "DriftWatch",
    "PAGES",
    "PageBatches",
    "ROWS",
    "RecordBatch",
    "RowBatches",
    "SampleState",
    "Site",
    "Source",
    "Table",
    "Wrapper",
    "__version__",
    "discover",
    "learn",
]

__version__: str

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class _Frame(Protocol):
    @property
    def columns(self) -> Any: ...
    @property
    def iloc(self) -> Any: ...

_Page: TypeAlias = tuple[str, str | bytes] | list[str | bytes] | dict[str, Any] | _ArrowArray | _ArrowStream
_Pages: TypeAlias = str | PathLike[str] | Source | _ArrowArray | _ArrowStream | _Frame | Iterable[_Page]
_Progress: TypeAlias = Callable[[str, int, int | None], object]

class _PageType(TypedDict):
    name: str
    role: str
    url_pattern: str
    pages: int
    confidence: float

class _Column(TypedDict):
    name: str
    type: str
    label: str | None
    selector: str
    coverage: float
    confidence: float

class _StreamedColumn(TypedDict):
    name: str
    type: str
    beside: str | None

class _Layout(TypedDict):
    name: str
    parent: list[str] | None
    is_gathered: bool
    columns: list[_StreamedColumn]

@final
class ArrowSchema:
    @property
    def names(self) -> list[str]: ...
    def __arrow_c_schema__(self) -> object: ...

ROWS: ArrowSchema
PAGES: ArrowSchema

@final
class RecordBatch:
    @property
    def num_rows(self) -> int: ...
    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class PageBatches:
    def __iter__(self) -> Iterator[RecordBatch]: ...
    def __next__(self) -> RecordBatch: ...

@final
class RowBatches:
    def __iter__(self) -> Iterator[RecordBatch]: ...
    def __next__(self) -> RecordBatch: ...

@final
class Source:
    def __new__(cls, pages: _Pages, *, url: str = "url", html: str = "html", name: str | None = None) -> Source: ...
    @staticmethod
    def records(path: str, ranges: list[tuple[int, int]]) -> Source: ...
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    def batches(self, size: int = 256) -> PageBatches: ...

@final
class Table:
    @property
    def name(self) -> str: ...
    @property
    def num_rows(self) -> int: ...
    @property
    def column_names(self) -> list[str]: ...
    @property
    def keys(self) -> dict[str, tuple[str, str]]: ...
    def to_pylist(self, limit: int | None = None) -> list[dict[str, Any]]: ...
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def _repr_html_(self) -> str: ...

@final
class SampleState:
    def __new__(cls, seed: int = 42, sample: int = 2000) -> SampleState: ...
    def add(self, pages: _Pages, *, url: str = "url", html: str = "html") -> int: ...
    def merge(self, other: SampleState) -> None: ...
    def pick(self, pages: _Pages, *, url: str = "url", html: str = "html") -> RecordBatch: ...
    def bound(self) -> SampleState: ...
    @property
    def total(self) -> int: ...
    def __len__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> SampleState: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes]]: ...

@final
class CheckReport:
    @property
    def pages(self) -> int: ...
    @property
    def pages_of_type(self) -> dict[str, int]: ...
    @property
    def set_aside(self) -> int: ...
    @property
    def aside(self) -> list[str]: ...
    @property
    def findings(self) -> list[dict[str, Any]]: ...
    @property
    def problems(self) -> dict[str, int]: ...
    @property
    def has_changed(self) -> bool: ...

@final
class DriftWatch:
    def add(self, page: _Page) -> str | None: ...
    def report(self) -> CheckReport: ...

@final
class Wrapper:
    @staticmethod
    def open(path: str | PathLike[str]) -> Wrapper: ...
    @staticmethod
    def from_text(text: str) -> Wrapper: ...
    def to_text(self) -> str: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @property
    def page_types(self) -> list[_PageType]: ...
    @property
    def tables(self) -> dict[str, list[_Column]]: ...
    @property
    def layout(self) -> list[_Layout]: ...
    @property
    def provenance(self) -> dict[str, Any]: ...
    def extract(
        self,
        pages: _Pages,
        *,
        threads: int | None = None,
        progress: _Progress | None = None,
        url: str = "url",
        html: str = "html",
    ) -> dict[str, Table]: ...
    def extract_to(
        self,
        pages: _Pages,
        output: str | PathLike[str],
        *,
        replace: bool = False,
        threads: int | None = None,
        progress: _Progress | None = None,
        url: str = "url",
        html: str = "html",
    ) -> PathLike[str]: ...
    def extract_rows(
        self,
        pages: _Pages,
        *,
        threads: int | None = 1,
        site: str | None = None,
        cells: bool = True,
        url: str = "url",
        html: str = "html",
    ) -> RecordBatch: ...
    def batches(
        self,
        pages: _Pages,
        *,
        threads: int | None = 1,
        site: str | None = None,
        size: int = 256,
        cells: bool = True,
        url: str = "url",
        html: str = "html",
    ) -> RowBatches: ...
    def classify(self, pages: _Pages, *, url: str = "url", html: str = "html") -> list[str | None]: ...
    def check(
        self,
        pages: _Pages,
        *,
        threads: int | None = None,
        progress: _Progress | None = None,
        url: str = "url",
        html: str = "html",
    ) -> CheckReport: ...
    def repair(
        self,
        pages: _Pages,
        *,
        sample: int = 2000,
        seed: int = 42,
        threads: int | None = None,
        progress: _Progress | None = None,
        name: str | None = None,
        url: str = "url",
        html: str = "html",
    ) -> Wrapper: ...
    def read(self, page: _Page) -> dict[str, Any]: ...
    def watch(self) -> DriftWatch: ...
    def why(self, page: _Page, table: str, row: int, column: str) -> dict[str, Any]: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes]]: ...
    def _repr_html_(self) -> str: ...

@final
class Site:
    @property
    def wrapper(self) -> Wrapper: ...
    @property
    def page_types(self) -> list[_PageType]: ...
    @property
    def tables(self) -> dict[str, Table]: ...
    @property
    def problems(self) -> dict[str, int]: ...
    @property
    def pages(self) -> int: ...
    @property
    def learned_from(self) -> int: ...
    def to_sqlite(self, path: str | PathLike[str], *, replace: bool = False) -> PathLike[str]: ...
    def to_parquet(self, folder: str | PathLike[str], *, replace: bool = False) -> PathLike[str]: ...
    def _repr_html_(self) -> str: ...

def discover(
    pages: _Pages,
    *,
    seed: int = 42,
    sample: int = 2000,
    threads: int | None = None,
    progress: _Progress | None = None,
    name: str | None = None,
    url: str = "url",
    html: str = "html",
) -> Site: ...
def learn(
    pages: _Pages,
    *,
    total: int | None = None,
    seed: int = 42,
    sample: int = 2000,
    threads: int | None = None,
    progress: _Progress | None = None,
    name: str = "pages",
    url: str = "url",
    html: str = "html",
) -> Wrapper: ...
