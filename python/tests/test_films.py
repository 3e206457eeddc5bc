"""Films from pictures of all kinds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import roundel
from conftest import REPOSITORY

COLORS = ("#d62728", "#2ca02c", "#1f77b4")


def frames(**options):
    for number, color in enumerate(COLORS):
        yield roundel.circles([(10 + 6 * number, 12)], 8, color, width=32, height=24, **options)


@pytest.mark.parametrize("name", ["film.png", "film.webp", "film.gif"])
def test_films_have_the_frames(name: str, tmp_path: Path):
    pil = pytest.importorskip("PIL.Image")
    film = roundel.film(frames(), tmp_path / name, fps=10)
    assert len(film) == 3 and film.size == (32, 24) and film.path == tmp_path / name
    read = pil.open(film.path)
    assert read.n_frames == 3
    for number, frame in enumerate(frames()):
        read.seek(number)
        # Pillow learns how long a frame of WebP lasts as it decodes it
        read.load()
        assert read.info["duration"] == 100
        expected = np.asarray(frame)[:, :, :3]
        # few colours: a GIF has them all
        assert np.array_equal(np.asarray(read.convert("RGB")), expected), number


def test_numbered_pictures_are_whole(tmp_path: Path):
    film = roundel.film(frames(), tmp_path / "f_{frame:02}.png")
    assert len(film) == 3 and film._repr_html_() is None
    for number, frame in enumerate(frames()):
        assert np.array_equal(roundel.read_image(tmp_path / f"f_{number:02}.png"), frame)


def test_pictures_of_all_kinds_are_frames(tmp_path: Path):
    pil = pytest.importorskip("PIL.Image")
    scene = roundel.read(REPOSITORY / "docs" / "scenes" / "caffeine.xyz", width=32, height=24)
    frame = scene.render()
    frame.save(tmp_path / "frame.png")
    array = np.asarray(frame)
    kinds = [scene, frame, array, array[:, :, :3], array[:, :, :3] / 255, pil.fromarray(array), tmp_path / "frame.png"]
    film = roundel.film(kinds, tmp_path / "film.webp")
    read = pil.open(film.path)
    assert read.n_frames == len(kinds)
    for number in range(len(kinds)):
        read.seek(number)
        assert np.array_equal(np.asarray(read.convert("RGB")), array[:, :, :3]), number


def test_films_play_in_notebooks(tmp_path: Path):
    film = roundel.film(frames(), fps=12.5)
    html = film._repr_html_()
    assert html is not None and html.startswith('<img src="data:image/webp;base64,') and 'width="32"' in html
    assert film.to_bytes()[:4] == b"RIFF" and repr(film) == "<roundel.Film of 3 frames, 32x24 pixels, 12.5 a second>"
    film.save(tmp_path / "copy.webp")
    assert (tmp_path / "copy.webp").read_bytes() == film.to_bytes()
    with pytest.raises(ValueError, match="must end in .webp"):
        film.save(tmp_path / "copy.gif")


def test_bad_films_leave_nothing(tmp_path: Path):
    def broken():
        yield from frames()
        raise RuntimeError("enough")

    def growing():
        yield from frames()
        yield np.zeros((10, 10, 3), dtype=np.uint8)

    for bad, name, kind, match in (
        (broken(), "a.webp", RuntimeError, "enough"),
        (growing(), "a.webp", ValueError, "one size"),
        ([], "a.webp", ValueError, "one or more"),
        (frames(), "a.avi", ValueError, "must end in"),
        (frames(), "none/a.gif", FileNotFoundError, ""),
        (["none.png"], "a.gif", FileNotFoundError, ""),
        ([3], "a.gif", (TypeError, ValueError), "frame 0"),
    ):
        with pytest.raises(kind, match=match):
            roundel.film(bad, tmp_path / name)
    with pytest.raises(ValueError, match="fps"):
        roundel.film(frames(), tmp_path / "a.gif", fps=0)
    assert list(tmp_path.iterdir()) == []
