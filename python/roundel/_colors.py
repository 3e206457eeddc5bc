"""Colours: one for all shapes, one for each, or values that a colour map turns into colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _roundel

__all__ = ["Color", "Colors", "Key", "Paint", "one_color", "prepare"]

Color = Union[str, tuple[float, float, float], tuple[float, float, float, float]]
"""One colour: a name of CSS such as ``"steelblue"``, ``"#rgb"``, ``"#rrggbb"``, ``"#rrggbbaa"``, or a tuple of three or four
numbers from 0 to 1."""

Colors = Union[Color, Sequence[str], Sequence[float], npt.NDArray[Any]]
"""One colour, a colour for each shape, or a value for each."""

ACCEPTED = (
    "one colour ('steelblue', '#rrggbb' or a tuple of 3 or 4 numbers from 0 to 1), (n, 3) or (n, 4) colours (uint8, or float "
    "from 0 to 1), n colours or names of categories, or (n,) values for a colormap"
)

ONE = "a name such as 'steelblue', '#rrggbb', or 3 or 4 numbers from 0 to 1"

Key = Union[
    tuple[str, str, float, float, bool, bool],
    tuple[str, list[tuple[str, tuple[int, int, int], int]]],
]
"""The meaning of colours. Of numbers: a name, the colour map, the numbers at its ends, and whether there are lesser and greater
ones. Of categories: a name; and names, colours and counts."""


@dataclass(frozen=True)
class Paint:
    """Colours of all shapes, and what they mean."""

    colors: str | npt.NDArray[np.uint8]
    """One colour as text, or (n, 3 or 4) uint8."""
    key: Callable[[], Key] | None = None
    """Works out the meaning for a legend; ``None`` if colours mean nothing."""


def one_color(name: str, value: Any) -> str:
    """A colour as text, which the compiled part reads."""
    if isinstance(value, str):
        channels(name, value)
        return value
    try:
        parts = [float(part) for part in value]
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a colour, {ONE}, got {value!r}") from None
    if len(parts) not in (3, 4) or not all(0 <= part <= 1 for part in parts):
        raise ValueError(f"{name} must be a colour, {ONE}, got {value!r}")
    return "#" + "".join(f"{int(255 * part + 0.5):02x}" for part in parts)


def prepare(
    colors: Any,
    count: int,
    *,
    colormap: str,
    vmin: float | None,
    vmax: float | None,
    name: str = "colors",
    label: str | None = None,
) -> Paint:
    """The colours of ``count`` shapes; ``label`` is what a legend calls them."""
    if isinstance(colors, (str, tuple)) and not _is_column(colors, count):
        return Paint(one_color(name, colors))
    if label is None:
        # series of frames have names
        label = getattr(colors, "name", None)
    label = label if isinstance(label, str) else ""
    array = np.asarray(colors)
    if array.ndim == 1 and array.dtype.kind in "OUST" and array.size and isinstance(array[0], str):
        return _of_strings(name, label, array, count)
    if array.dtype.kind not in "buif":
        raise TypeError(f"{name} must be {ACCEPTED}, got {_told(colors, array)}")
    if array.ndim == 2 and array.shape[1] in (3, 4):
        _check_length(name, array, count)
        return Paint(_from_channels(name, array))
    if array.ndim != 1:
        raise ValueError(f"{name} must be {ACCEPTED}, got shape {array.shape}")
    _check_length(name, array, count)
    least, greatest = _limits(array, vmin, vmax)
    paint = map_values(name, array, colormap=colormap, vmin=least, vmax=greatest)

    def key() -> Key:
        return label, colormap, least, greatest, bool(np.any(array < least)), bool(np.any(array > greatest))

    return Paint(paint, key)


def map_values(
    name: str, values: npt.NDArray[Any], *, colormap: str, vmin: float | None = None, vmax: float | None = None
) -> npt.NDArray[np.uint8]:
    """Colours of values: ``vmin`` and below take the first of the map, ``vmax`` and above the last, NaN is grey."""
    numbers = np.ascontiguousarray(values, dtype=np.float64)
    least, greatest = _limits(numbers, vmin, vmax)
    for limit, value in (("vmin", least), ("vmax", greatest)):
        if not np.isfinite(value):
            raise ValueError(f"{limit} must be finite, got {value}")
    if least > greatest:
        raise ValueError(f"vmin must not be above vmax, got {least} and {greatest}")
    if not isinstance(colormap, str):
        raise TypeError(f"colormap must be a name of roundel.colormaps(), got {colormap!r}")
    return _roundel.map_colors(numbers, colormap, least, greatest)


def _limits(values: npt.NDArray[Any], vmin: float | None, vmax: float | None) -> tuple[float, float]:
    """The values at the ends of a colour map: the least and the greatest if they are not given."""
    least, greatest = vmin, vmax
    if least is None or greatest is None:
        finite = values[np.isfinite(values)]
        least = (float(finite.min()) if finite.size else 0.0) if least is None else least
        greatest = (float(finite.max()) if finite.size else 0.0) if greatest is None else greatest
    return float(least), float(greatest)


def _is_column(colors: str | tuple[Any, ...], count: int) -> bool:
    """Whether a tuple holds a row for each shape rather than one colour."""
    return isinstance(colors, tuple) and (len(colors) not in (3, 4) or not np.isscalar(colors[0]))


def _check_length(name: str, array: npt.NDArray[Any], count: int) -> None:
    if array.shape[0] != count:
        shape = "(" + ", ".join(["n", *map(str, array.shape[1:])]) + ("," if array.ndim == 1 else "") + ")"
        raise ValueError(f"{name} must be {shape} with n = {count} as positions has rows, got shape {array.shape}")


def _from_channels(name: str, array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    if array.dtype == np.uint8:
        return np.ascontiguousarray(array)
    if array.dtype.kind != "f":
        if array.size and (array.min() < 0 or array.max() > 255):
            raise ValueError(f"{name} must be 0 to 255 in whole numbers, got {array.min()} to {array.max()}")
        return np.ascontiguousarray(array, dtype=np.uint8)
    # a comparison with NaN is false
    if not bool(np.all((array >= 0) & (array <= 1))):
        row = int(np.flatnonzero(~np.all((array >= 0) & (array <= 1), axis=1))[0])
        raise ValueError(f"{name} must be 0 to 1 in floating point, got {array[row].tolist()} in row {row}")
    return np.ascontiguousarray(255.0 * array + 0.5, dtype=np.uint8)


def _of_strings(name: str, label: str, array: npt.NDArray[Any], count: int) -> Paint:
    """Strings are colours, or else names of categories."""
    _check_length(name, array, count)
    different, index = np.unique(array.astype(str), return_inverse=True)
    found = [_roundel.color_channels(text) for text in different.tolist()]
    if not any(found) and not any(text.startswith("#") for text in different.tolist()):
        return categories(label, array)
    # one that is none among others that are
    colors = np.array([channels(name, text) for text in different.tolist()], dtype=np.uint8)
    return Paint(colors[index.reshape(-1)])


def channels(name: str, text: str) -> tuple[int, int, int, int]:
    """Red, green, blue and alpha of a colour's text."""
    found = _roundel.color_channels(text)
    if found is None:
        raise ValueError(f"{name} must be a name of CSS such as steelblue, #rgb, #rgba, #rrggbb or #rrggbbaa, got {text!r}")
    return found


def is_color(text: str) -> bool:
    """Whether a text is a colour."""
    return _roundel.color_channels(text) is not None


def _told(given: Any, array: npt.NDArray[Any]) -> str:
    kind = type(given).__name__
    return f"{kind} of dtype {array.dtype} and shape {array.shape}" if array.ndim else f"{kind} {str(given)[:60]!r}"


def categories(label: str, names: npt.NDArray[Any]) -> Paint:
    """A colour for each different name, in order of appearance, as ``tab10`` of the command line."""
    different, first, index = np.unique(names.astype(str), return_index=True, return_inverse=True)
    appearance = np.argsort(np.argsort(first))
    palette = _roundel.map_colors((np.arange(10) + 0.5) / 10, "tab10", 0.0, 1.0)
    colors = palette[appearance % 10]
    index = index.reshape(-1)
    return Paint(colors[index], lambda: category_key(label, different.tolist(), colors, first, index))


def category_key(
    label: str,
    names: Sequence[str],
    colors: npt.NDArray[np.uint8],
    first: npt.NDArray[np.intp],
    index: npt.NDArray[np.intp],
) -> Key:
    """The meaning of categories, in order of appearance; ``first`` has the first row of each, ``index`` that of each row."""
    counts = np.bincount(index, minlength=len(names)).tolist()
    items: list[tuple[str, tuple[int, int, int], int]] = []
    for place in np.argsort(first):
        row = int(place)
        red, green, blue = colors[row][:3].tolist()
        items.append((names[row], (red, green, blue), counts[row]))
    return label, items
