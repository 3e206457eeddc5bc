"""The keyword arguments of all drawing functions: the options of the command line, by the same names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from ._colors import Color, one_color

__all__ = ["Options", "PerformanceOptions", "PictureOptions", "split"]

Vector = Sequence[float]


class PictureOptions(TypedDict, total=False):
    """Options that name the picture. ``None`` is the same as leaving an option out."""

    width: int | None
    """Columns of pixels. Without a height the picture keeps its shape."""
    height: int | None
    """Rows of pixels. Without a width the picture keeps its shape."""
    background: Color | None
    """The colour behind everything; white by default."""
    view_box: Vector | None
    """Only this part of the picture, its centre and height in pixels of the whole picture (circles)."""
    samples: int | None
    """Samples per pixel (spheres)."""
    look: str | None
    """The look, a set of numbers for shading: ``"illustrative"``, ``"studio"``, ``"flat"`` or ``"headlight"`` (spheres)."""
    ao_strength: float | None
    """How much of the ambient light occlusion can take away, 0 to 1 (spheres)."""
    key: float | None
    """Intensity of the key light, over the camera's left shoulder (spheres)."""
    fill: float | None
    """Intensity of the fill light, beside the camera (spheres)."""
    key_angle: float | None
    """Degrees across the key light; 0 casts hard shadows (spheres)."""
    fog: float | None
    """How much fog hides what is farthest, 0 to 1 (spheres)."""
    fog_start: float | None
    """Where fog begins, from 0 at the front of the spheres to 1 at their back (spheres)."""
    outline_width: float | None
    """Width of outlines in pixels; 0 draws none (spheres)."""
    outline_depth: float | None
    """Least jump in depth that is outlined, in pixels (spheres)."""
    outline_color: Color | None
    """Colour of outlines (spheres)."""
    view: str | None
    """The side to look from: ``"front"``, ``"top"``, ``"iso"`` … (spheres)."""
    azimuth: float | None
    """Degrees by which the eye goes around to the right (spheres)."""
    elevation: float | None
    """Degrees by which the eye then goes up (spheres)."""
    roll: float | None
    """Degrees by which the picture then turns counter-clockwise (spheres)."""
    zoom: float | None
    """How many times as large everything is drawn (spheres)."""
    cloud_radius: float | None
    """Spheres of less than half this radius in pixels are lit together (spheres)."""
    ao: str | int | None
    """Ambient occlusion: ``"smooth"``, ``"off"`` or a number of rays per sample (spheres)."""
    ao_distance: float | None
    """Spheres farther away than this do not occlude, in world units (spheres)."""
    shadows: bool | None
    """Whether lights cast shadows (spheres)."""
    ambient: float | None
    """Light that comes from everywhere, 0 to 1 (spheres)."""
    seed: int | None
    """Seed of all random numbers (spheres)."""
    eye: Vector | None
    """Position of the eye (spheres)."""
    target: Vector | None
    """The point at the centre of the picture (spheres)."""
    up: Vector | None
    """The direction that points up in the picture (spheres)."""
    fov: float | None
    """Vertical field of view in degrees (spheres)."""
    ortho: bool | None
    """Whether rays are parallel (spheres)."""
    ortho_height: float | None
    """Parallel rays, and the height of the picture in world units (spheres)."""


class FileOptions(PictureOptions, total=False):
    """Options of :func:`roundel.read`, which also say how a data file is drawn."""

    x: str | None
    """Column of x coordinates (tables)."""
    y: str | None
    """Column of y coordinates (tables)."""
    r: str | None
    """Column that sets areas, or radii if it is named r or radius (tables)."""
    color: str | None
    """Column that sets colours (tables)."""
    color_by: str | None
    """``"element"``, ``"chain"``, ``"residue"``, ``"index"``, a column, or one colour."""
    palette: str | None
    """A map of separate colours, for categories."""
    colormap: str | None
    """A ramp of colours, for numbers."""
    color_range: str | None
    """Which numbers are at the ends of the ramp: ``"A,B"``, or percentiles as ``"p2,p98"``."""
    color_scale: str | None
    """How numbers are spread over the ramp: ``"linear"``, ``"log"`` or ``"sqrt"``."""
    radius: float | str | None
    """A number, a column, or ``"vdw"``."""
    assembly: int | None
    """The number of the biological assembly to build."""
    frame: int | None
    """The frame or model of several, counted from 0."""
    only: str | None
    """A selection of rows to draw, as in ``"chain A and not water"``."""
    hide: str | None
    """A selection of rows to leave out."""
    highlight: Mapping[str, Color] | Iterable[tuple[str, Color]] | None
    """Selections and their colours; the last that holds a row counts."""
    format: str | None
    """The format of the file, whatever its name and content."""


class PerformanceOptions(TypedDict, total=False):
    """Options that change time and memory, and no pixel."""

    threads: int | None
    """Number of threads; one per processor by default."""
    tile: int | None
    """Side of the square tiles that are drawn one by one, 8 to 1024 pixels."""
    simd: str | None
    """Instruction set: ``"auto"``, ``"sse2"``, ``"avx2"`` …"""
    no_cull: bool | None
    """Test every shape against every tile."""
    limit_pixels: int | None
    """The most pixels of a picture."""
    limit_shapes: int | None
    """The most shapes of a scene."""
    limit_memory: int | None
    """The most bytes for shapes and pixels."""


class Options(PictureOptions, PerformanceOptions, total=False):
    """All options of the drawing functions."""


class ReadOptions(FileOptions, PerformanceOptions, total=False):
    """All options of :func:`roundel.read`."""


PICTURE = tuple(PictureOptions.__annotations__)
FILE = tuple(FileOptions.__annotations__)
PERFORMANCE = tuple(PerformanceOptions.__annotations__)


def split(
    function: str, options: Mapping[str, Any], *, accepted: tuple[str, ...] = PICTURE, performance: bool = True
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Separates options of the picture from those of performance, and refuses unknown ones."""
    picture: dict[str, Any] = {}
    speed: dict[str, Any] = {}
    known = accepted + (PERFORMANCE if performance else ())
    for name, value in options.items():
        if name not in known:
            raise unknown(function, name, known)
        if value is None:
            continue
        if name in PERFORMANCE:
            speed[name] = value
        elif name in ("background", "outline_color"):
            picture[name] = one_color(name, value)
        elif name == "highlight":
            picture[name] = _highlights(name, value)
        else:
            picture[name] = value
    return picture, speed


def unknown(function: str, name: str, known: Sequence[str]) -> TypeError:
    """The exception for an argument that a function does not have."""
    if name in PERFORMANCE:
        return TypeError(f"{function}() does not take {name!r}: give it to Renderer()")
    if name in FILE:
        return TypeError(f"{function}() does not take {name!r}, which is for data files: see roundel.read")
    near = difflib.get_close_matches(name, [*known, "positions", "radii", "colors", "colormap"], 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


def _highlights(name: str, value: Any) -> list[tuple[str, str]]:
    try:
        pairs = [(selection, color) for selection, color in (value.items() if isinstance(value, Mapping) else value)]
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a dict or pairs of selections and colours, got {value!r}") from None
    return [(selection, one_color(name, color)) for selection, color in pairs]
