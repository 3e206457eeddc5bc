"""Arrays of positions and radii: borrowed where type and layout allow, converted once otherwise."""

from __future__ import annotations

import datetime
import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _warnings

__all__ = ["centered", "column", "finite_rows", "known_rows", "moved", "number", "positions", "radii", "shaped", "shift_of", "times", "whole"]


def number(name: str, value: Any) -> float:
    """A finite number."""
    try:
        # float reads texts, too
        found = float(operator.truediv(value, 1))
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, got {value!r}") from None
    if not math.isfinite(found):
        raise ValueError(f"{name} must be finite, got {found}")
    return found


def whole(name: str, value: Any) -> int:
    """A whole number."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {value!r}") from None


def positions(name: str, value: Any, axes: int) -> npt.NDArray[np.float32]:
    """(n, axes) float32 in C order; not copied if it is that already."""
    return _float32(shaped(name, value, axes))


def shaped(name: str, value: Any, axes: int) -> npt.NDArray[Any]:
    """(n, axes) numbers."""
    array = _numeric(name, value, f"(n, {axes}) numbers")
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, axes)
    if array.ndim != 2 or array.shape[1] != axes:
        raise ValueError(f"{name} must be (n, {axes}), got shape {array.shape}")
    return array


# positions farther from the origin than this many times their extent are moved there: float32 would leave fewer than 2^18 steps
# across the picture
FAR = 64.0

# fewer steps than this across the extent of all positions are visible
FEWEST_STEPS = 4096.0

SAMPLE = 4096


def centered(
    name: str, value: Any, largest_radius: float
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64] | None]:
    """Positions of spheres as :func:`positions` has them. Numbers of more than 32 bits far from the origin are moved there; the
    second value is the place they are moved from."""
    array = shaped(name, value, 3)
    shift = shift_of(name, [array], largest_radius)
    return moved(array, shift), shift


def moved(array: npt.NDArray[Any], shift: npt.NDArray[np.float64] | None) -> npt.NDArray[np.float32]:
    """Positions relative to a place, in float32."""
    return _float32(array if shift is None else array - shift)


def shift_of(
    name: str, arrays: Sequence[npt.NDArray[Any]], largest_radius: float
) -> npt.NDArray[np.float64] | None:
    """The centre of positions far from the origin that have more than 32 bits, to be subtracted; ``None`` for all others. Warns
    where the spacing of the floating-point numbers is visible."""
    # a few rows tell how far positions are from the origin; of wide numbers every row is checked
    is_wide = any(array.dtype.itemsize > 4 for array in arrays)
    boxes = [_box(array if is_wide else array[:: max(1, len(array) // SAMPLE)]) for array in arrays]
    least, greatest = np.min([low for low, _ in boxes], axis=0), np.max([high for _, high in boxes], axis=0)
    array = arrays[0]
    extent = max(float(np.max(greatest - least, initial=0.0)), 2.0 * largest_radius)
    reach = float(max(np.max(np.abs(least), initial=0.0), np.max(np.abs(greatest), initial=0.0)))
    if not (0.0 < extent * FAR < reach < np.inf):
        return None
    step = float(np.spacing(np.asarray(reach, dtype=array.dtype if array.dtype.kind == "f" else np.float64)))
    if step * FEWEST_STEPS > extent:
        hint = "" if is_wide else ": pass float64, or subtract their centre before"
        _warnings.warn(
            f"{name} extends over {extent:.3g}, and {array.dtype} has steps of {step:.3g} so far from the origin{hint}"
        )
    return 0.5 * least + 0.5 * greatest if is_wide else None


def _box(rows: npt.NDArray[Any]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The least and the greatest of each column, of rows with finite numbers; zeros if there are none."""
    if not len(rows):
        return np.zeros(3), np.zeros(3)
    with np.errstate(invalid="ignore"):
        least, greatest = (np.asarray(end, dtype=np.float64) for end in (rows.min(axis=0), rows.max(axis=0)))
    if np.isfinite(least).all() and np.isfinite(greatest).all():
        return least, greatest
    finite = rows[np.isfinite(rows).all(axis=1)]
    return _box(finite) if len(finite) else (np.zeros(3), np.zeros(3))


def radii(name: str, value: Any, count: int, *, axes: bool = False) -> float | npt.NDArray[np.float32]:
    """One radius, or (count,) float32; (count, 2) too where ellipses are drawn."""
    array = _numeric(name, value, "a number or (n,) numbers")
    accepted = f"one number or ({count},)" + (f" or ({count}, 2)" if axes else "")
    if array.ndim == 0:
        return float(array)
    if array.shape == (count,) or (axes and array.shape == (count, 2)):
        return _float32(array)
    raise ValueError(f"{name} must be {accepted} as positions has {count} rows, got shape {array.shape}")


def column(name: str, value: Any) -> npt.NDArray[np.float64]:
    """(n,) float64 in C order; dates are days since 1970."""
    found = times(value)
    array = _numeric(name, value, "(n,) numbers or dates") if found is None else found[0] / DAY
    if array.ndim != 1:
        raise ValueError(f"{name} must be (n,), got shape {array.shape}")
    return np.ascontiguousarray(array, dtype=np.float64)


DAY = 86400.0


def times(value: Any) -> tuple[npt.NDArray[np.float64], bool] | None:
    """Dates as seconds since 1970 in UTC, or durations as seconds, NaN if missing, and whether they are dates; ``None`` for
    anything else."""
    array = np.asarray(value)
    if array.dtype.kind == "O" and array.ndim == 1:
        # of datetime, and columns of frames with a time zone
        kinds = {type(part) for part in array if part is not None and part == part}
        if not kinds or not all(issubclass(kind, (datetime.date, datetime.timedelta)) for kind in kinds):
            return None
        parts = [
            part.astimezone(datetime.timezone.utc).replace(tzinfo=None) if getattr(part, "tzinfo", None) is not None else part
            for part in array
        ]
        array = np.array(parts, dtype="m8[us]" if issubclass(kinds.pop(), datetime.timedelta) else "M8[us]")
    if array.dtype.kind not in "mM":
        return None
    are_dates = array.dtype.kind == "M"
    return (array - np.datetime64(0, "s") if are_dates else array) / np.timedelta64(1, "s"), are_dates


def finite_rows(*columns: Any) -> npt.NDArray[np.bool_] | None:
    """A mask of rows with finite numbers in all arrays, and no negative radius in the last; ``None`` if all have."""
    masks: list[npt.NDArray[np.bool_]] = []
    for array in columns:
        if isinstance(array, np.ndarray):
            masks.append(_all_columns(np.isfinite(array)))
    last = columns[-1]
    if isinstance(last, np.ndarray):
        with np.errstate(invalid="ignore"):
            masks.append(_all_columns(last >= 0))
    kept = np.logical_and.reduce(masks) if masks else np.ones(0, dtype=np.bool_)
    return None if bool(kept.all()) else kept


def known_rows(*columns: npt.NDArray[np.float64] | None) -> npt.NDArray[np.bool_] | None:
    """A mask of rows with finite numbers in all columns; ``None`` if all have."""
    given = [column for column in columns if column is not None]
    # a number that is not finite makes a sum of squares so
    with np.errstate(over="ignore", invalid="ignore"):
        sums = [float(np.dot(column, column)) for column in given]
    if all(map(math.isfinite, sums)):
        return None
    kept: npt.NDArray[np.bool_] = np.logical_and.reduce([np.isfinite(column) for column in given])
    return None if bool(kept.all()) else kept


def _all_columns(mask: Any) -> npt.NDArray[np.bool_]:
    rows: npt.NDArray[np.bool_] = mask if mask.ndim == 1 else mask.all(axis=1)
    return rows


def _numeric(name: str, value: Any, accepted: str) -> npt.NDArray[Any]:
    """An array of real numbers."""
    try:
        # masked values are missing
        if isinstance(value, np.ma.MaskedArray):
            masked: Any = value
            value = masked.astype(np.float64).filled(np.nan)
        array = np.asarray(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must be {accepted}, got {type(value).__name__}: {error}") from None
    if array.dtype.kind == "O" and array.ndim:
        # columns of frames with missing values
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            pass
    if array.dtype.kind not in "buif":
        raise TypeError(f"{name} must be {accepted}, got {type(value).__name__} of dtype {array.dtype}")
    return array


def _float32(array: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    # too large numbers become infinite, and are reported with their row
    with np.errstate(over="ignore"):
        return np.require(array, dtype=np.dtype("=f4"), requirements=["C", "A"])
