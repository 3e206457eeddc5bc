"""A table from a file and the same table as a frame are the same picture; missing values are told apart and in the legend."""

from __future__ import annotations

import csv

import numpy as np
import pytest

import roundel

RANDOM = np.random.default_rng(3)
COUNT = 60
PLACES = dict(zip("xyz", RANDOM.uniform(0, 10, (3, COUNT))))
SMALL = {"width": 160, "height": 120, "samples": 1}
COLUMNS = {
    "plain": RANDOM.uniform(1, 5, COUNT),
    "outlier": np.r_[RANDOM.uniform(1, 5, COUNT - 1), 1e6],
    "signed": RANDOM.normal(size=COUNT),
    "signed_outlier": np.r_[RANDOM.normal(size=COUNT - 1), -1e5],
    "whole": RANDOM.integers(0, 4, COUNT),
    "names": RANDOM.choice(list("cabdefghij"), COUNT),
    "absent": RANDOM.choice(["oak", "", "ash", "nan", "NA", "None", "null", "N/A", "-"], COUNT),
    "gappy": np.array([*"abcdefghijklmn", ""] * 4),
    "booleans": RANDOM.uniform(size=COUNT) < 0.5,
    "gaps": np.where(RANDOM.uniform(size=COUNT) < 0.2, np.nan, RANDOM.uniform(1, 5, COUNT)),
    "positive": 10 ** RANDOM.uniform(-2, 2, COUNT),
    "zeros": np.where(np.arange(COUNT) % 5 == 0, 0, 10 ** RANDOM.uniform(-2, 2, COUNT)),
}
OPTIONS = {
    **{name: [{}] for name in ("plain", "outlier", "signed", "signed_outlier", "whole", "names", "absent", "gappy", "booleans", "gaps", "positive", "zeros")},
    "outlier": [{}, {"color_range": "p5,p95"}, {"color_center": 2}],
    "signed": [{}, {"color_range": "p5,p95"}, {"color_range": (-1, 2)}, {"color_center": 0.5}],
    "names": [{}, {"palette": "tab10"}],
    "absent": [{}, {"palette": "tab10"}],
    # the eighth colour of these is nearly that of missing values
    "gappy": [{}, {"palette": "tab10"}, {"palette": "set1"}, {"palette": ["red", "#818181", "blue"]}],
    "whole": [{}, {"palette": "tab10"}],
    "positive": [{}, {"color_scale": "log"}, {"color_scale": "sqrt"}],
    "zeros": [{}, {"color_scale": "log"}, {"color_scale": "log", "color_range": "p2,p98"}],
}


@pytest.mark.filterwarnings("ignore:14 categories share")
@pytest.mark.parametrize("legend", [False, True])
@pytest.mark.parametrize("name,options", [(name, options) for name in COLUMNS for options in OPTIONS[name]])
def test_a_table_and_its_frame_have_the_same_colors(tmp_path, name, options, legend):
    table = {**PLACES, name: COLUMNS[name]}
    path = tmp_path / "table.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table)
        for row in zip(*(column.tolist() for column in table.values())):
            writer.writerow(["" if value != value else value for value in row])
    options = {**options, **({"legend": True} if legend else {}), **SMALL}
    expected = roundel.read(path, colors=name, radii=0.4, **options).render()
    shown = roundel.spheres(table, 0.4, colors=name, **options)
    assert shown.size == expected.size
    assert np.abs(shown.pixels.astype(int) - expected.pixels).max() <= 2


def shades(colors, **options):
    """The colours of discs in a row."""
    count = len(colors)
    image = roundel.circles([(8 * row + 4, 8) for row in range(count)], 4, colors, width=8 * count, height=16, **options)
    return [tuple(image.pixels[8, 8 * row + 4, :3].tolist()) for row in range(count)]


def test_no_logarithm_is_no_least_number():
    found = shades(np.array([0.0, -3.0, np.nan, 0.1, 1.0, 10.0]), color_scale="log", colormap="viridis")
    assert found[:3] == [(128, 128, 128)] * 3
    assert found[3] == (68, 1, 84) and found[5] == (253, 231, 37)
    assert shades(np.array([-1.0, 0.0, 4.0]), color_scale="sqrt")[0] == (128, 128, 128)


def has_entry(plain, legend):
    """Whether a legend has grey in it."""
    beside = legend.pixels[:, plain.width :, :3].astype(int)
    return bool((np.abs(beside - 128).max(axis=2) <= 1).sum() > 60)


@pytest.mark.parametrize("draw", ["spheres", "circles", "scatter", "cylinders"])
def test_missing_values_are_in_the_legend(draw):
    values = np.array([1.0, np.nan, 2.0, 3.0])
    names = np.array(["a", None, "b", "a"], dtype=object)
    places = np.column_stack([np.arange(4.0) * 30 + 20, np.full(4, 40.0), np.zeros(4)])
    function = getattr(roundel, draw)
    given = {
        "spheres": (places, 5),
        "circles": (places[:, :2], 5),
        "scatter": (places[:, 0], places[:, 1], 5),
        "cylinders": (places, places + 5.0, 3),
    }[draw]
    for colors in (values, names):
        options = {"width": 160, "height": 80}
        plain = function(*given, colors, **options)
        assert has_entry(plain, function(*given, colors, legend=True, **options))
        known = colors[[0, 2, 3]]
        rest = tuple(part[[0, 2, 3]] if isinstance(part, np.ndarray) else part for part in given)
        assert not has_entry(plain, function(*rest, known, legend=True, **options))


@pytest.mark.parametrize("palette", [None, "tab10", "tab20", "set1", "okabe-ito"])
def test_no_category_has_the_grey_of_missing_values(palette):
    names = np.array([*"abcdefgh", None], dtype=object)
    *known, missing = shades(names, **({} if palette is None else {"palette": palette}))
    assert missing == (128, 128, 128)
    assert all(max(abs(part - 128) for part in color) > 20 for color in known)
    # where none is missing, the palette is as it is
    if palette == "tab10":
        assert shades(names[:-1], palette=palette)[7] == (127, 127, 127)


@pytest.mark.filterwarnings("ignore:10 categories share")
def test_palettes_of_files_are_those_of_arrays(tmp_path):
    chosen = {"j": "tab:red", "a": "C0", "0": "0.5", **dict.fromkeys("bcdefghi", (0.0, 1.0, 0.0))}
    whole = {0: "white", 1: "tab:red", 2: "tan", 3: "k"}
    for name, palette in (("names", chosen), ("names", ["red", "green"]), ("whole", whole), ("whole", ["red", "green", "blue", "k"])):
        table = {**PLACES, name: COLUMNS[name]}
        expected = roundel.spheres(table, 0.4, colors=name, palette=palette, **SMALL)
        assert roundel.read(table, colors=name, radii=0.4, palette=palette, **SMALL).render() == expected
    with pytest.raises(ValueError, match="palette must be the name of a colour map"):
        roundel.read(table, colors="whole", palette="tab11")
    # a category without a colour has one of its own
    kinds = {**PLACES, "names": COLUMNS["names"]}
    rest = roundel.read(kinds, colors="names", radii=0.4, palette={"c": "red"}, look="flat", **SMALL).render()
    assert rest != roundel.read(kinds, colors="red", radii=0.4, look="flat", **SMALL).render()


def test_rows_of_arrows_and_cylinders_are_theirs():
    places = np.column_stack([np.arange(5.0) * 3, np.zeros(5), np.zeros(5)])
    along = np.array([[0.0, 0, 2], [0, 0, 0], [0, 0, 2], [0, 0, 1], [0, 0, 2]])
    options = {"arrays": "index", "width": 200, "height": 100, "eye": (6, -30, 1), "target": (6, 0, 1), "up": (0, 0, 1)}
    arrows = roundel.arrows(places, along, 0.3, **options)
    assert set(np.unique(arrows.index)) == {-1, 0, 2, 3, 4}, "the arrow without a length is not drawn"
    rods = roundel.cylinders(places, places + [0, 0, 2], 0.3, **options)
    assert set(np.unique(rods.index)) == {-1, 0, 1, 2, 3, 4}
    grains = roundel.ellipsoids(places, (0.5, 0.4, 0.3), **options)
    assert set(np.unique(grains.index)) == {-1, 0, 1, 2, 3, 4}
    for image in (arrows, rods, grains):
        columns = [np.nonzero((image.index == row).any(axis=0))[0].mean() for row in (0, 2, 4)]
        assert columns == sorted(columns), "from left to right"


@pytest.mark.parametrize("draw", ["circles", "scatter", "density", "show"])
def test_a_width_alone_keeps_the_shape(draw):
    if draw == "show":
        pytest.importorskip("anywidget")
    given = {"circles": ([(4, 4)],), "scatter": ([1, 2], [1, 2]), "density": ([1, 2], [1, 2]), "show": (np.eye(3),)}[draw]
    function = getattr(roundel, draw)
    for options in ({"width": 120}, {"height": 90}):
        image = function(*given, **options)
        assert (image.width, image.height) == (120, 90)


@pytest.mark.parametrize("kind", ["texts", "objects", "pandas", "categorical", "polars"])
def test_words_for_missing_names_are_one_entry(kind):
    names = ["oak", "", "ash", "nan", "NA", "None", "null", "oak"]
    if kind == "objects":
        names = np.array(["oak", None, "ash", float("nan"), "", "None", "null", "oak"], dtype=object)
    elif kind in ("pandas", "categorical"):
        names = pytest.importorskip("pandas").Series(names, dtype="category" if kind == "categorical" else object)
    elif kind == "polars":
        polars = pytest.importorskip("polars")
        names = polars.Series(names, dtype=polars.Categorical)
    grey = (128, 128, 128)
    found = shades(names)
    assert [shade == grey for shade in found] == [False, True, False, True, True, True, True, False] and found[0] == found[-1] != found[2]
    # a name with a colour of its own is a category
    named = shades(names, palette={"oak": "red", "ash": "blue", "null": "lime"})
    assert named[6] == (0, 255, 0) and named[1] == grey
