"""Circles and spheres from arrays, drawn on the CPU, with the same pixels on every machine.

>>> import numpy as np, roundel
>>> positions = np.random.default_rng(1).normal(size=(1000, 3))
>>> image = roundel.spheres(positions, radii=0.1, colors=positions[:, 2], width=320, height=240)
>>> image
<roundel.Image of 320x240 pixels>
>>> image.save("spheres.png")  # doctest: +SKIP
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import _reference
from ._drawing import Renderer, circles, density, render, scatter, spheres
from ._files import read
from ._films import Film, film
from ._options import Options, ReadOptions
from ._pictures import compare, read_image
from ._roundel import Comparison, Image, Scene, __version__, colormaps, palettes
from ._shapes import arrows, cylinders, ellipsoids
from ._warnings import PictureWarning
from ._widget import show

if TYPE_CHECKING:
    from . import mpl as mpl
    from . import scenes as scenes
    from . import testing as testing

__all__ = [
    "Comparison",
    "Film",
    "Image",
    "Options",
    "PictureWarning",
    "ReadOptions",
    "Renderer",
    "Scene",
    "__version__",
    "arrows",
    "circles",
    "colormaps",
    "compare",
    "cylinders",
    "density",
    "ellipsoids",
    "film",
    "palettes",
    "read",
    "read_image",
    "render",
    "scatter",
    "show",
    "spheres",
]

_reference.complete()

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Modules that are imported when they are used, as they need other packages or time."""
        if name in ("mpl", "scenes", "testing"):
            return importlib.import_module(f".{name}", __name__)
        raise AttributeError(f"module 'roundel' has no attribute {name!r}")

    def __dir__() -> list[str]:
        """What Tab lists: the public names."""
        return sorted([*__all__, "mpl", "scenes", "testing"])
