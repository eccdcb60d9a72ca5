"""The estimator is one that scikit-learn knows how to use."""

from __future__ import annotations

import pytest
import shop

pytest.importorskip("sklearn")

from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.utils import estimator_checks

import unsite
from unsite.sklearn import SiteExtractor


def test_it_learns_predicts_and_transforms(pages: list[shop.Page]) -> None:
    extractor = SiteExtractor(threads=2).fit(pages)
    types = extractor.predict([*pages, ("http://other.test/x", "<p>nothing known")])
    assert list(types[:60]) == ["book"] * 60 and types[-1] == "" and set(types) <= set(extractor.classes_)
    rows = extractor.transform(pages[:2])
    assert len(rows) == 2 and str(rows[0][0]["values"]["published"]) == shop.DAYS[0]
    assert "book" in extractor.get_feature_names_out()
    assert extractor.score(pages[:60], ["book"] * 60) == 1.0
    assert len(Pipeline([("site", SiteExtractor())]).fit(pages).predict(pages)) == len(pages)
    texts = [html for _, html in pages]
    assert len(SiteExtractor().fit_transform(texts)) == len(texts)


def test_parameters_and_state_are_as_scikit_learn_wants_them(pages: list[shop.Page]) -> None:
    estimator = SiteExtractor(seed=7)
    assert is_classifier(estimator) and clone(estimator).get_params() == estimator.get_params()
    with pytest.raises(NotFittedError):
        estimator.predict(pages)
    with pytest.raises(unsite.PageError):
        estimator.fit([3])
    assert estimator.__sklearn_tags__().input_tags.string


# Those of scikit-learn's own checks that do not make matrices of numbers for X.
CHECKS = [
    "check_estimator_cloneable",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_estimator_repr",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
    "check_mixin_order",
]


@pytest.mark.parametrize("name", CHECKS)
def test_its_own_checks_pass(name: str) -> None:
    check = getattr(estimator_checks, name)
    check("SiteExtractor", SiteExtractor())
