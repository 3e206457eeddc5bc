"""Drawing arrays of cylinders, ellipsoids and arrows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _arrays, _colors, _drawing, _options
from ._colors import Colors, Paint
from ._options import Options
from ._roundel import Image

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["arrows", "cylinders", "ellipsoids"]

# a quarter of the radius at which evenly spread spheres would touch, and less for the shafts of arrows
ROD = 0.25
SHAFT = 0.15

Numbers = npt.NDArray[np.float32]


def cylinders(
    starts: Any,
    ends: Any,
    radii: Any = None,
    colors: Colors = _drawing.BLUE,
    *,
    end_colors: Colors | None = None,
    caps: Literal["flat", "round"] = "flat",
    colormap: str = "viridis",
    vmin: float | None = None,
    vmax: float | None = None,
    **options: Unpack[Options],
) -> Image:
    """Draws cylinders, with a camera that shows all of them unless options place it.

    Args:
        starts, ends: Both ends of the axes in world units, (n, 3) each.
        radii: In world units: one number, or (n,) numbers. By default a quarter of those at which evenly spread spheres would
            touch.
        colors: As in :func:`roundel.spheres`, without ``"element"`` and columns.
        end_colors: The colours of the halves at ``ends``; those of ``colors`` by default.
        caps: How cylinders end: ``"flat"``, in discs, or ``"round"``, in half spheres.
        colormap, vmin, vmax: As in :func:`roundel.spheres`.
        **options: As in :func:`roundel.spheres`.

    >>> import numpy as np, roundel
    >>> starts = np.random.default_rng(1).normal(size=(100, 3))
    >>> roundel.cylinders(starts, starts + (0, 0, 0.5), radii=0.05, caps="round", width=320, height=240)
    <roundel.Image of 320x240 pixels>
    """
    if caps not in ("flat", "round"):
        raise ValueError(f"caps must be 'flat' or 'round', got {caps!r}")
    first, second = _finite("starts", starts), _finite("ends", ends)
    count = _same_length("ends", len(first), len(second))
    sizes = _radii(radii, first, ROD)
    paint = _colors.prepare(colors, count, colormap=colormap, vmin=vmin, vmax=vmax)
    end = paint
    if end_colors is not None:
        end = _colors.prepare(end_colors, count, colormap=colormap, vmin=vmin, vmax=vmax, name="end_colors")
    core, picture = _prepared("cylinders", options, paint)
    return core.cylinders(first, second, sizes, paint.colors, end.colors, caps == "round", picture)


def ellipsoids(
    positions: Any,
    radii: Any,
    rotations: Any = None,
    colors: Colors = _drawing.BLUE,
    *,
    colormap: str = "viridis",
    vmin: float | None = None,
    vmax: float | None = None,
    **options: Unpack[Options],
) -> Image:
    """Draws ellipsoids, with a camera that shows all of them unless options place it.

    Args:
        positions: Centres in world units, (n, 3).
        radii: Half the lengths of the axes in world units: (n, 3), or three numbers for all.
        rotations: The rotations that turn the axes from x, y and z to where they are: quaternions x, y, z, w of any length but 0,
            (n, 4), or an object with ``as_quat()``, such as ``scipy.spatial.transform.Rotation``. Along the axes by default.
        colors, colormap, vmin, vmax: As in :func:`roundel.cylinders`.
        **options: As in :func:`roundel.spheres`.

    >>> import numpy as np, roundel
    >>> random = np.random.default_rng(1)
    >>> positions, turns = random.normal(size=(100, 3)), random.normal(size=(100, 4))
    >>> roundel.ellipsoids(positions, (0.3, 0.2, 0.1), turns, width=320, height=240)
    <roundel.Image of 320x240 pixels>
    """
    centers = _finite("positions", positions)
    axes = np.asarray(radii)
    if axes.shape == (3,) and len(centers) != 1:
        axes = np.broadcast_to(axes, (len(centers), 3))
    lengths = _finite("radii", axes.reshape(-1, 3) if axes.shape == (3,) else axes)
    count = _same_length("radii", len(centers), len(lengths))
    if count and float(lengths.min()) < 0:
        raise ValueError(f"radii must not be negative, got {float(lengths.min())}")
    turns = None
    if rotations is not None:
        turns = _finite("rotations", rotations.as_quat() if hasattr(rotations, "as_quat") else rotations, 4)
        _same_length("rotations", count, len(turns))
        still = np.flatnonzero(~np.any(turns != 0, axis=1))
        if still.size:
            raise ValueError(f"rotations[{int(still[0])}] is 0: a quaternion must not be")
    paint = _colors.prepare(colors, count, colormap=colormap, vmin=vmin, vmax=vmax)
    core, picture = _prepared("ellipsoids", options, paint)
    return core.ellipsoids(centers, lengths, turns, paint.colors, picture)


def arrows(
    positions: Any,
    vectors: Any,
    radii: Any = None,
    colors: Colors = _drawing.BLUE,
    *,
    scale: float = 1.0,
    colormap: str = "viridis",
    vmin: float | None = None,
    vmax: float | None = None,
    **options: Unpack[Options],
) -> Image:
    """Draws arrows, with a camera that shows all of them unless options place it.

    Args:
        positions: Where arrows begin, in world units, (n, 3).
        vectors: From there to their tips, (n, 3).
        radii: Of the shafts, in world units: one number, or (n,) numbers. Heads are two times as thick and five times as long.
        colors: As in :func:`roundel.cylinders`, or ``"length"``: the lengths of the vectors, for ``colormap``.
        scale: World units of an arrow per unit of its vector.
        colormap, vmin, vmax: As in :func:`roundel.spheres`.
        **options: As in :func:`roundel.spheres`.

    >>> import numpy as np, roundel
    >>> positions = np.random.default_rng(1).normal(size=(100, 3))
    >>> roundel.arrows(positions, -positions, colors="length", width=320, height=240)
    <roundel.Image of 320x240 pixels>
    """
    starts, along = _finite("positions", positions), _finite("vectors", vectors)
    count = _same_length("vectors", len(starts), len(along))
    sizes = _radii(radii, starts, SHAFT)
    if isinstance(colors, str) and colors == "length":
        colors = np.linalg.norm(along.astype(np.float64), axis=1)
    paint = _colors.prepare(colors, count, colormap=colormap, vmin=vmin, vmax=vmax)
    core, picture = _prepared("arrows", options, paint)
    return core.arrows(starts, along * np.float32(scale), sizes, paint.colors, picture)


def _prepared(function: str, options: Any, paint: Paint) -> tuple[Any, Any]:
    """The compiled renderer, and what it takes beside arrays."""
    picture, speed = _options.split(function, options)
    facts = _drawing._facts(paint, picture)
    return _drawing._renderer(speed)._core, (facts, picture, _options.output(picture))


def _finite(name: str, value: Any, axes: int = 3) -> Numbers:
    array = _arrays.positions(name, value, axes)
    bad = np.flatnonzero(~np.all(np.isfinite(array), axis=1))
    if bad.size:
        row = int(bad[0])
        raise ValueError(f"{name}[{row}] is {array[row].tolist()}: {name} must be finite")
    return array


def _same_length(name: str, expected: int, found: int) -> int:
    if expected != found:
        raise ValueError(f"{name} must have {expected} rows, got {found}")
    return expected


def _radii(radii: Any, places: Numbers, share: float) -> float | Numbers:
    if radii is None:
        return share * _drawing._roundel.default_radius(places)
    return _arrays.radii("radii", radii, len(places))
