"""Scatter plots and densities have matplotlib's limits, units and hits, in axes of any scale."""

import warnings

import numpy as np
import pytest

mpl = pytest.importorskip("matplotlib")
mpl.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.backend_bases import MouseEvent  # noqa: E402
import roundel.mpl  # noqa: E402
from roundel.mpl import accelerate, density, scatter  # noqa: E402

RANDOM = np.random.default_rng(5)
PLAIN = plt.Axes.scatter


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def accelerated(axes, x, y, **options):
    with accelerate(fewest=1):
        return axes.scatter(x, y, **options)


def limits(draw, x, y, scale_first=True, scales=("log", "log"), **options):
    figure, axes = plt.subplots()
    scale = {"xscale": scales[0], "yscale": scales[1]}
    if scale_first:
        axes.set(**scale)
    draw(axes, x, y, **options)
    if not scale_first:
        axes.set(**scale)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        figure.canvas.draw()
    return (*axes.get_xlim(), *axes.get_ylim())


def data(count, nonpositive):
    x, y = 10.0 ** RANDOM.uniform(-6, 6, size=(2, count))
    x[nonpositive], y[nonpositive] = 0.0, -3.0
    return x, y


@pytest.mark.parametrize("scale_first", [True, False])
@pytest.mark.parametrize("count", [50, 5000])
@pytest.mark.parametrize("draw", [scatter, accelerated, density])
@pytest.mark.parametrize("scales", [("log", "log"), ("symlog", "log"), ("log", "linear"), ("symlog", "symlog"), ("logit", "asinh")])
def test_limits_are_those_of_matplotlib(draw, count, scale_first, scales):
    x, y = data(count, slice(0, None, 7))
    expected = limits(PLAIN, x, y, scale_first, scales)
    assert limits(draw, x, y, scale_first, scales) == pytest.approx(expected, rel=1e-9)


def test_no_positive_point_is_lost_on_logarithmic_axes():
    x, y = data(5000, slice(0, None, 7))
    left, right, bottom, top = limits(scatter, x, y)
    seen = (x > 0) & (y > 0)
    assert ((x >= left) & (x <= right) & (y >= bottom) & (y <= top))[seen].all()
    figure, axes = plt.subplots()
    axes.set(xscale="log", yscale="log")
    shown = density(axes, x, y)
    figure.canvas.draw()
    assert shown.get_array().sum() == seen.sum()


@pytest.mark.parametrize("kind", ["transAxes", "figure", "xaxis"])
def test_points_in_other_coordinates_do_not_change_limits(kind):
    found = []
    for draw in (PLAIN, scatter):
        figure, axes = plt.subplots()
        axes.plot([3, 4], [5, 6])
        transform = {"transAxes": axes.transAxes, "figure": figure.transFigure, "xaxis": axes.get_xaxis_transform()}[kind]
        draw(axes, RANDOM.uniform(size=3000), RANDOM.uniform(size=3000), transform=transform)
        figure.canvas.draw()
        found.append((*axes.get_xlim(), *axes.get_ylim()))
    assert found[0] == pytest.approx(found[1])


def test_units_of_astropy_are_converted():
    units = pytest.importorskip("astropy.units")
    from astropy.visualization import quantity_support

    x, y = RANDOM.uniform(1, 2, size=(2, 3000))
    found = []
    with quantity_support():
        for draw in (PLAIN, scatter):
            figure, axes = plt.subplots()
            axes.plot([1.0, 2.0] * units.km, [1.0, 2.0] * units.km)
            draw(axes, x * 1e5 * units.cm, y * 1000 * units.m)
            figure.canvas.draw()
            found.append((*axes.get_xlim(), *axes.get_ylim()))
    assert found[0] == pytest.approx(found[1])


def test_units_of_pint_are_converted():
    pint = pytest.importorskip("pint")
    registry = pint.UnitRegistry()
    registry.setup_matplotlib(True)
    try:
        x, y = RANDOM.uniform(1, 2, size=(2, 3000))
        found = []
        for draw in (PLAIN, scatter, density):
            figure, axes = plt.subplots()
            axes.xaxis.set_units(registry.km)
            draw(axes, x * 1000 * registry.m, y)
            figure.canvas.draw()
            found.append((*axes.get_xlim(), *axes.get_ylim()))
        assert found[0] == pytest.approx(found[1]) and found[0] == pytest.approx(found[2])
    finally:
        registry.setup_matplotlib(False)


def dark(draw, **options):
    figure = plt.figure(figsize=(2, 2), dpi=100)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 1), ylim=(0, 1))
    axes.axis("off")
    draw(axes, [0.3, 0.7], [0.5, 0.5], c="k", **options)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    figure.canvas.draw()
    return (np.asarray(figure.canvas.buffer_rgba())[..., 0] < 200).sum()


@pytest.mark.parametrize("outline", [{}, {"linewidths": 4, "edgecolors": "k"}, {"linewidths": 0}, {"facecolors": "none", "edgecolors": "r"}])
def test_points_without_a_size_are_not_drawn(outline):
    outline = {**outline}
    if "facecolors" in outline:
        outline.pop("facecolors")
    assert dark(PLAIN, s=0, **outline) == dark(scatter, s=0, **outline) == 0
    assert dark(scatter, s=[0, 100], **outline) == pytest.approx(dark(PLAIN, s=[0, 100], **outline), abs=30)


@pytest.mark.parametrize("dpi", [72, 200])
def test_hits_are_where_the_points_are_drawn(dpi):
    found = []
    for draw in (PLAIN, scatter):
        figure = plt.figure(figsize=(2, 2), dpi=dpi)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 1), ylim=(0, 1))
        points = draw(axes, [0.5], [0.5], s=900, linewidths=0)
        axes.set(xlim=(0, 1), ylim=(0, 1))
        figure.canvas.draw()
        middle, radius = dpi, 15 * dpi / 72
        reaches = [0.9 * radius, 1.1 * radius + 6]
        events = [MouseEvent("motion_notify_event", figure.canvas, middle + reach, middle) for reach in reaches]
        found.append([points.contains(event)[0] for event in events])
    assert found[0] == found[1] == [True, False]


def test_tight_boxes_hold_the_points():
    boxes = []
    for draw in (PLAIN, scatter):
        figure, axes = plt.subplots(dpi=200)
        points = draw(axes, [0, 1], [0, 1], s=5000, clip_on=False)
        figure.canvas.draw()
        boxes.append(points.get_tightbbox(figure.canvas.get_renderer()).extents)
    assert boxes[0] == pytest.approx(boxes[1], abs=1)


def test_names_of_matplotlib_that_are_private_are_not_needed(monkeypatch):
    from matplotlib.collections import Collection

    x, y, values = RANDOM.normal(size=(3, 3000))

    def picture():
        figure, axes = plt.subplots(dpi=100)
        scatter(axes, x, y, c=values, s=4)
        density(axes, x, y)
        figure.canvas.draw()
        return np.asarray(figure.canvas.buffer_rgba()).astype(int)

    expected = picture()
    monkeypatch.setattr(roundel.mpl, "hasattr", lambda value, name: not name.startswith("_") and hasattr(value, name), raising=False)
    from roundel import _mpl_artists

    monkeypatch.setattr(_mpl_artists, "hasattr", lambda value, name: not name.startswith("_") and hasattr(value, name), raising=False)
    assert hasattr(Collection, "_set_mappable_flags")
    assert np.abs(picture() - expected).max() <= 1
