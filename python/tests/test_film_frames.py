"""Films of pictures and of positions."""

from __future__ import annotations

import numpy as np
import pytest

import roundel
from film_pixels import frames

POSITIONS = np.random.default_rng(1).normal(size=(60, 3))
SMALL = {"width": 64, "height": 48}


def test_pictures_become_a_film(tmp_path):
    file = tmp_path / "grow.gif"
    pictures = [roundel.spheres(POSITIONS * scale, 0.3, eye=(0, 0, 15), **SMALL) for scale in (0.5, 1.0, 1.5)]
    assert roundel.film(iter(pictures), file, fps=5).frames == 3
    for picture, frame in zip(pictures, frames(file)):
        assert np.abs(picture.pixels[..., :3] - frame).mean() < 4


def test_positions_have_one_camera_and_one_range(tmp_path):
    steps = [POSITIONS + [shift, 0, 0] for shift in (0.0, 5.0)]
    roundel.film(steps, tmp_path / "walk.png", radii=0.3, colors="#000", look="flat", **SMALL)
    first, second = (frame.min(axis=2) < 128 for frame in frames(tmp_path / "walk.png"))
    left, right = (np.flatnonzero(shown.any(axis=0)).mean() for shown in (first, second))
    assert right > left + 10 and first.any() and second.any(), "the camera stays, the spheres move"
    tables = [{"x": [0.0, 1], "y": [0.0, 0], "z": [0.0, 0], "v": [0.0, top]} for top in (1.0, 2.0)]
    roundel.film(tables, tmp_path / "heat.png", radii=0.4, colors="v", look="flat", **SMALL)
    cold, hot = frames(tmp_path / "heat.png")
    assert np.abs(cold[24, 12:20] - hot[24, 12:20]).max() == 0 and np.abs(cold - hot).max() > 30


def test_lists_of_atoms_are_frames(tmp_path):
    ase = pytest.importorskip("ase")
    atoms = [ase.Atoms("OH2", positions=[(0, 0, 0), (0.8, 0.6 + step, 0), (-0.8, 0.6, 0)]) for step in (0, 0.2)]
    assert roundel.film(atoms, tmp_path / "water.webp", **SMALL).frames == 2
    with pytest.raises(ValueError, match=r"positions is a list of 2 Atoms: draw one of them, such as positions\[-1\], or all by"):
        roundel.spheres(atoms)


def test_turns_keep_everything_in_sight(tmp_path):
    rod = np.column_stack([np.linspace(-5, 5, 21), np.zeros(21), np.zeros(21)])
    assert roundel.film(rod, tmp_path / "turn.gif", turn=360, count=8, radii=0.5, colors="#000", look="flat", **SMALL).frames == 8
    shown = [frame.min(axis=2) < 128 for frame in frames(tmp_path / "turn.gif")]
    widths = [int(picture.any(axis=0).sum()) for picture in shown]
    assert max(widths) > 3 * min(widths)
    assert all(not picture[:, [0, -1]].any() and not picture[[0, -1]].any() for picture in shown)


def test_interrupted_films_leave_no_file(tmp_path):
    def pictures():
        for step in range(20):
            if step == 12:
                raise KeyboardInterrupt
            yield roundel.circles([(step, 8)], 4, width=32, height=16)

    with pytest.raises(KeyboardInterrupt):
        roundel.film(pictures(), tmp_path / "half.gif")
    assert list(tmp_path.iterdir()) == []


def test_wrong_films_are_refused(tmp_path):
    small, large = (roundel.circles([], width=side, height=8) for side in (8, 16))
    with pytest.raises(ValueError, match="frames of one size"):
        roundel.film([small] * 9 + [large], tmp_path / "a.gif")
    with pytest.raises(ValueError, match="must be one or more"):
        roundel.film([], tmp_path / "a.gif")
    with pytest.raises(TypeError, match="these are pictures"):
        roundel.film([small], tmp_path / "a.gif", radii=2)
    with pytest.raises(ValueError, match="gif"):
        roundel.film([small], tmp_path / "a.doc")
    assert list(tmp_path.iterdir()) == []
