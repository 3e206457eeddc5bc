"""Copies and pickles keep everything."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import roundel
from conftest import REPOSITORY

CAFFEINE = REPOSITORY / "docs/scenes/caffeine.xyz"
WAYS = [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))]
PAIR = [(0.0, 0, 0), (1, 0, 0)]


@pytest.mark.parametrize("way", WAYS)
def test_images_keep_arrays_counts_and_resolution(way):
    image = roundel.spheres(PAIR, 0.5, width=32, height=24, dpi=300, bits=16, arrays=("depth", "index", "normal"))
    other = way(image)
    assert other == image and hash(other) == hash(image)
    assert other.dpi == 300 and other.counts == image.counts and other.times_ms == pytest.approx(image.times_ms)
    for name in ("depth", "index", "normal"):
        assert np.array_equal(getattr(other, name), getattr(image, name)) and not getattr(other, name).flags.writeable
    density = roundel.density([0, 1, 1], [0, 1, 1], width=32, height=24, title="three")
    assert way(density) == density and way(density).extent == density.extent
    assert np.array_equal(way(density).values, density.values, equal_nan=True)


def test_equal_pictures_have_equal_arrays():
    plain = roundel.spheres(PAIR, 0.5, width=32, height=24)
    deep = roundel.spheres(PAIR, 0.5, width=32, height=24, arrays="depth")
    near = roundel.spheres(np.array(PAIR) * 2, 1.0, width=32, height=24, arrays="depth")
    assert deep == roundel.spheres(PAIR, 0.5, width=32, height=24, arrays="depth")
    assert plain != deep and near != deep


@pytest.mark.parametrize("way", WAYS)
def test_scenes_are_the_same_scene(way):
    scene = roundel.read(CAFFEINE, width=48, height=36, only="not element H")
    other = way(scene)
    assert other == scene and other.render() == scene.render() and len(other) == len(scene)
    assert scene != roundel.read(CAFFEINE, width=48, height=36)


@pytest.mark.parametrize("way", WAYS)
def test_renderers_keep_their_options(way):
    renderer = way(roundel.Renderer(threads=1, limit_pixels=100))
    with pytest.raises(ValueError, match="limit_pixels"):
        renderer.spheres(PAIR, width=32, height=24)


def test_scenes_show_themselves_and_know_their_file():
    scene = roundel.read(CAFFEINE, width=48, height=36)
    assert scene._repr_png_() == scene.render().to_png()
    assert scene.frames == 1 and str(scene.path) == str(CAFFEINE.resolve()) and set(scene.camera) >= {"eye", "target", "up"}


def test_frames_of_trajectories_are_counted(tmp_path):
    file = tmp_path / "walk.xyz"
    file.write_text("".join(f"1\n\nO {step} 0 0\n" for step in range(3)))
    assert roundel.read(file).frames == 3 and roundel.read(file, frame=-1).frames == 3


def test_lazy_frames_are_collected():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"x": [0.0, 1.0], "y": [0.0, 0.0], "z": [0.0, 0.0], "v": [0.5, 1.5]})
    small = {"width": 32, "height": 24}
    assert roundel.spheres(frame.lazy(), 0.4, "v", **small) == roundel.spheres(frame, 0.4, "v", **small)
    assert roundel.scatter("x", "y", data=frame.lazy(), **small) == roundel.scatter("x", "y", data=frame, **small)


def test_densities_have_legend_title_and_numbers():
    x, y = [0.1, 0.1, 0.9], [0.1, 0.1, 0.9]
    image = roundel.density(x, y, extent=(0, 1, 0, 1), width=20, height=10, title="points", legend=True)
    assert image.width > 20 and image.height > 10 and image.values.shape == (10, 20) and image.extent == (0, 1, 0, 1)
    assert np.nansum(image.values) == 3 and np.isnan(image.values).sum() == 198
    means = roundel.density(x, y, [1.0, 3.0, 7.0], statistic="mean", extent=(0, 1, 0, 1), width=20, height=10)
    assert sorted(means.values[~np.isnan(means.values)].tolist()) == [2, 7]
    bare = roundel.density(x, y, extent=(0, 1, 0, 1), width=20, height=10)
    with pytest.raises(AttributeError, match="not a density"):
        roundel.circles([], width=8, height=8).values
    assert bare.size == (20, 10)
