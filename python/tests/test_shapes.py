"""Cylinders, ellipsoids and arrows from arrays."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest
import roundel

CAMERA = {
    "eye": (0, 0, 9),
    "target": (0, 0, 0),
    "up": (0, 1, 0),
    "fov": 30,
    "width": 80,
    "height": 60,
    "look": "headlight",
    "ao": "off",
}


def _scene(folder: Path, text: str) -> np.ndarray:
    path = folder / "scene.toml"
    head = "[camera]\neye = [0, 0, 9]\ntarget = [0, 0, 0]\nfov = 30\nwidth = 80\nheight = 60\n[render]\nsamples = 4\nambient = 0.2\n"
    path.write_text(head + text)
    return np.asarray(roundel.read(path).render())


def test_shapes_are_those_of_scene_files(tmp_path: Path) -> None:
    options = {**CAMERA, "samples": 4, "ambient": 0.2}
    image = roundel.cylinders([(-1, 0, 0)], [(1, 0.5, 0)], 0.3, "red", end_colors="blue", caps="round", **options)
    text = '[[cylinder]]\nstart = [-1, 0, 0]\nend = [1, 0.5, 0]\nradius = 0.3\ncolor = "red"\ncolor2 = "blue"\ncaps = "round"\n'
    assert np.array_equal(np.asarray(image), _scene(tmp_path, text))
    image = roundel.ellipsoids([(0, 0, 0)], [(1, 0.5, 0.3)], [(0, 0, 0.6, 0.8)], "#888888", **options)
    text = '[[ellipsoid]]\ncenter = [0, 0, 0]\nradii = [1, 0.5, 0.3]\nrotation = [0, 0, 0.6, 0.8]\ncolor = "#888888"\n'
    assert np.array_equal(np.asarray(image), _scene(tmp_path, text))
    image = roundel.arrows([(0, -1, 0)], [(0, 1, 0)], 0.1, "#d62728", vector_scale=2.0, **options)
    text = '[[arrow]]\nstart = [0, -1, 0]\nvector = [0, 2, 0]\nradius = 0.1\ncolor = "#d62728"\n'
    assert np.array_equal(np.asarray(image), _scene(tmp_path, text))


def test_radii_of_ellipsoids_are_of_all_or_of_each() -> None:
    centers = np.array([(-1.0, 0, 0), (1, 0, 0)])
    one = roundel.ellipsoids(centers, (0.5, 0.4, 0.3), **CAMERA)
    each = roundel.ellipsoids(centers, [(0.5, 0.4, 0.3)] * 2, **CAMERA)
    assert np.array_equal(np.asarray(one), np.asarray(each))


def test_arrows_are_coloured_by_length() -> None:
    starts, vectors = np.array([(-1.0, -1, 0), (1, -1, 0)]), np.array([(0.0, 1, 0), (0, 2, 0)])
    image = roundel.arrows(starts, vectors, 0.1, "length", **{**CAMERA, "look": "flat", "outline_width": 0, "samples": 1})
    colors = {tuple(pixel) for pixel in np.asarray(image).reshape(-1, 4).tolist()}
    assert colors == {(255, 255, 255, 255), (68, 1, 84, 255), (253, 231, 37, 255)}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: roundel.cylinders([(0, 0, 0)], [(1, 0, 0), (2, 0, 0)]), "ends must have 1 rows, got 2"),
        (lambda: roundel.cylinders([(0, 0, 0)], [(np.nan, 0, 0)]), r"ends\[0\] is .*: ends must be finite"),
        (lambda: roundel.cylinders([(0, 0, 0)], [(1, 0, 0)], caps="square"), "caps must be 'flat' or 'round'"),
        (lambda: roundel.ellipsoids([(0, 0, 0)], [(1, 1, -1)]), "radii must not be negative"),
        (lambda: roundel.ellipsoids([(0, 0, 0)], [(1, 1, 1)], [(0, 0, 0, 0)]), r"rotations\[0\] is 0"),
        (lambda: roundel.arrows([(0, 0, 0)], [(1, 0)]), "vectors must be"),
    ],
)
def test_bad_shapes_are_refused(call, message) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_siblings_have_the_same_defaults() -> None:
    places = np.random.default_rng(1).normal(size=(5, 3))
    shapes = {"cylinders": (places, places + 1), "ellipsoids": (places, 0.3 * np.ones(3)), "arrows": (places, places + 1)}
    for name, arrays in shapes.items():
        draw = getattr(roundel, name)
        assert inspect.signature(draw).parameters["colors"].default is None
        assert draw(*arrays, colors=None, width=32, height=24) == draw(*arrays, colors="#1f77b4", width=32, height=24)


@pytest.mark.parametrize("name", ["cylinders", "ellipsoids", "arrows"])
def test_rows_that_are_not_finite_are_refused_or_left_out(name) -> None:
    random = np.random.default_rng(2)
    places, others, values = random.normal(size=(9, 3)), random.normal(size=(9, 3)), np.arange(9.0)
    arrays = {
        "cylinders": (places, places + others, np.full(9, 0.1), values),
        "ellipsoids": (places, np.abs(others), random.normal(size=(9, 4)), values),
        "arrows": (places, others, np.full(9, 0.1), values),
    }[name]
    spoiled = [array.copy() for array in arrays]
    spoiled[0][2, 1], spoiled[1][5, 0], spoiled[2][7] = np.nan, np.inf, np.nan
    kept = np.delete(np.arange(9), [2, 5, 7])
    options = {"width": 64, "height": 48, "opacity": np.linspace(0.5, 1, 9), "vmin": 0, "vmax": 8}
    with pytest.raises(ValueError, match="must be finite|not finite"):
        getattr(roundel, name)(*spoiled, **options)
    image = getattr(roundel, name)(*spoiled, invalid="skip", arrays="index", **options)
    clean = {**options, "opacity": options["opacity"][kept]}
    expected = getattr(roundel, name)(*(array[kept] for array in arrays), arrays="index", **clean)
    assert np.array_equal(image.pixels, expected.pixels)
    # rows count in the given arrays
    assert np.array_equal(image.index, np.where(expected.index < 0, -1, kept[expected.index]))
    scene = getattr(roundel.scenes, name)(*spoiled, invalid="skip", **options)
    assert scene.render() == getattr(roundel.scenes, name)(*(array[kept] for array in arrays), **clean).render()
    assert getattr(roundel, name)(*arrays, invalid="skip", **options) == getattr(roundel, name)(*arrays, **options)
    with pytest.raises(ValueError, match="invalid must be 'raise' or 'skip', got 'drop'"):
        getattr(roundel, name)(*arrays, invalid="drop")
