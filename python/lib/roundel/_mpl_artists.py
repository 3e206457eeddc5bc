"""The artists of :mod:`roundel.mpl`: points and densities that roundel draws in matplotlib's figures."""

from __future__ import annotations

import math
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt
from matplotlib.artist import Artist, allow_rasterization
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PathCollection
from matplotlib.colors import LogNorm, Normalize
from matplotlib.path import Path
from matplotlib.transforms import Bbox, IdentityTransform

from . import _roundel

__all__ = ["Density", "EqualizedNorm", "Scatter", "Statistic", "numbers", "update_limits"]

Statistic = Literal["count", "sum", "mean", "max", "min"]

_CIRCLE: npt.NDArray[np.float64] = np.asarray(Path.unit_circle().vertices)

_renderer: Any = None


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

    _scales: tuple[Any, float, npt.NDArray[np.float64]] | None = None

    def get_transforms(self) -> Any:
        """The transforms from a marker of size 1 to each marker in pixels, (n, 3, 3)."""
        # found when they are needed, which is not for drawing
        sizes, dpi = self.get_sizes(), float(getattr(self.get_figure(root=False), "dpi", 72.0))
        if self._scales is None or self._scales[0] is not sizes or self._scales[1] != dpi:
            transforms = np.zeros((len(sizes), 3, 3))
            transforms[:, 0, 0] = transforms[:, 1, 1] = np.sqrt(sizes) * dpi / 72.0
            transforms[:, 2, 2] = 1.0
            self._scales = sizes, dpi, transforms
        return self._scales[2]

    @allow_rasterization  # type: ignore[untyped-decorator]
    def draw(self, renderer: RendererBase) -> None:
        """Draws the points in the resolution of the figure."""
        if not self.get_visible():
            return
        # a vector file that is to have no picture gets paths
        radius = None if renderer.option_scale_image() else self._marker_radius()
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
        offsets = numbers(self.get_offsets())
        if not transform.is_affine:
            offsets = numbers(transform.transform_non_affine(offsets))
        matrix = transform.get_affine().get_matrix()
        pixels = float(cast(Any, renderer).points_to_pixels(1.0))
        sizes = np.asarray(self.get_sizes(), dtype=float)
        if not np.all(sizes):
            # such points are not drawn, nor are their outlines
            sizes = np.where(sizes == 0, np.nan, sizes)
        radii = _lengths(radius * pixels * np.sqrt(sizes))
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
        if not hasattr(artist, "_set_mappable_flags"):
            return False
        artist._set_mappable_flags()
        return bool(getattr(artist, "_face_is_mapped", False))

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
        return numbers(values), [float(norm.vmin), float(norm.vmax)], _bytes(table)

    def get_datalim(self, transData: Any) -> Bbox:  # noqa: N803, the name in matplotlib
        """The bounds of the points in the units of the data."""
        transform = self.get_offset_transform()
        if transform != transData:
            return super().get_datalim(transData)
        return _bounds(numbers(self.get_offsets()))


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

    def get_datalim(self) -> Bbox:
        """The bounds of the points in the units of the data."""
        return _bounds(self._places)

    @allow_rasterization  # type: ignore[untyped-decorator]
    def draw(self, renderer: RendererBase) -> None:
        """Draws the numbers in the resolution of the figure, or of the file."""
        if not self.get_visible():
            return
        left, bottom, width, height = _visible_box(self, renderer)
        if width > 0 and height > 0:
            # pixels of a picture in a vector file, per unit of its page
            finer = renderer.get_image_magnification()
            size = [math.ceil(side * finer) for side in (width, height)]
            self._fit(size, Bbox.from_bounds(left, bottom, size[0] / finer, size[1] / finer))
            _draw_image(self, renderer, (left, bottom), self._colored(self.get_array()))
        self.stale = False

    def _colored(self, numbers: Any) -> npt.NDArray[np.uint8]:
        """The pixels of numbers."""
        alpha = self.get_alpha()
        most = int(numbers.max()) if self._statistic == "count" and np.ndim(cast(Any, alpha)) == 0 and numbers.count() else 0
        if not 0 < most < numbers.size:
            return np.ascontiguousarray(self.to_rgba(numbers, alpha=alpha, bytes=True))
        # few whole numbers: each is mapped once
        counts = np.ma.masked_less(np.arange(most + 1.0), 1)
        colors = np.ascontiguousarray(self.to_rgba(counts, alpha=alpha, bytes=True), dtype=np.uint8).view(np.uint32)[:, 0]
        pixels: npt.NDArray[np.uint8] = colors[numbers.filled(0).astype(np.int32)][..., np.newaxis].view(np.uint8)
        return pixels

    def _fit(self, size: list[int], box: Any) -> None:
        """Finds the numbers of a box of the screen, and the limits that are not given."""
        (x, y), (left, right, bottom, top) = self._on_screen(box)
        # the first row of an image lies at the bottom
        extent = [left, right, top, bottom]
        numbers = _roundel.statistic_by_pixel(x, y, self._weights, extent, size, self._statistic)
        is_empty = np.isnan(numbers)
        self._shown = np.ma.array(numbers, mask=is_empty)
        self.set_array(self._shown)
        self._set_limits(numbers[~is_empty])

    def _on_screen(self, box: Any) -> tuple[Any, tuple[float, float, float, float]]:
        """The places of the points on scales that are even on the screen, and the edges of a box of the screen there."""
        axes: Any = self.axes
        if not axes.transData.is_separable:
            # such as polar axes
            places = axes.transData.transform(np.column_stack(self._places))
            return _columns(places), (box.x0, box.x1, box.y0, box.y1)
        places = self._places if axes.transScale.is_affine else _columns(axes.transScale.transform(np.column_stack(self._places)))
        to_data = (axes.transLimits + axes.transAxes).inverted()
        (left, bottom), (right, top) = to_data.transform([[box.x0, box.y0], [box.x1, box.y1]])
        # an edge that is one of the axes is its limit, without the roundings on the way
        (x0, y0), (x1, y1) = axes.transScale.transform([[axes.viewLim.x0, axes.viewLim.y0], [axes.viewLim.x1, axes.viewLim.y1]])
        left, right = (_snapped(edge, (x0, x1)) for edge in (left, right))
        bottom, top = (_snapped(edge, (y0, y1)) for edge in (bottom, top))
        return places, (left, right, bottom, top)

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


def _draw_image(artist: Artist, renderer: Any, corner: tuple[int, int], pixels: npt.NDArray[np.uint8]) -> None:
    """Puts pixels on a canvas, within the clip of an artist; the first row is the lowest."""
    context = renderer.new_gc()
    if artist.get_clip_on():
        if artist.get_clip_box() is not None:
            context.set_clip_rectangle(artist.get_clip_box())
        context.set_clip_path(artist.get_clip_path())
    renderer.draw_image(context, *corner, pixels)
    context.restore()


def _columns(rows: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    x, y = (np.ascontiguousarray(column, dtype=float) for column in numbers(rows).T)
    return x, y


def _snapped(edge: float, limits: tuple[float, float]) -> float:
    """The limit that an edge is up to rounding, or else the edge."""
    width = abs(limits[1] - limits[0])
    return next((limit for limit in limits if abs(edge - limit) <= 1e-9 * width), edge)


def _core() -> Any:
    """The renderer of all figures, which keeps its threads."""
    global _renderer
    if _renderer is None:
        _renderer = _roundel.Renderer()
    return _renderer


def numbers(values: Any) -> npt.NDArray[np.float64]:
    """Numbers in C order, NaN where they are masked."""
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(float, copy=False), np.nan)
    return np.ascontiguousarray(values, dtype=float)


def _bounds(points: Any) -> Bbox:
    """The box of the finite ones of points, (n, 2) or two columns, and their least positive places."""
    box = Bbox.null()
    x, y = _roundel.bounds_of_points(points)
    if x[0] <= x[1]:
        # logarithmic axes need the least positive places, too
        box.update_from_data_xy([[x[0], y[0]], [x[1], y[1]], [min(x[2], x[1]), min(y[2], y[1])]])
    return box


def update_limits(axes: Axes, box: Bbox) -> None:
    """Makes the limits of axes contain a box; those that are logarithmic begin at its least positive places."""
    corners = box.get_points()
    if np.isfinite(corners).all():
        positive = np.where(np.isfinite(box.minpos), np.minimum(box.minpos, corners[1]), corners[1])
        axes.update_datalim(np.vstack([corners, positive]))
        if hasattr(axes, "_request_autoscale_view"):
            # when the figure is drawn, on the scales that the axes have then
            cast(Any, axes)._request_autoscale_view()
        else:
            axes.autoscale_view()


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
