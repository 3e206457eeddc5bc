"""Circles, scatter plots and densities."""

from __future__ import annotations

import numpy as np
import pytest

import roundel


def test_circles_lie_where_arrays_say():
    image = np.asarray(roundel.circles([(16, 12), (40, 30)], [8, 4], ["#d62728", "#00f"], width=64, height=48))
    assert image.shape == (48, 64, 4)
    assert image[12, 16].tolist() == [214, 39, 40, 255] and image[30, 40].tolist() == [0, 0, 255, 255]
    assert image[0, 0].tolist() == [255] * 4
    # the sum of coverage is the circle's area
    disc = np.asarray(roundel.circles([(32.3, 24.7)], 10, "#000", width=64, height=48)).astype(float)
    assert abs((1 - disc[..., 0] / 255).sum() - np.pi * 100) < 0.5


def test_later_circles_lie_over_earlier_ones_with_alpha():
    image = np.asarray(roundel.circles([(8, 8), (8, 8)], 6, ["#f00", "#0000ff80"], width=16, height=16))
    assert image[8, 8].tolist() == [127, 0, 128, 255]


def test_ellipses_and_outlines_are_drawn():
    ellipse = np.asarray(roundel.circles([(32, 24)], [(20, 5)], "#000", width=64, height=48))
    assert ellipse[24, 50, 0] == 0 and ellipse[32, 32, 0] == 255
    ring = np.asarray(roundel.circles([(32, 24)], 10, "#000", stroke=2, width=64, height=48))
    assert ring[24, 32, 0] == 255 and ring[24, 42, 0] < 20


def test_part_of_the_picture_is_enlarged():
    whole = {"width": 64, "height": 48}
    image = np.asarray(roundel.circles([(10, 10)], 1, "#000", view_box=(10, 10, 4), **whole))
    assert image[24, 32, 0] == 0 and image[24, 45, 0] == 255 and image[24, 43, 0] < 50


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: roundel.circles(np.zeros((2, 3))), ValueError, r"positions must be \(n, 2\), got shape \(2, 3\)"),
        (lambda: roundel.circles([(1, np.inf)]), ValueError, r"positions\[0\]"),
        (lambda: roundel.circles([(1, 1)], stroke=-1), ValueError, r"stroke must be finite and not negative"),
        (lambda: roundel.circles([(1, 1)], blend="cmyk"), ValueError, r"blend must be 'srgb' or 'linear'"),
        (lambda: roundel.circles([(1, 1)], [(1, 2), (3, 4)]), ValueError, r"radii must be one number or \(1,\) or \(1, 2\)"),
        (lambda: roundel.circles([(1, 1)], eye=(1, 2, 3)), TypeError, r"does not take 'eye', which is for spheres"),
        (lambda: roundel.circles([(1, 1)], view_box=(1, 2, -3)), ValueError, r"view_box must be"),
        (lambda: roundel.circles([(1, 1)], width=0), ValueError, r"frame size|width"),
        (lambda: roundel.scatter([1, 2], [1]), ValueError, r"x and y must be of the same length, got 2 and 1"),
        (lambda: roundel.scatter("x", [1]), TypeError, r"x names the column 'x', but data is not given"),
        (lambda: roundel.scatter("x", "y", data={"x": [1]}), ValueError, r"y must name a column of the frame \(x\), got 'y'"),
        (lambda: roundel.scatter([[1, 2]], [1]), ValueError, r"x must be \(n,\), got shape \(1, 2\)"),
        (lambda: roundel.scatter([1], [1], opacity=2), ValueError, r"opacity must be 0 to 1"),
        (lambda: roundel.scatter([1, np.nan], [1, 1], invalid="raise"), ValueError, r"not finite in row 1"),
        (lambda: roundel.density([1], [1], color_scale="cubic"), ValueError, r"color_scale must be"),
        (lambda: roundel.density([1], [1], extent=(1, 0, 0, 1)), ValueError, r"extent must be left < right"),
        (lambda: roundel.density([1], [1], weights=[1, 2]), ValueError, r"weights must be \(1,\)"),
        (lambda: roundel.density([1], [1], width=0), ValueError, r"width must be 1 pixel or more"),
        (lambda: roundel.density([1], [1], width="wide"), TypeError, r"width must be a whole number"),
    ],
)
def test_wrong_arguments_are_named(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_scatter_shows_all_points_with_y_upwards():
    image = np.asarray(roundel.scatter([0, 1], [0, 1], 4, ["#f00", "#00f"], width=100, height=100))
    rows, columns = np.nonzero((image[..., :3] == (255, 0, 0)).all(axis=2))
    assert rows.mean() > 80 and columns.mean() < 20, "red at the bottom left"
    rows, columns = np.nonzero((image[..., :3] == (0, 0, 255)).all(axis=2))
    assert rows.mean() < 20 and columns.mean() > 80


def test_scatter_takes_columns_of_frames():
    frame = {"a": np.array([0.0, 1, np.nan]), "b": [0, 1, 2], "people": [1.0, 4, 9], "kind": [0, 1, 2]}
    size = {"width": 100, "height": 80}
    image = roundel.scatter("a", "b", radii="people", colors="kind", data=frame, **size)
    assert image.counts["shapes"] == 2, "the row without a place is left out"
    pandas = pytest.importorskip("pandas")
    assert roundel.scatter("a", "b", radii="people", colors="kind", data=pandas.DataFrame(frame), **size) == image


@pytest.mark.parametrize("points", [[], [3.0], [5.0, 5.0], [1e-300, 1e300], [-1e308, 1e308]])
def test_scatter_and_density_take_any_extent(points):
    for draw in (roundel.scatter, roundel.density):
        assert draw(points, points, width=32, height=24).size == (32, 24)


def test_density_counts_points():
    x = np.array([0.5, 0.5, 1.5, 9.0, np.nan])
    y = np.array([0.5, 0.5, 1.5, 9.0, 0.5])
    options = {"extent": (0, 2, 0, 2), "width": 2, "height": 2, "color_scale": "linear"}
    image = np.asarray(roundel.density(x, y, **options))
    last, white = [253, 231, 37, 255], [255] * 4
    half = np.asarray(roundel.density([0.5], [0.5], vmax=2, **options))[1, 0].tolist()
    assert image.tolist() == [[white, half], [last, white]]
    assert np.asarray(roundel.density(x, y, weights=[1, 1, 2, 1, 1], **options))[0, 1].tolist() == last
    assert np.asarray(roundel.density(x, y, background="#000", **options))[0, 0].tolist() == [0, 0, 0, 255]


def test_scatter_takes_names_of_colors_and_of_columns():
    frame = {"a": [0.0, 1.0, 2.0], "b": [0.0, 1.0, 0.0], "kind": ["x", "y", "x"], "red": [1.0, 2.0, 3.0]}
    small = {"width": 80, "height": 60, "data": frame, "radii": 5}
    assert roundel.scatter("a", "b", colors="crimson", **small) == roundel.scatter("a", "b", colors="#dc143c", **small)
    assert roundel.scatter("a", "b", colors="red", **small) == roundel.scatter("a", "b", colors=frame["red"], **small)
    assert roundel.scatter("a", "b", colors="kind", **small) == roundel.scatter("a", "b", colors=["#1f77b4", "#ff7f0e", "#1f77b4"], **small)
    assert roundel.scatter([0, 1], [0, 1], colors=["red", "blue"]) == roundel.scatter([0, 1], [0, 1], colors=["#f00", "#00f"])
    assert roundel.circles([(4, 4)], 2, "teal", width=8, height=8).pixels[4, 4].tolist() == [0, 128, 128, 255]
    assert roundel.density([0], [0], width=4, height=4, background="navy").pixels[0, 0].tolist() == [0, 0, 128, 255]


def test_figures_of_circles():
    frame = {"a": [0.0, 1.0, 2.0], "b": [0.0, 1.0, 0.0], "kind": ["x", "y", "x"]}
    image = roundel.scatter("a", "b", colors="kind", data=frame, legend="counts", scale_bar=1, title="kinds", width=200, height=150)
    assert image.width > 200 and image.height > 150
    # the bar is as long as the points are apart: a unit of x
    plain = roundel.scatter("a", "b", radii=3, colors="red", data=frame, width=200, height=150)
    barred = roundel.scatter("a", "b", radii=3, colors="red", data=frame, scale_bar=1, width=200, height=150)
    columns = np.flatnonzero((plain.pixels[:, :, 1] == 0).any(axis=0))
    apart = (columns[-1] - columns[0] - 6) / 2
    bar = (barred.pixels[150:, :, 0] < 128).sum(axis=1).max()
    assert abs(bar - apart) <= 2
    assert roundel.circles([(4, 4)], 2, width=8, height=8, bits=16).pixels.dtype == np.uint16
    with pytest.raises(TypeError, match="circles.. does not take 'axes', which is for spheres"):
        roundel.circles([(4, 4)], 2, axes=True)
    with pytest.raises(TypeError, match="scatter.. does not take 'arrays', which is for spheres"):
        roundel.scatter([0], [0], arrays="depth")
