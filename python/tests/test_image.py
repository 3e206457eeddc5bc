"""Pictures as arrays, files and objects."""

from __future__ import annotations

import gc
import pickle
import weakref
from pathlib import Path

import numpy as np
import pytest

import roundel


@pytest.fixture
def image():
    return roundel.circles([(16, 12)], 8, "#d6272880", width=32, height=24, background="#00000000")


def test_array_is_the_picture_itself(image):
    pixels = np.asarray(image)
    assert pixels.shape == image.shape == (24, 32, 4) and pixels.dtype == np.uint8
    assert (image.width, image.height) == image.size == (32, 24)
    assert np.shares_memory(pixels, np.asarray(image)) and np.shares_memory(pixels, image.pixels)
    assert not pixels.flags.writeable
    with pytest.raises(ValueError):
        pixels[0] = 0
    copy = np.array(image)
    assert not np.shares_memory(copy, pixels) and copy.flags.writeable
    assert np.asarray(image, dtype=np.float32).dtype == np.float32
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        with pytest.raises(ValueError, match="needs a copy"):
            np.asarray(image, dtype=np.float32, copy=False)


def test_array_outlives_the_picture(image):
    pixels, expected = np.asarray(image), np.array(image)
    reference = weakref.ref(image)
    del image
    gc.collect()
    if reference() is None:
        np.zeros(10_000_000)
    assert np.array_equal(pixels, expected)


def test_files_come_back_pixel_for_pixel(image, tmp_path: Path):
    file = tmp_path / "image.png"
    image.save(file)
    assert np.array_equal(roundel.read_image(file), image)
    assert file.read_bytes() == image.to_png() == image._repr_png_()
    image.save(str(file))
    for path, kind in ((tmp_path / "none" / "x.png", FileNotFoundError), (tmp_path / "x.doc", ValueError), (7, TypeError)):
        with pytest.raises(kind):
            image.save(path)


def test_pictures_go_through_other_packages(image):
    pil = pytest.importorskip("PIL.Image")
    converted = image.to_pil()
    assert isinstance(converted, pil.Image) and converted.size == image.size
    assert image.compare(converted) and roundel.compare(converted.convert("RGBA"), image)


def test_pictures_are_equal_by_their_pixels(image):
    same = roundel.Image(np.array(image))
    assert same == image and hash(same) == hash(image) and same.counts == {} and image.counts["shapes"] == 1
    assert pickle.loads(pickle.dumps(image)) == image
    assert image != roundel.circles([], width=32, height=24) and image != roundel.circles([], width=8, height=8)
    assert image != "image" and repr(image) == "<roundel.Image of 32x24 pixels>"
    assert set(image.times_ms) == {"prepare", "draw"}


def test_image_of_another_array_is_refused():
    for pixels in (np.zeros((2, 2, 3), np.uint8), np.zeros((0, 2, 4), np.uint8), np.zeros((2, 2)), "x", None):
        with pytest.raises((TypeError, ValueError)):
            roundel.Image(pixels)
    strided = np.zeros((4, 4, 8), np.uint8)[::-2, ::2, ::2]
    assert roundel.Image(strided).size == (2, 2)


def test_comparison_says_what_differs():
    white = np.full((8, 8, 3), 255, np.uint8)
    spoiled = white.copy()
    spoiled[1, 2, 2] = 252
    found = roundel.compare(white, spoiled)
    assert (found.same, found.verdict, found.differing, found.compared) == (False, "different", 1, 64)
    assert (found.largest, found.first, found.regions) == (3.0, (2, 1), [(2, 1, 1, 1, 1)])
    assert found.difference.shape == (8, 8, 4) and found.difference[1, 2].tolist() == [255, 0, 0, 255]
    for options in (
        {"tolerance": 3},
        {"threshold": 0.1},
        {"flip": 0.1},
        {"pixels": 1},
        {"share": 0.02},
        {"mask": [(2, 1, 1, 1)]},
        {"mask_image": (white == spoiled)[..., 2] ^ True},
    ):
        assert roundel.compare(white, spoiled, **options), options
    assert not roundel.compare(white, spoiled, tolerance=2)
    sizes = roundel.compare(white, white[:4])
    assert sizes.verdict == "size_mismatch" and sizes.summary == "8x4 pixels instead of 8x8" and sizes.difference is not None


def test_pictures_of_all_types_are_compared():
    gray = np.linspace(0, 255, 12).astype(np.uint8).reshape(3, 4)
    rgb = np.repeat(gray[..., None], 3, axis=2)
    for same in (rgb, gray[..., None], rgb / 255, (rgb / 255).astype(np.float32), rgb.astype(np.uint16) * 257, rgb[::-1][::-1]):
        assert roundel.compare(gray, same)
    assert roundel.compare(gray > 99, np.where(gray > 99, 255, 0).astype(np.uint8))
    for wrong, kind in ((rgb.astype(int), TypeError), (rgb * 1.0, ValueError), (rgb[..., :2], ValueError), (None, TypeError), ("/none.png", OSError)):
        with pytest.raises(kind):
            roundel.compare(gray, wrong)
    for options in ({"tolerance": 1, "flip": 0.1}, {"tolerance": -1}, {"share": 2}, {"mask": [(1, 2, 3)]}, {"mask": [(-1, 0, 1, 1)]}, {"mask_image": np.zeros((2, 2), np.uint8)}):
        with pytest.raises((TypeError, ValueError)):
            roundel.compare(gray, gray, **options)


def test_matplotlib_figures_are_compared():
    pytest.importorskip("matplotlib").use("agg")
    from matplotlib import pyplot

    def figure(color):
        drawn, axes = pyplot.subplots(figsize=(2, 1.5), dpi=60)
        axes.plot([0, 1], color=color)
        return drawn

    assert roundel.compare(figure("red"), figure("red"))
    found = roundel.compare(figure("red"), figure("blue"))
    assert not found and found.difference.shape == (90, 120, 4)
