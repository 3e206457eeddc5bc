"""Scenes of arrays, and pictures that mix them with each other and with files and objects.

:func:`spheres`, :func:`cylinders`, :func:`ellipsoids` and :func:`arrows` take what the functions of :mod:`roundel` of the same
names take, and return a scene in the place of a picture; :func:`roundel.read` returns those of files and objects.

>>> import numpy as np, roundel
>>> from roundel import scenes
>>> positions = np.random.default_rng(1).normal(size=(20, 3))
>>> molecule = roundel.read("../docs/scenes/caffeine.xyz", style="sticks")
>>> mixed = scenes.mix(scenes.spheres(positions, 0.1), scenes.arrows(positions, -positions), molecule, width=320, height=240)
>>> mixed.render(azimuth=30)
<roundel.Image of 320x240 pixels>
>>> scenes.spheres(positions, 0.1) + scenes.spheres([[0, 0, 3]], 1, "gold")
<roundel.Scene of 21 spheres, 1280x960 pixels>
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _colors, _options, _particles, _roundel, _shapes
from ._colors import Colors
from ._drawing import Invalid
from ._files import NAME, check_legend, new_folder, read, source
from ._options import Options, ReadOptions
from ._roundel import Scene
from ._typing import Array, Positions, Rotations, Unpack

__all__ = ["arrows", "cylinders", "ellipsoids", "mix", "spheres"]

HEADER = '[camera]\nview = "broadside"\n[render]\nlook = "studio"\nsamples = 4\n'
"""Arrays are drawn so by :func:`roundel.spheres`."""

SELECTED = {"gloss": "gloss", "highlight": "color", "label": "text", "opacity": "opacity", "style": "style"}
"""Options of files that may be pairs of selections and values, and the keys of the values."""

OF_FILES = frozenset((
    "assembly", "ball_scale", "bond_radius", "bonds", "center", "color_by", "compute", "ellipsoid_rings", "ellipsoids", "format", "frame",
    "hide", "only", "opacity_by", "radius", "replicate", "smooth", "symmetry", "topology", "unwrap", "vector_color", "vector_radius",
    "vector_scale", "vectors", "whole", "wrap", *SELECTED,
))
"""Options that are keys of files in scenes."""


def spheres(
    positions: Positions,
    radii: Array | None = None,
    colors: Colors | None = None,
    *,
    invalid: Invalid = "raise",
    **options: Unpack[Options],
) -> Scene:
    """The scene of spheres; see :func:`roundel.spheres`."""
    everything, speed = _options.split("spheres", options)
    picture, paints = _options.paints(everything)
    given = _particles.SphereArrays(positions, radii, colors, None, invalid, {}, paints)
    columns = {"center": _moved(given.centers, given.shift), "radius": given.radii, "color": given.colors}
    return _scene("sphere", len(given.centers), columns, picture, speed)


def cylinders(
    starts: Array,
    ends: Array,
    radii: Array | None = None,
    colors: Colors | None = None,
    *,
    end_colors: Colors | None = None,
    caps: Literal["flat", "round"] = "flat",
    invalid: Invalid = "raise",
    **options: Unpack[Options],
) -> Scene:
    """The scene of cylinders; see :func:`roundel.cylinders`."""
    scene: Scene = _shapes.drawn_cylinders(_Writer, starts, ends, radii, colors, end_colors, caps, invalid, options)
    return scene


def ellipsoids(
    positions: Array,
    radii: Array,
    rotations: Rotations | None = None,
    colors: Colors | None = None,
    *,
    invalid: Invalid = "raise",
    **options: Unpack[Options],
) -> Scene:
    """The scene of ellipsoids; see :func:`roundel.ellipsoids`."""
    scene: Scene = _shapes.drawn_ellipsoids(_Writer, positions, radii, rotations, colors, invalid, options)
    return scene


def arrows(
    positions: Array,
    vectors: Array,
    radii: Array | None = None,
    colors: Colors | None = None,
    *,
    vector_scale: float = 1.0,
    invalid: Invalid = "raise",
    **options: Unpack[Options],
) -> Scene:
    """The scene of arrows; see :func:`roundel.arrows`."""
    scene: Scene = _shapes.drawn_arrows(_Writer, positions, vectors, radii, colors, vector_scale, invalid, options)
    return scene


def mix(*scenes: Scene, **options: Unpack[ReadOptions]) -> Scene:
    """The scene of all shapes of others, with a camera that shows all of them unless options place it; ``a + b`` mixes two.

    Args:
        scenes: Scenes of this module, of :func:`roundel.read`, or mixed ones. Files with chains or labels keep their options of
            atoms, but not palettes and ranges of colours.
        **options: Options of the picture, as in :func:`roundel.read`. Those of the scenes do not count, but for the look of the
            first.
    """
    for scene in scenes:
        if not isinstance(scene, Scene) or scene.kind != "spheres":
            raise TypeError(f"scenes must be scenes of spheres and other solids, got {scene!r}")
    check_legend(NAME, options)
    parts = [_shapes_of(scene) for scene in scenes]
    # the numbers of shading of the first, not its camera
    head = parts[0][0] if parts else ""
    header = '[camera]\nview = "broadside"\n' + head[head.index("[render]") :] if "[render]" in head else HEADER
    return read(_written(header + "".join(f"\n[[{shapes}\n" for _, shapes in parts)), **options)


def _shapes_of(scene: Scene) -> tuple[str, str]:
    """The text of a scene: what it says of all shapes, and the shapes, without the brackets of the first."""
    path, picture, _ = source(scene)
    if os.path.basename(path) == NAME:
        with open(path, encoding="utf-8") as file:
            head, _, shapes = file.read().partition("\n[[")
        return head, shapes
    is_scene = path.endswith((".toml", ".json"))
    if is_scene or "label" not in picture:
        try:
            head, _, shapes = scene.to_toml().partition("\n[[")
            return head, shapes
        except ValueError:
            if is_scene:
                raise
    # chains and labels have no place in tables of shapes
    table: dict[str, Any] = {"file": path}
    for name, value in picture.items():
        if name not in OF_FILES:
            continue
        if name in SELECTED and isinstance(value, (list, tuple)) and not isinstance(value[0], (int, float)):
            value = [{"select": selection, SELECTED[name]: part} for selection, part in value]
        table[name] = value
    return "", "spheres]]\n" + "".join(f"{name} = {_toml(value)}\n" for name, value in table.items())


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_toml(part)}" for name, part in value.items()) + " }"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value.item() if isinstance(value, np.generic) else value)


class _Writer:
    """Takes the place of the compiled renderer: shapes become scenes instead of pictures."""

    def __init__(self, **speed: Any) -> None:
        self._speed = speed
        self.shift: npt.NDArray[np.float64] | None = None

    def cylinders(self, starts: Any, ends: Any, radii: Any, colors: Any, end_colors: Any, is_round: bool, figure: Any) -> Scene:
        places = {"start": _moved(starts, self.shift), "end": _moved(ends, self.shift)}
        caps = "round" if is_round else "flat"
        columns = {**places, "radius": radii, "color": colors, "color2": end_colors, "caps": caps}
        return _scene("cylinder", len(starts), columns, figure[1], self._speed)

    def ellipsoids(self, centers: Any, radii: Any, rotations: Any, colors: Any, figure: Any) -> Scene:
        columns = {"center": _moved(centers, self.shift), "radii": radii, "color": colors}
        if rotations is not None:
            columns["rotation"] = rotations
        return _scene("ellipsoid", len(centers), columns, figure[1], self._speed)

    def arrows(self, starts: Any, vectors: Any, radii: Any, colors: Any, figure: Any) -> Scene:
        columns = {"start": _moved(starts, self.shift), "vector": vectors, "radius": radii, "color": colors}
        return _scene("arrow", len(starts), columns, figure[1], self._speed)


def _moved(places: Any, shift: npt.NDArray[np.float64] | None) -> Any:
    return places.astype(np.float64) + (0.0 if shift is None else shift)


def _scene(kind: str, count: int, columns: Mapping[str, Any], picture: Mapping[str, Any], speed: Mapping[str, Any]) -> Scene:
    """Shapes with values by key: one for all, or one for each."""
    check_legend(NAME, picture)
    texts = [[f"{key} = {text}" for text in _texts(value, count)] for key, value in columns.items()]
    tables = ("\n".join((f"\n[[{kind}]]", *rows)) for rows in zip(*texts))
    return _roundel.read(_written(HEADER + "\n".join(tables) + "\n"), picture, speed)


def _texts(value: Any, count: int) -> list[str]:
    if isinstance(value, np.ndarray) and value.dtype == np.uint8:
        return [f'"#{bytes(color).hex()}"' for color in value]
    if isinstance(value, np.ndarray):
        # numbers, and lists of them, are written in TOML as in Python
        return list(map(repr, value.tolist()))
    return [_toml(value)] * count


def _written(text: str) -> str:
    path = os.path.join(new_folder(), NAME)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path
