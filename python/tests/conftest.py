"""Tests run in a folder of their own, so that a child process finds the installed package, not the one beside it."""

import pytest


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
