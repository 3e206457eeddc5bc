"""Fixtures that several test files share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

pytest_plugins = ["pytester"]

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def in_package(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Doctests find files relative to the package's folder."""
    if "pytester" not in request.fixturenames:
        monkeypatch.chdir(Path(__file__).parents[1])


@pytest.fixture
def cloud() -> npt.NDArray[np.float32]:
    """A thousand positions."""
    return np.random.default_rng(1).normal(size=(1000, 3)).astype(np.float32)
