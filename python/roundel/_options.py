"""The keyword arguments of all drawing functions: the options of the command line, by the same names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict, get_args

import numpy as np

from ._colors import Color, one_color

__all__ = ["DrawingOptions", "Options", "PerformanceOptions", "PictureOptions", "RenderOptions", "output", "split"]

Vector = Sequence[float]


class PictureOptions(TypedDict, total=False):
    """Options that name the picture. ``None`` is the same as leaving an option out."""

    width: int | None
    """Columns of pixels. Without a height the picture keeps its shape."""
    height: int | None
    """Rows of pixels. Without a width the picture keeps its shape."""
    background: Color | None
    """The colour behind everything; white by default."""
    transparent: bool | None
    """Draw on nothing; short for ``background="transparent"``."""
    view_box: Vector | None
    """Only this part of the picture, its centre and height in pixels of the whole picture (circles)."""
    samples: int | None
    """Samples per pixel (spheres)."""
    look: str | None
    """The look, a set of numbers for shading: ``"illustrative"``, ``"studio"``, ``"glossy"``, ``"flat"`` or ``"headlight"`` (spheres)."""
    # numbers of the shading: made by src/io/scene_file/reference/mod.rs
    ao_strength: float | None
    """How much of the ambient light occlusion can take away, from 0 to 1 (spheres)."""
    key: float | None
    """Intensity of the key light, over the camera's left shoulder; a scene's own lights take its place (spheres)."""
    fill: float | None
    """Intensity of the fill light, beside the camera, which casts no shadow (spheres)."""
    key_angle: float | None
    """Angle across the key light, from 0 for hard shadows to 90 (spheres)."""
    rim: float | None
    """Light from behind that grazes the edges of shapes, from 0 to 1, which sets them off against a dark background (spheres)."""
    specular: float | None
    """Strength of highlights, from 0 for matt surfaces to 1; 0.5 is plastic (spheres)."""
    roughness: float | None
    """How blurred highlights are, from 0.1 for small and bright ones to 1 (spheres)."""
    fog: float | None
    """How much fog hides what is farthest, from 0 to 1 (spheres)."""
    fog_start: float | None
    """Where fog begins, from 0 at the front of the spheres to 1 at their back (spheres)."""
    outline_width: float | None
    """Width of outlines, which may be fractional; 0 draws none (spheres)."""
    outline_depth: float | None
    """Draw outlines where the depth jumps by more than this many times the size of a pixel; they are faint at first, and have their full colour where it jumps by twice as much (spheres)."""
    cloud_radius: float | None
    """Light spheres of less than half this radius on the picture together, as the surface that they make up (spheres)."""
    # end of numbers
    outline_color: Color | None
    """Colour of outlines (spheres)."""
    view: str | None
    """The side to look from: ``"front"``, ``"top"``, ``"iso"`` …, or an axis of a file's data: ``"a"``, ``"axis 1 of chain A"`` (spheres)."""
    azimuth: float | None
    """Degrees by which the eye goes around to the right (spheres)."""
    elevation: float | None
    """Degrees by which the eye then goes up (spheres)."""
    roll: float | None
    """Degrees by which the picture then turns counter-clockwise (spheres)."""
    no_orient: bool | None
    """Look from the front, whatever the shape of the data; short for ``view="front"`` (spheres)."""
    zoom: float | None
    """How many times as large everything is drawn (spheres)."""
    ao: str | int | None
    """Ambient occlusion: ``"smooth"``, ``"off"`` or a number of rays per sample (spheres)."""
    ao_distance: float | None
    """Spheres farther away than this do not occlude, in world units (spheres)."""
    shadows: bool | None
    """Whether lights cast shadows (spheres)."""
    ambient: float | None
    """Light that comes from everywhere, 0 to 1 (spheres)."""
    transparency: str | None
    """How translucent spheres are composed: ``"shell"``, ``"surfaces"`` or ``"solid"`` (spheres)."""
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
    clip: str | Sequence[str] | None
    """Planes on one side of which everything is cut away, such as ``"x<12"``, one or several (spheres)."""
    slab: Vector | float | None
    """Two planes that face the camera, between which spheres are drawn: shares of the depth, from 0 at the front, or a thickness around
    the focus or the middle (spheres)."""
    title: str | None
    """Text above the picture."""
    legend: bool | str | None
    """Whether the meaning of the colours stands beside the picture; ``"counts"`` also counts the shapes of each category."""
    legend_title: str | None
    """The name above the colours of the legend, in place of that of the column."""
    legend_unit: str | None
    """The unit of the coloured numbers, which stands behind their name."""
    legend_order: str | None
    """The order of categories: ``"file"``, ``"name"`` or ``"count"``."""
    legend_name: Sequence[tuple[str, str]] | None
    """Entries of the legend, and what they are called."""
    figure_width: str | None
    """Width of the picture and the legend beside it, such as ``"85mm"``."""
    scale_bar: bool | float | None
    """Whether a bar of a round length stands below the picture, or its length; spheres have parallel rays then."""
    axes: bool | None
    """Whether the axes of the world stand below the picture (spheres)."""
    cell: bool | None
    """Whether the edges of the periodic box are drawn; by default where there is one (spheres)."""
    trim: bool | int | None
    """Cut the picture to what it shows, and so many pixels around."""
    scale: float | None
    """So many times as many pixels each way; type and lines grow, too."""
    dpi: float | None
    """Dots per inch, which :meth:`Image.save` writes into files: type of 10 points has its size on paper; 96 by default."""


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
    color_center: float | None
    """The number in the middle of the ramp."""
    color_scale: str | None
    """How numbers are spread over the ramp: ``"linear"``, ``"log"`` or ``"sqrt"``."""
    radius: float | str | None
    """A number, a column, or ``"vdw"``."""
    radius_of: Sequence[tuple[str, float]] | None
    """Selections and their radii; the last that holds a row counts."""
    compute: str | Sequence[str] | None
    """Columns that are computed from others, such as ``"speed = sqrt(vx^2 + vy^2)"``."""
    focus: str | None
    """A selection of rows to look at: they fill the picture, and what is in front of them is cut away."""
    focus_margin: float | None
    """Room around the rows to look at, in world units."""
    same_view: str | None
    """A scene file, or the JSON of ``roundel info``, whose camera, size and planes the picture has."""
    radius_range: Sequence[float] | None
    """The least and the greatest radius, over which the numbers of a column are spread."""
    label: Sequence[tuple[str, str]] | None
    """Selections and the texts beside them, as in ``[("ligand", "{resname} {resid}")]``."""
    grid: str | None
    """Panels across and down, for several files on the command line; refused for one file."""
    assembly: int | None
    """The number of the biological assembly to build."""
    frame: int | None
    """The frame or model of several, counted from 0; -1 is the last."""
    topology: str | None
    """The file with names, elements and residues of a trajectory's atoms: PSF, PRMTOP, or any format of molecules."""
    atom_style: str | None
    """The atom style of LAMMPS data that does not name it."""
    wrap: bool | None
    """Whether what lies outside of the periodic box is moved into it."""
    whole: bool | None
    """Whether molecules that the boundary of the periodic box breaks are joined."""
    unwrap: bool | None
    """Whether particles are moved by their image flags ix, iy and iz."""
    center: str | None
    """A selection that is moved to the middle of the periodic box, and everything else around it."""
    replicate: Sequence[int] | None
    """How many copies of the periodic box are drawn along its edges a, b and c."""
    symmetry: str | None
    """Whether the space group fills the cell of a crystal in CIF (``"cell"``), or not (``"off"``)."""
    style: str | Iterable[tuple[str, str]] | None
    """``"spacefill"``, ``"ball-and-stick"``, ``"sticks"`` or ``"points"``, or selections and their styles; the last that holds a
    row counts."""
    gloss: float | tuple[float, float] | Iterable[tuple[str, Any]] | None
    """Strength of highlights from 0 to 1, a strength and a roughness, or selections and these; the last that holds a row counts."""
    bonds: str | None
    """Where bonds come from: ``"auto"``, ``"file"``, ``"distance"`` or ``"none"``."""
    bond_radius: float | None
    """The radius of sticks."""
    ball_scale: float | None
    """The radius of balls, in radii of their atoms."""
    ellipsoids: float | None
    """The probability that an atom is inside of its thermal ellipsoid."""
    vectors: str | None
    """Columns of vectors, such as ``"vx,vy,vz"`` or ``"forces"``, drawn as arrows."""
    vector_scale: float | None
    """The length of arrows per unit of their vectors."""
    vector_color: str | None
    """``"particle"``, ``"length"`` or a colour."""
    only: str | None
    """A selection of rows to draw, as in ``"chain A and not water"``."""
    hide: str | None
    """A selection of rows to leave out."""
    highlight: Mapping[str, Color] | Iterable[tuple[str, Color]] | None
    """Selections and their colours; the last that holds a row counts."""
    opacity: float | Iterable[tuple[str, float]] | None
    """Opacity from 0 to 1 of all spheres, or of selections; the last that holds a row counts."""
    opacity_by: str | None
    """A column with an opacity from 0 to 1 for each sphere."""
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


Array = Literal["depth", "index", "normal"]


class OutputOptions(TypedDict, total=False):
    """Options of what is returned: the same scene, in more detail."""

    bits: Literal[8, 16] | None
    """Bits a channel: the pixels are uint16 with 16; 8 by default."""
    arrays: Sequence[Array] | Array | None
    """Arrays to find beside the pixels: ``image.depth``, ``image.index`` and ``image.normal`` (spheres)."""


class DrawingOptions(PictureOptions, OutputOptions, total=False):
    """Options of the methods of :class:`Renderer`."""


class RenderOptions(OutputOptions, PerformanceOptions, total=False):
    """Options of :func:`roundel.render`."""


class Options(DrawingOptions, PerformanceOptions, total=False):
    """All options of the drawing functions."""


class ReadOptions(FileOptions, PerformanceOptions, total=False):
    """All options of :func:`roundel.read`."""


PICTURE = tuple(PictureOptions.__annotations__)
FILE = tuple(FileOptions.__annotations__)
PERFORMANCE = tuple(PerformanceOptions.__annotations__)
OUTPUT = tuple(OutputOptions.__annotations__)
ARRAYS = get_args(Array)
FLAT = ("width", "height", "background", "transparent", "view_box", "title", "legend", "legend_title", "legend_unit",
        "legend_order", "legend_name",
        "figure_width", "scale_bar", "trim", "scale", "dpi", "bits")
"""What circles take."""


def split(
    function: str, options: Mapping[str, Any], *, accepted: tuple[str, ...] = PICTURE + OUTPUT, performance: bool = True
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
    for short, name, value, others in (
        ("transparent", "background", "transparent", ("background",)),
        ("no_orient", "view", "front", ("view", "eye")),
    ):
        given = picture.pop(short, None)
        if given is not None and not isinstance(given, (bool, np.bool_)):
            raise TypeError(f"{short} must be True or False, got {given!r}")
        if given:
            other = next((other for other in others if other in picture), None)
            if other is not None:
                raise ValueError(f"{short} and {other} exclude one another: give one")
            picture[name] = value
    return picture, speed


def output(options: dict[str, Any]) -> tuple[int, list[str]]:
    """Takes the options of what is returned out of ``options``: bits a channel, and names of arrays."""
    bits = options.pop("bits", None)
    if bits not in (None, 8, 16):
        raise ValueError(f"bits must be 8 or 16, got {bits!r}")
    arrays = options.pop("arrays", None) or ()
    names: list[str] = [arrays] if isinstance(arrays, str) else list(arrays)
    for name in names:
        if name not in ARRAYS:
            raise ValueError(f"arrays must be of {', '.join(map(repr, ARRAYS))}, got {name!r}")
    return bits or 8, names


def unknown(function: str, name: str, known: Sequence[str]) -> TypeError:
    """The exception for an argument that a function does not have."""
    if name in PERFORMANCE and name not in known:
        return TypeError(f"{function}() does not take {name!r}: give it to Renderer()")
    if name in OUTPUT:
        return TypeError(f"{function}() does not take {name!r}: give it to render()")
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
