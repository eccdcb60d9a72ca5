"""Wrappers that a process has already: engines send the same one with every task."""

from functools import lru_cache

from unsite._internal import Wrapper

#: Wrappers that are kept. A job with one has one; those of many hosts would only fill memory.
KEPT = 8


@lru_cache(maxsize=KEPT)
def wrapper(text: bytes) -> Wrapper:
    """The wrapper that a pickle holds. It never changes, so that whoever asks may have the same."""
    return Wrapper.from_text(text.decode())
