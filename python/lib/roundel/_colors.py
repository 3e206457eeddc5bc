"""Colours: one for all shapes, one for each, or values that a colour map turns into colours."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Optional, Protocol, TypedDict, Union, cast, get_args

import numpy as np
import numpy.typing as npt

from . import _roundel, _warnings
from ._arrays import number, times
from ._typing import Column
from ._color_names import Color, channels, is_color, of_matplotlib, one_color

__all__ = [
    "Categories", "Color", "ColorOptions", "Colormap", "Colors", "Key", "Paint", "Palette", "categories", "channels", "is_color", "is_missing", "is_signed", "limits",
    "named_categories", "one_color", "palette_of_file", "prepare",
]

Colors = Union[Color, Sequence[str], Sequence[float], Sequence[Sequence[float]], npt.NDArray[Any], Column]
"""One colour, a colour for each shape, or a value for each."""


if TYPE_CHECKING:
    from ._colormap_names import ColormapName
else:
    # some hundred names, which take time to import
    ColormapName = str


class ColormapObject(Protocol):
    """A colour map of matplotlib, cmcrameri, seaborn or colorcet."""

    name: str
    N: int

    def __call__(self, X: Any, alpha: Any = None, bytes: bool = False) -> Any: ...  # noqa: N803, as matplotlib has it


Colormap = Union[ColormapName, str, ColormapObject]
"""A colour map: one of :func:`roundel.colormaps` in any case, with ``_r`` at the end for the reverse, or an object."""

Palette = Union[str, Sequence[Color], Mapping[Any, Color], ColormapObject]
"""Colours of categories: a name, a list of colours, a dict of names and colours, or an object."""

ACCEPTED = (
    "one colour ('steelblue', '#rrggbb' or a tuple of 3 or 4 numbers from 0 to 1), (n, 3) or (n, 4) colours (uint8, or float "
    "from 0 to 1), n colours or names of categories, or (n,) values for a colormap"
)

Key = Union[
    tuple[str, str, str, float, float, Optional[list[float]], tuple[bool, bool], int, list[int], list[list[float]]],
    tuple[str, list[tuple[str, tuple[int, int, int], int]]],
]
"""The meaning of colours. Of numbers: a name, the colour map, how numbers are spread over it, those at its ends, those at the
ends of the part that a legend shows, whether there are numbers beyond either end, how many are missing, how many have each whole
number of a list, and of colours by rank a few numbers and their shares. Of categories: a name; and names, colours and counts."""

ColorScale = Literal["linear", "log", "sqrt", "equalize"]

# coordinates have no sign of their own
COORDINATES = ("x", "y", "z")

GREY = (0x80, 0x80, 0x80)
"""The colour of missing values. Palettes leave out theirs where some are missing."""

NEAR_GREY = 24
"""Colours of palettes whose channels differ by less from grey are taken for it."""

MISSING = "missing"
"""What a legend calls missing values."""

MISSING_NAMES = ("", "na", "<na>", "n/a", "#n/a", "nan", "none", "null", "?", ".", MISSING)
"""What files write for a missing category, as in crates/formats/src/source/number.rs."""

LEAST_SIDE = 1e-3
"""Numbers of the other sign that reach less than this share of the greater reach are noise around zero."""


class ColorOptions(TypedDict, total=False):
    """How values and categories become colours."""

    colormap: Colormap | None
    """The colour map of values: a name (``"viridis"`` by default, ``"coolwarm"`` around a ``color_center``), or an object of
    matplotlib, cmcrameri, seaborn or colorcet."""
    palette: Palette | None
    """The colours of categories: a name (``"distinct"`` by default, 64 colours of which the first ten are tab10), a list of colours, or
    a dict of names and colours. Numbers are categories where it is given."""
    vmin: float | None
    """The value of the map's first colour; the least value but outliers by default."""
    vmax: float | None
    """The value of the map's last colour; the greatest value but outliers by default."""
    color_range: str | tuple[float, float] | None
    """The same as ``vmin`` and ``vmax`` in one: ``(0, 10)``, or percentiles as ``"p2,p98"``."""
    color_scale: ColorScale | None
    """How values are spread over the map: ``"linear"``, ``"log"`` or ``"sqrt"``."""
    color_center: float | None
    """The value in the middle of the map."""
    opacity: float | Sequence[float] | npt.NDArray[Any] | Column | str | None
    """Opacity from 0 to 1: one, (n,) numbers, or the name of a column."""


COLOR = tuple(ColorOptions.__annotations__)


@dataclass(frozen=True)
class Paint:
    """Colours of all shapes, and what they mean."""

    colors: str | npt.NDArray[np.uint8]
    """One colour as text, or (n, 3 or 4) uint8."""
    key: Callable[[], Key] | None = None
    """Works out the meaning for a legend; ``None`` if colours mean nothing."""


def prepare(
    colors: Any, count: int, options: Mapping[str, Any], *, name: str = "colors", label: str | None = None
) -> Paint:
    """The colours of ``count`` shapes by :class:`ColorOptions`; ``label`` is what a legend calls them."""
    if isinstance(colors, (str, tuple)) and not _is_column(colors, count):
        return Paint(one_color(name, colors))
    if label is None:
        # series of frames have names
        label = getattr(colors, "name", None)
    label = label if isinstance(label, str) else ""
    if isinstance(colors, Categories):
        _check_length(name, colors.names, count)
        palette = options.get("palette")
        return categories(label, colors.names, colors.order, palette=palette, complete=True, may_miss=colors.may_miss)
    categorical = _categorical(colors, options)
    if categorical is not None:
        _check_length(name, categorical[0], count)
        return categories(label, *categorical, palette=options.get("palette"))
    array = np.asarray(colors)
    texts = names_of(array, options)
    if texts is not None:
        return _of_strings(name, label, texts, count, options.get("palette"))
    found = times(colors)
    if found is not None and found[0].ndim == 1:
        array, label, options = _since(*found, label, options)
    if array.dtype.kind == "O" and array.ndim == 1:
        # columns of frames with missing values
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            pass
    if array.dtype.kind not in "buif":
        raise TypeError(f"{name} must be {ACCEPTED}, got {_told(colors, array)}")
    if array.ndim == 2 and array.shape[1] in (3, 4):
        _check_length(name, array, count)
        return Paint(_from_channels(name, array))
    if array.ndim != 1:
        raise ValueError(f"{name} must be {ACCEPTED}, got shape {array.shape}")
    _check_length(name, array, count)
    if array.dtype.kind == "b" or options.get("palette") is not None:
        texts, order = _labels(array, options.get("palette"))
        return categories(label, texts, order, palette=options.get("palette"))
    return _of_values(name, label, array, options)


TIMES = (("days", 86400.0), ("hours", 3600.0), ("seconds", 1.0))


def _since(
    seconds: npt.NDArray[np.float64], are_dates: bool, label: str, options: Mapping[str, Any]
) -> tuple[npt.NDArray[np.float64], str, Mapping[str, Any]]:
    """Times as numbers, from the first day of dates, in a unit that suits their extent; the name and the limits of their colours."""
    known = seconds[np.isfinite(seconds)]
    extent = float(np.ptp(known)) if known.size else 0.0
    unit, length = next((pair for pair in TIMES if extent >= 2 * pair[1]), TIMES[-1])
    start = 86400.0 * (float(known.min()) // 86400.0) if are_dates and known.size else 0.0
    if are_dates:
        unit += f" since {np.datetime64(int(start), 's').astype('M8[D]')}"

    def number_of(limit: Any) -> Any:
        time = None if limit is None or isinstance(limit, str) else times([limit])
        return limit if time is None else (float(time[0][0]) - start) / length

    limits = {name: number_of(options[name]) for name in ("vmin", "vmax", "color_center") if name in options}
    given = options.get("color_range")
    if given is not None and not isinstance(given, str):
        limits["color_range"] = tuple(map(number_of, given))
    return (seconds - start) / length, f"{label} ({unit})".lstrip(), {**options, **limits}


@dataclass(frozen=True)
class Categories:
    """Names of categories by row, ``None`` if missing, and all names in the order of their colours, which a legend lists."""

    name: str
    names: npt.NDArray[Any]
    order: tuple[str, ...]
    may_miss: bool
    """Whether names are missing here or elsewhere: then no category is grey."""


def named_categories(column: Any, options: Mapping[str, Any]) -> tuple[npt.NDArray[Any], list[str]] | None:
    """The names in a column and their order if they are categories; ``None`` for numbers and colours."""
    found = _categorical(column, options)
    if found is not None:
        names, order = found
        return names, _in_order(names) if order is None else order
    array = np.asarray(column)
    texts = names_of(array, options)
    if texts is not None:
        order = _in_order(texts)
        return None if order and order[0].startswith("#") else (texts, order)
    if array.ndim == 1 and (array.dtype.kind == "b" or array.dtype.kind in "uif" and options.get("palette") is not None):
        return _labels(array, options.get("palette"))
    return None


def _in_order(names: npt.NDArray[Any]) -> list[str]:
    """Different names in the order of their first rows."""
    return list(dict.fromkeys(str(name) for name in names[_known(names)]))


def _labels(array: npt.NDArray[Any], palette: Any) -> tuple[npt.NDArray[Any], list[str]]:
    """Numbers as names, ``None`` for NaN, and the order of the names: numerical for a list of colours, or else by appearance."""
    if array.dtype.kind != "f":
        texts = array.astype(str)
    else:
        texts = np.array([None if value != value else f"{value:.0f}" if value.is_integer() else repr(value) for value in array.tolist()])
    order = _in_order(texts)
    return texts, order if palette is None or isinstance(palette, str) else sorted(order, key=_number)


def _number(label: str) -> float:
    return float(label == "True") if label in ("True", "False") else float(label)


def _of_values(name: str, label: str, array: npt.NDArray[Any], options: Mapping[str, Any]) -> Paint:
    scale = options.get("color_scale") or "linear"
    if scale not in get_args(ColorScale) or scale == "equalize":
        raise ValueError(f"color_scale must be 'linear', 'log' or 'sqrt', or of a density 'equalize', got {scale!r}")
    numbers = np.ascontiguousarray(array, dtype=np.float64)
    center = options.get("color_center")
    if center is None and is_signed(numbers, label, options):
        center = 0.0
    options = {**options, "color_center": center}
    colormap = options.get("colormap") or ("viridis" if center is None else "coolwarm")
    least, greatest = limits(numbers, options)
    map_name = colormap_name(colormap)
    paint = map_values(numbers, map_name, least, greatest, scale)

    # around a centre the map extends beyond the numbers on one side, which a legend leaves out
    shown = None if center is None else _shown(numbers[_usable(numbers, scale)], (least, greatest), options)

    def key() -> Key:
        usable = numbers[_usable(numbers, scale)]
        beyond = bool(np.any(usable < least)), bool(np.any(usable > greatest))
        counts = _roundel.count_whole(usable, scale, shown or (least, greatest))
        return label, map_name, scale, least, greatest, shown, beyond, len(numbers) - len(usable), counts, []

    return Paint(paint, key)


def _shown(usable: npt.NDArray[np.float64], ends: tuple[float, float], options: Mapping[str, Any]) -> list[float]:
    """The part of a centred map that a legend shows: the range asked for, widened to the numbers."""
    first, last = limits(usable, {**options, "color_center": None})
    if not usable.size:
        return [first, last]
    low, high = (min(max(float(number), ends[0]), ends[1]) for number in (usable.min(), usable.max()))
    return [min(first, low), max(last, high)]


def is_signed(numbers: npt.NDArray[np.float64], label: str, options: Mapping[str, Any]) -> bool:
    """Whether a named column reaches to both sides of zero, and has colours that show the sign, as in files."""
    is_scaled = (options.get("color_scale") or "linear") != "linear"
    if not label or label.lower() in COORDINATES or is_scaled or options.get("colormap") is not None:
        return False
    least, greatest = limits(numbers, options)
    return least < 0 < greatest and min(-least, greatest) >= LEAST_SIDE * max(-least, greatest)


def _usable(numbers: npt.NDArray[np.float64], scale: str) -> npt.NDArray[np.bool_]:
    """Which numbers have a place on a scale."""
    finite = np.isfinite(numbers)
    return finite & (numbers > 0) if scale == "log" else finite & (numbers >= 0) if scale == "sqrt" else finite


def map_values(
    values: npt.NDArray[np.float64], colormap: str, least: float, greatest: float, scale: str = "linear"
) -> npt.NDArray[np.uint8]:
    """Colours of values: ``least`` and below take the first of the map, ``greatest`` and above the last; grey are NaN, and values
    without a logarithm or a square root where one is taken."""
    for limit, value in (("vmin", least), ("vmax", greatest)):
        if not np.isfinite(value):
            raise ValueError(f"{limit} must be finite, got {value}")
    if least > greatest:
        raise ValueError(f"vmin must not be above vmax, got {least} and {greatest}")
    if scale == "log" and least <= 0 or scale == "sqrt" and least < 0:
        raise ValueError(f"vmin must be above 0 with color_scale={scale!r}, got {least}")
    return _roundel.map_colors(values, colormap, scale, least, greatest)


def colormap_name(colormap: Any, argument: str = "colormap") -> str:
    """The name by which the compiled part knows a colour map; objects of other packages are made known to it."""
    if isinstance(colormap, str):
        # cmcrameri names its maps cmc.batlow in matplotlib
        found = _roundel.colormap_name(colormap) or _roundel.colormap_name(colormap.removeprefix("cmc."))
        if found is not None:
            return found
        known = sys.modules.get("matplotlib")
        colormap = getattr(known, "colormaps", {}).get(colormap, colormap)
    if isinstance(colormap, str):
        import difflib

        near = difflib.get_close_matches(colormap.lower(), _roundel.colormaps(), 3)
        hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else "; roundel.colormaps() lists them"
        raise ValueError(f"{argument} must be the name of a colour map, got {colormap!r}{hint}")
    if not (callable(colormap) and hasattr(colormap, "N")):
        raise TypeError(f"{argument} must be the name of a colour map, or an object of matplotlib, got {colormap!r}")
    own = _roundel.colormap_name(str(getattr(colormap, "name", "")).removeprefix("cmc."))
    count = max(int(cast(Any, colormap).N), 2)
    channels = np.asarray(colormap(np.linspace(0, 1, count)), dtype=float)[:, :3]
    table = np.ascontiguousarray(np.clip(channels, 0, 1) * 255 + 0.5, dtype=np.uint8)
    if own is not None:
        # the same map up to rounding: our own table is as good, and its name is shorter
        same = map_values(np.linspace(0, 1, count), own, 0.0, 1.0)[:, :3].astype(int)
        if np.abs(same - table).max() <= 3:
            return own
    return _roundel.add_colormap(str(getattr(colormap, "name", "colormap")), table.tolist())


def limits(values: npt.NDArray[np.float64], options: Mapping[str, Any]) -> tuple[float, float]:
    """The values at the ends of a colour map; by default the range without outliers, as in files."""
    scale = options.get("color_scale") or "linear"
    least, greatest = options.get("vmin"), options.get("vmax")
    given = options.get("color_range")
    if given is not None:
        if least is not None or greatest is not None:
            raise ValueError("color_range and vmin or vmax exclude one another: give one")
        least, greatest = (_limit(part, values, scale) for part in _pair(given))
    if least is None or greatest is None:
        ends = _roundel.value_range(values, scale)
        if scale == "log" and ends[0] <= 0:
            # there is no number with a logarithm
            ends = [1.0, 1.0]
        least = ends[0] if least is None else least
        greatest = ends[1] if greatest is None else greatest
    least, greatest = number("vmin", least), number("vmax", greatest)
    center = options.get("color_center")
    if center is not None:
        center = number("color_center", center)
        if scale == "log":
            if center <= 0:
                raise ValueError(f"color_center must be above 0 with color_scale='log', got {center}")
            factor = max(greatest / center, center / least)
            least, greatest = center / factor, center * factor
        else:
            half = max(abs(greatest - center), abs(center - least))
            least, greatest = center - half, center + half
    return least, greatest


def _pair(given: Any) -> tuple[Any, Any]:
    parts = given.split(",") if isinstance(given, str) else given
    try:
        first, second = parts
    except (TypeError, ValueError):
        raise ValueError(f"color_range must be two numbers, or percentiles as 'p2,p98', got {given!r}") from None
    return first, second


def _limit(part: Any, values: npt.NDArray[np.float64], scale: str) -> float:
    """A number, or a percentile as ``"p2"``."""
    text = part.strip() if isinstance(part, str) else part
    try:
        if isinstance(text, str) and text.startswith("p"):
            share = float(text[1:])
            if not 0 <= share <= 100:
                raise ValueError
            return _roundel.value_range(values, scale, [share, share])[0]
        return float(text)
    except (TypeError, ValueError):
        raise ValueError(f"color_range must be two numbers, or percentiles as 'p2,p98', got {part!r}") from None


def _is_column(colors: str | tuple[Any, ...], count: int) -> bool:
    """Whether a tuple holds a row for each shape rather than one colour."""
    return isinstance(colors, tuple) and (len(colors) not in (3, 4) or isinstance(colors[0], str) or not np.isscalar(colors[0]))


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


def _of_strings(name: str, label: str, array: npt.NDArray[Any], count: int, palette: Any) -> Paint:
    """Strings are colours, or else names of categories."""
    _check_length(name, array, count)
    known = _known(array)
    different, index = np.unique(array[known].astype(str), return_inverse=True)
    # other short names of matplotlib, such as C0, may be those of categories
    texts = [of_matplotlib(text) if text.startswith("tab:") else text for text in different.tolist()]
    if palette is not None or not any(map(_roundel.color_channels, texts)) and not any(text.startswith("#") for text in texts):
        return categories(label, array, palette=palette)
    # one that is none among others that are
    colors = np.array([channels(name, text) for text in texts], dtype=np.uint8)
    return Paint(_with_grey(colors[index.reshape(-1)], known))


def names_of(array: npt.NDArray[Any], options: Mapping[str, Any]) -> npt.NDArray[Any] | None:
    """The names in a column, ``None`` for missing ones; ``None`` if it has others than names."""
    if array.ndim != 1 or array.dtype.kind not in "OUT" or not array.size:
        return None
    different = set(array.tolist()) if array.dtype.kind != "O" else {value for value in array if not is_missing(value)}
    if not different or not all(isinstance(value, str) for value in different):
        return None
    missing = {text for text in different if _is_missing_name(text, options)}
    if array.dtype.kind != "O" and not missing:
        return array
    return np.array([None if is_missing(value) or value in missing else value for value in array], dtype=object)


def is_missing(value: Any) -> bool:
    """Whether this is what numpy, pandas and Polars write for a missing value."""
    return value is None or type(value).__name__ == "NAType" or isinstance(value, float) and value != value


def _is_missing_name(name: str, options: Mapping[str, Any]) -> bool:
    """Whether a name states that its category is missing, as in files, and has no colour of its own."""
    palette = options.get("palette")
    return name.strip().lower() in MISSING_NAMES and not (isinstance(palette, Mapping) and name in palette)


def _known(names: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which names are not missing."""
    if names.dtype.kind != "O":
        return np.ones(len(names), dtype=np.bool_)
    return np.array([name is not None for name in names], dtype=np.bool_)


def _with_grey(colors: npt.NDArray[np.uint8], known: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Colours of the known rows, and grey of all others."""
    if known.all():
        return colors
    everything = np.full((len(known), colors.shape[1] if colors.size else 3), 255, dtype=np.uint8)
    everything[:, :3] = GREY
    everything[known] = colors
    return everything


def _told(given: Any, array: npt.NDArray[Any]) -> str:
    kind = type(given).__name__
    return f"{kind} of dtype {array.dtype} and shape {array.shape}" if array.ndim else f"{kind} {str(given)[:60]!r}"


def _categorical(column: Any, options: Mapping[str, Any]) -> tuple[npt.NDArray[Any], list[str] | None] | None:
    """Names (``None`` if missing) and their order, of a categorical column of pandas or Polars; ``None`` for any other column."""
    dtype = getattr(column, "dtype", None)
    kind = type(dtype).__name__
    if kind == "CategoricalDtype":
        missing = np.asarray(column.isna())
        names = [None if gone else str(name) for name, gone in zip(np.asarray(column.astype(object), dtype=object), missing)]
        listed: Any = cast(Any, dtype).categories
    elif type(column).__module__.split(".")[0] == "polars" and kind in ("Categorical", "Enum"):
        names = column.cast(str).to_list()
        listed = cast(Any, dtype).categories if kind == "Enum" else None
    else:
        return None
    gone = {name for name in set(names) if name is None or _is_missing_name(name, options)}
    order = None if listed is None else [str(name) for name in listed if str(name) not in gone]
    return np.array([None if name in gone else name for name in names], dtype=object), order


def categories(
    label: str,
    names: npt.NDArray[Any],
    order: Sequence[str] | None = None,
    *,
    palette: Any = None,
    complete: bool = False,
    may_miss: bool = False,
) -> Paint:
    """A colour for each different name, in a given order or by appearance. ``None`` is missing, and grey.

    A legend lists the names that there are, or all of ``order`` if it is to be complete.
    """
    known = _known(names)
    different, first, index = np.unique(names[known].astype(str), return_index=True, return_inverse=True)
    listed = different.tolist()
    if order is None:
        order = [listed[at] for at in np.argsort(first)]
    elif not complete:
        present = set(listed)
        order = [name for name in order if name in present]
    places = {name: place for place, name in enumerate(order)}
    rank = np.array([places[name] for name in listed], dtype=np.intp)
    has_missing = not bool(known.all())
    table = _palette(palette, list(order), has_missing or may_miss)
    index = rank[index.reshape(-1)]
    counts = np.bincount(index, minlength=len(order))

    def key() -> Key:
        shown = sorted(range(len(order)), key=lambda at: float(order[at])) if _are_numbers(order) else range(len(order))
        entries = [(str(order[at]), _rgb(table[at]), int(counts[at])) for at in shown]
        missing = [(MISSING, GREY, int(np.count_nonzero(~known)))] if has_missing else []
        return label, entries + missing

    return Paint(_with_grey(table[index], known), key)


def _are_numbers(names: Sequence[str]) -> bool:
    """Whether all names are whole numbers."""
    return all(name.isascii() and name.isdecimal() for name in names)


def _rgb(color: npt.NDArray[np.uint8]) -> tuple[int, int, int]:
    red, green, blue = color[:3].tolist()
    return red, green, blue


def _palette(palette: Any, names: list[str], has_missing: bool) -> npt.NDArray[np.uint8]:
    """The colours of names, (n, 3) uint8, in the order of a palette."""
    if isinstance(palette, Mapping):
        known = {str(name): _palette_color(color) for name, color in palette.items()}
        absent = [name for name in names if name not in known]
        if absent:
            raise ValueError(f"palette must have a colour for each category, and has none for {absent[0]!r}")
        return np.array([known[name] for name in names], dtype=np.uint8).reshape(-1, 3)
    places = range(len(names))
    if palette is None or isinstance(palette, str):
        name = "distinct" if palette is None else _palette_name(palette)
        # palettes repeat their colours
        colors = list(dict.fromkeys(tuple(color) for color in _roundel.category_colors(name, 256)))
        if _are_numbers(names) and all(int(number) < len(colors) for number in names):
            # numbered types have the colours of their numbers, which begin with 1, in all pictures
            places = [(int(number) - 1) % len(colors) for number in names]  # type: ignore[assignment]
        if has_missing:
            colors = [color for color in colors if max(abs(part - grey) for part, grey in zip(color, GREY)) > NEAR_GREY]
    else:
        listed = getattr(palette, "colors", palette)
        if not hasattr(listed, "__iter__"):
            raise TypeError(f"palette must be a name, a list of colours or a dict, got {palette!r}")
        colors = [_palette_color(color) for color in listed]
        if not colors:
            raise ValueError("palette must have a colour at least")
    if len(names) > len(colors):
        _warnings.warn(f"{len(names)} categories share {len(colors)} colours")
    return np.array([colors[place % len(colors)] for place in places], dtype=np.uint8).reshape(-1, 3)


def palette_of_file(palette: Any, categories: Sequence[str] | None) -> tuple[str, list[str] | None]:
    """The name by which the compiled part knows a palette, and the categories that take its colours in this order, if it says them."""
    if isinstance(palette, str):
        return colormap_name(palette, "palette"), None
    if not isinstance(palette, Mapping):
        listed = getattr(palette, "colors", palette)
        if not hasattr(listed, "__iter__"):
            return colormap_name(palette, "palette"), None
        return _roundel.add_palette("palette", [list(_palette_color(color)) for color in listed]), None
    names = [str(name) for name in palette] if categories is None else [str(name) for name in categories if name]
    table = [tuple(color) for color in _palette(palette, names, False).tolist()]
    # categories without a colour have others
    table += [color for color in dict.fromkeys(map(tuple, _roundel.category_colors("distinct", 64))) if color not in table]
    return _roundel.add_palette("palette", [list(color) for color in table]), names


def _palette_color(color: Any) -> tuple[int, int, int]:
    red, green, blue, _ = channels("a colour of palette", one_color("a colour of palette", color))
    return red, green, blue


def _palette_name(palette: str) -> str:
    found = _roundel.colormap_name(palette)
    if found is None:
        names = ", ".join(_roundel.palettes())
        raise ValueError(f"palette must be one of {names}, a list of colours or a dict, got {palette!r}")
    return found


def element_key(
    names: Sequence[str], colors: npt.NDArray[np.uint8], first: npt.NDArray[np.intp], index: npt.NDArray[np.intp]
) -> Key:
    """The meaning of elements, in order of appearance; ``first`` has the first row of each, ``index`` that of each row."""
    counts = np.bincount(index, minlength=len(names)).tolist()
    order: list[int] = np.argsort(first).tolist()
    return "element", [(names[row], _rgb(colors[row]), counts[row]) for row in order]
