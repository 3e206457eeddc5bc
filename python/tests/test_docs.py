"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib

import pytest

from conftest import REPOSITORY


@pytest.mark.parametrize("module", ["roundel", "roundel._drawing", "roundel._files", "roundel._films", "roundel._pictures", "roundel._shapes", "roundel.mpl", "roundel.scenes"])
def test_examples_of_docstrings(module):
    found = doctest.testmod(importlib.import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 3 and found.failed == 0, found


def test_the_package_has_the_licences_of_the_repository():
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        assert (REPOSITORY / "python" / name).read_text() == (REPOSITORY / name).read_text()
