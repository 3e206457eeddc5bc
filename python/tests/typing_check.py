"""Checked by mypy and pyright, and never run: what users write has the types they expect."""

from __future__ import annotations

import ase
import numpy as np
import pandas as pd
import polars as pl
from typing_extensions import assert_type

import roundel
from roundel.testing import assert_matches, soft


def check() -> None:
    positions = np.zeros((4, 3), dtype=np.float32)
    image = roundel.spheres(positions, 0.5, positions[:, 2], colormap="magma", vmin=0, eye=(0, 0, 9), samples=4, threads=2)
    assert_type(image, roundel.Image)
    assert_type(image.size, tuple[int, int])
    assert_type(roundel.Renderer(threads=2).spheres(positions, background="#fff", ao="smooth", ao_distance=None), roundel.Image)
    assert_type(roundel.read("molecule.pdb", only="chain A", colors="element", radii={"element N": 1.0}, highlight={"resname HEM": "#f00"}).render(), roundel.Image)
    assert_type(roundel.scatter("x", "y", data={"x": [1], "y": [2]}), roundel.Image)
    assert_type(roundel.compare(image, "golden.png", tolerance=1).first, "tuple[int, int] | None")
    assert_type(roundel.film([image], "film.gif", fps=10).frames, int)
    assert_matches(image, "four", mask=[(0, 0, 4, 4)])
    roundel.spheres(positions, sampels=4)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    roundel.spheres(positions, look="studo")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    roundel.spheres(positions, colormap="RdBu_r")


def check_frames() -> None:
    table = pd.DataFrame({"x": [0.0], "y": [0.0], "z": [0.0], "kind": ["a"]})
    frame = pl.DataFrame({"x": [0.0], "y": [0.0], "z": [0.0], "kind": ["a"]})
    assert_type(roundel.spheres(table, colors="kind", palette={"a": "tomato"}, legend="counts"), roundel.Image)
    assert_type(roundel.spheres(frame, colors=frame["x"], color_scale="log", color_range=(1, 10)), roundel.Image)
    assert_type(roundel.scatter(table["x"], table["y"], colors=table["kind"], opacity=0.5), roundel.Image)
    assert_type(roundel.density("x", "y", data=frame.lazy(), statistic="count", title="points").extent[0], float)
    roundel.spheres(frame, 0.5, [(1.0, 0.0, 0.0), (0.0, 0.0, 1.0)], opacity=frame["x"], eye=np.array([0, 0, 9]))
    roundel.spheres(table, 0.5, opacity=table["x"])
    assert_type(roundel.film([table, table], "two.gif", radii=0.5, width=320).frames, int)


def check_pages() -> None:
    with soft():
        assert_matches("page.png", "page")
    roundel.show(np.zeros((1, 3)), 0.5, width=320, height=240)


def check_shared_options() -> None:
    small: roundel.Options = {"width": 64, "height": 48}
    assert_type(roundel.spheres(np.zeros((4, 3)), 0.5, **small), roundel.Image)
    assert_type(roundel.scatter([0.0], [0.0], **small), roundel.Image)
    assert_type(roundel.film([np.zeros((4, 3))], **small), roundel.Film)


def check_scenes() -> None:
    places = np.zeros((4, 3))
    scene = roundel.scenes.spheres(places, 0.5) + roundel.scenes.arrows(places, places, invalid="skip")
    assert_type(scene, roundel.Scene)
    assert_type(scene.render(azimuth=30, width=320), roundel.Image)
    assert_type(roundel.film(scene, turn=360), roundel.Film)
    view = roundel.show(scene)
    assert_type(scene.render(**view.camera), roundel.Image)
    assert_type(roundel.spheres(places, **view.camera), roundel.Image)
    assert_type(roundel.read("molecule.pdb", colors="chain", palette={"A": "C0", "B": (1.0, 0.0, 0.0)}), roundel.Scene)
    scene + places  # type: ignore[operator]  # pyright: ignore[reportOperatorIssue]


def check_positions() -> None:
    table = pd.DataFrame({"x": [0.0], "y": [0.0], "z": [0.0]})
    for image in (
        roundel.spheres([(0, 0, 0), (1, 0, 0)], [0.5, 1]),
        roundel.spheres(ase.Atoms("H"), "vdw"),
        roundel.spheres({"x": [0], "y": [0], "z": [0]}),
        roundel.circles([np.zeros(2), np.ones(2)], 3),
        roundel.cylinders(table[["x", "y", "z"]], np.ones((1, 3)), radii=table["x"]),
        roundel.ellipsoids(np.zeros((1, 3)), (1, 2, 3), np.array([[0, 0, 0, 1]])),
    ):
        assert_type(image, roundel.Image)
    roundel.film((ase.Atoms("H") for _ in range(3)), style="sticks")
    roundel.read(ase.Atoms("H"), style="sticks")
    roundel.arrows(check, check)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    roundel.spheres(object())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
