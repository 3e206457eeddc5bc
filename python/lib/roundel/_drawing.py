"""Drawing arrays: spheres, circles, scatter plots and densities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from . import _arrays, _colors, _files, _options, _particles, _plane, _roundel, _warnings
from ._colors import Colors
from ._options import DrawingOptions, Options, PerformanceOptions, RenderOptions, SceneOptions
from ._plane import Statistic
from ._roundel import Image, Scene
from ._particles import BLUE
from ._typing import Array, Positions, Unpack

__all__ = ["Renderer", "circles", "density", "render", "scatter", "sphere_scene", "spheres"]

Invalid = Literal["raise", "skip"]


class Renderer:
    """Draws many pictures with the same threads and buffers.

    Its methods are the functions of the same names without the options of performance, which are given here. Several
    threads of Python may use one renderer at the same time. A copy, or a renderer from a pickle, has the same options.

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
        _, self._speed = _options.split("Renderer", performance, accepted=())
        self._core = _roundel.Renderer(**self._speed)

    def __reduce__(self) -> tuple[Any, ...]:
        return _renderer, (self._speed,)

    def render(self, scene: Scene, **options: Unpack[SceneOptions]) -> Image:
        """Draws a scene; see :func:`roundel.render`."""
        picture, _ = _options.split("Renderer.render", options, accepted=_options.SCENE, performance=False)
        output = _options.output(picture)
        if not isinstance(scene, Scene):
            raise TypeError(f"scene must be a Scene, which roundel.read returns, got {type(scene).__name__}")
        image = None
        if picture and _files.CAMERA.issuperset(picture):
            image = self._core.render_from(scene, _files.merged(scene, picture), output)
        if image is None:
            image = self._core.render(_files.changed(scene, picture) if picture else scene, output)
        return _warnings.blank(image)

    def spheres(
        self,
        positions: Positions,
        radii: Array | None = None,
        colors: Colors | None = None,
        *,
        parts: Array | None = None,
        invalid: Invalid = "raise",
        **options: Unpack[DrawingOptions],
    ) -> Image:
        """Draws spheres; see :func:`roundel.spheres`."""
        picture, paints = _split("spheres", options)
        output = _options.output(picture)
        given = _particles.SphereArrays(positions, radii, colors, parts, invalid, picture, paints)
        image = self._core.spheres(
            given.centers, given.radii, given.colors, given.parts, given.are_atoms, given.facts, picture, output, given.rows
        )
        _warnings.remote(image, given.centers, given.radii, picture)
        return _warnings.blank(image)

    def circles(
        self,
        positions: Array,
        radii: Array = 1.0,
        colors: Colors | None = None,
        *,
        stroke: float | None = None,
        blend: Literal["srgb", "linear"] = "srgb",
        invalid: Invalid = "raise",
        **options: Unpack[DrawingOptions],
    ) -> Image:
        """Draws circles; see :func:`roundel.circles`."""
        picture, paints = _split("circles", options)
        output = _options.output(picture)
        skip = _particles.skips(invalid)
        width, height = _plane.size_of(picture)
        picture = {**picture, "width": width, "height": height}
        centers = _arrays.positions("positions", positions, 2)
        count = len(centers)
        sizes = _arrays.radii("radii", radii, count, axes=True)
        if stroke is not None:
            stroke = _arrays.number("stroke", stroke)
            if stroke < 0:
                raise ValueError(f"stroke must be finite and not negative, got {stroke}")
        paint = _colors.prepare(BLUE if colors is None else colors, count, paints)
        facts = _particles.facts(paint, picture)
        shades = _particles.faded(paint.colors, _particles.checked_opacity(paints.get("opacity"), count), count)
        if skip:
            kept = _arrays.finite_rows(centers, sizes)
            if kept is not None:
                centers, sizes, shades = centers[kept], _particles.kept_rows(sizes, kept), _particles.kept_rows(shades, kept)
        return _warnings.blank(self._core.circles(centers, sizes, shades, stroke, blend, facts, picture, output))

    def scatter(
        self,
        x: Array,
        y: Array,
        radii: Array | None = None,
        colors: Colors | None = None,
        *,
        data: Any = None,
        invalid: Invalid | None = None,
        **options: Unpack[DrawingOptions],
    ) -> Image:
        """Draws points of the plane; see :func:`roundel.scatter`."""
        across, up = _columns(x, y, data)
        picture, paints = _split("scatter", options)
        output = _options.output(picture)
        count = len(across)
        width, height = _plane.size_of(picture)
        paint = _plane.scatter_paint(colors, data, count, paints)
        suited_radius, suited_opacity = _plane.suited_look(count, width, height, has_meaning=paint.key is not None)
        if isinstance(radii, str):
            sizes: float | npt.NDArray[np.float32] = _plane.radii_of_areas(_plane.column("radii", radii, data))
        else:
            sizes = _arrays.radii("radii", suited_radius if radii is None else radii, count)
        opacity = paints.get("opacity")
        if isinstance(opacity, str):
            opacity = _plane.column("opacity", opacity, data)
        opacity = suited_opacity if opacity is None and radii is None else opacity
        shades = _particles.faded(paint.colors, _particles.checked_opacity(opacity, count), count)
        kept = _arrays.finite_rows(across, up, sizes)
        if kept is not None:
            if not _particles.skips(invalid or "skip"):
                raise ValueError(f"x, y or radii is not finite in row {int(np.argmin(kept))}; invalid='skip' leaves it out")
            across, up = across[kept], up[kept]
            sizes, shades = _particles.kept_rows(sizes, kept), _particles.kept_rows(shades, kept)
            if invalid is None:
                _warnings.left_out(count - len(across), count, "x, y or radii is not finite, or a radius is negative")
        largest = float(np.max(sizes, initial=0.0))
        box = _plane.bounds(across), _plane.bounds(up)
        places, units = _plane.fitted(across, up, box, largest, width, height)
        if not _warnings.crowded(places[:, 0], places[:, 1]):
            _warnings.unequal(*box)
        facts = _particles.facts(paint, picture, pixels_per_unit=1.0 / units)
        picture = {**picture, "width": width, "height": height}
        return self._core.circles(places, sizes, shades, None, "srgb", facts, picture, output)

    def density(
        self,
        x: Array,
        y: Array,
        weights: Array | None = None,
        *,
        radii: Array | None = None,
        data: Any = None,
        statistic: Statistic | None = None,
        extent: tuple[float, float, float, float] | None = None,
        **options: Unpack[DrawingOptions],
    ) -> Image:
        """Draws how dense points are; see :func:`roundel.density`."""
        across, up = _columns(x, y, data)
        heavy = None if weights is None else _plane.column("weights", weights, data)
        if heavy is not None and len(heavy) != len(across):
            raise ValueError(f"weights must be ({len(across)},) as x is, got shape {heavy.shape}")
        sizes = None if radii is None else _plane.disc_radii(radii, data, len(across))
        kept = _arrays.known_rows(across, up, heavy, sizes if sizes is not None and len(sizes) == len(across) else None)
        if kept is not None:
            _warnings.left_out(int(np.count_nonzero(~kept)), len(kept), "x, y, weights or radii is not finite")
            across, up = across[kept], up[kept]
            heavy, sizes = (column if column is None or len(column) < len(kept) else column[kept] for column in (heavy, sizes))
        kind = statistic or ("mass" if sizes is not None else "count" if heavy is None else "sum")
        if kind not in ("count", "sum", "mean", "max", "min", "mass"):
            raise ValueError(f"statistic must be 'count', 'sum', 'mean', 'max', 'min' or 'mass', got {statistic!r}")
        if heavy is None and kind not in ("count", "mass"):
            raise ValueError(f"statistic {kind!r} needs weights")
        if (sizes is None) != (kind != "mass"):
            raise ValueError(f"radii are for statistic 'mass', and 'mass' needs them, got {kind!r}")
        picture, paints = _split("density", options)
        size = _plane.size_of(picture)
        edges = _plane.extent_of(across, up, extent, size, 0.0 if sizes is None else float(np.max(sizes, initial=0.0)))
        if sizes is None:
            values = _roundel.statistic_by_pixel(across, up, heavy, list(edges), list(size), kind)
        else:
            _plane.check_equal_scale(edges, size)
            values = _roundel.mass_by_pixel(across, up, sizes, heavy, list(edges), list(size))
        _warnings.scarce(values, len(across))
        column = weights if isinstance(weights, str) else "weights"
        counted = {"count": "points per pixel", "mass": "discs per pixel" if heavy is None else f"{column} per pixel"}
        label = counted.get(kind, f"{kind} of {column}")
        pixels, paint = _plane.values_paint(values, label, picture.get("background"), paints)
        units = (edges[1] - edges[0]) / size[0]
        facts = _particles.facts(paint, picture, pixels_per_unit=1.0 / units)
        return self._core.density(pixels, values, list(edges), facts, picture)


def sphere_scene(
    positions: Positions,
    radii: Array | None = None,
    colors: Any = None,
    *,
    parts: Array | None = None,
    invalid: Invalid = "raise",
    **options: Any,
) -> tuple[Scene, _particles.SphereArrays]:
    """The scene that :func:`spheres` draws, which holds a copy of the arrays, and the arrays."""
    everything, speed = _options.split("show", options, accepted=_options.DRAWING)
    picture, paints = _options.paints(everything)
    given = _particles.SphereArrays(positions, radii, colors, parts, invalid, picture, paints)
    core = _roundel.Renderer(**speed)
    scene = core.sphere_scene(given.centers, given.radii, given.colors, given.parts, given.are_atoms, given.facts, picture)
    return scene, given


def spheres(
    positions: Positions,
    radii: Array | None = None,
    colors: Colors | None = None,
    *,
    parts: Array | None = None,
    invalid: Invalid = "raise",
    **options: Unpack[Options],
) -> Image:
    """Draws spheres, with a camera that shows all of them unless options place it.

    Args:
        positions: Centres in world units: (n, 3) numbers, or an object that has particles: ``ase.Atoms``, an MDAnalysis
            ``AtomGroup`` or ``Universe``, a structure of Biotite, gemmi or Biopython, an OVITO ``DataCollection``, a frame
            (pandas, Polars, a dict) with columns x, y and z. A float32 array in C order is borrowed until the picture is
            finished, others are converted. float64 positions far from the origin keep their precision.
        radii: In world units: one number, (n,) numbers (float32 is borrowed), or the name of a column of the object. By
            default the radii of the object, van der Waals radii if it has elements, or else radii at which evenly spread
            spheres would just touch.
        colors: One colour (``"steelblue"``, ``"#d62728"`` or a tuple of three numbers from 0 to 1), (n, 3) or (n, 4) colours
            (uint8, which is borrowed, or float from 0 to 1), n colours or names of categories, (n,) values for ``colormap``,
            ``"element"``, or the name of a column. Booleans, categorical columns of pandas and Polars, and numbers for which there
            is a ``palette`` are categories. By default the colours of the object, those of its elements, or blue.
        parts: What each sphere belongs to, such as a chain or a molecule: (n,) names or numbers, or the name of a column.
            Looks with outlines draw them between parts, too.
        invalid: ``"raise"`` refuses positions and radii that are not finite, ``"skip"`` leaves those rows out.
        **options: As follows.

    Raises:
        TypeError: An argument is not of numbers, or not known.
        ValueError: A shape, a number or a name is not accepted; the message names it.

    >>> import numpy as np, roundel
    >>> positions = np.random.default_rng(1).normal(size=(1000, 3)).astype(np.float32)
    >>> image = roundel.spheres(positions, radii=0.1, colors=positions[:, 2], colormap="viridis", width=320, height=240)
    >>> np.asarray(image).shape
    (240, 320, 4)
    """
    rest, speed = _speed("spheres", options)
    return _renderer(speed).spheres(positions, radii, colors, parts=parts, invalid=invalid, **rest)


def circles(
    positions: Array,
    radii: Array = 1.0,
    colors: Colors | None = None,
    *,
    stroke: float | None = None,
    blend: Literal["srgb", "linear"] = "srgb",
    invalid: Invalid = "raise",
    **options: Unpack[Options],
) -> Image:
    """Draws circles on a canvas, each over those before it.

    Args:
        positions: Centres, (n, 2), in pixels from the picture's top-left corner, x to the right, y down.
        radii: In pixels: one number, (n,) numbers, or (n, 2) for ellipses (along x and y).
        colors: As in :func:`roundel.spheres`, without ``"element"`` and columns; alpha is the opacity.
        stroke: Draws outlines of this width in pixels instead of discs.
        blend: Blends sRGB values, as browsers do, or ``"linear"`` light.
        invalid: ``"raise"`` refuses positions and radii that are not finite, ``"skip"`` leaves those rows out.
        **options: As follows.

    >>> import numpy as np, roundel
    >>> image = roundel.circles([(16, 12)], radii=8, colors="#d62728", width=32, height=24)
    >>> np.asarray(image)[12, 16].tolist()
    [214, 39, 40, 255]
    """
    rest, speed = _speed("circles", options)
    return _renderer(speed).circles(positions, radii, colors, stroke=stroke, blend=blend, invalid=invalid, **rest)


def scatter(
    x: Array,
    y: Array,
    radii: Array | None = None,
    colors: Colors | None = None,
    *,
    data: Any = None,
    invalid: Invalid | None = None,
    **options: Unpack[Options],
) -> Image:
    """Draws points of the plane with equal scale on both axes, y upwards, as ``roundel render table.csv`` does.

    Args:
        x, y: (n,) coordinates, or names of columns of ``data``.
        radii: In pixels, one or (n,), or the name of a column to which areas are proportional. By default a radius
            and an opacity that suit the number of points.
        colors: As in :func:`roundel.spheres`, or the name of a column.
        data: A frame (pandas, Polars, a dict of arrays) in which names are looked up.
        invalid: ``"skip"`` leaves out rows with missing or infinite numbers, ``"raise"`` refuses them. By default they are left
            out with a warning.
        **options: As follows.

    >>> import roundel
    >>> frame = {"lon": [2.35, 13.4, -0.1], "lat": [48.9, 52.5, 51.5], "people": [2.1, 3.6, 8.9]}
    >>> roundel.scatter("lon", "lat", radii="people", data=frame, width=320, height=240)
    <roundel.Image of 320x240 pixels>
    """
    rest, speed = _speed("scatter", options)
    return _renderer(speed).scatter(x, y, radii, colors, data=data, invalid=invalid, **rest)


def density(
    x: Array,
    y: Array,
    weights: Array | None = None,
    *,
    radii: Array | None = None,
    data: Any = None,
    statistic: Statistic | None = None,
    extent: tuple[float, float, float, float] | None = None,
    **options: Unpack[Options],
) -> Image:
    """Draws how many points lie in each pixel, or what a column of theirs comes to, for any number of points.

    Args:
        x, y: (n,) coordinates, or names of columns of ``data``; y upwards. Rows with missing numbers are left out.
        weights: (n,) numbers for every statistic but ``"count"``, or the name of a column.
        radii: In the units of x and y, one or (n,), or the name of a column: each weight (1 without any) is spread over the exact
            area of a disc.
        data: A frame in which names are looked up.
        statistic: ``"count"`` (without weights), ``"sum"`` (with weights), ``"mean"``, ``"max"`` or ``"min"`` by pixel, or
            ``"mass"`` (with radii): the sum over all pixels is the sum of the weights.
        extent: Left, right, bottom and top edge; by default the box of all points or discs, with equal scale on both axes.
        **options: As follows. ``color_scale`` is ``"log"`` by default where all numbers are positive.

    Returns:
        The picture; its ``values`` are the numbers by pixel, NaN where there are no points, and its ``extent`` the edges.

    >>> import numpy as np, roundel
    >>> x, y = np.random.default_rng(1).normal(size=(2, 100_000))
    >>> image = roundel.density(x, y, width=320, height=240)
    >>> float(np.nansum(image.values))
    100000.0
    >>> mass = roundel.density(x, y, radii=0.02, width=320, height=240)
    >>> round(float(np.nansum(mass.values)), 6)
    100000.0
    """
    rest, speed = _speed("density", options)
    return _renderer(speed).density(x, y, weights, radii=radii, data=data, statistic=statistic, extent=extent, **rest)


def render(scene: Scene, **options: Unpack[RenderOptions]) -> Image:
    """Draws a scene of :func:`roundel.read` or :mod:`roundel.scenes` with the marks of its figure, as ``scene.render()`` does.

    Args:
        scene: The scene.
        **options: As follows. They take the place of the scene's. The picture keeps its size. Other cameras need no reading;
            for other options of the picture the scene's file is read again.

    >>> import numpy as np, roundel
    >>> scene = roundel.read("../docs/scenes/caffeine.xyz", width=320, height=240, title="caffeine")
    >>> image = roundel.render(scene, bits=16, arrays=("depth", "index"))
    >>> image.pixels.dtype, image.depth.shape == image.shape[:2]
    (dtype('uint16'), True)
    >>> int(image.index[0, 0]), float(image.depth[0, 0])
    (-1, inf)
    >>> roundel.render(scene, azimuth=30, title=None) == image
    False
    """
    picture, speed = _options.split("render", options, accepted=_options.SCENE)
    return _renderer(speed).render(scene, **cast(SceneOptions, picture))


def _renderer(speed: Mapping[str, Any]) -> Renderer:
    return Renderer(**cast(PerformanceOptions, speed))


def _speed(function: str, options: Mapping[str, Any]) -> tuple[DrawingOptions, dict[str, Any]]:
    """Takes the options of performance out of others, which are checked later."""
    speed = {name: options[name] for name in _options.PERFORMANCE if options.get(name) is not None}
    rest = {name: value for name, value in options.items() if name not in _options.PERFORMANCE}
    _options.check(function, rest)
    return cast(DrawingOptions, rest), speed


def _split(function: str, options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options of the picture, and those of colours."""
    everything, _ = _options.split(function, options, performance=False)
    return _options.paints(everything)


def _columns(x: Any, y: Any, data: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    across, up = _plane.column("x", x, data), _plane.column("y", y, data)
    if len(across) != len(up):
        raise ValueError(f"x and y must be of the same length, got {len(across)} and {len(up)}")
    return across, up
