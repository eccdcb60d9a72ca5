"""The sample is the same however the pages are dealt out."""

from __future__ import annotations

import pickle
import random

import pytest
import shop

import unsite


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_merged_samples_learn_the_same(pages: list[shop.Page], parts: int) -> None:
    shuffled = random.Random(parts).sample(pages, len(pages))
    dealt = [shuffled[at::parts] for at in range(parts)]
    merged = unsite.SampleState(42, 30)
    for part in dealt:
        state = unsite.SampleState(42, 30)
        assert state.add(part) == 0
        merged.merge(pickle.loads(pickle.dumps(state)))
    assert (len(merged), merged.total) == (30, len(pages))
    bound = merged.bound()
    assert len(bound.to_bytes()) < 500 and unsite.SampleState.from_bytes(merged.to_bytes()) == merged
    chosen = [bound.pick(part) for part in dealt]
    assert sum(batch.num_rows for batch in chosen) == 30
    learned = unsite.learn(chosen, total=merged.total, sample=30)
    assert learned.to_text() == unsite.discover(pages, sample=30).wrapper.to_text()


def test_samples_of_different_kinds_are_not_put_together() -> None:
    with pytest.raises(unsite.UnsiteError, match="same seed"):
        unsite.SampleState(1, 30).merge(unsite.SampleState(2, 30))
    with pytest.raises(unsite.UnsiteError, match="no sample"):
        unsite.SampleState.from_bytes(b"nonsense")
