"""matplotlib artists: what they draw, and what matplotlib's own tools make of them."""

import base64
import inspect
import io
import re
import warnings

import numpy as np
import pytest

mpl = pytest.importorskip("matplotlib")
mpl.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.backend_bases import MouseEvent  # noqa: E402
from matplotlib.collections import PathCollection  # noqa: E402
import roundel  # noqa: E402
from roundel.mpl import Scatter, accelerate, density, scatter  # noqa: E402

RANDOM = np.random.default_rng(1)
X, Y = RANDOM.normal(size=(2, 400))
VALUES = RANDOM.uniform(size=400)
SIZES = RANDOM.uniform(5, 300, 400)


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def pixels(figure):
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba()).astype(int)


def plots(**options):
    """The same scatter plot by matplotlib and by roundel."""
    for draw in (plt.Axes.scatter, scatter):
        figure, axes = plt.subplots(figsize=(5, 4), dpi=100)
        draw(axes, X, Y, **options)
        yield pixels(figure)


@pytest.mark.parametrize(
    "options",
    [
        {"s": SIZES, "c": VALUES},
        {"s": SIZES, "c": VALUES, "alpha": 0.4},
        {"s": SIZES, "c": VALUES, "alpha": 0.4, "linewidths": 0},
        {"s": SIZES, "c": "red", "edgecolors": "k"},
        {"s": SIZES, "c": VALUES, "marker": ".", "cmap": "plasma", "vmin": 0.2, "vmax": 0.8},
        {"s": SIZES, "c": RANDOM.uniform(size=(400, 4))},
        {"s": SIZES, "facecolors": "none", "edgecolors": "C1", "linewidths": 3},
    ],
)
def test_pixels_are_those_of_agg_up_to_coverage(options):
    expected, actual = plots(**options)
    difference = np.abs(expected - actual).max(axis=2)
    # Agg's coverage is off by up to an eighth at edges; a wrong position, size or colour differs more, in many pixels
    assert difference.max() <= 40
    assert (difference > 8).mean() < 0.02
    assert (expected != 255).any()


def test_coverage_is_exact_where_agg_rounds():
    figure = plt.figure(figsize=(1, 1), dpi=72)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 72), ylim=(0, 72))
    axes.axis("off")
    scatter(axes, [36.3], [30.6], s=400.0, c="k", linewidths=0)
    covered = (255 - pixels(figure)[..., 0]).sum() / 255
    assert covered == pytest.approx(np.pi * 100, abs=0.2)


def test_many_points_are_placed_as_few():
    count = 5000
    x, y = RANDOM.normal(size=(2, count))
    sizes, values = RANDOM.uniform(1, 30, count), RANDOM.normal(size=count)
    limits = []
    for draw in (plt.Axes.scatter, scatter):
        figure, axes = plt.subplots()
        points = draw(axes, x, y, s=sizes, c=values, alpha=0.5)
        assert np.array_equal(points.get_offsets(), np.column_stack([x, y]))
        limits.append((*axes.get_xlim(), *axes.get_ylim(), *points.get_clim()))
    assert limits[0] == pytest.approx(limits[1])


def test_many_points_are_copied():
    x, y, values = RANDOM.normal(size=(3, 5000))
    figure, axes = plt.subplots()
    points = scatter(axes, x, y, c=values)
    before = pixels(figure), points.get_array().copy()
    for column in (x, y, values):
        column[:] = 0
    assert np.array_equal(pixels(figure), before[0]) and np.array_equal(points.get_array(), before[1])
    assert isinstance(points.get_array(), np.ma.MaskedArray)
    # a number that is not finite is masked by matplotlib
    x[7] = np.inf
    assert np.ma.is_masked(scatter(axes, x, y, c=values).get_offsets())


def test_blocks_of_points_are_painted_in_their_order():
    count = 600_000
    markers = {
        "points": RANDOM.uniform(-5, 105, (count, 2)),
        "affine": [[1.0, 0, 0], [0, 1, 0]],
        "radii": 2.5,
        "faces": RANDOM.integers(0, 255, (count, 4), dtype=np.uint8),
        "edges": None,
        "size": [100, 100],
    }
    # greater rows are above; the last of them are nearly opaque
    markers["faces"][-1000:, 3] = 200
    renderer = roundel._roundel.Renderer()
    blocks = renderer.markers(markers).astype(int)
    # with outlines, all are in memory together
    together = renderer.markers({**markers, "edges": ([0, 0, 0, 0], 0.0)}).astype(int)
    assert np.abs(blocks - together).max() <= 1
    last = renderer.markers({**markers, "points": markers["points"][::-1].copy()}).astype(int)
    assert np.abs(blocks - last).max() > 50


def test_artist_is_known_to_matplotlib():
    figure, axes = plt.subplots()
    points = scatter(axes, X, Y, s=SIZES, c=VALUES, label="stars", picker=True)
    assert isinstance(points, PathCollection)
    bar = figure.colorbar(points)
    assert (bar.vmin, bar.vmax) == (VALUES.min(), VALUES.max())
    legend = axes.legend()
    assert [text.get_text() for text in legend.get_texts()] == ["stars"]
    handles, labels = points.legend_elements(num=4)
    assert len(handles) == len(labels) > 1
    figure.canvas.draw()
    place = axes.transData.transform([X[-1], Y[-1]])
    hit, found = points.contains(MouseEvent("button_press_event", figure.canvas, *place))
    assert hit and 399 in found["ind"]
    before = pixels(figure)
    points.set_array(VALUES[::-1])
    assert (pixels(figure) != before).any()
    points.set_offsets(np.column_stack([Y, X]))
    assert (pixels(figure) != before).any()


def test_logarithmic_axes_and_missing_values():
    x = np.concatenate([10 ** RANDOM.uniform(0, 4, 2000), [np.nan, -1.0]])
    y = np.concatenate([10 ** RANDOM.uniform(0, 2, 2000), [1.0, 1.0]])
    shown = []
    for draw in (plt.Axes.scatter, scatter):
        figure, axes = plt.subplots(dpi=100)
        axes.set(xscale="log", yscale="log", xlim=(0.5, 2e4), ylim=(0.5, 200))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            draw(axes, np.ma.masked_greater(x, 9000), y, s=9, linewidths=0)
            shown.append(pixels(figure) != 255)
    # Agg moves markers of one size to whole pixels
    assert (shown[0] != shown[1]).mean() < 0.05
    assert shown[1].any(axis=2).sum() == pytest.approx(shown[0].any(axis=2).sum(), rel=0.1)


def test_categories_and_dates_have_their_axes():
    figure, axes = plt.subplots()
    days = np.datetime64("2026-01-01") + np.arange(3)
    scatter(axes, days, ["a", "b", "a"])
    figure.canvas.draw()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]


@pytest.mark.parametrize("kind", ["pdf", "svg"])
def test_vector_files_embed_a_picture(kind):
    sizes = []
    for draw in (plt.Axes.scatter, scatter):
        figure, axes = plt.subplots()
        draw(axes, *RANDOM.normal(size=(2, 20_000)), s=np.linspace(1, 9, 20_000))
        file = io.BytesIO()
        figure.savefig(file, format=kind, dpi=100)
        sizes.append(len(file.getvalue()))
    assert sizes[1] < 0.5 * sizes[0]


@pytest.mark.parametrize("dpi", [72, 200])
def test_embedded_pictures_have_the_resolution_of_the_file(dpi):
    image = pytest.importorskip("PIL.Image")
    figure, axes = plt.subplots(figsize=(4, 3))
    scatter(axes, X, Y)
    file = io.BytesIO()
    figure.savefig(file, format="svg", dpi=dpi)
    found = re.findall(r'xlink:href="data:image/png;base64,([^"]+)"', file.getvalue().decode())
    picture = image.open(io.BytesIO(base64.b64decode("".join(found[0].split()))))
    assert len(found) == 1
    # matplotlib cuts the picture to what is drawn: that of the same points, with nothing else, at this resolution
    for artist in (axes.patch, axes.xaxis, axes.yaxis, *axes.spines.values()):
        artist.set_visible(False)
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=dpi, facecolor="none")
    rows, columns = np.nonzero(np.asarray(image.open(file))[..., 3])
    assert picture.size == (np.ptp(columns) + 1, np.ptp(rows) + 1)


def test_pick_events_name_the_points():
    figure, axes = plt.subplots()
    scatter(axes, X, Y, s=SIZES, picker=True)
    figure.canvas.draw()
    picked = []
    figure.canvas.mpl_connect("pick_event", lambda event: picked.extend(event.ind.tolist()))
    place = axes.transData.transform([X[7], Y[7]])
    figure.canvas.callbacks.process("button_press_event", MouseEvent("button_press_event", figure.canvas, *place, button=1))
    assert 7 in picked


def test_zoom_and_pan_draw_again_at_the_new_resolution():
    figure = plt.figure(figsize=(2, 2), dpi=100)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.axis("off")
    scatter(axes, [0.0, 0.001], [0.0, 0.0], s=100, c="k", linewidths=0)
    axes.set(xlim=(-0.01, 0.011), ylim=(-0.01, 0.01))
    near = (pixels(figure)[..., 0] < 128).any(axis=0)
    axes.set(xlim=(-0.0005, 0.0015), ylim=(-0.001, 0.001))
    far = (pixels(figure)[..., 0] < 128).any(axis=0)
    starts = [int((np.diff(columns.astype(int)) == 1).sum()) for columns in (near, far)]
    assert starts == [1, 2], "two discs that were one"


def test_other_markers_are_left_to_matplotlib():
    for options in ({"marker": "^"}, {"hatch": "//"}, {"linestyle": "--", "edgecolors": "k"}):
        expected, actual = plots(s=SIZES, c=VALUES, **options)
        assert np.array_equal(expected, actual)


def test_accelerate_ends_with_its_block():
    plain = plt.Axes.scatter
    with accelerate(fewest=100):
        figure, axes = plt.subplots()
        assert isinstance(axes.scatter(X, Y), Scatter)
        assert not isinstance(axes.scatter(X[:50], Y[:50]), Scatter)
        assert isinstance(axes.scatter("x", "y", data={"x": X, "y": Y}), Scatter)
    assert plt.Axes.scatter is plain


def test_seaborn_runs_unchanged():
    seaborn = pytest.importorskip("seaborn")
    import pandas as pd

    frame = pd.DataFrame({"x": X, "y": Y, "kind": np.where(X > 0, "a", "b"), "size": SIZES})
    shown = []
    for fewest in (10**9, 1):
        with accelerate(fewest):
            figure, axes = plt.subplots(dpi=100)
            seaborn.scatterplot(frame, x="x", y="y", hue="kind", size="size", ax=axes)
            assert isinstance(axes.collections[0], Scatter) == (fewest == 1)
            shown.append(pixels(figure))
    assert (np.abs(shown[0] - shown[1]).max(axis=2) > 24).mean() < 0.01


def test_scanpy_runs_unchanged():
    scanpy = pytest.importorskip("scanpy")
    cells = scanpy.AnnData(np.zeros((2000, 1), dtype=np.float32))
    cells.obsm["X_umap"] = RANDOM.normal(size=(2000, 2))
    cells.obs["total"] = RANDOM.uniform(size=2000)
    cells.obs["group"] = RANDOM.choice(["a", "b", "c"], 2000)
    for color in ("total", "group"):
        shown = []
        for fewest in (10**9, 1):
            with accelerate(fewest), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                figure = scanpy.pl.embedding(cells, "X_umap", color=color, show=False, return_fig=True)
                drawn = [artist for axes in figure.axes for artist in axes.collections]
                assert any(isinstance(artist, Scatter) for artist in drawn) == (fewest == 1)
                shown.append(pixels(figure))
        assert np.abs(shown[0] - shown[1]).mean() < 6
        assert (shown[1] != 255).any(axis=2).sum() == pytest.approx((shown[0] != 255).any(axis=2).sum(), rel=0.1)


def test_density_counts_every_point_in_view():
    figure, axes = plt.subplots()
    shown = density(axes, X, Y)
    bar = figure.colorbar(shown)
    figure.canvas.draw()
    counts = shown.get_array()
    assert counts.sum() == 400 and bar.vmax == counts.max()
    axes.set(xlim=(0, 9), ylim=(-9, 9))
    figure.canvas.draw()
    assert shown.get_array().sum() == pytest.approx((X > 0).sum(), abs=2)


def test_density_statistics_are_those_of_the_points_in_a_pixel():
    figure, axes = plt.subplots(figsize=(2, 2))
    axes.set(xlim=(0, 2), ylim=(0, 2))
    x, y, weights = [0.5, 0.5, 1.5], [0.5, 0.5, 1.5], [1.0, 5.0, 2.0]
    for statistic, values in {"sum": [2, 6], "mean": [2, 3], "max": [2, 5], "min": [1, 2]}.items():
        shown = density(axes, x, y, weights, statistic=statistic, norm="linear")
        figure.canvas.draw()
        assert sorted(shown.get_array().compressed().tolist()) == values
        shown.remove()


def test_density_equalized_uses_all_colors():
    figure, axes = plt.subplots()
    x, y = RANDOM.normal(size=(2, 100_000))
    shown = density(axes, x, y, norm="eq_hist")
    figure.colorbar(shown)
    figure.canvas.draw()
    shares = shown.norm(shown.get_array()).compressed()
    assert shares.min() == 0 and shares.max() == 1


def test_density_refuses_what_it_cannot_show():
    _, axes = plt.subplots()
    with pytest.raises(ValueError, match="same length"):
        density(axes, [1, 2], [1])
    with pytest.raises(ValueError, match="needs weights"):
        density(axes, [1], [1], statistic="mean")
    with pytest.raises(ValueError, match="'linear', 'log', 'eq_hist'"):
        density(axes, [1], [1], norm="sqrt")
    with pytest.raises(TypeError, match="axes must be those of matplotlib, such as .*, got list"):
        density([1], [1], [1])
    with pytest.raises(TypeError, match="x must be .n,. numbers, dates or names, got list"):
        density(axes, [{}], [1])


def test_density_has_dates_categories_and_names_of_columns():
    pandas = pytest.importorskip("pandas")
    hours = np.datetime64("2024-05-01") + np.arange(48).astype("timedelta64[h]")
    figure, (left, right, last) = plt.subplots(1, 3)
    shown = density(left, hours, np.arange(48.0))
    figure.canvas.draw()
    assert shown.get_array().sum() == 48 and left.get_xlim()[0] == pytest.approx(mpl.dates.date2num(hours[0]), abs=0.2)
    density(right, ["a", "b", "b"], [1, 2, 3])
    figure.canvas.draw()
    assert [label.get_text() for label in right.get_xticklabels()] == ["a", "b"]
    table = pandas.DataFrame({"x": [0.0, 1.0], "y": [0.0, 1.0], "mass": [3.0, 5.0]})
    by_name = density(last, "x", "y", "mass", data=table, norm="linear")
    figure.canvas.draw()
    assert sorted(by_name.get_array().compressed().tolist()) == [3, 5]


def test_scatter_says_what_it_takes():
    parameters = inspect.signature(scatter).parameters
    assert {"cmap", "norm", "vmin", "vmax", "alpha", "marker", "linewidths", "edgecolors", "data"} <= set(parameters)
    with pytest.raises(TypeError, match="axes must be those of matplotlib, such as .*, got ndarray"):
        scatter(X, Y, 3)
    with pytest.raises(TypeError, match="fewest must be a whole number, got 'a'"):
        with accelerate("a"):
            pass
