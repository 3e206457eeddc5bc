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
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
import numpy.typing as npt
from matplotlib.artist import Artist, allow_rasterization
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PathCollection
from matplotlib.colors import LogNorm, Normalize
from matplotlib.path import Path
from matplotlib.transforms import Bbox, IdentityTransform

from . import _arrays, _objects, _roundel

if TYPE_CHECKING:
    from matplotlib.backend_bases import RendererBase

__all__ = ["Density", "Scatter", "accelerate", "density", "install", "scatter", "uninstall"]

Statistic = Literal["count", "sum", "mean", "max", "min"]

_CIRCLE: npt.NDArray[np.float64] = np.asarray(Path.unit_circle().vertices)

# points from which other libraries' scatter plots are drawn by roundel
FEWEST = 1000

_plain_scatter = Axes.scatter
_renderer: Any = None


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
    artist.set(**properties)
    axes.add_artist(artist)
    box = Bbox.null()
    _add_bounds(box, places)
    if np.isfinite(box.get_points()).all():
        axes.update_datalim(box.get_points())
        axes.autoscale_view()
    return artist


def _checked_axes(axes: Any) -> Axes:
    if not isinstance(axes, Axes):
        raise TypeError(f"axes must be those of matplotlib, such as plt.gca(), got {type(axes).__name__}")
    return axes


def _in_units(axis: Any, name: str, values: Any) -> npt.NDArray[np.float64]:
    """Places along an axis as numbers, by matplotlib's converters of dates and categories."""
    axis.update_units(values)
    try:
        return _numbers(axis.convert_units(values))
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


class EqualizedNorm(Normalize):
    """A norm fitted to numbers so that each colour of a map stands for the same number of pixels (histogram equalization)."""

    def __init__(self, vmin: float | None = None, vmax: float | None = None) -> None:
        super().__init__(vmin, vmax)
        self._values = np.array([0.0, 1.0])
        self._shares = np.array([0.0, 1.0])

    def fit(self, values: npt.NDArray[np.float64]) -> None:
        """Takes the distribution of these numbers between the limits."""
        least, greatest = cast(Any, self.vmin), cast(Any, self.vmax)
        inside = values[(values >= least) & (values <= greatest)]
        different, counts = np.unique(inside, return_counts=True)
        if len(different) < 2:
            different, counts = np.array([least, greatest], dtype=float), np.array([1, 1])
        below = np.cumsum(counts) - counts
        self._values, self._shares = different, below / below[-1]

    def __call__(self, value: Any, clip: bool | None = None) -> Any:
        numbers: Any = np.ma.asarray(value, dtype=float)
        return np.ma.array(np.interp(numbers.filled(np.nan), self._values, self._shares), mask=np.ma.getmask(numbers))

    def inverse(self, value: Any) -> Any:
        return np.interp(value, self._shares, self._values)


class Scatter(PathCollection):
    """The points of a scatter plot, which roundel draws where they are round.

    It is a :class:`matplotlib.collections.PathCollection` in all but :meth:`draw`.
    """

    @allow_rasterization  # type: ignore[untyped-decorator]
    def draw(self, renderer: RendererBase) -> None:
        """Draws the points in the resolution of the figure."""
        if not self.get_visible():
            return
        radius = self._marker_radius()
        box = None if radius is None else _visible_box(self, renderer)
        if radius is None or box is None:
            super().draw(renderer)
            return
        left, bottom, width, height = box
        if width > 0 and height > 0:
            pixels = _core().markers(self._markers(radius, renderer, left, bottom, [width, height]))
            renderer.open_group("roundel_scatter", self.get_gid())
            _draw_image(self, renderer, (left, bottom), pixels)
            renderer.close_group("roundel_scatter")
        self.stale = False

    def _marker_radius(self) -> float | None:
        """The radius of a marker of size 1, in points; `None` if the markers are not plain discs."""
        paths: Any = self.get_paths()
        dashes: Any = self.get_linestyle()
        is_plain = (
            len(paths) == 1
            and self.get_transform() == IdentityTransform()
            and not self.get_hatch()
            and not self.get_path_effects()
            and self.get_sketch_params() is None
            and np.all(self.get_antialiased())
            and all(pattern is None for _, pattern in dashes)
            and self.get_urls() in ([None], [])
        )
        vertices = np.asarray(paths[0].vertices)
        if not is_plain or len(vertices) != len(_CIRCLE):
            return None
        radius = float(vertices[:, 0].max())
        return radius if radius > 0 and np.allclose(vertices, radius * _CIRCLE, rtol=0, atol=1e-9 * radius) else None

    def _markers(
        self, radius: float, renderer: RendererBase, left: int, bottom: int, size: list[int]
    ) -> dict[str, Any]:
        """The points as the compiled part takes them."""
        transform = self.get_offset_transform()
        offsets = _numbers(self.get_offsets())
        if not transform.is_affine:
            offsets = _numbers(transform.transform_non_affine(offsets))
        matrix = transform.get_affine().get_matrix()
        pixels = float(cast(Any, renderer).points_to_pixels(1.0))
        radii = _lengths(radius * pixels * np.sqrt(np.asarray(self.get_sizes(), dtype=float)))
        faces = self._mapped_faces()
        if faces is None:
            self.update_scalarmappable()
            faces = _bytes(self.get_facecolor())
        markers = {
            "points": offsets,
            "affine": (matrix[:2] - [[0, 0, left], [0, 0, bottom]]).tolist(),
            "radii": radii,
            "faces": faces,
            "edges": None,
            "size": size,
        }
        widths = _lengths(pixels * np.asarray(self.get_linewidth(), dtype=float))
        follows = isinstance(self._edge_kind(), str) and self._edge_kind() == "face"
        edges = faces if follows else _bytes(self.get_edgecolor())
        if np.max(widths) > 0 and not _is_invisible(edges):
            if follows and _is_opaque(faces):
                # an outline of the same colour enlarges the disc
                markers["radii"] = _lengths(np.asarray(radii) + 0.5 * np.asarray(widths))
            else:
                markers["edges"] = (edges, widths)
        return markers

    def _face_is_mapped_now(self) -> bool:
        """Whether values decide on the colours of faces."""
        artist: Any = self
        artist._set_mappable_flags()
        return bool(artist._face_is_mapped)

    def _edge_kind(self) -> Any:
        return getattr(self, "_original_edgecolor", None)

    def _mapped_faces(self) -> tuple[Any, list[float], npt.NDArray[np.uint8]] | None:
        """Values, their range and the colours of a map, if a plain norm maps values to colours."""
        values, norm = self.get_array(), cast(Any, self.norm)
        is_plain = (
            values is not None
            and type(norm) is Normalize
            and not norm.clip
            and np.ndim(values) == 1
            and np.size(values) > 0
            and not isinstance(self.get_alpha(), np.ndarray)
            and self._face_is_mapped_now()
        )
        if not is_plain:
            return None
        self.autoscale_None()
        if norm.vmin is None or norm.vmax is None:
            return None
        colors = self.cmap(np.arange(self.cmap.N))
        rare = [self.cmap.get_under(), self.cmap.get_over(), self.cmap.get_bad()]
        table = np.vstack([colors, rare])
        alpha = self.get_alpha()
        if alpha is not None:
            table[:-1, 3] = alpha
            table[-1, 3] = alpha if table[-1].any() else 0
        return _numbers(values), [float(norm.vmin), float(norm.vmax)], _bytes(table)

    def get_datalim(self, transData: Any) -> Bbox:  # noqa: N803, the name in matplotlib
        """The bounds of the points in the units of the data."""
        transform = self.get_offset_transform()
        if transform != transData:
            return super().get_datalim(transData)
        box = Bbox.null()
        _add_bounds(box, _numbers(self.get_offsets()))
        return box


class Density(ScalarMappable, Artist):
    """Numbers by pixel of the figure, found again for every drawing."""

    def __init__(
        self,
        axes: Axes,
        places: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]],
        weights: npt.NDArray[np.float64] | None,
        statistic: Statistic,
        norm: Normalize,
        cmap: Any,
    ) -> None:
        Artist.__init__(self)
        ScalarMappable.__init__(self, norm, cmap)
        self._places, self._weights, self._statistic = places, weights, statistic
        self._fixed = norm.vmin, norm.vmax
        holder: Any = axes
        self.set_figure(holder.get_figure(root=False))
        self.axes = axes
        self._shown: Any = None

    def get_array(self) -> Any:
        """The numbers of the last drawing, masked where there are no points; those of the axes as they are before the first."""
        if self._shown is None:
            axes: Any = self.axes
            self._fit([max(1, round(side)) for side in axes.bbox.size], axes.bbox)
        return self._shown

    @allow_rasterization  # type: ignore[untyped-decorator]
    def draw(self, renderer: RendererBase) -> None:
        """Draws the numbers in the resolution of the figure."""
        if not self.get_visible():
            return
        left, bottom, width, height = _visible_box(self, renderer)
        if width > 0 and height > 0:
            self._fit([width, height], Bbox.from_bounds(left, bottom, width, height))
            pixels = self.to_rgba(self.get_array(), alpha=self.get_alpha(), bytes=True)
            _draw_image(self, renderer, (left, bottom), np.ascontiguousarray(pixels))
        self.stale = False

    def _fit(self, size: list[int], box: Any) -> None:
        """Finds the numbers of a box of the screen, and the limits that are not given."""
        axes: Any = self.axes
        x, y = self._places
        if not axes.transScale.is_affine:
            x, y = (np.ascontiguousarray(column) for column in axes.transScale.transform(np.column_stack([x, y])).T)
        to_data = (axes.transLimits + axes.transAxes).inverted()
        (left, bottom), (right, top) = to_data.transform([[box.x0, box.y0], [box.x1, box.y1]])
        # the first row of an image lies at the bottom
        extent = [left, right, top, bottom]

        def by_pixel(weights: Any, statistic: str) -> npt.NDArray[np.float64]:
            return _roundel.count_by_pixel(x, y, weights, extent, size, statistic)

        kind = self._statistic
        if kind in ("max", "min"):
            numbers = by_pixel(self._weights, kind)
            is_empty = np.isnan(numbers)
        else:
            counts = by_pixel(None, "sum")
            is_empty = counts == 0
            numbers = counts if kind == "count" else by_pixel(self._weights, "sum")
            if kind == "mean":
                numbers = numbers / np.maximum(counts, 1)
        self._shown = np.ma.array(numbers, mask=is_empty)
        self.set_array(self._shown)
        self._set_limits(numbers[~is_empty])

    def _set_limits(self, shown: npt.NDArray[np.float64]) -> None:
        if isinstance(self.norm, LogNorm):
            shown = shown[shown > 0]
        if not len(shown):
            shown = np.array([1.0, 10.0])
        least, greatest = self._fixed
        limits = float(shown.min()) if least is None else least, float(shown.max()) if greatest is None else greatest
        if isinstance(self.norm, EqualizedNorm):
            self.norm.vmin, self.norm.vmax = limits
            self.norm.fit(shown)
            self.changed()
        elif limits != (self.norm.vmin, self.norm.vmax):
            self.set_clim(*limits)


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
        # as set_offsets does, which copies once more
        cast(Any, points)._offsets = np.column_stack([x, y]).astype(float, copy=False)
        if np.ndim(s):
            points.set_sizes(np.asarray(s))
        if np.ndim(c):
            points.set_array(np.asarray(c))
            norm: Any = points.norm
            norm.vmin, norm.vmax = options.get("vmin"), options.get("vmax")
            points.autoscale_None()
        box = Bbox.null()
        _add_bounds(box, points.get_offsets())
        axes.update_datalim(box.get_points())
        axes.autoscale_view()
    else:
        points = _plain_scatter(axes, x, y, s, c, **options)
    points.__class__ = Scatter
    if "rasterized" not in options:
        # vector files get a picture of the points
        points.set_rasterized(True)
    return cast(Scatter, points)


def _is_finite_column(values: Any, count: int) -> bool:
    """Whether these are plain finite numbers, one for each of the points."""
    is_column = isinstance(values, np.ndarray) and not isinstance(values, np.ma.MaskedArray) and values.shape == (count,)
    return is_column and values.dtype.kind in "fiu" and bool(np.isfinite(values.sum(dtype=float)))


def _visible_box(artist: Artist, renderer: RendererBase) -> tuple[int, int, int, int]:
    """The pixels that may show an artist: left, bottom, width and height."""
    width, height = renderer.get_canvas_width_height()
    left, bottom, right, top = 0.0, 0.0, float(width), float(height)
    clip = artist.get_clip_box() if artist.get_clip_on() else None
    if clip is None and isinstance(artist, Density):
        clip = cast(Any, artist.axes).bbox
    if clip is not None:
        left, bottom = max(left, clip.x0), max(bottom, clip.y0)
        right, top = min(right, clip.x1), min(top, clip.y1)
    left, bottom = math.floor(left), math.floor(bottom)
    return left, bottom, max(0, math.ceil(right) - left), max(0, math.ceil(top) - bottom)


def _draw_image(artist: Any, renderer: Any, corner: tuple[int, int], pixels: npt.NDArray[np.uint8]) -> None:
    """Puts pixels on a canvas, within the clip of an artist; the first row is the lowest."""
    context = renderer.new_gc()
    artist._set_gc_clip(context)
    renderer.draw_image(context, *corner, pixels)
    context.restore()


def _core() -> Any:
    """The renderer of all figures, which keeps its threads."""
    global _renderer
    if _renderer is None:
        _renderer = _roundel.Renderer()
    return _renderer


def _numbers(values: Any) -> npt.NDArray[np.float64]:
    """Numbers in C order, NaN where they are masked."""
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(float, copy=False), np.nan)
    return np.ascontiguousarray(values, dtype=float)


def _add_bounds(box: Bbox, points: Any) -> None:
    """Makes a box contain the finite ones of points: (n, 2), or two columns."""
    x, y = _roundel.bounds_of_points(points)
    if x[0] <= x[1]:
        # logarithmic axes need the least positive places, too
        box.update_from_data_xy([[x[0], y[0]], [x[1], y[1]], [min(x[2], x[1]), min(y[2], y[1])]])


def _lengths(lengths: Any) -> Any:
    """One length for all rows, or (n,) float32."""
    lengths = np.ascontiguousarray(lengths, dtype=np.float32).reshape(-1)
    return float(lengths[0]) if len(lengths) == 1 else lengths


def _bytes(colors: Any) -> Any:
    """RGBA from 0 to 1 as bytes: (n, 4), or one colour."""
    table = np.asarray(colors, dtype=float).reshape(-1, 4)
    table = (np.clip(table, 0, 1) * 255 + 0.5).astype(np.uint8)
    if len(table) == 0:
        return [0, 0, 0, 0]
    return table[0].tolist() if len(table) == 1 else table


def _alphas(colors: Any) -> Any:
    """The alphas of colours as :func:`_bytes` or a map gives them."""
    return colors[2][:-1, 3] if isinstance(colors, tuple) else np.asarray(colors).reshape(-1, 4)[:, 3]


def _is_opaque(colors: Any) -> bool:
    return bool(np.all(_alphas(colors) == 255))


def _is_invisible(colors: Any) -> bool:
    return not np.any(_alphas(colors))
