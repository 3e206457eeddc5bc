"""Checked by mypy and pyright, and never run: what users write has the types they expect."""

from __future__ import annotations

import numpy as np
from typing_extensions import assert_type

import roundel
from roundel.testing import assert_matches


def check() -> None:
    positions = np.zeros((4, 3), dtype=np.float32)
    image = roundel.spheres(positions, 0.5, positions[:, 2], colormap="magma", vmin=0, eye=(0, 0, 9), samples=4, threads=2)
    assert_type(image, roundel.Image)
    assert_type(image.size, tuple[int, int])
    assert_type(roundel.Renderer(threads=2).spheres(positions, background="#fff", ao="smooth", ao_distance=None), roundel.Image)
    assert_type(roundel.read("molecule.pdb", only="chain A", highlight={"resname HEM": "#f00"}).render(), roundel.Image)
    assert_type(roundel.scatter("x", "y", data={"x": [1], "y": [2]}), roundel.Image)
    assert_type(roundel.compare(image, "golden.png", tolerance=1).first, "tuple[int, int] | None")
    assert_type(roundel.film([image], "film.gif", fps=10).frames, int)
    assert_matches(image, "four", mask=[(0, 0, 4, 4)])
    roundel.spheres(positions, sampels=4)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
