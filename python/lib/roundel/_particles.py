"""Positions, radii and colours of spheres, from arrays and from objects of other packages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _colors, _objects, _roundel
from ._colors import Paint

__all__ = [
    "BLUE", "SphereArrays", "checked_opacity", "column_paint", "facts", "faded", "kept_rows", "largest", "shift_options", "skips",
    "sphere_radii", "unshifted_camera",
]

BLUE = "#1f77b4"

PLANE = re.compile(r"\s*([xyz])\s*([<>]=?)\s*(\S+)\s*")


class SphereArrays:
    """Spheres as the compiled part takes them."""

    def __init__(
        self,
        positions: Any,
        radii: Any,
        colors: Any,
        parts: Any,
        invalid: str,
        options: dict[str, Any],
        paints: Mapping[str, Any],
    ) -> None:
        skip = skips(invalid)
        given = _objects.particles(positions) or _objects.Particles(positions)
        self.centers, self.shift = _arrays.centered("positions", given.positions, largest(radii))
        count = len(self.centers)
        self.radii = _arrays.radii("radii", sphere_radii(given, radii, self.centers), count)
        paint = _sphere_paint(given, colors, count, paints)
        self.parts = _parts(given, parts, count)
        cell = _cell(given, options)
        if self.shift is not None:
            shift_options(options, self.shift)
            if cell is not None:
                cell[0] = [corner - by for corner, by in zip(cell[0], self.shift.tolist())]
        self.facts = facts(paint, options, cell)
        self.colors = faded(paint.colors, _opacity(given, paints.get("opacity"), count), count)
        self.are_atoms = given.elements is not None
        self.rows: npt.NDArray[np.int64] | None = None
        if skip:
            kept = _roundel.sound_rows(self.centers, self.radii)
            if kept is not None:
                self.centers, self.radii = self.centers[kept], kept_rows(self.radii, kept)
                self.colors, self.parts = kept_rows(self.colors, kept), kept_rows(self.parts, kept)
                self.rows = np.flatnonzero(kept)


def largest(radii: Any) -> float:
    """The largest of radii that are given as numbers."""
    try:
        return float(np.max(radii, initial=0.0)) if radii is not None and not isinstance(radii, str) else 0.0
    except (TypeError, ValueError):
        # reported later, with its name
        return 0.0


def shift_options(options: dict[str, Any], shift: npt.NDArray[np.float64]) -> None:
    """Moves ``eye`` and ``target`` by the shift of the positions."""
    for name in ("eye", "target"):
        if name in options:
            try:
                place = np.asarray(options[name], dtype=np.float64)
            except (TypeError, ValueError):
                continue
            if place.shape == (3,):
                options[name] = (place - shift).tolist()
    planes = options.get("clip")
    if planes is not None:
        planes = [planes] if isinstance(planes, str) else planes
        options["clip"] = [_shifted_plane(plane, shift) for plane in planes]


def unshifted_camera(camera: Mapping[str, Any], shift: npt.NDArray[np.float64] | None) -> dict[str, Any]:
    """A camera of moved positions as one of those that were given."""
    if shift is None:
        return dict(camera)
    return {**camera, **{name: tuple((np.asarray(camera[name], dtype=float) + shift).tolist()) for name in ("eye", "target")}}


def _shifted_plane(plane: Any, shift: npt.NDArray[np.float64]) -> Any:
    found = PLANE.fullmatch(plane) if isinstance(plane, str) else None
    if found is None:
        return plane
    axis, side, value = found.groups()
    try:
        return f"{axis}{side}{float(value) - float(shift['xyz'.index(axis)])!r}"
    except ValueError:
        return plane


def skips(invalid: str) -> bool:
    if invalid not in ("raise", "skip"):
        raise ValueError(f"invalid must be 'raise' or 'skip', got {invalid!r}")
    return invalid == "skip"


def kept_rows(values: Any, kept: npt.NDArray[Any] | None) -> Any:
    """Values of the rows that are kept, which is all of them without a mask or numbers of rows; one value for all stays."""
    return values[kept] if kept is not None and isinstance(values, np.ndarray) else values


def sphere_radii(given: _objects.Particles, radii: Any, centers: npt.NDArray[np.float32]) -> Any:
    if isinstance(radii, str):
        if radii == "vdw":
            if given.elements is None:
                raise ValueError("radii 'vdw' is for objects with elements; positions has none")
            return _element_radii(given.elements)
        return _objects.values(_object_column(given, "radii", radii))
    if radii is not None:
        return radii
    if given.radii is not None:
        return given.radii
    if given.elements is not None:
        return _element_radii(given.elements)
    return _roundel.default_radius(centers)


def _sphere_paint(given: _objects.Particles, colors: Any, count: int, paints: Mapping[str, Any]) -> Paint:
    label = None
    if colors is None:
        colors = given.colors
        if colors is None:
            return Paint(BLUE) if given.elements is None else _element_paint(given.elements, paints)
    elif isinstance(colors, str) and colors == "element":
        if given.elements is None:
            raise ValueError("colors 'element' is for objects with elements; positions has none")
        return _element_paint(given.elements, paints)
    elif isinstance(colors, str) and given.column is not None and not colors.startswith("#"):
        try:
            label, colors = colors, given.column("colors", colors)
        except ValueError:
            if not _colors.is_color(colors):
                raise
            return Paint(_colors.one_color("colors", colors))
        return column_paint(colors, count, paints, "colors", label)
    return _colors.prepare(colors, count, paints, label=label)


def column_paint(column: Any, count: int, paints: Mapping[str, Any], name: str, label: str) -> Paint:
    """The colours of a named column: names in it are categories, even if they are those of colours."""
    names = _colors.names_of(np.asarray(column), paints)
    if names is not None and not hasattr(getattr(column, "dtype", None), "categories"):
        first = next((name for name in names if name is not None), "")
        if not first.startswith("#"):
            return _colors.categories(label, names, palette=paints.get("palette"))
    return _colors.prepare(column, count, paints, name=name, label=label)


def _opacity(given: _objects.Particles, opacity: Any, count: int) -> Any:
    if isinstance(opacity, str):
        opacity = _objects.values(_object_column(given, "opacity", opacity))
    return checked_opacity(opacity, count)


def checked_opacity(opacity: Any, count: int) -> Any:
    """One number from 0 to 1, (n,) of them, or ``None``."""
    if opacity is None:
        return None
    try:
        numbers = np.asarray(opacity, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"opacity must be numbers from 0 to 1, got {opacity!r}") from None
    if numbers.shape not in ((), (count,)):
        raise ValueError(f"opacity must be one number or ({count},), got shape {numbers.shape}")
    # a comparison with NaN is false
    if not bool(np.all((numbers >= 0) & (numbers <= 1))):
        raise ValueError(f"opacity must be 0 to 1, got {opacity if numbers.ndim == 0 else 'others'}")
    return numbers


def faded(paint: str | npt.NDArray[np.uint8], opacity: Any, count: int) -> str | npt.NDArray[np.uint8]:
    """Colours with an opacity in the place of theirs; ``None`` leaves them as they are."""
    if opacity is None:
        return paint
    alpha = (255 * np.asarray(opacity) + 0.5).astype(np.uint8)
    if isinstance(paint, str):
        red, green, blue, _ = _colors.channels("color", paint)
        if alpha.ndim == 0:
            return f"#{red:02x}{green:02x}{blue:02x}{int(alpha):02x}"
        paint = np.broadcast_to(np.array([red, green, blue], dtype=np.uint8), (count, 3))
    full = np.empty((len(paint), 4), dtype=np.uint8)
    full[:, :3] = paint[:, :3]
    full[:, 3] = alpha
    return full


def facts(
    paint: Paint,
    options: Mapping[str, Any],
    cell: list[list[float]] | None = None,
    pixels_per_unit: float = 1.0,
) -> tuple[Any, ...]:
    """What a figure shows besides the shapes: the meaning of colours, a periodic box, and pixels per unit of length."""
    key = None
    if options.get("legend") not in (None, False, "off"):
        if paint.key is None:
            raise ValueError("legend is for colours that mean something: values, names of categories, elements or a column")
        key = paint.key()
    return key, cell, pixels_per_unit


def _cell(given: _objects.Particles, options: Mapping[str, Any]) -> list[list[float]] | None:
    """A corner of the periodic box and its edges."""
    if given.cell is None:
        if options.get("cell"):
            raise ValueError("cell is for objects with a periodic box; positions has none")
        return None
    box: list[list[float]] = given.cell.tolist()
    return box if given.shows_cell(options.get("cell")) else None


def _parts(given: _objects.Particles, parts: Any, count: int) -> npt.NDArray[np.uint32] | None:
    """A number for the part that each sphere belongs to."""
    if isinstance(parts, str):
        parts = _object_column(given, "parts", parts)
    if parts is None:
        parts = given.parts
    if parts is None:
        return None
    names = np.asarray(parts)
    if names.shape != (count,):
        raise ValueError(f"parts must be ({count},) as positions has {count} rows, got shape {names.shape}")
    if names.dtype.kind == "O":
        names = names.astype(str)
    return np.unique(names, return_inverse=True)[1].astype(np.uint32)


def _object_column(given: _objects.Particles, argument: str, name: str) -> Any:
    if given.column is None:
        raise ValueError(f"{argument} {name!r} is the name of a column, and positions has none")
    return given.column(argument, name)


def _element_radii(elements: Sequence[Any]) -> npt.NDArray[np.float32]:
    different, index = np.unique(np.asarray(elements), return_inverse=True)
    looks = _roundel.element_looks(different.tolist())
    return np.array([radius for _, radius, _ in looks], dtype=np.float32).reshape(-1)[index.reshape(-1)]


def _element_paint(elements: Sequence[Any], paints: Mapping[str, Any]) -> Paint:
    different, first, index = np.unique(np.asarray(elements), return_index=True, return_inverse=True)
    palette = paints.get("palette")
    looks = _roundel.element_looks(different.tolist(), palette if isinstance(palette, str) else "jmol")
    index = index.reshape(-1)
    names = [symbol for symbol, _, _ in looks]
    colors = np.array([color for _, _, color in looks], dtype=np.uint8).reshape(-1, 3)
    return Paint(colors[index], lambda: _colors.element_key(names, colors, first, index))
