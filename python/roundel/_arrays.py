"""Arrays of positions and radii: borrowed where type and layout allow, converted once otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["column", "finite_rows", "positions", "radii"]


def positions(name: str, value: Any, axes: int) -> npt.NDArray[np.float32]:
    """(n, axes) float32 in C order: the very array if it is that already."""
    array = _numeric(name, value, f"(n, {axes}) numbers")
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, axes)
    if array.ndim != 2 or array.shape[1] != axes:
        raise ValueError(f"{name} must be (n, {axes}), got shape {array.shape}")
    return _float32(array)


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
    """(n,) float64 in C order."""
    array = _numeric(name, value, "(n,) numbers")
    if array.ndim != 1:
        raise ValueError(f"{name} must be (n,), got shape {array.shape}")
    return np.ascontiguousarray(array, dtype=np.float64)


def finite_rows(*columns: Any) -> npt.NDArray[np.bool_] | None:
    """Which rows have finite numbers in all arrays, and no negative radius in the last; ``None`` if all have."""
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
