"""Names that examples in docstrings and in the README know."""

import pytest

import anqi
import anqi.encoding


@pytest.fixture(autouse=True)
def _names(doctest_namespace):
    doctest_namespace["anqi"] = anqi
