"""The keyword arguments of all drawing functions: the options of the command line, by the same names."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict, Union, get_args

import numpy as np
import numpy.typing as npt

from . import _roundel
from ._colors import COLOR, Color, Colormap, ColorOptions, Palette, colormap_name, is_color, one_color, palette_of_file

__all__ = ["DrawingOptions", "Options", "PerformanceOptions", "PictureOptions", "RenderOptions", "output", "split"]

Vector = Union[Sequence[float], npt.NDArray[Any]]


class PictureOptions(TypedDict, total=False):
    """Options that name the picture. ``None`` is the same as leaving an option out."""

    transparent: bool | None
    """Draw on nothing; short for ``background="transparent"``."""
    # options of pictures: made by crates/load/src/scene_file/reference/python.rs
    width: int | None
    """Width of the picture; given without a height, the picture keeps its shape."""
    height: int | None
    """Height of the picture; given without a width, the picture keeps its shape."""
    background: Color | None
    """Background colour: a CSS name, transparent, #rgb, #rgba, #rrggbb or #rrggbbaa."""
    view_box: Vector | None
    """Draw only this part of the picture, given by its centre and height in the pixels of the whole picture as it is without width and height, which are then those of the part (circles only)."""
    samples: int | None
    """Samples per pixel (spheres)."""
    look: Literal["illustrative", "studio", "glossy", "flat", "headlight", "auto"] | None
    """Look, a set of numbers for shading: illustrative (molecules without a scene), studio (particles without a scene), glossy (studio with highlights), flat, headlight (scenes that name none) or auto (draws a scene as its files are drawn without one) (spheres)."""
    ao: Literal["smooth", "off"] | int | None
    """Ambient occlusion: `smooth` finds it without rays, a number is that of rays per sample, `off` turns it off (spheres)."""
    ao_distance: float | None
    """Only spheres up to this far away occlude, in world units (spheres)."""
    shadows: bool | None
    """Cast shadows from directional lights; shadows=False turns them off (spheres)."""
    ambient: float | None
    """Light that comes from everywhere, from 0 to 1 (spheres)."""
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
    """Where fog begins, from 0 at the front of the spheres to 1 at their back; most of what shows lies in the front half (spheres)."""
    outline_width: float | None
    """Width of outlines, which may be fractional; 0 draws none (spheres)."""
    outline_depth: float | None
    """Draw outlines where the depth jumps by more than this many times the size of a pixel; they are faint at first, and have their full colour where it jumps by twice as much (spheres)."""
    cloud_radius: float | None
    """Light spheres of less than half this radius on the picture together, as the surface that they make up (spheres)."""
    outline_color: Color | None
    """Colour of outlines, which is opaque (spheres)."""
    transparency: Literal["shell", "front", "surfaces", "solid"] | None
    """How translucent spheres are composed: shell, the outer surface of the touching spheres of a chain or file; front, of these the first surface alone; surfaces, the front and the back of every sphere; solid, a medium that absorbs light along the way through [default: front for molecules, shell for everything else] (spheres)."""
    seed: int | None
    """Seed of all random numbers (spheres)."""
    view: str | None
    """Side to look from: broadside, front, back, left, right, top, bottom or iso; several, as in front,right,top,iso, for the panels of grid; or an axis of the data that points to the eye: an edge of the periodic box (a or b, with c up, or c, with b up), or a principal axis of everything or of a selection ('axis 1', 'axis 3 of chain A'; 1 is the longest). Data is seen broadside, with its longest axis across the picture, unless it fills a periodic box: particles in one are seen from a corner (iso), molecules along z. Of particles, simulations and membranes z is up and the front faces -y; of molecules y is up and the front faces +z (spheres)."""
    azimuth: float | None
    """Move the eye around to the right (spheres)."""
    elevation: float | None
    """Then move the eye up (spheres)."""
    roll: float | None
    """Then turn the picture counter-clockwise (spheres)."""
    zoom: float | None
    """Enlarge everything by this factor (spheres)."""
    clip: str | Sequence[str] | None
    """Keep only what lies on one side of a plane, such as 'x<12' or 'z>-3.5'; cut spheres show a flat cap; or a list of such (spheres)."""
    slab: Vector | float | None
    """Keep only what lies between two planes that face the camera: shares of the depth, from 0 at the front of the spheres to 1 at their back; or a thickness in world units, around the focus or the middle, as in focus ligand slab 12 (spheres)."""
    eye: Vector | None
    """Position of the eye (spheres)."""
    target: Vector | None
    """Point at the centre of the picture (spheres)."""
    up: Vector | None
    """Direction that points up in the picture (spheres)."""
    fov: float | None
    """Vertical field of view (spheres)."""
    ortho: bool | None
    """Use parallel rays; ortho=False uses perspective (spheres)."""
    ortho_height: float | None
    """Use parallel rays, with this height of the picture in world units (spheres)."""
    title: str | None
    """Text above the picture."""
    legend: bool | Literal["counts", "right", "below", "inside", "right,counts", "below,counts", "inside,counts"] | None
    """Meaning of the colours, of radii and opacities by a column, and of the length of arrows, to the right of the picture, below or inside; legend=counts also counts the shapes of each category, as does legend=below,counts."""
    legend_title: str | None
    """Name above the colours of the legend, in place of that of the column, such as 'B factor (Å²)'."""
    legend_unit: str | None
    """Unit of the coloured numbers, which stands behind their name, such as 'kcal/mol'."""
    legend_order: Literal["file", "name", "count"] | None
    """Order of categories in the legend: file, name or count [default: file]."""
    legend_name: Sequence[tuple[str, Any]] | None
    """Entries of the legend and other names for them, as in [('A', 'Gαs')]."""
    figure_width: str | None
    """Width of the whole figure, the legend included: 85mm, 8.5cm, 3.3in or 1000px; lengths on paper take dpi, or 300."""
    scale_bar: bool | float | None
    """Bar of a known length below the picture, which has parallel rays then; scale_bar=20 is 20 units of the data long; maps of degrees have a bar in km each way."""
    axes: bool | None
    """Axes around a picture of a table in the plane: ticks, numbers, names and a grid, which are drawn unless the columns are coordinates, such as x and y, or longitude and latitude, of which they are degrees; axes=False leaves them out. Of spheres the axes of the world, below the picture."""
    x_label: str | None
    """Name of the x axis, such as 'mass (kg)' [default: that of the column]."""
    y_label: str | None
    """Name of the y axis [default: that of the column]."""
    cell: bool | None
    """Edges of the periodic box, which are drawn unless they are those of a macromolecule's crystal; cell=False leaves them out (spheres only)."""
    trim: bool | int | None
    """Cut the picture to what it shows; trim=10 leaves 10 pixels around."""
    scale: float | None
    """So many times as many pixels each way; type and lines grow, too."""
    dpi: float | None
    """Resolution in dots per inch, which is written into the file: type of 10 points has its size on paper [default: 96 for a longer side of up to 640 pixels, more in proportion to it]."""
    font_size: float | None
    """Size of text in points, 1/72 inch at the resolution of dpi; lines and gaps keep their proportion to it [default: 10]."""
    ink: Color | None
    """Colour of text and lines [default: black, and white on dark backgrounds]."""
    # end of options of pictures


class FileOptions(PictureOptions, total=False):
    """Options of :func:`roundel.read`, which also say how a data file is drawn."""

    highlight: Mapping[str, Color] | Iterable[tuple[str, Color]] | None
    """Selections and their colours; the last that holds a row counts."""
    opacity: float | str | Mapping[str, float] | Iterable[tuple[str, float]] | None
    """Opacity from 0 to 1 of all spheres, the name of a column, or selections and their opacities; the last that holds a row
    counts."""
    style: str | Mapping[str, str] | Iterable[tuple[str, str]] | None
    """``"spacefill"``, ``"ball-and-stick"``, ``"sticks"``, ``"points"``, ``"trace"`` or ``"none"``, or selections and their styles; the
    last that holds a row counts."""
    gloss: float | tuple[float, float] | Mapping[str, Any] | Iterable[tuple[str, Any]] | None
    """Strength of highlights from 0 to 1, a strength and a roughness, or selections and these; the last that holds a row counts."""
    # options of files: made by crates/load/src/scene_file/reference/python.rs
    focus: str | None
    """Look at these rows: they fill the picture, and what is in front of them is cut away (data files)."""
    focus_margin: float | None
    """Room around the rows to look at, in world units [default: a quarter of their extent, and 2]."""
    same_view: str | None
    """Camera, size and planes of another picture: a scene file, or what `roundel info json` printed for it."""
    x: str | None
    """Column of x coordinates (tables)."""
    y: str | None
    """Column of y coordinates (tables)."""
    z: str | None
    """Column of z coordinates, which makes spheres of rows; with x and y (tables)."""
    r: str | None
    """Column that sets the areas of circles, or their radii if it is named r or radius (tables)."""
    x_scale: Literal["linear", "sqrt", "log"] | None
    """How numbers are spread along x: linear, log or sqrt [default: linear]."""
    y_scale: Literal["linear", "sqrt", "log"] | None
    """The same along y."""
    x_range: str | tuple[float, float] | None
    """Numbers or dates that the x axis shows at least, such as 0,60; others may be outside of the picture [default: all but a few far off]."""
    y_range: str | tuple[float, float] | None
    """The same along y."""
    color: str | None
    """The same as color_by."""
    color_by: str | None
    """Colour by element, chain, residue, index or a column, or in one colour such as #1f77b4."""
    palette: Palette | None
    """Separate colours for categories: okabe-ito, which is the default for chains, distinct, the default for others, with 64 colours, tab10, set2 and more; of elements jmol, which is the default, or soft, which is paler."""
    categories: str | Sequence[str] | None
    """Categories that take the first colours of the palette, in this order, so that several pictures agree, as in ['oak', 'ash']. Others follow; numbers keep the colours of their places."""
    colormap: str | Colormap | None
    """Ramp of colours for numbers: viridis, which is the default, cividis, turbo, coolwarm, batlow and all others of Matplotlib and F. Crameri; with _r at the end of its name it is reversed."""
    color_range: str | tuple[float, float] | None
    """Numbers at the ends of the ramp, dates such as 2024-01-01,2024-06-30, or percentiles such as p2,p98; 100,20 reverses the ramp [default: all numbers but outliers]."""
    color_center: float | None
    """Number in the middle of the ramp, such as 0 of charges; the default ramp is coolwarm then. Numbers as far below as above are equally strong in colour; the legend shows the part of the ramp that has numbers, or that between color_range A,B."""
    color_scale: Literal["linear", "sqrt", "log", "equalize"] | None
    """How numbers are spread over the ramp: linear, sqrt or log; or equalize, which colours the pixels of density by the rank of their numbers, so that each colour has as many [default: linear; of density log where numbers spread widely]."""
    compute: str | Sequence[str] | None
    """Compute a column from others, as in 'speed = sqrt(vx^2 + vy^2)', for colours, radii, selections and later formulas; or a list of such. Ready-made are speed, force, distance (from the middle), coordination (neighbours in the first shell), depth (below the surface) and frame (its number); 'd = distance to resname HEM', 'n = coordination within 3.5' and 'u = displacement since 0' are formulas, too."""
    radius: float | str | None
    """Radius of each shape: a number, a column, or vdw for the van der Waals radii of atoms; or selections and their radii, as in {'type 2': 0.8}."""
    radius_range: Vector | None
    """Spread the numbers of the column that r or radius names over radii from the least to the greatest, so that areas in the picture follow them: pixels of circles, world units of spheres; 12,2 gives the least number the greatest radius, and with 0,12 areas are in proportion to the numbers."""
    radius_of: Sequence[tuple[str, Any]] | None
    """The same as radius of a selection."""
    assembly: int | None
    """Build this biological assembly (PDB files)."""
    frame: int | None
    """Draw this frame or model of several, counted from 0; -1 is the last (atoms)."""
    smooth: int | None
    """Average positions over so many frames around the one that is drawn; periodic boxes are respected (trajectories)."""
    topology: str | None
    """Names, elements and residues of the atoms of a trajectory: a PSF, a PRMTOP, or any file of molecules with the same atoms."""
    atom_style: Literal["atomic", "charge", "molecular", "bond", "angle", "full", "sphere", "ellipsoid", "dipole", "body", "dpd", "peri", "template", "electron"] | None
    """Columns of LAMMPS data that does not name its atom style."""
    decimal: Literal[".", ","] | None
    """Decimal mark of the numbers in a table of text: , reads 1234,5 and 1.234,5 [default: .]."""
    missing: str | Sequence[str] | None
    """Text that stands for no value in a table of text, beside NA, nan, null and empty fields; or a list of such."""
    wrap: bool | None
    """Move what lies outside of the periodic box into it."""
    whole: bool | None
    """Join molecules that the boundary of the periodic box breaks: by their bonds, or else by residue."""
    unwrap: bool | None
    """Move particles by their image flags ix, iy and iz, so that none jumps from frame to frame."""
    center: str | None
    """Move these rows to the middle of the periodic box, and everything else, molecule by molecule, around them."""
    replicate: Sequence[int] | None
    """Draw copies of the periodic box: this many along its edges a, b and c."""
    symmetry: Literal["cell", "off"] | None
    """Fill the cell of a crystal by its space group, or draw the atoms that are listed (CIF of small molecules) [default: cell]."""
    bonds: Literal["auto", "file", "distance", "none"] | None
    """Where bonds come from: auto (the file, the dictionary of residues, and distances where these say nothing), file, distance or none [default: auto]."""
    bond_radius: float | None
    """Radius of sticks, in world units [default: 0.14 of balls and sticks, 0.2 of sticks]."""
    ball_scale: float | None
    """Radius of balls, in radii of their atoms [default: 0.25]."""
    contacts: Sequence[tuple[str, str] | tuple[str, str, float | str]] | None
    """Dashed lines with distances between rows of two selections that are at most 4 apart, as in [('ligand', 'protein')], and more than three bonds from each other; another distance may follow, as in [('ligand', 'protein', 3.5)], or 'hbonds' for hydrogen bonds."""
    hbonds: bool | Literal["baker-hubbard", "wernet-nilsson"] | None
    """Dashed lines with distances along the hydrogen bonds between all drawn atoms, by a rule for donor, hydrogen and acceptor [default rule: baker-hubbard]; without hydrogens N and O within 3.5 Å."""
    ellipsoids: float | None
    """Draw the thermal ellipsoids of atoms at this probability, such as 0.5 (PDB files with ANISOU, mmCIF with anisotropic displacements)."""
    ellipsoid_rings: bool | None
    """Draw dark rings around opaque ellipsoids in their principal planes, as ORTEP does."""
    vectors: str | None
    """Columns of vectors, which are drawn as arrows from the surfaces of particles, as in vectors vx,vy,vz, or what their names begin with, as in vectors forces; legend says how long they are."""
    vector_scale: float | None
    """Length of arrows, in world units per unit of the vectors [default: the longest is six radii long, of all frames of a film]."""
    vector_color: str | None
    """Colour of arrows: particle, length (viridis, from no length to the longest, or that of 'length 2.5') or a colour [default: particle]."""
    vector_radius: float | None
    """Radius of the shafts of arrows, in world units; heads are two times as thick [default: 0.15 of the particles' median]."""
    only: str | None
    r"""Draw only these rows, as in 'chain A and not water', 'ligand', 'element C N', 'resid 10:20', 'abs(z - 12) < 2', 'index 0:99', 'byres (within 5 of resname HEM)', 'backbone', 'helix', 'first 100'; a value that is a word of the language is quoted: "state CA 'OR' WA"."""
    hide: str | None
    """Leave out these rows. Water beside proteins, nucleic acids and lipids is left out, too, unless there is an only or this selection is about water; hide none draws everything."""
    opacity_by: str | None
    """Column with an opacity from 0 to 1 for each sphere or circle."""
    density: str | None
    """Draw what falls into each pixel, instead of circles, or of spheres as the camera sees them: the number of rows (count), the sum or the mean of a column, or the mass of circles and spheres, spread over their exact areas (mass, mass COLUMN); colormap, color_range and color_scale say how, the legend what."""
    density_bin: int | None
    """Side of the squares whose rows density count, sum and mean take together, in pixels [default: 1; more where rows are few, which a note says]."""
    stroke: Color | None
    """Outline circles in this colour (tables in the plane)."""
    stroke_width: float | None
    """Width of the outlines of circles [default: 1]."""
    draw_order: str | None
    """Order in which circles are drawn: random, by seed, so that none of several groups hides the others; a column, its greatest numbers on top; or -COLUMN, its least on top [default: that of the file]."""
    format: str | None
    """Read the file in this format, whatever its name and content."""
    stamp: Literal["time", "frame", "step"] | None
    """State the time, the number or the step of the frame above the picture (trajectories)."""
    legend_categories: str | Sequence[str] | None
    """Category of the file, or one of categories, that the legend lists whether something in the picture has it or not; or a list of such."""
    grid: str | None
    """Draw several files, frames of one, or sides of view side by side: panels with one camera (files that lie far apart: one direction and scale; sides: one scale), one range of colours and one legend, as in grid 2x3; width and height are those of all panels, without the legend."""
    panel_title: str | Sequence[str] | None
    """Title of a panel of grid, in place of the name of its file, frame or side: once for all panels, or for one after the other; {name}, {view}, {frame}, {time} and {step} stand for what it shows, as in 't = {time}'; or a list of such."""
    panel_by: str | None
    """Column of a table in the plane whose categories are the panels of grid, with the same axes, sizes and colours, and one legend, as in grid 3x2 panel_by species."""
    stereo: float | None
    """A stereo pair: the pictures of both eyes, the left eye's at the left, from directions this far apart, as in stereo 6; stereo=-6 for crossed eyes."""
    label: Sequence[tuple[str, Any]] | None
    """Texts beside rows, with their columns in braces, as in [('ligand', '{resname} {resid}'), ('name CA and resid 113', 'Asp{resid}')]; once for each residue where all columns are those of residues; a leader line where it stands apart; beside circles those of the largest first, as many as fit."""
    # end of options of files


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


class DrawingOptions(ColorOptions, PictureOptions, OutputOptions, total=False):
    """Options of the methods of :class:`Renderer`."""


class SceneOptions(PictureOptions, OutputOptions, total=False):
    """Options of :meth:`Renderer.render`."""


class RenderOptions(SceneOptions, PerformanceOptions, total=False):
    """Options of :func:`roundel.render`."""


class Options(DrawingOptions, PerformanceOptions, total=False):
    """All options of the drawing functions."""


class ReadOptions(FileOptions, PerformanceOptions, total=False):
    """All options of :func:`roundel.read`."""


PICTURE = tuple(PictureOptions.__annotations__)
FILE = tuple(FileOptions.__annotations__)
PERFORMANCE = tuple(PerformanceOptions.__annotations__)
OUTPUT = tuple(OutputOptions.__annotations__)
DRAWING = COLOR + PICTURE + OUTPUT
SCENE = PICTURE + OUTPUT
ARRAYS = get_args(Array)
GROUPS = {name: group for name, group, _ in _roundel.option_table()}
OF_SPHERES = {name for name in PICTURE if GROUPS.get(name) in ("shading", "camera")} | {"axes", "cell", "arrays"}
"""Options that circles do not take."""
FLAT_FUNCTIONS = ("circles", "scatter", "density")
OF_FIGURES = {name for name in PICTURE if GROUPS.get(name) == "figure" and name != "cell"}
"""Marks beside a picture, which widgets do not show."""


def taken(function: str) -> tuple[str, ...]:
    """The options of pictures that a function for arrays takes."""
    if function == "density":
        left_out = OF_SPHERES | {"bits", "view_box", "trim", "scale"}
    elif function in FLAT_FUNCTIONS:
        left_out = OF_SPHERES
    elif function == "show":
        left_out = OF_FIGURES | {"view_box", *OUTPUT}
    else:
        left_out = {"view_box"}
    return tuple(name for name in DRAWING if name not in left_out)


RENAMED = {"color": "colors", "color_by": "colors", "radius": "radii", "radius_of": "radii", "opacity_by": "opacity"}
"""Flags of the command line whose arguments have the names that functions for arrays have."""


def of_file(options: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of :func:`roundel.read` by the names of the command line."""
    named = dict(options)
    for old in RENAMED.keys() & options.keys():
        name = RENAMED[old]
        warnings.warn(f"{old} is called {name}", DeprecationWarning, stacklevel=3)
        if named.get(name) is not None:
            raise TypeError(f"read() takes {old!r} or {name!r}, not both")
        named[name] = named.pop(old)
    colors, radii = named.pop("colors", None), named.pop("radii", None)
    if colors is not None:
        named["color_by"] = one_color("colors", colors) if isinstance(colors, tuple) else colors
    if radii is not None:
        named["radius_of" if isinstance(radii, (Mapping, list, tuple)) else "radius"] = radii
    if isinstance(named.get("opacity"), str):
        named["opacity_by"] = named.pop("opacity")
    return named


def in_words_of_python(error: ValueError | TypeError, files: Mapping[str, str]) -> Exception:
    """An exception about an option of a file, under the names that it and its file have here."""
    text = str(error)
    for path, name in files.items():
        text = text.replace(path, name)
    flag, space, rest = text.partition(" ")
    return type(error)(RENAMED.get(flag, flag) + space + rest)


HINTS = {
    **RENAMED,
    "no_orient": "view",
    "cmap": "colormap",
    "colormap_name": "colormap",
    "colorscale": "colormap",
    "color_continuous_scale": "colormap",
    "c": "colors",
    "colour": "colors",
    "scalars": "colors",
    "marker_color": "colors",
    "facecolors": "colors",
    "s": "radii",
    "size": "radii",
    "sizes": "radii",
    "point_size": "radii",
    "marker_size": "radii",
    "xy": "positions",
    "points": "positions",
    "coords": "positions",
    "centers": "positions",
    "norm": "color_scale",
    "scale_mode": "color_scale",
    "log_scale": "color_scale",
    "clim": "color_range",
    "crange": "color_range",
    "cmin": "vmin",
    "cmax": "vmax",
    "center": "color_center",
    "alpha": "opacity",
    "colorbar": "legend",
    "cbar": "legend",
    "show_scalar_bar": "legend",
    "show_legend": "legend",
    "scalar_bar_args": "legend_title",
    "clabel": "legend_title",
    "cbar_label": "legend_title",
    "colorbar_title": "legend_title",
    "figsize": "width and height",
    "window_size": "width and height",
    "resolution": "width and height",
    "size_px": "width and height",
    "facecolor": "background",
    "bgcolor": "background",
    "paper_bgcolor": "background",
    "transparent_background": "transparent",
    "suptitle": "title",
    "camera_position": "eye and target",
    "cpos": "eye and target",
    "position": "eye",
    "focal_point": "target",
    "view_up": "up",
    "view_angle": "fov",
    "parallel_projection": "ortho",
    "elev": "elevation",
    "azim": "azimuth",
    "edgecolors": "outline_color",
    "edgecolor": "outline_color",
    "linewidths": "outline_width",
    "linewidth": "outline_width",
    "antialiasing": "samples",
    "anti_aliasing": "samples",
    "range": "extent",
    "hue": "colors",
}
"""Words of matplotlib, seaborn, PyVista and plotly, and what they are called here."""

OF_OTHERS = {"width and height", "eye and target"}


def check(function: str, options: Mapping[str, Any]) -> None:
    """Refuses options that a drawing function does not have."""
    known = taken(function)
    for name in options:
        if name not in known:
            raise unknown(function, name, [*known, *PERFORMANCE])


def split(
    function: str, options: Mapping[str, Any], *, accepted: tuple[str, ...] | None = None, performance: bool = True
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Separates options of the picture from those of performance, and refuses unknown ones."""
    picture: dict[str, Any] = {}
    speed: dict[str, Any] = {}
    accepted = taken(function) if accepted is None else accepted
    known = accepted + (PERFORMANCE if performance else ())
    for name, value in options.items():
        if name not in known:
            raise unknown(function, name, known)
        if value is None:
            continue
        if name in PERFORMANCE:
            speed[name] = value
        elif name in ("background", "outline_color", "stroke", "ink"):
            picture[name] = one_color(name, value)
        elif name == "vector_color":
            picture[name] = one_color(name, value) if isinstance(value, tuple) or is_color(value) else value
        elif name == "palette" and accepted is FILE:
            picture[name], order = palette_of_file(value, options.get("categories"))
            if order is not None and options.get("categories") is None:
                picture["categories"] = order
        elif name == "highlight":
            picture[name] = _highlights(name, value)
        elif accepted is FILE and isinstance(value, Mapping):
            picture[name] = list(value.items())
        elif name == "colormap" and accepted is FILE:
            picture[name] = colormap_name(value, name)
        elif name in ("color_range", "x_range", "y_range") and accepted is FILE and not isinstance(value, str):
            picture[name] = ",".join(map(str, value))
        else:
            picture[name] = value
    is_transparent = picture.pop("transparent", None)
    if is_transparent is not None and not isinstance(is_transparent, (bool, np.bool_)):
        raise TypeError(f"transparent must be True or False, got {is_transparent!r}")
    if is_transparent:
        if "background" in picture:
            raise ValueError("transparent and background exclude one another: give one")
        picture["background"] = "transparent"
    return picture, speed


def paints(options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Separates options of the picture from those of colours."""
    return (
        {name: value for name, value in options.items() if name not in COLOR},
        {name: value for name, value in options.items() if name in COLOR},
    )


def output(options: dict[str, Any]) -> tuple[int, list[str]]:
    """Takes the options of what is returned out of ``options``: bits a channel, and names of arrays."""
    bits = options.pop("bits", None)
    if bits not in (None, 8, 16):
        raise ValueError(f"bits must be 8 or 16, got {bits!r}")
    arrays = options.pop("arrays", None)
    names: list[Any] = [] if arrays is None else list(arrays) if isinstance(arrays, (list, tuple)) else [arrays]
    for name in names:
        if name not in ARRAYS:
            raise ValueError(f"arrays must be of {', '.join(map(repr, ARRAYS))}, got {name!r}")
    return bits or 8, names


# what plots have beside their points
OF_PLOTS = frozenset({"axes", "ax", "xlim", "ylim", "xlabel", "ylabel", "marker", "aspect", "log_x", "log_y", "xscale", "yscale"})


def unknown(function: str, name: str, known: Sequence[str]) -> TypeError:
    """The exception for an argument that a function does not have."""
    if name in PERFORMANCE and name not in known:
        return TypeError(f"{function}() does not take {name!r}: give it to Renderer()")
    if function == "Renderer" and name in DRAWING:
        return TypeError(f"Renderer() does not take {name!r}: give it to its methods, such as spheres()")
    if function == "show" and (name in OF_FIGURES or name in OUTPUT):
        return TypeError(f"show() does not take {name!r}: give it to roundel.spheres, which draws whole figures")
    if name in OUTPUT and function not in FLAT_FUNCTIONS:
        return TypeError(f"{function}() does not take {name!r}: give it to render()")
    if function == "scatter" and name in OF_PLOTS:
        return TypeError(f"scatter() does not take {name!r}: roundel.mpl.scatter draws in the axes of matplotlib")
    if name in OF_SPHERES:
        return TypeError(f"{function}() does not take {name!r}, which is for spheres")
    if name == "view_box" and function != "density":
        return TypeError(f"{function}() does not take 'view_box', which is for circles")
    positional = {
        "read": ("path", "radii", "colors"),
        "spheres": ("positions", "radii", "colors", "parts", "invalid"),
        "show": ("scene", "radii", "colors", "parts", "invalid"),
        "circles": ("positions", "radii", "colors", "stroke", "blend", "invalid"),
        "scatter": ("x", "y", "radii", "colors", "data", "invalid"),
        "density": ("x", "y", "weights", "data", "statistic", "extent"),
    }.get(function, ())
    hint = HINTS.get(name, HINTS.get(name.lower()))
    if hint == "colors" and function == "density":
        hint = "weights"
    if function == "circles" and hint in ("outline_color", "outline_width"):
        hint = "stroke"
    if function == "read":
        hint = {"vmin": "color_range", "vmax": "color_range"}.get(hint or name, hint)
    if hint in known or hint in positional or hint in OF_OTHERS:
        return TypeError(f"{function}() does not take {name!r}; use {hint}")
    if name in FILE:
        files = ", which is for files and objects: see roundel.read" if name not in DRAWING else ""
        return TypeError(f"{function}() does not take {name!r}{files}")
    choices = [choice for choice in (*positional, *known) if choice != name]
    import difflib

    near = difflib.get_close_matches(name, choices, 1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; help(roundel.{function}) lists all"
    return TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


def _highlights(name: str, value: Any) -> list[tuple[str, str]]:
    try:
        pairs = [(selection, color) for selection, color in (value.items() if isinstance(value, Mapping) else value)]
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a dict or pairs of selections and colours, got {value!r}") from None
    return [(selection, one_color(name, color)) for selection, color in pairs]
