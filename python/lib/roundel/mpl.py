"""Scatter plots and densities in matplotlib's axes, drawn by roundel.

:func:`scatter` has the signature and the meaning of :meth:`matplotlib.axes.Axes.scatter` and returns an artist that colour bars,
legends, autoscaling, picking, zooming, logarithmic axes and :meth:`~matplotlib.figure.Figure.savefig` know. :func:`accelerate`
lets other libraries draw their scatter plots that way. :func:`density` shows counts, sums, means or greatest values by pixel.

>>> import matplotlib; matplotlib.use("Agg")
>>> import matplotlib.pyplot as plt, numpy as np, roundel.mpl
>>> x, y = np.random.default_rng(1).normal(size=(2, 100_000))
>>> figure, axes = plt.subplots()
>>> points = roundel.mpl.scatter(axes, x, y, s=2, c=x, alpha=0.3, linewidths=0)
>>> bar = figure.colorbar(points)
>>> figure.savefig("scatter.png")  # doctest: +SKIP
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import LogNorm, Normalize

from . import _arrays, _objects
from ._mpl_artists import Density, EqualizedNorm, Scatter, Statistic, numbers, update_limits

__all__ = ["Density", "Scatter", "accelerate", "density", "install", "scatter", "uninstall"]

# points from which other libraries' scatter plots are drawn by roundel
FEWEST = 1000

_plain_scatter = Axes.scatter


def scatter(
    axes: Axes,
    x: Any,
    y: Any,
    s: Any = None,
    c: Any = None,
    *,
    marker: Any = None,
    cmap: Any = None,
    norm: str | Normalize | None = None,
    vmin: float | None = None,
    vmax: float | None = None,
    alpha: float | npt.NDArray[Any] | None = None,
    linewidths: Any = None,
    edgecolors: Any = None,
    plotnonfinite: bool = False,
    data: Any = None,
    **properties: Any,
) -> Scatter:
    """Draws a scatter plot by roundel.

    Args:
        axes: The axes to draw into.
        x, y, s, c: As in :meth:`matplotlib.axes.Axes.scatter`: places in the units of the axes, areas in points², colours.
        marker: ``"o"`` by default. Markers other than ``"o"`` and ``"."``, hatches and dashed outlines are drawn by matplotlib.
        cmap, norm, vmin, vmax: The colour map of values, and which value has which colour: ``norm="log"``, or a norm of matplotlib.
        alpha: Opacity from 0 to 1: one, or one for each point.
        linewidths, edgecolors: Outlines, in points.
        plotnonfinite: Draws points whose value is not finite in the colour that ``cmap`` has for them.
        data: A frame in which names of columns are looked up.
        **properties: Properties of collections, such as ``label``, ``zorder``, ``picker`` and ``rasterized``.

    In PDF and SVG files the points are a picture in the resolution of the figure; ``rasterized=False`` makes them paths
    drawn by the backend.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> import matplotlib.pyplot as plt, roundel.mpl
    >>> figure, axes = plt.subplots()
    >>> roundel.mpl.scatter(axes, [1, 2], [3, 4], s=[20, 40], c=["red", "blue"]).get_sizes().tolist()
    [20, 40]
    """
    options = {
        "marker": marker,
        "cmap": cmap,
        "norm": norm,
        "vmin": vmin,
        "vmax": vmax,
        "alpha": alpha,
        "linewidths": linewidths,
        "edgecolors": edgecolors,
        "data": data,
    }
    given = {name: value for name, value in options.items() if value is not None}
    return _scatter(_checked_axes(axes), x, y, s, c, plotnonfinite=plotnonfinite, **given, **properties)


def install(fewest: int = FEWEST) -> None:
    """Lets :meth:`matplotlib.axes.Axes.scatter` draw plots of at least this many points by roundel, whoever calls it.

    Libraries such as seaborn and scanpy run unchanged. :func:`uninstall` ends it, :func:`accelerate` does both.
    """
    fewest = _arrays.whole("fewest", fewest)

    @functools.wraps(_plain_scatter)
    def accelerated(self: Axes, x: Any, y: Any, *arguments: Any, **options: Any) -> PathCollection:
        is_long = np.size(x) >= fewest or isinstance(x, str)
        return (_scatter if is_long else _plain_scatter)(self, x, y, *arguments, **options)

    Axes.scatter = accelerated  # type: ignore[method-assign]


def uninstall() -> None:
    """Gives scatter plots back to matplotlib."""
    Axes.scatter = _plain_scatter  # type: ignore[method-assign]


@contextlib.contextmanager
def accelerate(fewest: int = FEWEST) -> Iterator[None]:
    """Draws scatter plots of at least this many points by roundel inside a ``with`` block.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> import matplotlib.pyplot as plt, numpy as np, roundel.mpl
    >>> x, y = np.random.default_rng(1).normal(size=(2, 10_000))
    >>> with roundel.mpl.accelerate():
    ...     points = plt.scatter(x, y, s=1)
    >>> type(points).__name__
    'Scatter'
    """
    before = Axes.scatter
    install(fewest)
    try:
        yield
    finally:
        Axes.scatter = before  # type: ignore[method-assign]


def density(
    axes: Axes,
    x: Any,
    y: Any,
    weights: Any = None,
    *,
    statistic: Statistic | None = None,
    norm: Literal["linear", "log", "eq_hist"] | Normalize = "log",
    cmap: Any = None,
    vmin: float | None = None,
    vmax: float | None = None,
    data: Any = None,
    **properties: Any,
) -> Density:
    """Shows a number for the points in each pixel: how many they are, or what a column of theirs comes to.

    Args:
        axes: The axes to draw into.
        x, y: (n,) places in the units of the axes: numbers, dates, names of categories; or names of columns of ``data``.
        weights: (n,) values for every statistic but ``"count"``, or the name of a column.
        statistic: ``"count"`` (without weights), ``"sum"`` (with weights), ``"mean"``, ``"max"`` or ``"min"`` by pixel of the
            figure. It is found again whenever the view or the resolution changes.
        norm: ``"linear"``, ``"log"``, ``"eq_hist"`` (as many pixels for each colour), or a norm of matplotlib.
        cmap: A colour map or its name.
        vmin, vmax: Limits of the colours; those of the pixels shown by default.
        data: A frame in which names of columns are looked up.
        **properties: Properties of artists, such as ``zorder`` and ``label``.

    In PDF and SVG files the density is a picture in the resolution of the file.

    Returns:
        An artist for ``figure.colorbar``; :meth:`Density.get_array` has the numbers of the last drawing.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> import matplotlib.pyplot as plt, numpy as np, roundel.mpl
    >>> x, y = np.random.default_rng(1).normal(size=(2, 100_000))
    >>> figure, axes = plt.subplots()
    >>> shown = roundel.mpl.density(axes, x, y)
    >>> bar = figure.colorbar(shown)
    >>> figure.canvas.draw()
    >>> int(shown.get_array().sum())
    100000
    """
    if data is not None:
        given = (("x", x), ("y", y), ("weights", weights))
        x, y, weights = (
            _objects.frame_column(name, data, value) if isinstance(value, str) else value for name, value in given
        )
    places = _in_units(_checked_axes(axes).xaxis, "x", x), _in_units(axes.yaxis, "y", y)
    heavy = None if weights is None else _arrays.column("weights", _objects.values(weights))
    shapes = [column.shape for column in (*places, heavy) if column is not None]
    if places[0].ndim != 1 or len(set(shapes)) > 1:
        raise ValueError(f"x, y and weights must be one-dimensional and of the same length, got {', '.join(map(str, shapes))}")
    statistic = statistic or ("count" if heavy is None else "sum")
    if statistic not in ("count", "sum", "mean", "max", "min"):
        raise ValueError(f"statistic must be 'count', 'sum', 'mean', 'max' or 'min', got {statistic!r}")
    if heavy is None and statistic != "count":
        raise ValueError(f"statistic {statistic!r} needs weights")
    artist = Density(axes, places, heavy, statistic, _norm(norm, vmin, vmax), cmap)
    # vector files get a picture of the numbers, in the resolution of the file
    artist.set_rasterized(True)
    artist.set(**properties)
    axes.add_artist(artist)
    update_limits(axes, artist.get_datalim())
    return artist


def _checked_axes(axes: Any) -> Axes:
    if not isinstance(axes, Axes):
        raise TypeError(f"axes must be those of matplotlib, such as plt.gca(), got {type(axes).__name__}")
    return axes


def _in_units(axis: Any, name: str, values: Any) -> npt.NDArray[np.float64]:
    """Places along an axis as numbers, by matplotlib's converters of dates and categories."""
    axis.update_units(values)
    try:
        return numbers(axis.convert_units(values))
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be (n,) numbers, dates or names, got {type(values).__name__}") from None


def _norm(norm: str | Normalize, vmin: float | None, vmax: float | None) -> Normalize:
    if isinstance(norm, Normalize):
        if vmin is not None or vmax is not None:
            raise ValueError("vmin and vmax are those of norm where a norm is given")
        return norm
    kinds: dict[str, type[Normalize]] = {"linear": Normalize, "log": LogNorm, "eq_hist": EqualizedNorm}
    if norm not in kinds:
        raise ValueError(f"norm must be 'linear', 'log', 'eq_hist' or a norm of matplotlib, got {norm!r}")
    return kinds[norm](vmin, vmax)


def _scatter(axes: Axes, x: Any, y: Any, s: Any = None, c: Any = None, **options: Any) -> Scatter:
    """Points by matplotlib's own function, which are then drawn by roundel.

    Of many plain numbers that function sees two; the rest is set afterwards, without its copies.
    """
    is_plain = (
        options.get("norm") is None
        and options.get("data") is None
        and np.size(x) >= FEWEST
        and all(_is_finite_column(column, np.size(x)) for column in (x, y))
        and all(np.ndim(column) == 0 or _is_finite_column(column, np.size(x)) for column in (s, c))
    )
    if is_plain:
        first = [column[:2] if np.ndim(column) else column for column in (x, y, s, c)]
        points = _plain_scatter(axes, *first, **options)
        places = np.column_stack([x, y]).astype(float, copy=False)
        if hasattr(points, "_offsets"):
            # as set_offsets does, which copies once more
            cast(Any, points)._offsets = places
        else:
            points.set_offsets(places)
        if np.ndim(s):
            points.set_sizes(np.asarray(s))
        if np.ndim(c):
            points.set_array(np.asarray(c))
            norm: Any = points.norm
            norm.vmin, norm.vmax = options.get("vmin"), options.get("vmax")
            points.autoscale_None()
        points.__class__ = Scatter
        update_limits(axes, points.get_datalim(axes.transData))
    else:
        points = _plain_scatter(axes, x, y, s, c, **options)
        points.__class__ = Scatter
    if "rasterized" not in options:
        # vector files get a picture of the points
        points.set_rasterized(True)
    return cast(Scatter, points)


def _is_finite_column(values: Any, count: int) -> bool:
    """Whether these are plain finite numbers, one for each of the points; arrays of other classes may have masks or units."""
    is_column = type(values) is np.ndarray and values.shape == (count,)
    return is_column and values.dtype.kind in "fiu" and bool(np.isfinite(values.sum(dtype=float)))
