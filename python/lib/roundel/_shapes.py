"""Drawing arrays of cylinders, ellipsoids and arrows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _arrays, _colors, _options, _particles, _roundel, _warnings
from ._colors import Colors, Paint
from ._options import Options
from ._roundel import Image
from ._typing import Unpack

__all__ = ["arrows", "cylinders", "drawn_arrows", "drawn_cylinders", "drawn_ellipsoids", "ellipsoids"]

# a quarter of the radius at which evenly spread spheres would touch, and less for the shafts of arrows
ROD = 0.25
SHAFT = 0.15

Numbers = npt.NDArray[np.float32]


def cylinders(
    starts: Any,
    ends: Any,
    radii: Any = None,
    colors: Colors | None = None,
    *,
    end_colors: Colors | None = None,
    caps: Literal["flat", "round"] = "flat",
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
        **options: As follows.

    >>> import numpy as np, roundel
    >>> starts = np.random.default_rng(1).normal(size=(100, 3))
    >>> roundel.cylinders(starts, starts + (0, 0, 0.5), radii=0.05, caps="round", width=320, height=240)
    <roundel.Image of 320x240 pixels>
    """
    return _warnings.blank(drawn_cylinders(_roundel.Renderer, starts, ends, radii, colors, end_colors, caps, options))


def drawn_cylinders(
    make: Callable[..., Any], starts: Any, ends: Any, radii: Any, colors: Any, end_colors: Any, caps: str, options: Any
) -> Any:
    """What a renderer, or a writer of scenes, makes of cylinders."""
    if caps not in ("flat", "round"):
        raise ValueError(f"caps must be 'flat' or 'round', got {caps!r}")
    core, picture, paints = _prepared(make, "cylinders", options)
    given = _arrays.shaped("starts", starts, 3), _arrays.shaped("ends", ends, 3)
    count = _same_length("ends", len(given[0]), len(given[1]))
    shift = _shift("starts", given, _particles.largest(radii), core, picture)
    first, second = (_finite(name, array, shift) for name, array in zip(("starts", "ends"), given))
    sizes = _radii(radii, first, ROD)
    paint = _colors.prepare(_particles.BLUE if colors is None else colors, count, paints)
    end = paint if end_colors is None else _colors.prepare(end_colors, count, paints, name="end_colors")
    shades = [_faded(half, paints, count) for half in (paint, end)]
    return core.cylinders(first, second, sizes, *shades, caps == "round", _figure(picture, paint))


def ellipsoids(
    positions: Any,
    radii: Any,
    rotations: Any = None,
    colors: Colors | None = None,
    **options: Unpack[Options],
) -> Image:
    """Draws ellipsoids, with a camera that shows all of them unless options place it.

    Args:
        positions: Centres in world units, (n, 3).
        radii: Half the lengths of the axes in world units: (n, 3), or three numbers for all.
        rotations: The rotations that turn the axes from x, y and z to where they are: quaternions x, y, z, w of any length but 0,
            (n, 4), or an object with ``as_quat()``, such as ``scipy.spatial.transform.Rotation``. Along the axes by default.
        colors: As in :func:`roundel.cylinders`.
        **options: As follows.

    >>> import numpy as np, roundel
    >>> random = np.random.default_rng(1)
    >>> positions, turns = random.normal(size=(100, 3)), random.normal(size=(100, 4))
    >>> roundel.ellipsoids(positions, (0.3, 0.2, 0.1), turns, width=320, height=240)
    <roundel.Image of 320x240 pixels>
    """
    return _warnings.blank(drawn_ellipsoids(_roundel.Renderer, positions, radii, rotations, colors, options))


def drawn_ellipsoids(make: Callable[..., Any], positions: Any, radii: Any, rotations: Any, colors: Any, options: Any) -> Any:
    """What a renderer, or a writer of scenes, makes of ellipsoids."""
    core, picture, paints = _prepared(make, "ellipsoids", options)
    given = _arrays.shaped("positions", positions, 3)
    centers = _finite("positions", given, _shift("positions", [given], _particles.largest(radii), core, picture))
    axes = np.asarray(radii)
    if axes.shape == (3,) and len(centers) != 1:
        axes = np.broadcast_to(axes, (len(centers), 3))
    if axes.ndim == 1 and axes.shape != (3,):
        raise ValueError(f"radii must be three numbers or (n, 3), got shape {axes.shape}")
    lengths = _finite("radii", axes.reshape(-1, 3) if axes.shape == (3,) else axes)
    count = _same_length("radii", len(centers), len(lengths))
    if count and float(lengths.min()) < 0:
        raise ValueError(f"radii must not be negative, got {float(lengths.min())}")
    turns = None
    if rotations is not None:
        turns = _finite("rotations", rotations.as_quat() if hasattr(rotations, "as_quat") else rotations, axes=4)
        _same_length("rotations", count, len(turns))
        still = np.flatnonzero(~np.any(turns != 0, axis=1))
        if still.size:
            raise ValueError(f"rotations[{int(still[0])}] is 0: a quaternion must not be")
    paint = _colors.prepare(_particles.BLUE if colors is None else colors, count, paints)
    return core.ellipsoids(centers, lengths, turns, _faded(paint, paints, count), _figure(picture, paint))


def arrows(
    positions: Any,
    vectors: Any,
    radii: Any = None,
    colors: Colors | None = None,
    *,
    vector_scale: float = 1.0,
    **options: Unpack[Options],
) -> Image:
    """Draws arrows, with a camera that shows all of them unless options place it.

    Args:
        positions: Where arrows begin, in world units, (n, 3).
        vectors: From there to their tips, (n, 3).
        radii: Of the shafts, in world units: one number, or (n,) numbers. Heads are two times as thick and five times as long.
        colors: As in :func:`roundel.cylinders`, or ``"length"``: the lengths of the vectors, for ``colormap``.
        vector_scale: World units of an arrow per unit of its vector.
        **options: As follows.

    >>> import numpy as np, roundel
    >>> positions = np.random.default_rng(1).normal(size=(100, 3))
    >>> roundel.arrows(positions, -positions, colors="length", width=320, height=240)
    <roundel.Image of 320x240 pixels>
    """
    return _warnings.blank(drawn_arrows(_roundel.Renderer, positions, vectors, radii, colors, vector_scale, options))


def drawn_arrows(
    make: Callable[..., Any], positions: Any, vectors: Any, radii: Any, colors: Any, vector_scale: float, options: Any
) -> Any:
    """What a renderer, or a writer of scenes, makes of arrows."""
    core, picture, paints = _prepared(make, "arrows", options)
    given, along = _arrays.shaped("positions", positions, 3), _finite("vectors", vectors)
    count = _same_length("vectors", len(given), len(along))
    lengths = np.linalg.norm(along.astype(np.float64), axis=1)
    scale = _arrays.number("vector_scale", vector_scale)
    reach = 0.5 * abs(scale) * float(lengths.max(initial=0.0))
    starts = _finite("positions", given, _shift("positions", [given], max(reach, _particles.largest(radii)), core, picture))
    sizes = _radii(radii, starts, SHAFT)
    if isinstance(colors, str) and colors == "length":
        colors = lengths
    elif isinstance(colors, str) and not _colors.is_color(colors):
        raise ValueError(f"colors must be a colour, 'length' or one for each arrow, got {colors!r}")
    paint = _colors.prepare(_particles.BLUE if colors is None else colors, count, paints)
    return core.arrows(starts, along * np.float32(scale), sizes, _faded(paint, paints, count), _figure(picture, paint))


def _prepared(make: Callable[..., Any], function: str, options: Any) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """A renderer with options of performance, options of the picture, and those of colours."""
    everything, speed = _options.split(function, options)
    picture, paints = _options.paints(everything)
    return make(**speed), picture, paints


def _figure(picture: dict[str, Any], paint: Paint) -> Any:
    """What the compiled renderer takes beside arrays."""
    return _particles.facts(paint, picture), picture, _options.output(picture)


def _faded(paint: Paint, paints: dict[str, Any], count: int) -> Any:
    return _particles.faded(paint.colors, _particles.checked_opacity(paints.get("opacity"), count), count)


def _shift(name: str, arrays: Sequence[npt.NDArray[Any]], largest: float, core: Any, options: dict[str, Any]) -> Any:
    """The place that positions far from the origin are moved from, with the camera; ``None`` if they are not."""
    shift = _arrays.shift_of(name, arrays, largest)
    if shift is not None and isinstance(core, _roundel.Renderer):
        _particles.shift_options(options, shift)
    elif shift is not None:
        core.shift = shift
    return shift


def _finite(name: str, value: Any, shift: npt.NDArray[np.float64] | None = None, *, axes: int = 3) -> Numbers:
    array = _arrays.moved(_arrays.shaped(name, value, axes), shift)
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
        return share * _roundel.default_radius(places)
    return _arrays.radii("radii", radii, len(places))
