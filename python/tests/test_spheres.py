"""Spheres: what arrays say is what is drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import roundel

SMALL = {"width": 160, "height": 120}


def draw(*args, **options):
    return np.asarray(roundel.spheres(*args, **{**SMALL, **options}))


def test_picture_is_that_of_the_same_data_in_a_file(cloud, tmp_path: Path):
    np.save(tmp_path / "cloud.npy", cloud)
    scene = roundel.read(tmp_path / "cloud.npy", colors="#1f77b4", **SMALL)
    assert np.array_equal(draw(cloud), np.asarray(scene.render()))
    scene = roundel.read(tmp_path / "cloud.npy", colors="#1f77b4", radii=0.25, eye=(0, 1, 9), samples=2, **SMALL)
    assert np.array_equal(draw(cloud, 0.25, eye=(0, 1, 9), samples=2), np.asarray(scene.render()))


def test_atoms_are_drawn_as_those_of_a_file(tmp_path: Path):
    lines = (Path("../docs/scenes/caffeine.xyz")).read_text().splitlines()[2:]
    rows = [line.split() for line in lines]
    atoms = {"element": [row[0] for row in rows], **{axis: [float(row[i]) for row in rows] for i, axis in enumerate("xyz", 1)}}
    scene = roundel.read("../docs/scenes/caffeine.xyz", style="spacefill", **SMALL)
    assert np.array_equal(draw(atoms), np.asarray(scene.render()))


def test_layout_and_type_change_no_pixel(cloud):
    expected = draw(cloud, 0.1)
    read_only = cloud.copy()
    read_only.flags.writeable = False
    twice = np.repeat(cloud, 2, axis=0)
    unaligned = np.frombuffer(b"x" + cloud.tobytes(), dtype=np.float32, offset=1).reshape(-1, 3)
    fields = np.zeros(len(cloud), dtype=[("id", "i1"), ("position", "f4", 3)])
    fields["position"] = cloud
    for same in (
        cloud.astype(np.float64),
        np.asfortranarray(cloud),
        twice[::2],
        cloud[::-1][::-1],
        np.flip(cloud[:, ::-1], axis=1),
        read_only,
        cloud.astype(">f4"),
        cloud.tolist(),
        unaligned,
        fields["position"],
        np.ma.masked_array(cloud),
    ):
        assert np.array_equal(draw(same, 0.1), expected)
    whole = np.array([[0, 0, 0], [2, 1, 0]])
    for kind in (np.int8, np.uint16, np.int64, np.float16, bool):
        assert np.array_equal(draw(whole.astype(kind), 0.5), draw(whole.astype(kind).astype(np.float32), 0.5))


def test_reversed_rows_are_drawn(cloud):
    # no two spheres are equally near, so that the order of rows is not seen
    assert np.array_equal(draw(cloud[::-1], 0.1), draw(cloud, 0.1))


def test_radii_are_one_or_one_each(cloud):
    each = np.full(len(cloud), 0.1)
    assert np.array_equal(draw(cloud, 0.1), draw(cloud, each))
    # a radius of 0 draws nothing
    camera = {"eye": (0, 0, 20), "target": (0, 0, 0), "look": "headlight"}
    each[:500] = 0
    assert np.array_equal(draw(cloud, each, **camera), draw(cloud[500:], 0.1, **camera))


def test_colors_of_all_kinds_mean_the_same(cloud):
    n = len(cloud)
    blue = (0.0, 0.0, 1.0)
    expected = draw(cloud, 0.1, "#0000ff")
    for same in (
        blue,
        (*blue, 1.0),
        "blue",
        "#00f",
        np.tile(np.array([0, 0, 255], np.uint8), (n, 1)),
        np.tile(np.array([0, 0, 255, 255], np.uint8), (n, 1)),
        np.tile(np.array(blue), (n, 1)),
        np.tile(np.array(blue, np.float32), (n, 1))[::-1],
        np.tile(np.array([0, 0, 255]), (n, 1)),
        ["#0000ff"] * n,
        np.array(["#00f"] * n),
    ):
        assert np.array_equal(draw(cloud, 0.1, same), expected)


def test_values_take_the_colors_of_the_map():
    positions = [(0, 0, 0), (3, 0, 0), (6, 0, 0)]
    flat = {"eye": (3, 0, 50), "target": (3, 0, 0), "ortho_height": 8, "look": "flat"}

    def middles(colors, **options):
        image = draw(positions, 1, colors, **flat, **options)
        return ["#" + bytes(image[60, 80 + 15 * i, :3]).hex() for i in (-3, 0, 3)]

    assert middles([0.0, 0.5, 1.0]) == ["#440154", "#21918c", "#fde725"]
    assert middles([10, 20, 30]) == middles([0.0, 0.5, 1.0])
    assert middles([5.0, np.nan, 5.0], vmin=0, vmax=5) == ["#fde725", "#808080", "#fde725"]
    assert middles([0.0, 1.0, 2.0], vmax=1) == ["#440154", "#fde725", "#fde725"]
    assert middles([0, 0, 1], colormap="tab10")[0] == "#1f77b4"
    # categories, in the order of their first rows, as in files
    assert middles([True, False, True]) == ["#1f77b4", "#ff7f0e", "#1f77b4"]
    assert middles(["b", "c", "a"]) == ["#1f77b4", "#ff7f0e", "#2ca02c"]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4])
def test_few_spheres_are_drawn(count):
    positions = np.arange(3 * count).reshape(count, 3)
    image = draw(positions, 1.0, np.linspace(0, 1, count))
    assert image.any() and (count == 0 or (image != 255).any())


def test_invalid_rows_are_refused_or_left_out(cloud):
    spoiled = cloud.astype(np.float64)
    spoiled[17, 1] = np.nan
    spoiled[900, 0] = np.inf
    with pytest.raises(ValueError, match=r"^positions\[17\] is .*NaN.*invalid='skip'"):
        draw(spoiled, 0.1)
    good = np.delete(np.arange(1000), [17, 900])
    values = cloud[:, 2]
    options = {"vmin": -2, "vmax": 2}
    skipped = draw(spoiled, np.full(1000, 0.1), values, invalid="skip", **options)
    assert np.array_equal(skipped, draw(cloud[good], 0.1, values[good], **options))
    radii = np.full(1000, 0.1)
    radii[3] = -1
    with pytest.raises(ValueError, match=r"^radii\[3\] is -1: radii must be finite and not negative"):
        draw(cloud, radii)
    assert np.array_equal(draw(cloud, radii, invalid="skip"), draw(np.delete(cloud, 3, axis=0), 0.1))
    # too large for float32, however they are shifted
    with pytest.raises(ValueError, match=r"^positions\[0\]"):
        draw([[1e300, 0, 0], [0, 0, 0]], 0.1)
    with pytest.warns(UserWarning, match="so far from the origin"):
        draw([[1e300, 0, 0]], 0.1)
    with pytest.raises(ValueError, match="invalid must be"):
        draw(cloud, invalid="ignore")


@pytest.mark.parametrize(
    ("arguments", "options", "kind", "message"),
    [
        ((np.zeros((4, 2)),), {}, ValueError, r"positions must be \(n, 3\), got shape \(4, 2\)"),
        ((np.zeros(3),), {}, ValueError, r"positions must be \(n, 3\), got shape \(3,\)"),
        ((np.zeros((4, 3), complex),), {}, TypeError, r"positions must be \(n, 3\) numbers, got ndarray of dtype complex128"),
        ((object(),), {}, TypeError, r"positions must be \(n, 3\) numbers, got object"),
        (("atoms.xyz",), {}, TypeError, r"positions must be \(n, 3\) numbers, got str"),
        ((None,), {}, TypeError, r"positions must be"),
        (([[0, 0, 0], [1, 1]],), {}, TypeError, r"positions must be \(n, 3\) numbers, got list"),
        ((np.zeros((4, 3)), [1, 2]), {}, ValueError, r"radii must be one number or \(4,\) .* got shape \(2,\)"),
        ((np.zeros((4, 3)), "big"), {}, ValueError, r"radii 'big'"),
        ((np.zeros((4, 3)), -1), {}, ValueError, r"radii must be finite and not negative, got -1"),
        ((np.zeros((4, 3)), np.nan), {}, ValueError, r"radii must be finite"),
        ((np.zeros((4, 3)), 1, np.zeros((5, 3))), {}, ValueError, r"colors must be \(n, 3\) with n = 4 .* got shape \(5, 3\)"),
        ((np.zeros((4, 3)), 1, np.full((4, 3), 2.0)), {}, ValueError, r"colors must be 0 to 1 in floating point, got \[2.0"),
        ((np.zeros((4, 3)), 1, np.full((4, 3), 300)), {}, ValueError, r"colors must be 0 to 255"),
        ((np.zeros((4, 3)), 1, (1, 2, 3)), {}, ValueError, r"colors must be a colour"),
        ((np.zeros((4, 3)), 1, "#12"), {}, ValueError, r"must be .*#rrggbb or #rrggbbaa"),
        ((np.zeros((4, 3)), 1, ["#000", "#111", "x", "#222"]), {}, ValueError, r"colors must be a name of CSS"),
        ((np.zeros((4, 3)), 1, object()), {}, TypeError, r"colors must be one colour"),
        ((np.zeros((4, 3)), 1, "element"), {}, ValueError, r"colors 'element' is for objects with elements"),
        ((np.zeros((4, 3)), 1, [1, 2, 3, 4]), {"colormap": "virids"}, ValueError, r"colormap must be the name of a colour map, got .*viridis"),
        ((np.zeros((4, 3)), 1, [1, 2, 3, 4]), {"vmin": 5}, ValueError, r"vmin must not be above vmax"),
        ((np.zeros((4, 3)), 1, [1, 2, 3, 4]), {"vmax": np.inf}, ValueError, r"vmax must be finite"),
        ((np.zeros((4, 3)),), {"samples": "many"}, TypeError, r"samples must be a whole number"),
        ((np.zeros((4, 3)),), {"samples": 0}, ValueError, r"samples must be 1 to 4096, got 0"),
        ((np.zeros((4, 3)),), {"width": -3}, ValueError, r"width must be a whole number that is not negative, got -3"),
        ((np.zeros((4, 3)),), {"width": 1 << 40}, ValueError, r"width must be"),
        ((np.zeros((4, 3)),), {"width": 1 << 20, "height": 1 << 20}, ValueError, r"2\^32 pixels"),
        ((np.zeros((4, 3)),), {"width": 2.5}, TypeError, r"width must be a whole number"),
        ((np.zeros((4, 3)),), {"eye": (1, 2)}, ValueError, r"eye must be three numbers"),
        ((np.zeros((4, 3)),), {"eye": "front"}, (TypeError, ValueError), r"eye must be three numbers"),
        ((np.zeros((4, 3)),), {"eye": (0, 0, 0), "target": (0, 0, 0)}, ValueError, r"^eye and target must be two points"),
        ((np.zeros((4, 3)),), {"fov": 200}, ValueError, r"fov must be 0.01 to 179 degrees"),
        ((np.zeros((4, 3)),), {"look": "cartoon"}, ValueError, r"look must be illustrative, studio, glossy, flat"),
        ((np.zeros((4, 3)),), {"fog": 2}, ValueError, r"fog must be 0 to 1, got 2"),
        ((np.zeros((4, 3)),), {"parts": [1, 2]}, ValueError, r"parts must be \(4,\)"),
        ((np.zeros((4, 3)),), {"ao": 2.5}, ValueError, r"ao must be smooth, off or a whole number from 0, got 2.5"),
        ((np.zeros((4, 3)),), {"shadows": "yes"}, TypeError, r"shadows must be True or False"),
        ((np.zeros((4, 3)),), {"background": 7}, TypeError, r"background must be a colour"),
        ((np.zeros((4, 3)),), {"sample": 4}, TypeError, r"did you mean 'samples'"),
        ((np.zeros((4, 3)),), {"only": "chain A"}, TypeError, r"for files and objects: see roundel.read"),
        ((np.zeros((4, 3)),), {"threads": 0}, ValueError, r"threads must be 1 to 4096"),
        ((np.zeros((4, 3)),), {"tile": 3}, ValueError, r"tile must be 8 to 1024"),
        ((np.zeros((4, 3)),), {"simd": "mmx"}, ValueError, r"simd must be"),
        ((np.zeros((4, 3)),), {"limit_pixels": 100}, ValueError, r"over the limit of 100 pixels; limit_pixels raises it"),
        ((np.zeros((4, 3)),), {"limit_memory": 100}, MemoryError, r"limit_memory raises it"),
    ],
)
def test_wrong_arguments_are_named(arguments, options, kind, message):
    with pytest.raises(kind, match=message):
        roundel.spheres(*arguments, **options)


def test_options_of_performance_change_no_pixel(cloud):
    expected = draw(cloud, 0.1, shadows=True)
    for options in ({"threads": 1}, {"tile": 8}, {"no_cull": True}, {"simd": "auto"}, {"limit_memory": 1 << 30}):
        assert np.array_equal(draw(cloud, 0.1, shadows=True, **options), expected)
    assert np.array_equal(draw(cloud, 0.1, shadows=True, samples=None, eye=None), expected), "None is left out"


def test_looks_are_those_of_the_command_line(cloud, tmp_path: Path):
    np.save(tmp_path / "cloud.npy", cloud)
    options = [
        {"look": "flat"},
        {"look": "headlight"},
        {"look": "illustrative", "outline_width": 3.5, "outline_depth": 2, "outline_color": "#d62728"},
        {"look": "studio", "fog": 0.8, "fog_start": 0.1, "key": 1, "key_angle": 20, "fill": 0.5, "ao_strength": 0.5, "cloud_radius": 9},
    ]
    pictures = [draw(cloud, **option) for option in options]
    for option, picture in zip(options, pictures):
        scene = roundel.read(tmp_path / "cloud.npy", colors="#1f77b4", **SMALL, **option)
        assert np.array_equal(np.asarray(scene.render()), picture)
    assert len({picture.tobytes() for picture in pictures}) == 4


def test_outlines_separate_parts():
    # one behind the edge of the other; the jump in depth alone draws no line
    pair = [(0, 0, 0), (1, 0, -2)]
    camera = {"colors": "#ffffff", "look": "illustrative", "ao": "off", "eye": (0, 0, 9), "target": (0, 0, 0), "outline_depth": 1e4}

    def dark(parts):
        return int((draw(pair, 1, parts=parts, **camera)[60, 95:112, :3] < 150).sum())

    assert dark(None) == dark(["A", "A"]) == dark([7, 7]) == 0
    assert dark(["A", "B"]) == dark([7, 9]) > 0


def test_depth_and_index_are_those_of_the_rows():
    positions = np.array([(-2.0, 0, 0), (np.nan, 0, 0), (0, 0, 0), (2, 0, 1)])
    options = {"eye": (0, 0, 10), "target": (0, 0, 0), "ortho": True, "ortho_height": 3.0, "width": 61, "height": 31}
    image = roundel.spheres(positions, 0.5, invalid="skip", arrays=("depth", "index"), **options)
    assert image.index[15].max() == 3 and set(np.unique(image.index).tolist()) == {-1, 0, 2, 3}
    assert image.index[15, 30] == 2 and image.depth[15, 30] == np.float32(9.5)
    assert np.isinf(image.depth[0, 0]) and image.index[0, 0] == -1
    # the picture is the same as without
    assert np.array_equal(image, roundel.spheres(positions, 0.5, invalid="skip", **options))


def test_figures_show_what_arrays_mean(cloud):
    small = {"width": 160, "height": 120, "samples": 1}
    plain = roundel.spheres(cloud, 0.1, **small)
    values = roundel.spheres(cloud, 0.1, cloud[:, 2], legend=True, **small)
    assert values.height == 120 and values.width > 160
    names = np.where(cloud[:, 0] > 0, "right", "left")
    listed = [roundel.spheres(cloud, 0.1, names, legend=legend, **small) for legend in (True, "counts", False)]
    assert listed[0].width < listed[1].width and listed[2].width == 160
    # what is beside the picture does not change it
    assert np.array_equal(listed[0].pixels[:, :160], listed[2].pixels)
    titled = roundel.spheres(cloud, 0.1, title="a cloud", axes=True, scale_bar=1, dpi=192, **small)
    assert titled.height > 120 and titled.dpi == 192
    assert roundel.spheres(cloud, 0.1, scale=2, **small).size == (320, 240)
    trimmed = roundel.spheres(cloud[:1], 0.1, trim=True, zoom=0.5, **small)
    assert trimmed.width < 160 and trimmed.height < 120
    assert roundel.spheres(cloud, 0.1, transparent=True, **small).pixels[0, 0].tolist() == [0, 0, 0, 0]
    assert roundel.spheres(cloud, 0.1, clip="x<0", **small) != plain != roundel.spheres(cloud, 0.1, slab=(0.5, 1), **small)
    assert roundel.spheres(cloud, 0.1, bits=16, **small).pixels.dtype == np.uint16
    for options, message in (
        ({"legend": True}, "legend is for colours that mean something"),
        ({"cell": True}, "cell is for objects with a periodic box"),
        ({"transparent": True, "background": "white"}, "exclude one another"),
    ):
        with pytest.raises(ValueError, match=message):
            roundel.spheres(cloud, 0.1, **options, **small)


def test_colors_are_named_as_in_css(cloud):
    small = {"width": 80, "height": 60, "samples": 1}
    blue = roundel.spheres(cloud, 0.2, "#4682b4", **small)
    assert blue == roundel.spheres(cloud, 0.2, "steelblue", **small) == roundel.spheres(cloud, 0.2, "SteelBlue", **small)
    assert blue == roundel.spheres(cloud, 0.2, ["steelblue"] * len(cloud), **small)
    assert blue == roundel.spheres(cloud, 0.2, ["steelblue", "#4682b4"] * (len(cloud) // 2), **small)
    frame = {"x": cloud[:, 0], "y": cloud[:, 1], "z": cloud[:, 2], "gold": cloud[:, 2]}
    assert blue == roundel.spheres(frame, 0.2, "steelblue", **small)
    # columns come first
    signed = {"color_center": 0, "colormap": "coolwarm", **small}
    assert roundel.spheres(frame, 0.2, "gold", **small) == roundel.spheres(cloud, 0.2, cloud[:, 2], **signed)
    with pytest.raises(ValueError, match="colors must be a name of CSS such as steelblue, .* got 'blurple'"):
        roundel.spheres(cloud, 0.2, "blurple", **small)
    with pytest.raises(ValueError, match="got 'blurple'"):
        roundel.spheres(cloud, 0.2, ["red", "blurple"] * (len(cloud) // 2), **small)
    # names that are no colours are categories
    letters = roundel.spheres(cloud, 0.2, ["A", "B"] * (len(cloud) // 2), **small)
    assert letters == roundel.spheres(cloud, 0.2, ["#1f77b4", "#ff7f0e"] * (len(cloud) // 2), **small)
