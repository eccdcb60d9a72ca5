"""A site as a scikit-learn estimator: pages in, page types and rows out.

``X`` holds pages: a sequence of HTML texts, of ``(url, html)`` pairs, or a table with the columns ``url`` and ``html``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

import unsite

__all__ = ["SiteExtractor"]

# What pages that fit no type are said to be of.
NO_TYPE = ""


class SiteExtractor(ClassifierMixin, TransformerMixin, BaseEstimator):
    """Learns a site from its pages.

    ``predict`` gives the type of each page (an empty text for pages that fit none), ``transform`` the rows read off each page: a
    list of dicts with ``table``, ``row``, ``parent`` and ``values``. ``fit`` looks at no labels.

    Parameters
    ----------
    seed : where random choices start from.
    sample : pages that are learned from.
    threads : ``None`` for all cores.
    """

    wrapper_: unsite.Wrapper
    classes_: Any
    n_features_in_: int

    def __init__(self, seed: int = 42, sample: int = 2000, threads: int | None = None) -> None:
        self.seed = seed
        self.sample = sample
        self.threads = threads

    def fit(self, X: Any, y: Any = None) -> SiteExtractor:
        """Learns the page types and tables of the pages. ``y`` is not looked at."""
        pages = _pages(X)
        site = unsite.discover(pages, seed=self.seed, sample=self.sample, threads=self.threads, name="X")
        self.wrapper_ = site.wrapper
        self.classes_ = np.array(sorted(t["name"] for t in self.wrapper_.page_types) + [NO_TYPE], dtype=object)
        self.n_features_in_ = 1
        return self

    def predict(self, X: Any) -> Any:
        """The type of each page."""
        check_is_fitted(self, "wrapper_")
        return np.array([t or NO_TYPE for t in self.wrapper_.classify(_pages(X))], dtype=object)

    def transform(self, X: Any) -> list[list[dict[str, Any]]]:
        """The rows of each page."""
        check_is_fitted(self, "wrapper_")
        return [_rows(self.wrapper_, page) for page in _pages(X)]

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The tables that rows can be of."""
        check_is_fitted(self, "wrapper_")
        return np.array(list(self.wrapper_.tables), dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = False
        tags.no_validation = True
        return tags


def _rows(wrapper: unsite.Wrapper, page: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = wrapper.read(page)["rows"]
    return found


def _pages(X: Any) -> list[tuple[str, str | bytes]]:
    """Pages as pairs. A text alone gets an address that says which it is."""
    if X is None:
        raise unsite.PageError("None cannot be read as pages", "", "Give texts, pairs of (url, html) or a table")
    if hasattr(X, "columns"):
        urls: Iterable[Any] = X["url"]
        htmls: Iterable[Any] = X["html"]
        return [(str(url), html) for url, html in zip(urls, htmls)]
    if isinstance(X, (str, bytes)):
        raise unsite.PageError("one text is no sequence of pages", "", "Put it into a list")
    pages: list[tuple[str, str | bytes]] = []
    for at, page in enumerate(X.ravel() if isinstance(X, np.ndarray) and X.ndim == 2 and X.shape[1] == 1 else X):
        if isinstance(page, (str, bytes)):
            pages.append((f"page:{at}", page))
        elif isinstance(page, (Sequence, np.ndarray)) and len(page) == 2:
            body: Any = page[1]
            pages.append((str(page[0]), body))
        else:
            kind = type(page).__name__
            raise unsite.PageError(f"page {at} is {kind}", "", "Give texts, pairs of (url, html) or a table")
    return pages
