"""Reading scene files and data files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _object_files, _objects, _options, _roundel
from ._color_names import Color, of_matplotlib
from ._options import ReadOptions
from ._roundel import Scene
from ._typing import Positions, Unpack

__all__ = ["CAMERA", "NAME", "camera", "changed", "check_legend", "merged", "new_folder", "read", "source"]


def read(
    path: str | os.PathLike[str] | Positions,
    *,
    radii: float | str | Mapping[str, float] | Iterable[tuple[str, float]] | None = None,
    colors: Color | None = None,
    **options: Unpack[ReadOptions],
) -> Scene:
    """Reads a scene file, a data file, or an object of another package, as ``roundel render`` does.

    Scenes are TOML or JSON. Data files are molecules and particles (PDB, mmCIF, XYZ, GRO, LAMMPS, XTC, DCD) and tables (CSV,
    TSV, PLY, NumPy), plain or compressed. Where the command line repeats an option for several selections, there is a dict, as
    in ``style={"protein": "points", "ligand": "sticks"}``.

    Args:
        path: The file, or an object that has particles, as in :func:`roundel.spheres`: it is drawn as a file of it is, with
            styles, bonds, selections and labels. The columns of ``ase.Atoms``, an MDAnalysis ``AtomGroup`` and frames have their
            names, those of residues and chains the words of selections, too.
        radii: In world units: one number, the name of a column, ``"vdw"`` for the van der Waals radii of atoms, or selections and
            their radii.
        colors: ``"element"``, ``"chain"``, ``"residue"``, ``"index"``, the name of a column, or one colour.
        **options: The options of ``roundel render``, by the same names: ``width``, ``only``, ``style``, ``eye`` …

    Returns:
        The scene. Its ``notes`` are those of the command line: a sentence each on rows that are left out, on options that change
        nothing, with options written as flags, and on smooth occlusion far from rays. No warning is given.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is not what it should be, or an option means nothing for it; the message names file and line.

    >>> import roundel
    >>> scene = roundel.read("../docs/scenes/caffeine.xyz", width=320, height=240)
    >>> len(scene), scene.kind
    (24, 'spheres')
    >>> roundel.render(scene)
    <roundel.Image of 320x240 pixels>
    >>> water = {"element": ["O", "H", "H"], "x": [0, 0.76, -0.76], "y": [0, 0.59, 0.59], "z": [0, 0, 0]}
    >>> roundel.read(water, style="ball-and-stick", label=[("element O", "oxygen")], width=320, height=240)
    <roundel.Scene of 3 spheres and 2 other shapes, 320x240 pixels>
    """
    given: dict[str, Any] = {**options, "radii": radii, "colors": colors}
    picture, speed = _options.split("read", _options.of_file(given), accepted=_options.FILE)
    names: dict[str, str] = {}
    if isinstance(path, (str, os.PathLike)):
        file: Any = path
    else:
        found = _object(path)
        if found.cell is not None:
            picture["cell"] = found.shows_cell(picture.get("cell"))
        file = _object_files.write(found, os.path.join(new_folder(), type(path).__name__))
        names[file] = type(path).__name__
    try:
        return _roundel.read(file, picture, speed)
    except (ValueError, TypeError) as error:
        # of a column and a short name of matplotlib, such as C0, the column is meant
        name = str(picture.get("color_by"))
        if str(error).startswith("color_by ") and of_matplotlib(name) != name:
            return _roundel.read(file, {**picture, "color_by": of_matplotlib(name)}, speed)
        raise _options.in_words_of_python(error, names) from None


NAME = "roundel-scene.toml"
"""Files of scenes of :mod:`roundel.scenes`, which have all of their text."""

CAMERA = frozenset(("view", "azimuth", "elevation", "roll", "zoom", "eye", "target", "up", "fov", "ortho", "ortho_height"))
"""Options that need no file again."""

REPLACED = {
    "eye": ("view", "same_view", "azimuth", "elevation", "roll", "zoom"),
    "view": ("eye", "target", "up", "same_view"),
    "fov": ("ortho", "ortho_height"),
    "ortho": ("fov", "ortho_height"),
    "ortho_height": ("fov", "ortho"),
}
"""Options of a camera that another takes the place of."""


def merged(scene: Scene, picture: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a scene and others, which take their place."""
    path, before, _ = source(scene)
    replaced = {name for option in picture for name in REPLACED.get(option, ())}
    kept = {name: value for name, value in before.items() if name not in replaced}
    if "eye" in picture and path.endswith((".toml", ".json")) and os.path.basename(path) != NAME:
        # the file may have turns of its own
        kept.update(azimuth=0.0, elevation=0.0, roll=0.0, zoom=1.0)
    return {**kept, **picture}


def source(scene: Scene) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """The file of a scene, and the options with which it was read."""
    parts: Any = scene.__reduce__()
    path, picture, speed = parts[1]
    return os.fspath(path), picture, speed


def check_legend(path: str, picture: Mapping[str, Any]) -> None:
    """Refuses legends of scenes of arrays."""
    if os.path.basename(path) == NAME and picture.get("legend") not in (None, False):
        raise ValueError("legend is for files and pictures: scenes of arrays keep colours without their meaning; roundel.spheres draws one")


def changed(scene: Scene, picture: Mapping[str, Any]) -> Scene:
    """A scene of the same size with other options of its picture, for which its file is read again."""
    path, _, speed = source(scene)
    options = merged(scene, picture)
    check_legend(path, options)
    if options.keys().isdisjoint(("figure_width", "scale", "grid")):
        options["width"], options["height"] = _size(scene, picture.get("width"), picture.get("height"))
    return _roundel.read(path, options, speed)


def _size(scene: Scene, width: Any, height: Any) -> tuple[Any, Any]:
    """The size of a scene, or one of the same shape if a side is given."""
    if width is None and height is None:
        return scene.size
    across, down = scene.size
    if height is None and isinstance(width, int):
        height = max(1, round(width * down / across))
    if width is None and isinstance(height, int):
        width = max(1, round(height * across / down))
    return width, height


def camera(scene: Scene, picture: Mapping[str, Any]) -> dict[str, Any]:
    """The camera of a scene with other options of a camera."""
    return scene._camera_from(merged(scene, picture)) or changed(scene, picture).camera or {}


def _object(value: Any) -> _objects.Particles:
    """The particles of an object. Files of these are there until Python ends, as scenes read them again for their frames and copies."""
    given = _objects.particles(value)
    if given is None:
        raise TypeError(f"path must be the name of a file or an object that has particles, got {type(value).__name__}")
    return given


def new_folder() -> str:
    """A folder that is there until Python ends."""
    # takes a tenth of the time of `import roundel`
    import tempfile

    global _folder
    _folder = _folder or tempfile.TemporaryDirectory(prefix="roundel-")
    return str(tempfile.mkdtemp(dir=_folder.name))


_folder: Any = None
