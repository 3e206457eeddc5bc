"""Drawing arrays: spheres, circles, scatter plots and densities."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
import numpy.typing as npt
from . import _arrays, _colors, _objects, _options, _roundel
from ._colors import Colors, Paint
from ._options import DrawingOptions, Options, OutputOptions, PerformanceOptions, RenderOptions
from ._roundel import Image, Scene

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Renderer", "circles", "density", "render", "scatter", "spheres"]

Invalid = Literal["raise", "skip"]

BLUE = "#1f77b4"
MARGIN = 0.03


class Renderer:
    """Draws many pictures with the same threads and buffers.

    Its methods are the functions of the same names without the options of performance, which are given here. Several
    threads of Python may use one renderer at the same time.

    Args:
        **performance: ``threads``, ``tile``, ``simd``, ``no_cull``, ``limit_pixels``, ``limit_shapes`` and
            ``limit_memory``, as on the command line. They change time and memory, and no pixel.

    >>> import numpy as np, roundel
    >>> renderer = roundel.Renderer(threads=2)
    >>> positions = np.random.default_rng(1).normal(size=(100, 3))
    >>> frames = [renderer.spheres(positions + step, radii=0.1, eye=(0, 0, 20), width=64, height=48) for step in range(3)]
    >>> [frame.size for frame in frames]
    [(64, 48), (64, 48), (64, 48)]
    """

    def __init__(self, **performance: Unpack[PerformanceOptions]) -> None:
        _, speed = _options.split("Renderer", performance, accepted=())
        self._core = _roundel.Renderer(**speed)

    def render(self, scene: Scene, **output: Unpack[OutputOptions]) -> Image:
        """Draws a scene; see :func:`roundel.render`."""
        options, _ = _options.split("Renderer.render", output, accepted=_options.OUTPUT, performance=False)
        if not isinstance(scene, Scene):
            raise TypeError(f"scene must be a Scene, which roundel.read returns, got {type(scene).__name__}")
        return self._core.render(scene, _options.output(options))

    def spheres(
        self,
        positions: Any,
        radii: Any = None,
        colors: Colors | None = None,
        *,
        colormap: str = "viridis",
        vmin: float | None = None,
        vmax: float | None = None,
        parts: Any = None,
        invalid: Invalid = "raise",
        **picture: Unpack[DrawingOptions],
    ) -> Image:
        """Draws spheres; see :func:`roundel.spheres`."""
        options, _ = _options.split("spheres", picture, performance=False)
        output = _options.output(options)
        skip = _skips(invalid)
        given = _objects.particles(positions)
        if given is None:
            given = _objects.Particles(positions)
        centers = _arrays.positions("positions", given.positions, 3)
        count = len(centers)
        sizes = _arrays.radii("radii", _sphere_radii(given, radii, centers), count)
        paint = _sphere_paint(given, colors, count, colormap, vmin, vmax)
        numbers = _parts(given, parts, count)
        facts = _facts(paint, options, _cell(given, options))
        shades, kept = paint.colors, None
        if skip:
            kept = _roundel.sound_rows(centers, sizes)
            if kept is not None:
                centers, sizes = centers[kept], _kept(sizes, kept)
                shades, numbers = _kept(shades, kept), _kept(numbers, kept)
        rows = None if kept is None else np.flatnonzero(kept)
        are_atoms = given.elements is not None
        return self._core.spheres(centers, sizes, shades, numbers, are_atoms, facts, options, output, rows)

    def circles(
        self,
        xy: Any,
        radii: Any = 1.0,
        colors: Colors = BLUE,
        *,
        stroke: float | None = None,
        blend: Literal["srgb", "linear"] = "srgb",
        colormap: str = "viridis",
        vmin: float | None = None,
        vmax: float | None = None,
        invalid: Invalid = "raise",
        **picture: Unpack[DrawingOptions],
    ) -> Image:
        """Draws circles; see :func:`roundel.circles`."""
        options, _ = _options.split("circles", picture, performance=False)
        _refuse_sphere_options("circles", options)
        output = _options.output(options)
        skip = _skips(invalid)
        centers = _arrays.positions("xy", xy, 2)
        count = len(centers)
        sizes = _arrays.radii("radii", radii, count, axes=True)
        if stroke is not None:
            stroke = float(stroke)
            if not (math.isfinite(stroke) and stroke >= 0):
                raise ValueError(f"stroke must be finite and not negative, got {stroke}")
        paint = _colors.prepare(colors, count, colormap=colormap, vmin=vmin, vmax=vmax)
        facts, shades = _facts(paint, options), paint.colors
        if skip:
            kept = _arrays.finite_rows(centers, sizes)
            if kept is not None:
                centers, sizes, shades = centers[kept], _kept(sizes, kept), _kept(shades, kept)
        return self._core.circles(centers, sizes, shades, stroke, blend, facts, options, output)

    def scatter(
        self,
        x: Any,
        y: Any,
        size: Any = None,
        color: Colors | None = None,
        *,
        data: Any = None,
        alpha: float | None = None,
        colormap: str = "viridis",
        vmin: float | None = None,
        vmax: float | None = None,
        invalid: Invalid = "skip",
        **picture: Unpack[DrawingOptions],
    ) -> Image:
        """Draws points of the plane; see :func:`roundel.scatter`."""
        across, up = _column("x", x, data), _column("y", y, data)
        if len(across) != len(up):
            raise ValueError(f"x and y must be of the same length, got {len(across)} and {len(up)}")
        options, _ = _options.split("scatter", picture, performance=False)
        _refuse_sphere_options("scatter", options)
        output = _options.output(options)
        count = len(across)
        width, height = _size(options)
        default_radius, suited_alpha = _suited_look(count, width, height)
        if isinstance(size, str):
            areas = _arrays.column("size", _named("size", size, data))
            radii: float | npt.NDArray[np.float32] = _radii_of_areas(areas)
        else:
            radii = _arrays.radii("size", default_radius if size is None else size, count)
        paint = _scatter_paint(color, data, count, colormap, vmin, vmax)
        shades = _with_alpha(paint.colors, suited_alpha if alpha is None and size is None else alpha)
        kept = _arrays.finite_rows(across, up, radii)
        if kept is not None:
            if not _skips(invalid):
                raise ValueError(f"x, y or size is not finite in row {int(np.argmin(kept))}; invalid='skip' leaves it out")
            across, up = across[kept], up[kept]
            radii, shades = _kept(radii, kept), _kept(shades, kept)
        largest = float(np.max(radii, initial=0.0))
        places, units = _fitted(across, up, largest, width, height)
        facts = _facts(paint, options, pixels_per_unit=1.0 / units)
        picture_options = {**options, "width": width, "height": height}
        return self._core.circles(places, radii, shades, None, "srgb", facts, picture_options, output)

    def density(
        self,
        x: Any,
        y: Any,
        weights: Any = None,
        *,
        data: Any = None,
        colormap: str = "viridis",
        scale: Literal["linear", "sqrt", "log"] = "log",
        extent: tuple[float, float, float, float] | None = None,
        vmin: float | None = None,
        vmax: float | None = None,
        width: int | None = None,
        height: int | None = None,
        background: _colors.Color | None = None,
    ) -> Image:
        """Draws how dense points are; see :func:`roundel.density`."""
        across, up = _column("x", x, data), _column("y", y, data)
        if len(across) != len(up):
            raise ValueError(f"x and y must be of the same length, got {len(across)} and {len(up)}")
        heavy = None if weights is None else _column("weights", weights, data)
        if heavy is not None and len(heavy) != len(across):
            raise ValueError(f"weights must be ({len(across)},) as x is, got shape {heavy.shape}")
        if scale not in ("linear", "sqrt", "log"):
            raise ValueError(f"scale must be 'linear', 'sqrt' or 'log', got {scale!r}")
        size = _size({"width": width, "height": height})
        if extent is None:
            x, y, units = _equal_scale(_bounds(across), _bounds(up), *size)
            half = 0.5 * size[0] * units, 0.5 * size[1] * units
            box = (x - half[0], x + half[0], y - half[1], y + half[1])
        else:
            left, right, bottom, top = (float(edge) for edge in extent)
            if not (left < right and bottom < top and math.isfinite(right - left) and math.isfinite(top - bottom)):
                raise ValueError(f"extent must be left < right and bottom < top, all finite, got {extent}")
            box = (left, right, bottom, top)
        sums = _roundel.count_by_pixel(across, up, heavy, list(box), list(size))
        return _density_image(sums, colormap, scale, vmin, vmax, background)


def spheres(
    positions: Any,
    radii: Any = None,
    colors: Colors | None = None,
    *,
    colormap: str = "viridis",
    vmin: float | None = None,
    vmax: float | None = None,
    parts: Any = None,
    invalid: Invalid = "raise",
    **options: Unpack[Options],
) -> Image:
    """Draws spheres, with a camera that shows all of them unless options place it.

    Args:
        positions: Centres in world units: (n, 3) numbers, or an object that has particles: ``ase.Atoms``, an MDAnalysis
            ``AtomGroup`` or ``Universe``, a structure of Biotite, gemmi or Biopython, an OVITO ``DataCollection``, a frame
            (pandas, Polars, a dict) with columns x, y and z. A float32 array in C order is borrowed until the picture is
            finished, others are converted.
        radii: In world units: one number, (n,) numbers (float32 is borrowed), or the name of a column of the object. By
            default the radii of the object, van der Waals radii if it has elements, or else radii at which evenly spread
            spheres would just touch.
        colors: One colour (``"steelblue"``, ``"#d62728"`` or a tuple of three numbers from 0 to 1), (n, 3) or (n, 4) colours
            (uint8, which is borrowed, or float from 0 to 1), n colours or names of categories, (n,) values for ``colormap``,
            ``"element"``, or the name of a column. By default the colours of the object, those of its elements, or blue.
        colormap: Name of a colour map for values; :func:`roundel.colormaps` lists them.
        vmin: The value of the map's first colour; the least value by default.
        vmax: The value of the map's last colour; the greatest value by default.
        parts: What each sphere belongs to, such as a chain or a molecule: (n,) names or numbers, or the name of a column.
            Looks with outlines draw them between parts, too.
        invalid: ``"raise"`` refuses positions and radii that are not finite, ``"skip"`` leaves those rows out.
        **options: The options of ``roundel render``, by the same names: ``width``, ``look``, ``samples``, ``ao``, ``eye``,
            ``clip``, ``title``, ``legend``, ``scale_bar`` … and ``arrays``, of ``"depth"``, ``"index"`` and ``"normal"``, which
            the image then has beside its pixels.

    Raises:
        TypeError: An argument is not of numbers, or not known.
        ValueError: A shape, a number or a name is not accepted; the message names it.

    >>> import numpy as np, roundel
    >>> positions = np.random.default_rng(1).normal(size=(1000, 3)).astype(np.float32)
    >>> image = roundel.spheres(positions, radii=0.1, colors=positions[:, 2], colormap="viridis", width=320, height=240)
    >>> np.asarray(image).shape
    (240, 320, 4)
    """
    picture, speed = _options.split("spheres", options)
    return _renderer(speed).spheres(
        positions,
        radii,
        colors,
        colormap=colormap,
        vmin=vmin,
        vmax=vmax,
        parts=parts,
        invalid=invalid,
        **_picture(picture),
    )


def circles(
    xy: Any,
    radii: Any = 1.0,
    colors: Colors = BLUE,
    *,
    stroke: float | None = None,
    blend: Literal["srgb", "linear"] = "srgb",
    colormap: str = "viridis",
    vmin: float | None = None,
    vmax: float | None = None,
    invalid: Invalid = "raise",
    **options: Unpack[Options],
) -> Image:
    """Draws circles on a canvas, each over those before it.

    Args:
        xy: Centres, (n, 2), in pixels from the picture's top-left corner, x to the right, y down.
        radii: In pixels: one number, (n,) numbers, or (n, 2) for ellipses (along x and y).
        colors: As in :func:`roundel.spheres`, without ``"element"`` and columns; alpha is the opacity.
        stroke: Draws outlines of this width in pixels instead of discs.
        blend: Blends sRGB values, as browsers do, or ``"linear"`` light.
        colormap, vmin, vmax, invalid: As in :func:`roundel.spheres`.
        **options: ``width``, ``height``, ``background``, ``view_box``, ``bits``, the marks of a figure (``title``, ``legend``,
            ``scale_bar``, ``trim``, ``scale``, ``dpi``), and the options of performance.

    >>> import numpy as np, roundel
    >>> image = roundel.circles([(16, 12)], radii=8, colors="#d62728", width=32, height=24)
    >>> np.asarray(image)[12, 16].tolist()
    [214, 39, 40, 255]
    """
    picture, speed = _options.split("circles", options)
    return _renderer(speed).circles(
        xy,
        radii,
        colors,
        stroke=stroke,
        blend=blend,
        colormap=colormap,
        vmin=vmin,
        vmax=vmax,
        invalid=invalid,
        **_picture(picture),
    )


def scatter(
    x: Any,
    y: Any,
    size: Any = None,
    color: Colors | None = None,
    *,
    data: Any = None,
    alpha: float | None = None,
    colormap: str = "viridis",
    vmin: float | None = None,
    vmax: float | None = None,
    invalid: Invalid = "skip",
    **options: Unpack[Options],
) -> Image:
    """Draws points of the plane with equal scale on both axes, y upwards, as ``roundel render table.csv`` does.

    Args:
        x, y: (n,) coordinates, or names of columns of ``data``.
        size: Radii in pixels, one or (n,), or the name of a column to which areas are proportional. By default a radius
            and an opacity that suit the number of points.
        color: As ``colors`` of :func:`roundel.spheres`, or the name of a column.
        data: A frame (pandas, Polars, a dict of arrays) in which names are looked up.
        alpha: Opacity from 0 to 1.
        colormap, vmin, vmax: As in :func:`roundel.spheres`.
        invalid: ``"skip"`` leaves out rows with missing or infinite numbers, ``"raise"`` refuses them.
        **options: ``width``, ``height``, ``background``, ``view_box``, ``bits``, the marks of a figure (``title``, ``legend``,
            ``scale_bar``, ``trim``, ``scale``, ``dpi``), and the options of performance.

    >>> import roundel
    >>> frame = {"lon": [2.35, 13.4, -0.1], "lat": [48.9, 52.5, 51.5], "people": [2.1, 3.6, 8.9]}
    >>> roundel.scatter("lon", "lat", size="people", data=frame, width=320, height=240)
    <roundel.Image of 320x240 pixels>
    """
    picture, speed = _options.split("scatter", options)
    return _renderer(speed).scatter(
        x,
        y,
        size,
        color,
        data=data,
        alpha=alpha,
        colormap=colormap,
        vmin=vmin,
        vmax=vmax,
        invalid=invalid,
        **_picture(picture),
    )


def density(
    x: Any,
    y: Any,
    weights: Any = None,
    *,
    data: Any = None,
    colormap: str = "viridis",
    scale: Literal["linear", "sqrt", "log"] = "log",
    extent: tuple[float, float, float, float] | None = None,
    vmin: float | None = None,
    vmax: float | None = None,
    width: int | None = None,
    height: int | None = None,
    background: _colors.Color | None = None,
) -> Image:
    """Draws how many points lie in each pixel, for any number of points.

    Args:
        x, y: (n,) coordinates, or names of columns of ``data``; y upwards. Rows with missing numbers are left out.
        weights: (n,) weights that are added up instead of counting, or the name of a column.
        data: A frame in which names are looked up.
        colormap: Name of a colour map.
        scale: How sums become colours: ``"linear"``, ``"sqrt"`` or ``"log"`` (of one more than the sum).
        extent: Left, right, bottom and top edge; by default the box of all points, with equal scale on both axes.
        vmin, vmax: Sums of the first and the last colour; by default 0 and the greatest.
        width, height: Size in pixels, 1280 by 960 by default.
        background: The colour of pixels without points; white by default.

    >>> import numpy as np, roundel
    >>> x, y = np.random.default_rng(1).normal(size=(2, 100_000))
    >>> roundel.density(x, y, width=320, height=240)
    <roundel.Image of 320x240 pixels>
    """
    return _renderer({}).density(
        x,
        y,
        weights,
        data=data,
        colormap=colormap,
        scale=scale,
        extent=extent,
        vmin=vmin,
        vmax=vmax,
        width=width,
        height=height,
        background=background,
    )


def render(scene: Scene, **options: Unpack[RenderOptions]) -> Image:
    """Draws a scene that :func:`roundel.read` has read, with the marks of its figure.

    Args:
        scene: The scene.
        **options: ``bits``, 8 or 16 a channel; ``arrays``, of ``"depth"``, ``"index"`` and ``"normal"``, which the image then
            has beside its pixels; and the options of performance, as in :class:`Renderer`.

    >>> import numpy as np, roundel
    >>> scene = roundel.read("../docs/scenes/caffeine.xyz", width=320, height=240, title="caffeine")
    >>> image = roundel.render(scene, bits=16, arrays=("depth", "index"))
    >>> image.pixels.dtype, image.depth.shape == image.shape[:2]
    (dtype('uint16'), True)
    >>> int(image.index[0, 0]), float(image.depth[0, 0])
    (-1, inf)
    """
    output, speed = _options.split("render", options, accepted=_options.OUTPUT)
    return _renderer(speed).render(scene, **cast(OutputOptions, output))


def _renderer(speed: dict[str, Any]) -> Renderer:
    return Renderer(**cast(PerformanceOptions, speed))


def _picture(options: dict[str, Any]) -> DrawingOptions:
    return cast(DrawingOptions, options)


def _skips(invalid: str) -> bool:
    if invalid not in ("raise", "skip"):
        raise ValueError(f"invalid must be 'raise' or 'skip', got {invalid!r}")
    return invalid == "skip"


def _kept(values: Any, kept: npt.NDArray[np.bool_]) -> Any:
    return values[kept] if isinstance(values, np.ndarray) else values


def _sphere_radii(given: _objects.Particles, radii: Any, centers: npt.NDArray[np.float32]) -> Any:
    if isinstance(radii, str):
        if radii == "vdw":
            if given.elements is None:
                raise ValueError("radii 'vdw' is for objects with elements; positions has none")
            return _element_radii(given.elements)
        return _object_column(given, "radii", radii)
    if radii is not None:
        return radii
    if given.radii is not None:
        return given.radii
    if given.elements is not None:
        return _element_radii(given.elements)
    return _roundel.default_radius(centers)


def _sphere_paint(
    given: _objects.Particles, colors: Any, count: int, colormap: str, vmin: float | None, vmax: float | None
) -> Paint:
    label = None
    if colors is None:
        colors = given.colors
        if colors is None:
            return Paint(BLUE) if given.elements is None else _element_paint(given.elements)
    elif isinstance(colors, str) and colors == "element":
        if given.elements is None:
            raise ValueError("colors 'element' is for objects with elements; positions has none")
        return _element_paint(given.elements)
    elif isinstance(colors, str) and given.column is not None and not colors.startswith("#"):
        try:
            label, found = colors, np.asarray(given.column("colors", colors))
        except ValueError:
            if not _colors.is_color(colors):
                raise
            return Paint(colors)
        if found.dtype.kind in "OUST" and len(found) and not str(found[0]).startswith("#"):
            # names, such as those of chains: a colour for each
            return _colors.categories(label, found)
        colors = found
    return _colors.prepare(colors, count, colormap=colormap, vmin=vmin, vmax=vmax, label=label)


def _scatter_paint(
    color: Any, data: Any, count: int, colormap: str, vmin: float | None, vmax: float | None
) -> Paint:
    label = None
    if isinstance(color, str) and not color.startswith("#"):
        columns = None if data is None else _objects.frame_columns(data)
        if (columns is not None and color in columns) or not _colors.is_color(color):
            label, color = color, _named("color", color, data)
            found = np.asarray(color)
            if found.dtype.kind in "OUST" and len(found) and not str(found[0]).startswith("#"):
                return _colors.categories(label, found)
    color = BLUE if color is None else color
    return _colors.prepare(color, count, colormap=colormap, vmin=vmin, vmax=vmax, name="color", label=label)


def _facts(
    paint: Paint,
    options: dict[str, Any],
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


def _cell(given: _objects.Particles, options: dict[str, Any]) -> list[list[float]] | None:
    """A corner of the periodic box and its edges."""
    if given.cell is None:
        if options.get("cell"):
            raise ValueError("cell is for objects with a periodic box; positions has none")
        return None
    box: list[list[float]] = given.cell.tolist()
    return box


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
        raise ValueError(f"{argument} {name!r} is neither a colour nor a number, and positions has no columns")
    return given.column(argument, name)


def _element_radii(elements: list[Any]) -> npt.NDArray[np.float32]:
    different, index = np.unique(np.asarray(elements), return_inverse=True)
    looks = _roundel.element_looks(different.tolist())
    return np.array([radius for _, radius, _ in looks], dtype=np.float32).reshape(-1)[index.reshape(-1)]


def _element_paint(elements: list[Any]) -> Paint:
    different, first, index = np.unique(np.asarray(elements), return_index=True, return_inverse=True)
    looks = _roundel.element_looks(different.tolist())
    index = index.reshape(-1)
    names = [symbol for symbol, _, _ in looks]
    colors = np.array([color for _, _, color in looks], dtype=np.uint8).reshape(-1, 3)
    return Paint(colors[index], lambda: _colors.category_key("element", names, colors, first, index))


def _refuse_sphere_options(function: str, options: dict[str, Any]) -> None:
    for name in options:
        if name not in _options.FLAT:
            raise TypeError(f"{function}() does not take {name!r}, which is for spheres")


def _column(name: str, value: Any, data: Any) -> npt.NDArray[np.float64]:
    return _arrays.column(name, _named(name, value, data) if isinstance(value, str) else value)


def _named(argument: str, name: str, data: Any) -> Any:
    if data is None:
        raise TypeError(f"{argument} names the column {name!r}, but data is not given")
    return _objects.frame_column(argument, data, name)


def _size(options: Any) -> tuple[int, int]:
    sides: list[int] = []
    for name, usual in (("width", 1280), ("height", 960)):
        value = options.get(name)
        try:
            side = usual if value is None else int(value.__index__())
        except AttributeError:
            raise TypeError(f"{name} must be a whole number of pixels, got {value!r}") from None
        if not 1 <= side < 1 << 30:
            raise ValueError(f"{name} must be 1 pixel or more and below 2^30, got {side}")
        sides.append(side)
    return sides[0], sides[1]


def _suited_look(count: int, width: int, height: int) -> tuple[float, float]:
    """Radius in pixels and opacity that suit a number of points, as those of tables on the command line."""
    room = width * height / max(count, 1)
    radius = min(max(0.42 * room**0.35, 0.75), 8.0)
    return radius, min(max(0.25 * room / (math.pi * radius * radius), 0.02), 0.65)


def _radii_of_areas(areas: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Radii from 0 to 24 pixels, so that areas are proportional to the values; NaN for negative ones."""
    finite = areas[np.isfinite(areas)]
    greatest = float(finite.max(initial=0.0)) or 1.0
    with np.errstate(invalid="ignore"):
        return (24.0 * np.sqrt(areas / greatest)).astype(np.float32)


def _with_alpha(paint: str | npt.NDArray[np.uint8], alpha: float | None) -> str | npt.NDArray[np.uint8]:
    if alpha is None:
        return paint
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha must be 0 to 1, got {alpha}")
    byte = int(255 * alpha + 0.5)
    if isinstance(paint, str):
        red, green, blue, _ = _colors.channels("color", paint)
        return f"#{red:02x}{green:02x}{blue:02x}{byte:02x}"
    full = np.full((len(paint), 4), byte, dtype=np.uint8)
    full[:, :3] = paint[:, :3]
    return full


def _bounds(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)


def _equal_scale(
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


def _fitted(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], largest: float, width: int, height: int
) -> tuple[npt.NDArray[np.float32], float]:
    """Pixels of points of the plane, and data units per pixel: all are shown, with a margin."""
    shorter = min(width, height)
    margin = MARGIN * shorter + min(largest, 0.25 * shorter)
    middle_x, middle_y, units = _equal_scale(_bounds(x), _bounds(y), width, height, margin)
    places = np.empty((len(x), 2), dtype=np.float32)
    places[:, 0] = 0.5 * width + (x / units - middle_x / units)
    places[:, 1] = 0.5 * height - (y / units - middle_y / units)
    return places, units


def _density_image(
    sums: npt.NDArray[np.float64],
    colormap: str,
    scale: str,
    vmin: float | None,
    vmax: float | None,
    background: _colors.Color | None,
) -> Image:
    empty = sums == 0
    least = 0.0 if vmin is None else float(vmin)
    greatest = float(sums.max(initial=0.0)) if vmax is None else float(vmax)
    values, limits = sums.reshape(-1), np.array([least, greatest])
    if scale != "linear":
        # sums of negative weights
        values, limits = np.maximum(values, 0.0), np.maximum(limits, 0.0)
        function = np.sqrt if scale == "sqrt" else _roundel.log1p
        values, limits = function(values), function(limits)
    paint = _colors.map_values("sums", values, colormap=colormap, vmin=float(limits[0]), vmax=float(limits[1]))
    pixels = paint.reshape(*sums.shape, 4)
    pixels[empty] = _colors.channels("background", _colors.one_color("background", background or "#ffffff"))
    return Image(pixels)
