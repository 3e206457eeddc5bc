"""Points of the plane: where they lie in a picture, and how dense they are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _arrays, _colors, _objects, _roundel, _warnings
from ._colors import Key, Paint
from ._particles import BLUE, column_paint

__all__ = ["Statistic", "column", "equal_scale", "fitted", "scatter_paint", "size_of", "suited_look", "values_paint"]

MARGIN = 0.03

# of the points in a pixel
Statistic = Literal["count", "sum", "mean", "max", "min", "mass"]

Box = tuple[tuple[float, float], tuple[float, float]]
"""The least and the greatest x, and the least and the greatest y."""


def column(name: str, value: Any, data: Any) -> npt.NDArray[np.float64]:
    return _arrays.column(name, _objects.values(named(name, value, data)) if isinstance(value, str) else value)


def named(argument: str, name: str, data: Any) -> Any:
    if data is None:
        raise TypeError(f"{argument} names the column {name!r}, but data is not given")
    return _objects.frame_column(argument, data, name)


def scatter_paint(colors: Any, data: Any, count: int, paints: Mapping[str, Any]) -> Paint:
    if isinstance(colors, str) and not colors.startswith("#"):
        columns = None if data is None else _objects.frame_columns(data)
        if (columns is not None and colors in columns) or not _colors.is_color(colors):
            return column_paint(named("colors", colors, data), count, paints, "colors", colors)
    return _colors.prepare(BLUE if colors is None else colors, count, paints)


def size_of(options: Mapping[str, Any], usual: tuple[int, int] = (1280, 960)) -> tuple[int, int]:
    """The width and the height of a picture, which keeps its usual shape if one of them is given."""
    width, height = (_side(name, options.get(name)) for name in ("width", "height"))
    if width is not None and height is not None:
        return width, height
    if width is not None:
        return width, max(1, round(width * usual[1] / usual[0]))
    if height is not None:
        return max(1, round(height * usual[0] / usual[1])), height
    return usual


def _side(name: str, value: Any) -> int | None:
    if value is None:
        return None
    try:
        side = int(value.__index__())
    except AttributeError:
        raise TypeError(f"{name} must be a whole number of pixels, got {value!r}") from None
    if not 1 <= side < 1 << 30:
        raise ValueError(f"{name} must be 1 pixel or more and below 2^30, got {side}")
    return side


def suited_look(count: int, width: int, height: int, *, has_meaning: bool) -> tuple[float, float]:
    """Radius in pixels and opacity that suit a number of points.

    Where many points of one colour overlap, opacity shows how many. It does not fall below 0.4, so that a point on its own is
    seen. Colours that mean something are nearly opaque: they are those of the legend.
    """
    room = width * height / max(count, 1)
    radius = min(max(0.42 * room**0.35, 0.75), 8.0)
    if has_meaning:
        return radius, 0.9
    return radius, min(max(0.25 * room / (math.pi * radius * radius), 0.4), 0.65)


def radii_of_areas(areas: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Radii from 0 to 24 pixels, so that areas are proportional to the values; NaN for negative ones."""
    finite = areas[np.isfinite(areas)]
    greatest = float(finite.max(initial=0.0)) or 1.0
    with np.errstate(invalid="ignore"):
        return (24.0 * np.sqrt(areas / greatest)).astype(np.float32)


def bounds(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)


def equal_scale(
    across: tuple[float, float], up: tuple[float, float], width: int, height: int, margin: float = 0.0
) -> tuple[float, float, float]:
    """The point in the middle of a picture that shows the given bounds, and data units per pixel; ``margin`` in pixels."""
    x, y = (0.5 * least + 0.5 * greatest for least, greatest in (across, up))
    room = width - 2 * margin, height - 2 * margin
    # divided first: extents of great numbers overflow
    units = max(bounds[1] / side - bounds[0] / side for bounds, side in zip((across, up), room))
    if not 0 < units < math.inf:
        units = max(abs(x), abs(y), 1.0) / min(room)
    return x, y, units


def fitted(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], box: Box, largest: float, width: int, height: int
) -> tuple[npt.NDArray[np.float32], float]:
    """Pixels of points of the plane in a box, and data units per pixel: all are shown, with a margin."""
    shorter = min(width, height)
    margin = MARGIN * shorter + min(largest, 0.25 * shorter)
    middle_x, middle_y, units = equal_scale(*box, width, height, margin)
    places = np.empty((len(x), 2), dtype=np.float32)
    places[:, 0] = 0.5 * width + (x / units - middle_x / units)
    places[:, 1] = 0.5 * height - (y / units - middle_y / units)
    return places, units


def extent_of(
    across: npt.NDArray[np.float64], up: npt.NDArray[np.float64], extent: Any, size: tuple[int, int], margin: float
) -> tuple[float, float, float, float]:
    """The left, right, bottom and top edge of a density; by default the box of all points, with a margin and a warning if it is
    a line."""
    if extent is None:
        (left, right), (bottom, top) = bounds(across), bounds(up)
        box = (left - margin, right + margin), (bottom - margin, top + margin)
        _warnings.unequal(*box)
        x, y, units = equal_scale(*box, *size)
        half = 0.5 * size[0] * units, 0.5 * size[1] * units
        # rounding loses no point
        left, bottom = min(x - half[0], box[0][0]), min(y - half[1], box[1][0])
        return left, max(x + half[0], box[0][1]), bottom, max(y + half[1], box[1][1])
    try:
        left, right, bottom, top = (float(edge) for edge in extent)
    except (TypeError, ValueError):
        raise ValueError(f"extent must be four numbers: left, right, bottom, top, got {extent!r}") from None
    if not (left < right and bottom < top and math.isfinite(right - left) and math.isfinite(top - bottom)):
        raise ValueError(f"extent must be left < right and bottom < top, all finite, got {extent}")
    return left, right, bottom, top


def check_equal_scale(edges: tuple[float, float, float, float], size: tuple[int, int]) -> None:
    """Refuses pixels in which discs are ellipses."""
    left, right, bottom, top = edges
    across, up = (right - left) / size[0], (top - bottom) / size[1]
    if abs(across - up) > 1e-6 * up:
        raise ValueError(f"extent must have equal scale on both axes for discs, got pixels of {across:g} by {up:g}")


def disc_radii(radii: Any, data: Any, count: int) -> npt.NDArray[np.float64]:
    """One radius or (count,), none of them negative, and one not infinite."""
    named = column("radii", radii, data) if isinstance(radii, str) else radii
    sizes = np.atleast_1d(np.asarray(_arrays.radii("radii", named, count), dtype=np.float64))
    wrong = sizes[sizes < 0] if len(sizes) != 1 else sizes[~((sizes >= 0) & np.isfinite(sizes))]
    if len(wrong):
        raise ValueError(f"radii must be finite and not negative, got {wrong[0]:g}")
    return sizes


def values_paint(
    values: npt.NDArray[np.float64], label: str, background: Any, paints: Mapping[str, Any]
) -> tuple[npt.NDArray[np.uint8], Paint]:
    """The pixels of numbers, NaN where the background is seen, and what their colours mean."""
    empty = np.isnan(values)
    # an empty picture, and negative sums
    usable = values[~empty]
    if paints.get("color_scale") == "equalize":
        return _ranks_paint(values, empty, label, background, paints)
    scale = paints.get("color_scale") or ("log" if usable.size and usable.min() > 0 else "linear")
    paints = {**paints, "color_scale": scale}
    shown = usable[usable > 0] if scale == "log" else usable
    if paints.get("color_range") is None and shown.size:
        # no pixel is an outlier, as in files
        if paints.get("vmin") is None:
            paints["vmin"] = float(shown.min()) if scale == "log" else min(0.0, float(shown.min()))
        if paints.get("vmax") is None:
            paints["vmax"] = float(shown.max())
    paint = _colors.prepare(values.reshape(-1), values.size, paints, name="values", label=label)
    return _over_background(paint, empty, background), paint


def _ranks_paint(
    values: npt.NDArray[np.float64], empty: npt.NDArray[np.bool_], label: str, background: Any, paints: Mapping[str, Any]
) -> tuple[npt.NDArray[np.uint8], Paint]:
    """Pixels whose colours are the ranks of their numbers."""
    for name in ("vmin", "vmax", "color_range", "color_center"):
        if paints.get(name) is not None:
            raise ValueError(f"{name} is for other scales than color_scale='equalize', whose ends are the least and the most")
    shares = np.full(values.shape, np.nan)
    shares[~empty], quantiles = _roundel.color_ranks(values[~empty])
    ranks = {**paints, "color_scale": "linear", "color_range": (0.0, 1.0)}
    paint = _colors.prepare(shares.reshape(-1), values.size, ranks, name="values", label=label)

    def key() -> Key:
        least, most = (quantiles[0][0], quantiles[-1][0]) if quantiles else (0.0, 0.0)
        name = _colors.colormap_name(paints.get("colormap") or "viridis")
        return label, name, "linear", least, most, None, (False, False), 0, [], quantiles

    return _over_background(paint, empty, background), Paint(paint.colors, key)


def _over_background(paint: Paint, empty: npt.NDArray[np.bool_], background: Any) -> npt.NDArray[np.uint8]:
    """Pixels of colours, one for each number; those without a number show the background."""
    pixels = np.array(paint.colors, copy=True).reshape(*empty.shape, 4)
    pixels[empty] = _colors.channels("background", _colors.one_color("background", background or "#ffffff"))
    return pixels
