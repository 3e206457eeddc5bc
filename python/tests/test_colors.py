"""Values and categories as colours: maps of other packages, scales, ranges, palettes."""

from __future__ import annotations

import datetime
import warnings

import numpy as np
import pytest

import roundel
from roundel import _colors

VALUES = np.array([0.0, 0.25, 1.0])
THREE = [(8, 8), (24, 8), (40, 8)]
SMALL = {"width": 48, "height": 16}
PALETTE = ["#1f77b4", "#ff7f0e", "#2ca02c"]


def colors(values, **options):
    """The colours of three discs."""
    image = roundel.circles(THREE, 6, values, **SMALL, **options)
    return [image.pixels[8, x, :3].tolist() for x in (8, 24, 40)]


def hexes(values, **options):
    return ["#" + "".join(f"{channel:02x}" for channel in color) for color in colors(values, **options)]


@pytest.mark.parametrize("name", ["viridis", "coolwarm", "RdBu", "Spectral_r", "PLASMA"])
def test_maps_of_matplotlib_are_the_same_by_name_and_as_objects(name):
    matplotlib = pytest.importorskip("matplotlib")
    found = {known.lower(): known for known in matplotlib.colormaps}[name.lower()]
    map_of_matplotlib = matplotlib.colormaps[found]
    own, given = colors(VALUES, colormap=name), colors(VALUES, colormap=map_of_matplotlib)
    expected = (map_of_matplotlib(VALUES)[:, :3] * 255).round()
    # 256 steps there, a ramp here
    assert np.abs(np.array(given) - expected).max() <= 3
    assert np.abs(np.array(own) - expected).max() <= 6


def test_maps_that_roundel_does_not_have_are_drawn_and_explained():
    pytest.importorskip("matplotlib")
    from matplotlib.colors import LinearSegmentedColormap

    dusk = LinearSegmentedColormap.from_list("dusk", ["#14143c", "#fab478"])
    assert colors(VALUES, colormap=dusk)[0] == [20, 20, 60] and colors(VALUES, colormap=dusk)[2] == [250, 180, 120]
    with_bar = roundel.circles(THREE, 6, VALUES, colormap=dusk, legend=True, **SMALL, scale=8)
    assert ((with_bar.pixels[:, 48 * 8 + 4 :, :3] == [250, 180, 120]).all(axis=2)).any(), "the bar has the map's last colour"


def test_maps_of_cmcrameri():
    cmc = pytest.importorskip("cmcrameri").cm
    assert np.abs(np.array(colors(VALUES, colormap=cmc.batlow)) - colors(VALUES, colormap="batlow")).max() <= 3
    assert colors(VALUES, colormap="cmc.batlow") == colors(VALUES, colormap="batlow")


def test_unknown_maps_name_near_ones():
    with pytest.raises(ValueError, match="colormap must be the name of a colour map, got 'virids'; did you mean 'viridis'"):
        colors(VALUES, colormap="virids")
    with pytest.raises(TypeError, match="colormap must be the name of a colour map, or an object"):
        colors(VALUES, colormap=7)


def test_logarithms_and_roots_spread_values():
    ends = {"colormap": "greys", "vmin": 1, "vmax": 100}
    assert colors(np.array([1.0, 10.0, 100.0]), color_scale="log", **ends) == colors(np.array([0, 0.5, 1]), colormap="greys", vmin=0, vmax=1)
    assert colors(np.array([0.0, 0.25, 1.0]), color_scale="sqrt", colormap="greys") == colors(np.array([0, 0.5, 1]), colormap="greys")
    # numbers without a logarithm or a root are grey, as missing values are
    assert colors(np.array([-5.0, 0.0, np.nan]), color_scale="log", **ends) == [[128, 128, 128]] * 3
    assert colors(np.array([-5.0, 0.0, 4.0]), color_scale="sqrt", colormap="greys")[:2] == [[128, 128, 128], [255, 255, 255]]
    with pytest.raises(ValueError, match="vmin must be above 0 with color_scale='log'"):
        colors(VALUES, color_scale="log", vmin=0)
    with pytest.raises(ValueError, match="color_scale must be 'linear', 'log' or 'sqrt'"):
        colors(VALUES, color_scale="cubic")


def test_percentiles_and_centres_set_the_ends():
    many = np.concatenate([np.linspace(0, 100, 101), [1e9]])
    least, greatest = _colors.limits(many, {"color_range": "p0,p50"})
    assert least == 0 and greatest == pytest.approx(50.5)
    assert _colors.limits(many, {"color_range": (2, 7)}) == (2, 7)
    assert _colors.limits(np.array([-1.0, 3.0]), {"color_center": 0}) == (-3, 3)
    assert _colors.limits(np.array([1.0, 100.0]), {"color_center": 10, "color_scale": "log"}) == (1, 100)
    # the default around a centre is coolwarm
    centred = colors(np.array([-1.0, 0.0, 1.0]), color_center=0)
    assert centred == colors(np.array([-1.0, 0.0, 1.0]), colormap="coolwarm")
    # a legend shows the part that has numbers
    key = _colors._of_values("c", "c", np.array([-1.0, 0.0, 4.0]), {"color_center": 0}).key()
    assert key[3:] == (-4, 4, [-1, 4], (False, False), 0, [1, 1, 0, 0, 0, 1], [])
    for wrong in ("p2", "a,b", (1,), 7):
        with pytest.raises(ValueError, match="color_range must be two numbers"):
            colors(VALUES, color_range=wrong)


def test_booleans_are_categories_and_whole_numbers_where_they_are_asked_for():
    assert hexes(np.array([False, True, False])) == [PALETTE[0], PALETTE[1], PALETTE[0]]
    labels = np.repeat([3, 1, 2], 4)
    places = [(8 * row + 4, 8) for row in range(12)]
    image = roundel.circles(places, 3, labels, palette="distinct", width=96, height=16)
    shown = ["#" + "".join(f"{c:02x}" for c in image.pixels[8, 8 * row + 4, :3].tolist()) for row in (0, 4, 8)]
    assert shown == [PALETTE[2], PALETTE[0], PALETTE[1]], "in the order of the numbers"
    # without it they are numbers, however few they are
    numbers = roundel.circles(places, 3, labels, width=96, height=16)
    assert numbers == roundel.circles(places, 3, labels.astype(float), width=96, height=16) != image


def test_categorical_columns_keep_their_order():
    pandas = pytest.importorskip("pandas")
    kinds = pandas.Categorical(["b", "a", "b"], categories=["a", "b", "c"])
    assert hexes(pandas.Series(kinds)) == hexes(kinds) == [PALETTE[1], PALETTE[0], PALETTE[1]]
    missing = pandas.Series(pandas.Categorical(["b", None, "a"], categories=["a", "b"]))
    assert hexes(missing) == [PALETTE[1], "#808080", PALETTE[0]]
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"kind": ["b", "a", None]}, schema={"kind": polars.Enum(["a", "b"])})
    assert hexes(frame["kind"]) == [PALETTE[1], PALETTE[0], "#808080"]
    assert hexes(frame["kind"].cast(polars.Categorical)) == [PALETTE[0], PALETTE[1], "#808080"]


@pytest.mark.parametrize("gap", [None, float("nan"), "NA"])
def test_missing_names_are_grey(gap):
    pandas = pytest.importorskip("pandas")
    gap = pandas.NA if gap == "NA" else gap
    grey, (first, second) = "#808080", PALETTE[:2]
    assert hexes(np.array([gap, "a", "b"], dtype=object)) == [grey, first, second]
    assert hexes(pandas.Series(["a", gap, "b"], dtype=object)) == [first, grey, second]
    assert hexes(np.array(["#102030", gap, "red"], dtype=object)) == ["#102030", grey, "#ff0000"]
    table = pandas.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 1, 2], "kind": pandas.Series([gap, "a", "b"], dtype=object)})
    chosen = {"a": "#102030", "b": "#405060"}
    image = roundel.scatter("x", "y", 9, "kind", data=table, palette=chosen, legend="counts", opacity=1, width=80, height=80)
    colors = {"#" + bytes(color).hex() for color in np.unique(np.asarray(image)[..., :3].reshape(-1, 3), axis=0)}
    assert {grey, "#102030", "#405060"} <= colors


def test_tuples_of_names_are_columns():
    assert hexes(("red", "blue", "#102030")) == ["#ff0000", "#0000ff", "#102030"]


def test_palettes_are_names_lists_and_dicts():
    names = np.array(["x", "y", "x"])
    assert hexes(names, palette=["#f00", "#00f"]) == ["#ff0000", "#0000ff", "#ff0000"]
    assert hexes(names, palette={"y": "#0f0", "x": "navy"}) == ["#000080", "#00ff00", "#000080"]
    assert hexes(np.array([7, 9, 7]), palette="Set1")[0] == "#e41a1c"
    with pytest.raises(ValueError, match="palette must have a colour for each category, and has none for 'y'"):
        hexes(names, palette={"x": "#000"})
    with pytest.warns(UserWarning, match="2 categories share 1 colours"):
        hexes(names, palette=["#000"])
    many = np.array([str(number) for number in range(64)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        paint = _colors.prepare(many, 64, {})
    assert len({tuple(color) for color in paint.colors.tolist()}) == 64


def test_opacity_is_one_or_one_for_each():
    clear = {"background": "transparent"}
    image = roundel.circles(THREE, 6, "#f00", opacity=[0, 0.5, 1], **SMALL, **clear)
    assert [image.pixels[8, x, 3] for x in (8, 24, 40)] == [0, 128, 255]
    image = roundel.circles(THREE, 6, VALUES, opacity=0.5, **SMALL, **clear)
    assert [image.pixels[8, x, 3] for x in (8, 24, 40)] == [128] * 3
    frame = {"x": [0.0, 1.0], "y": [0.0, 0.0], "z": [0.0, 0.0], "fade": [0.0, 1.0]}
    spheres = roundel.spheres(frame, 0.4, "#f00", opacity="fade", width=40, height=20, **clear)
    assert spheres.pixels[:, :18, 3].max() == 0 and spheres.pixels[:, 22:, 3].max() == 255
    for wrong, error in ((2, ValueError), ([1, 1], ValueError), (object(), TypeError)):
        with pytest.raises(error, match="opacity must be"):
            roundel.circles(THREE, 6, "#f00", opacity=wrong, **SMALL)


def test_a_lone_point_of_a_million_is_seen():
    x, y = np.random.default_rng(1).normal(size=(2, 1_000_000))
    x[0], y[0] = 12.0, 0.0
    for values in (None, x):
        image = roundel.scatter(x, y, colors=values, threads=2)
        column = image.pixels[:, -60:, :3].astype(int)
        assert (255 - column.min(axis=2)).max() >= 60


def test_colors_of_matplotlib_are_known_everywhere():
    matplotlib = pytest.importorskip("matplotlib.colors")
    for name in ("C0", "C3", "C17", "tab:orange", "tab:grey", "k", "r", "g", "b", "c", "m", "y", "w", "0.5", "0", "1", ".25"):
        expected = [int(255 * part + 0.5) for part in matplotlib.to_rgb(name)]
        image = roundel.circles([(4, 4)], 4, name, width=8, height=8, background="C1")
        assert image.pixels[4, 4, :3].tolist() == pytest.approx(expected, abs=1), name
    assert image == roundel.circles([(4, 4)], 4, "0.25", width=8, height=8, background="#ff7f0e")
    listed = roundel.circles([(4, 4), (12, 4)], 4, ["tab:red", "steelblue"], width=16, height=8)
    assert listed.pixels[4, 4, :3].tolist() == [214, 39, 40]
    # such short names may be categories
    names = roundel.circles([(4, 4), (12, 4)], 4, ["C1", "C0"], width=16, height=8)
    assert names == roundel.circles([(4, 4), (12, 4)], 4, ["a", "b"], width=16, height=8)
    by_name = roundel.circles([(4, 4), (12, 4)], 4, ["a", "b"], palette=["C2", "k"], width=16, height=8)
    assert by_name.pixels[4, 4, :3].tolist() == [44, 160, 44] and by_name.pixels[4, 12, :3].tolist() == [0, 0, 0]
    for wrong in ("C", "tab:magenta", "1.5", "2"):
        with pytest.raises(ValueError, match="must be a name of CSS"):
            roundel.circles([(4, 4)], 4, wrong, width=8, height=8)


DAYS = np.datetime64("2024-02-28") + np.array([0, 1, 9])


def dates(kind):
    if kind == "numpy":
        return DAYS
    if kind == "datetime":
        return [datetime.datetime.combine(day, datetime.time()) for day in DAYS.tolist()]
    if kind == "polars":
        return pytest.importorskip("polars").Series("when", DAYS)
    when = pytest.importorskip("pandas").Series(DAYS.astype("M8[ns]"), name="when")
    return when.dt.tz_localize("UTC") if kind == "zone" else when


@pytest.mark.parametrize("kind", ["numpy", "datetime", "pandas", "zone", "polars"])
def test_dates_are_numbers(kind):
    when = dates(kind)
    assert hexes(when) == hexes(np.array([0.0, 1, 9]))
    assert hexes(when, vmin=DAYS[1], vmax=datetime.datetime(2024, 3, 1)) == hexes(np.array([0.0, 1, 9]), vmin=1, vmax=2)
    size = {"width": 64, "height": 48}
    assert roundel.scatter(when, [0, 1, 2], 3, **size) == roundel.scatter([0, 1, 9], [0, 1, 2], 3, **size)
    assert roundel.density(when, [0, 1, 2], **size).extent[0] == DAYS[0].astype(int)
    legend = _colors.prepare(when, 3, {}).key()
    assert legend[0] in ("(days since 2024-02-28)", "when (days since 2024-02-28)") and legend[3:5] == (0, 9)


def test_times_have_units_and_gaps():
    moments = np.datetime64("2024-02-28T10:00:00") + np.array([0, 1, 30])
    assert _colors.prepare(moments, 3, {}).key()[0] == "(seconds since 2024-02-28)"
    assert _colors.prepare(moments - moments[0], 3, {}).key()[3:5] == (0, 30)
    gaps = np.array(["2024-02-28", "NaT", "2024-03-20"], dtype="M8[D]")
    assert hexes(gaps)[1] == "#808080" and _colors.prepare(gaps, 3, {}).key()[7] == 1
    assert hexes([datetime.date(2024, 1, 1), None, datetime.date(2024, 1, 9)])[1] == "#808080"


@pytest.mark.parametrize("color", ["C1", "tab:red", "0.5", (0.25, 0.5, 0.75)])
def test_colors_of_matplotlib_are_known_in_every_option(color):
    hexadecimal = {"C1": "#ff7f0e", "tab:red": "#d62728", "0.5": "#808080"}.get(color, "#4080bf")
    small = {"width": 48, "height": 36}
    for name in ("background", "ink", "outline_color"):
        one, other = (
            roundel.spheres(np.eye(3), 0.5, title="a", look="illustrative", outline_width=2, **{name: value}, **small)
            for value in (color, hexadecimal)
        )
        assert one == other != roundel.spheres(np.eye(3), 0.5, title="a", look="illustrative", outline_width=2, **small)
    table = {"x": [0.0, 1], "y": [0.0, 0], "z": [0.0, 0], "vx": [0.0, 1], "vy": [1.0, 1], "vz": [0.0, 0]}
    for options in ({"vector_color": color}, {"highlight": {"index 0": color}}, {"ink": color, "title": "a"}):
        like = {name: hexadecimal if value is color else {"index 0": hexadecimal} if name == "highlight" else value for name, value in options.items()}
        assert roundel.read(table, vectors="vx,vy,vz", **options, **small).render() == roundel.read(table, vectors="vx,vy,vz", **like, **small).render()
