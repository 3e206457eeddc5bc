"""Circles and spheres from arrays, drawn on the CPU, with the same pixels on every machine.

>>> import numpy as np, roundel
>>> positions = np.random.default_rng(1).normal(size=(1000, 3))
>>> image = roundel.spheres(positions, radii=0.1, colors=positions[:, 2], width=320, height=240)
>>> image
<roundel.Image of 320x240 pixels>
>>> image.save("spheres.png")  # doctest: +SKIP
"""

from __future__ import annotations

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
