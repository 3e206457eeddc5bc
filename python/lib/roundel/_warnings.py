"""Warnings about pictures that show less than was given."""

from __future__ import annotations

import math
import os
import sys
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ._roundel import Image

__all__ = ["PictureWarning", "blank", "crowded", "left_out", "remote", "scarce", "unequal", "warn"]

PACKAGE = os.path.dirname(__file__)

SAMPLE = 4096
"""Points that tell whether nearly all lie in one pixel."""

FEW = 256
"""Spheres that tell how far all of them extend."""

CROWD = 0.99
"""The share of points in one pixel that makes a picture useless."""

FOV = 30.0
"""The usual vertical field of view in degrees."""

UNEQUAL = 50.0
"""Extents along two axes of one scale whose ratio is greater than this make a line of the picture."""


class PictureWarning(UserWarning):
    """A picture that is blank, or shows less than was given: nothing is in view, all points lie in one pixel, rows are left out."""


def warn(message: str) -> None:
    """Warns at the line outside of the package that called it."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, PictureWarning, stacklevel=level)


def blank(image: Image) -> Image:
    """The picture; warns if it shows none of its shapes."""
    counts = image.counts
    if counts.get("shapes", 0) > 0 and counts.get("visible", 1) == 0:
        warn(f"nothing is in view: none of {counts['shapes']:,} shapes reaches the picture")
    return image


def remote(image: Image, centers: npt.NDArray[Any], radii: Any, picture: Mapping[str, Any]) -> None:
    """Warns of spheres that a camera far away, or with a wide picture, shows in one pixel."""
    height, eye = picture.get("ortho_height"), picture.get("eye")
    if len(centers) < 2 or height is None and eye is None:
        return
    some = centers[:: max(1, len(centers) // FEW)].astype(np.float64)
    least, greatest = some.min(axis=0), some.max(axis=0)
    extent = float(np.linalg.norm(greatest - least)) + 2.0 * float(np.max(radii))
    if height is None:
        distance = float(np.linalg.norm(np.asarray(eye, dtype=float) - 0.5 * (least + greatest)))
        height = 2.0 * distance * math.tan(math.radians(float(picture.get("fov", FOV))) / 2)
    if 0 < extent * image.height < float(height):
        warn(f"all of {len(centers):,} spheres lie in one pixel: they extend over {extent:.3g}, and the picture over {float(height):.3g}")


def left_out(count: int, total: int, why: str) -> None:
    """Warns of rows that are not drawn."""
    if count:
        warn(f"{count:,} of {total:,} rows are left out: {why}")


def crowded(columns: npt.NDArray[Any], rows: npt.NDArray[Any]) -> bool:
    """Warns if nearly all of many points lie in one pixel, and returns whether they do; places are in pixels."""
    if len(columns) < 2:
        return False
    step = max(1, len(columns) // SAMPLE)
    middle = [float(np.median(part[::step])) for part in (columns, rows)]
    near = (np.abs(columns[::step] - middle[0]) <= 0.5) & (np.abs(rows[::step] - middle[1]) <= 0.5)
    if near.mean() < CROWD:
        return False
    near = (np.abs(columns - middle[0]) <= 0.5) & (np.abs(rows - middle[1]) <= 0.5)
    count = int(np.count_nonzero(near))
    if count < CROWD * len(columns):
        return False
    others = "" if count == len(columns) else f": the other {len(columns) - count:,} are far away"
    warn(f"{count:,} of {len(columns):,} points lie in one pixel{others}")
    return True


def scarce(values: npt.NDArray[np.float64], points: int) -> None:
    """Warns of a density without points, or with all of many points in one pixel."""
    filled = int(np.count_nonzero(~np.isnan(values)))
    if points > 0 and filled == 0:
        warn(f"nothing is in view: none of {points:,} points lies within the extent")
    elif points > 1 and filled == 1:
        warn(f"all points within the extent lie in one pixel, of {points:,}")


def unequal(across: tuple[float, float], up: tuple[float, float]) -> None:
    """Warns of extents that one scale for both axes makes a line of."""
    width, height = across[1] - across[0], up[1] - up[0]
    if min(width, height) > 0 and max(width, height) > UNEQUAL * min(width, height):
        warn(
            f"x extends over {width:.3g} and y over {height:.3g} on one scale, which makes a line of the points; "
            "roundel.mpl.scatter and roundel.mpl.density have a scale for each"
        )
