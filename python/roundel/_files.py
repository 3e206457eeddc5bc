"""Reading scene files and data files."""

from __future__ import annotations

import os

from . import _options, _roundel
from ._options import ReadOptions
from ._roundel import Scene
from ._typing import Unpack

__all__ = ["read"]


def read(path: str | os.PathLike[str], **options: Unpack[ReadOptions]) -> Scene:
    """Reads a scene file or a data file, as ``roundel render`` does.

    Scenes are TOML or JSON. Data files are molecules and particles (PDB, mmCIF, XYZ, GRO, LAMMPS, XTC, DCD) and tables (CSV,
    TSV, PLY, NumPy), plain or compressed.

    Args:
        path: The file.
        **options: The options of ``roundel render``, by the same names: ``width``, ``only``, ``color_by``, ``eye`` …

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
    """
    picture, speed = _options.split("read", options, accepted=_options.FILE)
    return _roundel.read(path, picture, speed)
