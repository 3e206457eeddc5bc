"""Densities count as numpy.histogram2d does, points on edges included."""

import numpy as np
import pytest

import roundel

RANDOM = np.random.default_rng(6)


def histogram(x, y, extent, size, weights=None):
    left, right, bottom, top = extent
    counts, _, _ = np.histogram2d(x, y, bins=size, range=[[left, right], [bottom, top]], weights=weights)
    # numpy has x first, and y upwards
    return counts.T[::-1]


@pytest.mark.parametrize("size", [(4, 4), (10, 7), (64, 48), (97, 3)])
def test_points_on_edges_are_in_the_bins_of_histogram2d(size):
    x, y = RANDOM.integers(0, 11, size=(2, 2000)) * 0.1
    extent = (0.0, 1.0, 0.0, 1.0)
    shown = roundel.density(x, y, extent=extent, width=size[0], height=size[1])
    assert np.array_equal(np.nan_to_num(shown.values), histogram(x, y, extent, size))


@pytest.mark.parametrize("seed", range(20))
def test_every_edge_is_that_of_linspace(seed):
    random = np.random.default_rng(seed)
    left, bottom = random.normal(size=2) * 10.0 ** random.integers(-8, 8)
    right, top = left + random.uniform(0.1, 3), bottom + random.uniform(0.1, 3)
    width, height = random.integers(1, 300, 2).tolist()
    x, y = np.linspace(left, right, width + 1), np.linspace(bottom, top, height + 1)
    x, y = (column.ravel() for column in np.meshgrid(x, y))
    around = [(x, y), (np.nextafter(x, -np.inf), y), (x, np.nextafter(y, np.inf))]
    for across, up in around:
        shown = roundel.density(across, up, extent=(left, right, bottom, top), width=width, height=height)
        assert np.array_equal(np.nan_to_num(shown.values), histogram(across, up, (left, right, bottom, top), (width, height)))


@pytest.mark.parametrize("statistic", ["sum", "mean", "max", "min"])
def test_statistics_are_those_of_the_points_of_a_bin(statistic):
    x, y = RANDOM.integers(0, 5, size=(2, 300)).astype(float)
    weights = RANDOM.normal(size=300)
    shown = roundel.density(x, y, weights, statistic=statistic, extent=(0, 4, 0, 4), width=4, height=4).values
    columns, rows = np.minimum(x, 3).astype(int), 3 - np.minimum(y, 3).astype(int)
    for row in range(4):
        for column in range(4):
            of_bin = weights[(rows == row) & (columns == column)]
            assert shown[row, column] == pytest.approx(getattr(np, statistic)(of_bin))


@pytest.mark.filterwarnings("ignore::roundel.PictureWarning")
@pytest.mark.parametrize("seed", range(40))
def test_the_box_of_all_points_holds_all_points(seed):
    random = np.random.default_rng(seed)
    x, y = random.normal(size=(2, 100)) * 10.0 ** random.integers(-9, 9, (2, 1)) + 10.0 ** random.integers(-5, 9, (2, 1))
    shown = roundel.density(x, y, width=int(random.integers(1, 90)), height=int(random.integers(1, 90)))
    assert np.nansum(shown.values) == 100
    left, right, bottom, top = shown.extent
    assert left <= x.min() and right >= x.max() and bottom <= y.min() and top >= y.max()


@pytest.mark.parametrize("inverted", [False, True])
def test_axes_of_matplotlib_have_the_bins_of_histogram2d(inverted):
    mpl = pytest.importorskip("matplotlib")
    mpl.use("Agg")
    import matplotlib.pyplot as plt
    import roundel.mpl

    x, y = RANDOM.integers(0, 11, size=(2, 2000)) * 0.1
    figure = plt.figure(figsize=(1, 0.5), dpi=10)
    axes = figure.add_axes((0, 0, 1, 1))
    shown = roundel.mpl.density(axes, x, y)
    axes.set(xlim=(1.0, 0.0) if inverted else (0.0, 1.0), ylim=(1.0, 0.0) if inverted else (0.0, 1.0))
    figure.canvas.draw()
    # the first row of an artist's picture is the lowest
    expected = histogram(x, y, (0, 1, 0, 1), (10, 5))[::-1]
    assert np.array_equal(shown.get_array().filled(0), expected[::-1, ::-1] if inverted else expected)
    plt.close(figure)


def test_masses_are_spread_over_the_areas_of_discs():
    x, y = RANDOM.uniform(1, 9, (2, 200))
    weights, radii = RANDOM.uniform(0.5, 2, 200), RANDOM.uniform(0.05, 0.9, 200)
    shown = roundel.density(x, y, weights, radii=radii, extent=(0, 10, 0, 10), width=20, height=20).values
    assert np.nansum(shown) == pytest.approx(weights.sum(), rel=1e-14)
    # points on a fine grid inside of each pixel
    places = (np.arange(20 * 16) + 0.5) / 32
    across, up = np.meshgrid(places, places)
    expected = np.zeros((20, 20))
    for point in range(200):
        inside = (across - x[point]) ** 2 + (up - y[point]) ** 2 < np.float32(radii[point]) ** 2
        parts = inside.reshape(20, 16, 20, 16).sum(axis=(1, 3))[::-1]
        expected += weights[point] * parts / max(1, parts.sum())
    assert np.abs(np.nan_to_num(shown) - expected).max() < 0.05 * expected.max()
    many = roundel.density(x, y, weights, radii=radii, extent=(0, 10, 0, 10), width=20, height=20, threads=1).values
    assert np.array_equal(shown, many, equal_nan=True)


def test_masses_take_one_radius_and_show_whole_discs():
    shown = roundel.density([0.0, 5.0], [0.0, 1.0], radii=0.5, width=60, height=40)
    assert np.nansum(shown.values) == 2
    left, right, bottom, top = shown.extent
    assert left <= -0.5 and right >= 5.5 and bottom <= -0.5 and top >= 1.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"statistic": "mass"}, "needs them"),
        ({"radii": 1.0, "statistic": "count"}, "needs them"),
        ({"radii": -1.0}, "radii must be finite and not negative, got -1"),
        ({"radii": [1.0]}, "one number or"),
        ({"radii": 1.0, "extent": (0, 1, 0, 2), "width": 10, "height": 10}, "equal scale"),
    ],
)
def test_masses_that_cannot_be_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        roundel.density([0.0, 1.0], [0.0, 1.0], **options)


def test_colors_by_rank_are_as_many_for_each_number():
    x, y = RANDOM.normal(size=(2, 40_000)) ** 3
    options = {"extent": (-2, 2, -2, 2), "width": 64, "height": 64, "colormap": "gray"}
    image = roundel.density(x, y, color_scale="equalize", legend=True, **options)
    plain = roundel.density(x, y, color_scale="equalize", **options)
    assert image.width > plain.width, "a legend has the numbers"
    filled = ~np.isnan(plain.values)
    values, grays = plain.values[filled], np.asarray(plain)[..., 0][filled]
    order = np.sort(values)
    below = np.searchsorted(order, values) / np.searchsorted(order, order[-1])
    assert np.abs(np.minimum(below, 1) * 255 - grays).max() <= 1
    with pytest.raises(ValueError, match="vmax is for other scales"):
        roundel.density(x, y, color_scale="equalize", vmax=3, **options)
