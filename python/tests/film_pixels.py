"""The frames of a film as pixels, read by Pillow."""

from __future__ import annotations

import numpy as np
import pytest

Image = pytest.importorskip("PIL.Image")


def frames(path):
    """The frames of a film, (height, width, 3)."""
    with Image.open(path) as film:
        found = []
        for number in range(film.n_frames):
            film.seek(number)
            found.append(np.asarray(film.convert("RGB")).astype(int))
    return found
