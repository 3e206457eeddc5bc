"""Drawing arrays of cylinders, ellipsoids and arrows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, Optional

import numpy as np
import numpy.typing as npt

from . import _arrays, _colors, _options, _particles, _roundel, _warnings
from ._colors import Colors, Paint
from ._drawing import Invalid
from ._options import Options
from ._roundel import Image
from ._typing import Array, Rotations, Unpack

__all__ = ["arrows", "cylinders", "drawn_arrows", "drawn_cylinders", "drawn_ellipsoids", "ellipsoids"]

# a quarter of the radius at which evenly spread spheres would touch, and less for the shafts of arrows
ROD = 0.25
SHAFT = 0.15

Numbers = npt.NDArray[np.float32]

Rows = Optional[npt.NDArray[np.int64]]

MOST = float(np.finfo(np.float32).max)


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
) -> Image:
    """Draws cylinders, with a camera that shows all of them unless options place it.

    Args:
        starts, ends: Both ends of the axes in world units, (n, 3) each.
        radii: In world units: one number, or (n,) numbers. By default a quarter of those at which evenly spread spheres would
            touch.
        colors: As in :func:`roundel.spheres`, without ``"element"`` and columns.
        end_colors: The colours of the halves at ``ends``; those of ``colors`` by default.
        caps: How cylinders end: ``"flat"``, in discs, or ``"round"``, in half spheres.
        invalid: ``"raise"`` refuses ends and radii that are not finite, ``"skip"`` leaves those rows out.
        **options: As follows.

    >>> import numpy as np, roundel
    >>> starts = np.random.default_rng(1).normal(size=(100, 3))
    >>> roundel.cylinders(starts, starts + (0, 0, 0.5), radii=0.05, caps="round", width=320, height=240)
    <roundel.Image of 320x240 pixels>
    """
    return _warnings.blank(drawn_cylinders(_roundel.Renderer, starts, ends, radii, colors, end_colors, caps, invalid, options))


def drawn_cylinders(
    make: Callable[..., Any],
    starts: Any,
    ends: Any,
    radii: Any,
    colors: Any,
    end_colors: Any,
    caps: str,
    invalid: str,
    options: Any,
) -> Any:
    """What a renderer, or a writer of scenes, makes of cylinders."""
    if caps not in ("flat", "round"):
        raise ValueError(f"caps must be 'flat' or 'round', got {caps!r}")
    core, picture, paints = _prepared(make, "cylinders", options)
    given = _arrays.shaped("starts", starts, 3), _arrays.shaped("ends", ends, 3)
    count = _same_length("ends", len(given[0]), len(given[1]))
    rows = _rows(invalid, None if radii is None else _arrays.radii("radii", radii, count), *given)
    shift = _shift("starts", given, _particles.largest(radii), core, picture)
    first, second = (_finite(name, array, shift, rows) for name, array in zip(("starts", "ends"), given))
    sizes = _radii(radii, count, first, ROD, rows)
    paint = _colors.prepare(_particles.BLUE if colors is None else colors, count, paints)
    end = paint if end_colors is None else _colors.prepare(end_colors, count, paints, name="end_colors")
    shades = [_faded(half, paints, count, rows) for half in (paint, end)]
    return core.cylinders(first, second, sizes, *shades, caps == "round", _figure(picture, paint, rows))


def ellipsoids(
    positions: Array,
    radii: Array,
    rotations: Rotations | None = None,
    colors: Colors | None = None,
    *,
    invalid: Invalid = "raise",
    **options: Unpack[Options],
) -> Image:
    """Draws ellipsoids, with a camera that shows all of them unless options place it.

    Args:
        positions: Centres in world units, (n, 3).
        radii: Half the lengths of the axes in world units: (n, 3), or three numbers for all.
        rotations: The rotations that turn the axes from x, y and z to where they are: quaternions x, y, z, w of any length but 0,
            (n, 4), or an object with ``as_quat()``, such as ``scipy.spatial.transform.Rotation``. Along the axes by default.
        colors: As in :func:`roundel.cylinders`.
        invalid: ``"raise"`` refuses numbers that are not finite, ``"skip"`` leaves those rows out.
        **options: As follows.

    >>> import numpy as np, roundel
    >>> random = np.random.default_rng(1)
    >>> positions, turns = random.normal(size=(100, 3)), random.normal(size=(100, 4))
    >>> roundel.ellipsoids(positions, (0.3, 0.2, 0.1), turns, width=320, height=240)
    <roundel.Image of 320x240 pixels>
    """
    return _warnings.blank(drawn_ellipsoids(_roundel.Renderer, positions, radii, rotations, colors, invalid, options))


def drawn_ellipsoids(
    make: Callable[..., Any], positions: Any, radii: Any, rotations: Any, colors: Any, invalid: str, options: Any
) -> Any:
    """What a renderer, or a writer of scenes, makes of ellipsoids."""
    core, picture, paints = _prepared(make, "ellipsoids", options)
    given = _arrays.shaped("positions", positions, 3)
    count = len(given)
    axes = np.asarray(radii)
    if axes.shape == (3,):
        axes = np.broadcast_to(axes, (count, 3))
    if axes.ndim == 1:
        raise ValueError(f"radii must be three numbers or (n, 3), got shape {axes.shape}")
    axes = _arrays.shaped("radii", axes, 3)
    _same_length("radii", count, len(axes))
    turns = None
    if rotations is not None:
        turns = _arrays.shaped("rotations", rotations.as_quat() if hasattr(rotations, "as_quat") else rotations, 4)
        _same_length("rotations", count, len(turns))
    rows = _rows(invalid, axes, given, *([] if turns is None else [turns]))
    centers = _finite("positions", given, _shift("positions", [given], _particles.largest(radii), core, picture), rows)
    lengths = _finite("radii", axes, rows=rows)
    if len(lengths) and float(lengths.min()) < 0:
        raise ValueError(f"radii must not be negative, got {float(lengths.min())}")
    if turns is not None:
        turns = _finite("rotations", turns, rows=rows, axes=4)
        still = np.flatnonzero(~np.any(turns != 0, axis=1))
        if still.size:
            raise ValueError(f"rotations[{int(still[0])}] is 0: a quaternion must not be")
    paint = _colors.prepare(_particles.BLUE if colors is None else colors, count, paints)
    return core.ellipsoids(centers, lengths, turns, _faded(paint, paints, count, rows), _figure(picture, paint, rows))


def arrows(
    positions: Array,
    vectors: Array,
    radii: Array | None = None,
    colors: Colors | None = None,
    *,
    vector_scale: float = 1.0,
    invalid: Invalid = "raise",
    **options: Unpack[Options],
) -> Image:
    """Draws arrows, with a camera that shows all of them unless options place it.

    Args:
        positions: Where arrows begin, in world units, (n, 3).
        vectors: From there to their tips, (n, 3).
        radii: Of the shafts, in world units: one number, or (n,) numbers. Heads are two times as thick and five times as long.
        colors: As in :func:`roundel.cylinders`, or ``"length"``: the lengths of the vectors, for ``colormap``.
        vector_scale: World units of an arrow per unit of its vector.
        invalid: ``"raise"`` refuses numbers that are not finite, ``"skip"`` leaves those rows out.
        **options: As follows.

    >>> import numpy as np, roundel
    >>> positions = np.random.default_rng(1).normal(size=(100, 3))
    >>> roundel.arrows(positions, -positions, colors="length", width=320, height=240)
    <roundel.Image of 320x240 pixels>
    """
    return _warnings.blank(drawn_arrows(_roundel.Renderer, positions, vectors, radii, colors, vector_scale, invalid, options))


def drawn_arrows(
    make: Callable[..., Any],
    positions: Any,
    vectors: Any,
    radii: Any,
    colors: Any,
    vector_scale: float,
    invalid: str,
    options: Any,
) -> Any:
    """What a renderer, or a writer of scenes, makes of arrows."""
    core, picture, paints = _prepared(make, "arrows", options)
    given, along = _arrays.shaped("positions", positions, 3), _arrays.shaped("vectors", vectors, 3)
    count = _same_length("vectors", len(given), len(along))
    rows = _rows(invalid, None if radii is None else _arrays.radii("radii", radii, count), given, along)
    lengths = np.linalg.norm(along.astype(np.float64), axis=1)
    along = _finite("vectors", along, rows=rows)
    scale = _arrays.number("vector_scale", vector_scale)
    reach = 0.5 * abs(scale) * float(np.max(_particles.kept_rows(lengths, rows), initial=0.0))
    shift = _shift("positions", [given], max(reach, _particles.largest(radii)), core, picture)
    starts = _finite("positions", given, shift, rows)
    sizes = _radii(radii, count, starts, SHAFT, rows)
    if isinstance(colors, str) and colors == "length":
        colors = lengths
    elif isinstance(colors, str) and not _colors.is_color(colors):
        raise ValueError(f"colors must be a colour, 'length' or one for each arrow, got {colors!r}")
    paint = _colors.prepare(_particles.BLUE if colors is None else colors, count, paints)
    return core.arrows(
        starts, along * np.float32(scale), sizes, _faded(paint, paints, count, rows), _figure(picture, paint, rows)
    )


def _prepared(make: Callable[..., Any], function: str, options: Any) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """A renderer with options of performance, options of the picture, and those of colours."""
    everything, speed = _options.split(function, options)
    picture, paints = _options.paints(everything)
    return make(**speed), picture, paints


def _figure(picture: dict[str, Any], paint: Paint, rows: Rows) -> Any:
    """What the compiled renderer takes beside arrays."""
    return _particles.facts(paint, picture), picture, _options.output(picture), rows


def _faded(paint: Paint, paints: dict[str, Any], count: int, rows: Rows) -> Any:
    shades = _particles.faded(paint.colors, _particles.checked_opacity(paints.get("opacity"), count), count)
    return _particles.kept_rows(shades, rows)


def _rows(invalid: str, sizes: Any, *columns: npt.NDArray[Any]) -> Rows:
    """The rows that are drawn, if others are left out; ``None`` if all are."""
    if not _particles.skips(invalid):
        return None
    kept: Any = np.ones(len(columns[0]), dtype=np.bool_)
    with np.errstate(invalid="ignore"):
        for column in columns:
            kept &= (np.abs(column) <= MOST).all(axis=1)
        if isinstance(sizes, np.ndarray):
            sound = (sizes >= 0) & (sizes <= MOST)
            kept &= sound if sizes.ndim == 1 else sound.all(axis=1)
    return None if kept.all() else np.flatnonzero(kept)


def _shift(name: str, arrays: Sequence[npt.NDArray[Any]], largest: float, core: Any, options: dict[str, Any]) -> Any:
    """The place that positions far from the origin are moved from, with the camera; ``None`` if they are not."""
    shift = _arrays.shift_of(name, arrays, largest)
    if shift is not None and isinstance(core, _roundel.Renderer):
        _particles.shift_options(options, shift)
    elif shift is not None:
        core.shift = shift
    return shift


def _finite(
    name: str, value: Any, shift: npt.NDArray[np.float64] | None = None, rows: Rows = None, *, axes: int = 3
) -> Numbers:
    array = _arrays.moved(_particles.kept_rows(_arrays.shaped(name, value, axes), rows), shift)
    bad = np.flatnonzero(~np.all(np.isfinite(array), axis=1))
    if bad.size:
        row = int(bad[0])
        raise ValueError(f"{name}[{row}] is {array[row].tolist()}: {name} must be finite")
    return array


def _same_length(name: str, expected: int, found: int) -> int:
    if expected != found:
        raise ValueError(f"{name} must have {expected} rows, got {found}")
    return expected


def _radii(radii: Any, count: int, places: Numbers, share: float, rows: Rows) -> float | Numbers:
    if radii is None:
        return share * _roundel.default_radius(places)
    sizes: float | Numbers = _particles.kept_rows(_arrays.radii("radii", radii, count), rows)
    return sizes
