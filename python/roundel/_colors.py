"""Colours: one for all shapes, one for each, or values that a colour map turns into colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _roundel

__all__ = ["Color", "Colors", "one_color", "prepare"]

Color = Union[str, tuple[float, float, float], tuple[float, float, float, float]]
"""One colour: ``"#rgb"``, ``"#rrggbb"``, ``"#rrggbbaa"``, or a tuple of three or four numbers from 0 to 1."""

Colors = Union[Color, Sequence[str], Sequence[float], npt.NDArray[Any]]
"""One colour, a colour for each shape, or a value for each."""

ACCEPTED = (
    "one colour ('#rrggbb' or a tuple of 3 or 4 numbers from 0 to 1), (n, 3) or (n, 4) colours (uint8, or float from 0 "
    "to 1), n strings, or (n,) values for a colormap"
)


def one_color(name: str, value: Any) -> str:
    """A colour as text, ``#rrggbb`` or ``#rrggbbaa``."""
    if isinstance(value, str):
        return value
    try:
        parts = [float(part) for part in value]
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a colour, '#rrggbb' or 3 or 4 numbers from 0 to 1, got {value!r}") from None
    if len(parts) not in (3, 4) or not all(0 <= part <= 1 for part in parts):
        raise ValueError(f"{name} must be a colour, '#rrggbb' or 3 or 4 numbers from 0 to 1, got {value!r}")
    return "#" + "".join(f"{int(255 * part + 0.5):02x}" for part in parts)


def prepare(
    colors: Any, count: int, *, colormap: str, vmin: float | None, vmax: float | None, name: str = "colors"
) -> str | npt.NDArray[np.uint8]:
    """One colour as text, or (count, 3 or 4) uint8."""
    if isinstance(colors, (str, tuple)) and not _is_column(colors, count):
        return one_color(name, colors)
    array = np.asarray(colors)
    if array.ndim == 1 and array.dtype.kind in "OUST" and array.size and isinstance(array[0], str):
        return _from_strings(name, array, count)
    if array.dtype.kind not in "buif":
        raise TypeError(f"{name} must be {ACCEPTED}, got {_told(colors, array)}")
    if array.ndim == 2 and array.shape[1] in (3, 4):
        _check_length(name, array, count)
        return _from_channels(name, array)
    if array.ndim != 1:
        raise ValueError(f"{name} must be {ACCEPTED}, got shape {array.shape}")
    _check_length(name, array, count)
    return map_values(name, array, colormap=colormap, vmin=vmin, vmax=vmax)


def map_values(
    name: str, values: npt.NDArray[Any], *, colormap: str, vmin: float | None = None, vmax: float | None = None
) -> npt.NDArray[np.uint8]:
    """Colours of values: ``vmin`` and below take the first of the map, ``vmax`` and above the last, NaN is grey."""
    numbers = np.ascontiguousarray(values, dtype=np.float64)
    least, greatest = vmin, vmax
    if least is None or greatest is None:
        finite = numbers[np.isfinite(numbers)]
        least = (float(finite.min()) if finite.size else 0.0) if least is None else least
        greatest = (float(finite.max()) if finite.size else 0.0) if greatest is None else greatest
    for limit, value in (("vmin", least), ("vmax", greatest)):
        if not np.isfinite(value):
            raise ValueError(f"{limit} must be finite, got {value}")
    if least > greatest:
        raise ValueError(f"vmin must not be above vmax, got {least} and {greatest}")
    if not isinstance(colormap, str):
        raise TypeError(f"colormap must be a name of roundel.colormaps(), got {colormap!r}")
    return _roundel.map_colors(numbers, colormap, float(least), float(greatest))


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


def _from_strings(name: str, array: npt.NDArray[Any], count: int) -> npt.NDArray[np.uint8]:
    _check_length(name, array, count)
    different, index = np.unique(array.astype(str), return_inverse=True)
    return np.array([channels(name, text) for text in different], dtype=np.uint8)[index.reshape(-1)]


def channels(name: str, text: str) -> tuple[int, int, int, int]:
    """Red, green, blue and alpha of a colour's text."""
    digits = text[1:]
    try:
        if not text.startswith("#") or len(digits) not in (3, 6, 8):
            raise ValueError
        if len(digits) == 3:
            digits = "".join(2 * digit for digit in digits)
        red, green, blue, alpha = bytes.fromhex((digits + "ff")[:8])
    except ValueError:
        raise ValueError(f"{name} must be #rgb, #rrggbb or #rrggbbaa, got {text!r}") from None
    return red, green, blue, alpha


def _told(given: Any, array: npt.NDArray[Any]) -> str:
    kind = type(given).__name__
    return f"{kind} of dtype {array.dtype} and shape {array.shape}" if array.ndim else f"{kind} {str(given)[:60]!r}"


def categories(names: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """A colour for each different name, in order of appearance, as ``tab10`` of the command line."""
    _, first, index = np.unique(names.astype(str), return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))[index.reshape(-1)]
    palette = _roundel.map_colors((np.arange(10) + 0.5) / 10, "tab10", 0.0, 1.0)
    return palette[order % 10]
