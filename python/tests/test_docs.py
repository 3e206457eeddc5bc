"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize("module", ["roundel", "roundel._drawing", "roundel._files", "roundel._pictures"])
def test_examples_of_docstrings(module):
    found = doctest.testmod(importlib.import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 3 and found.failed == 0, found
