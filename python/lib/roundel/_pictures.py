"""Pictures from files, from other packages, and how two of them compare."""

from __future__ import annotations

import io
import os
import struct
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _roundel
from ._arrays import number
from ._roundel import Comparison, Image

__all__ = ["compare", "pixels_of", "read_image", "save", "to_pil"]

Rectangle = tuple[int, int, int, int]


def read_image(path: str | os.PathLike[str]) -> npt.NDArray[Any]:
    """Reads an image file of any usual format: (height, width, 4) uint8, or uint16 if it has 16 bits a channel."""
    return _roundel.read_image(path)


FORMATS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".tif": "tiff", ".tiff": "tiff", ".webp": "webp", ".bmp": "bmp", ".gif": "gif"}
"""Formats of files by the endings of their names. PNG is written here, the others by Pillow."""

SIGNATURE = 8
"""Bytes before the first chunk of a PNG."""


def save(image: Image, path: Any, format: Any, dpi: Any, metadata: Any) -> None:  # noqa: A002, as Pillow has it
    """Writes a picture to a file, which is replaced whole or not at all, or to a file object."""
    is_file = isinstance(path, (str, os.PathLike))
    if not is_file and not hasattr(path, "write"):
        raise TypeError(f"path must be the name of a file or a file object, got {type(path).__name__}")
    kind = _format(path if is_file else None, format)
    resolution = image.dpi if dpi is None else number("dpi", dpi)
    if resolution is not None and not 0 < resolution < 1e6:
        raise ValueError(f"dpi must be above 0 and below a million, got {resolution}")
    if kind == "png":
        content = _png(image, resolution, metadata)
    elif metadata is not None:
        raise ValueError(f"metadata is for PNG, got the format {kind!r}")
    else:
        buffer = io.BytesIO()
        picture = image.to_pil()
        if kind in ("jpeg", "bmp"):
            # these have no opacity: paper shows through
            paper = picture.copy()
            paper.paste("white", (0, 0, *picture.size))
            paper.alpha_composite(picture)
            picture = paper.convert("RGB")
        picture.save(buffer, format=kind, **({} if resolution is None else {"dpi": (resolution, resolution)}))
        content = buffer.getvalue()
    if is_file:
        _roundel.write_file(path, content)
    else:
        path.write(content)


def _format(path: Any, given: Any) -> str:
    """The name of a format, of a file's ending if it is not given; PNG for file objects."""
    if given is not None:
        kind = FORMATS.get("." + str(given).lower().removeprefix("."))
        if kind is None:
            raise ValueError(f"format must be one of {', '.join(sorted(set(FORMATS.values())))}, got {given!r}")
        return kind
    if path is None:
        return "png"
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending in (".svg", ".pdf"):
        raise ValueError(f"path must end in {', '.join(FORMATS)}: a picture has pixels; save() of a scene, as of roundel.read, writes shapes")
    if ending not in FORMATS:
        raise ValueError(f"path must end in {', '.join(FORMATS)}, or format says which of them is meant, got {os.fspath(path)!r}")
    return FORMATS[ending]


def _png(image: Image, dpi: float | None, metadata: Any) -> bytes:
    """The bytes of a PNG with a resolution and texts."""
    content: bytes = image.to_png()
    more = b""
    if dpi is not None:
        dots = round(dpi / 0.0254)
        more += _chunk(b"pHYs", struct.pack(">IIB", dots, dots, 1))
    for name, text in (metadata or {}).items():
        if not isinstance(name, str) or not 1 <= len(name.encode("latin-1", "replace")) <= 79:
            raise ValueError(f"metadata must have names of 1 to 79 letters, got {name!r}")
        # UTF-8 without compression, in no language
        more += _chunk(b"iTXt", name.encode("latin-1", "replace") + b"\0\0\0\0\0" + str(text).encode())
    header = SIGNATURE + 25
    return content[:header] + more + content[header:]


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def to_pil(image: Image) -> Any:
    """A picture as one of Pillow, which knows the resolution."""
    import PIL.Image

    if image.pixels.dtype != np.uint8:
        raise ValueError("Pillow has no pictures with 16 bits a channel; save() writes one as PNG")
    picture = PIL.Image.fromarray(image.pixels)
    if image.dpi is not None:
        picture.info["dpi"] = image.dpi, image.dpi
    return picture


def compare(
    expected: Any,
    actual: Any,
    *,
    tolerance: float | None = None,
    threshold: float | None = None,
    oklab: float | None = None,
    flip: float | None = None,
    pixels_per_degree: float = 67.0,
    pixels: int | None = None,
    share: float | None = None,
    window: int | None = None,
    ignore_antialiasing: bool = False,
    mask: Iterable[Rectangle] = (),
    mask_image: Any = None,
    mask_transparent: bool = False,
) -> Comparison:
    """Compares two pictures: every channel of every pixel must be equal unless an option allows more.

    Args:
        expected, actual: An :class:`Image`, the path of an image file, a matplotlib figure, a PIL image, or an array:
            (height, width), (height, width, 3 or 4), uint8, uint16, bool, or float from 0 to 1.
        tolerance: The largest difference of a channel that passes, in steps of 1/255.
        threshold: Compares how pixels look (YIQ, as pixelmatch 7 does), 0 to 1; pixelmatch's own default is 0.1.
        oklab: Compares how pixels look (OKLab, as pixelmatch 8 does), 0 to 1; pixelmatch's own default is 0.1.
        flip: The largest mean FLIP error that passes, 0 to 1.
        pixels_per_degree: The distance of FLIP's observer, as pixels per degree of view.
        pixels: The largest number of pixels that may differ.
        share: The largest share of pixels that may differ, 0 to 1.
        window: The side of a square: ``pixels`` and ``share`` then hold for each such square instead of the picture, as in pixelmatch 8.
        ignore_antialiasing: Whether pixels that are only an edge's anti-aliasing do not count.
        mask: Rectangles ``(x, y, width, height)`` that are left out.
        mask_image: A picture; pixels where it is neither black nor transparent are left out.
        mask_transparent: Whether the fully transparent parts of the expected picture are left out.

    Returns:
        A comparison, which is true if the pictures agree.

    >>> import numpy as np, roundel
    >>> white = np.full((8, 8, 3), 255, dtype=np.uint8)
    >>> spoiled = white.copy()
    >>> spoiled[1, 2, 2] = 252
    >>> roundel.compare(white, spoiled)
    <roundel.Comparison: 1 of 64 pixels differ, by up to 3, first at 2,1>
    >>> bool(roundel.compare(white, spoiled, tolerance=3))
    True
    """
    return _roundel.compare(
        pixels_of("expected", expected),
        pixels_of("actual", actual),
        tolerance=tolerance,
        threshold=threshold,
        oklab=oklab,
        flip=flip,
        pixels_per_degree=pixels_per_degree,
        pixels=pixels,
        share=share,
        window=window,
        ignore_antialiasing=ignore_antialiasing,
        mask=[rectangle_of(rectangle) for rectangle in mask],
        mask_image=None if mask_image is None else pixels_of("mask_image", mask_image),
        mask_transparent=mask_transparent,
    )


def rectangle_of(rectangle: Rectangle) -> Rectangle:
    """A rectangle of a mask, checked."""
    try:
        x, y, width, height = (int(part.__index__()) for part in rectangle)
    except (TypeError, ValueError, AttributeError):
        raise TypeError(f"mask must be rectangles (x, y, width, height) in whole pixels, got {rectangle!r}") from None
    if min(x, y, width, height) < 0 or max(x, y, width, height) >= 1 << 32:
        raise ValueError(f"mask must be rectangles of numbers that are not negative, got {rectangle!r}")
    return x, y, width, height


def pixels_of(name: str, picture: Any) -> npt.NDArray[Any]:
    """A picture of any kind as (height, width, 4) uint8 or uint16 in C order."""
    if isinstance(picture, Image):
        return picture.pixels
    if isinstance(picture, (str, os.PathLike)):
        return _roundel.read_image(picture)
    if hasattr(picture, "savefig") and hasattr(picture, "get_size_inches"):
        return _of_figure(picture)
    if hasattr(picture, "convert") and hasattr(picture, "getbands"):
        mode = picture.mode
        picture = picture.convert("RGBA") if not mode.startswith(("I;16", "F", "I")) else picture
    return _of_array(name, picture)


def _of_figure(figure: Any) -> npt.NDArray[Any]:
    """A matplotlib figure at its own resolution."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="rgba", dpi=figure.dpi)
    pixels = np.frombuffer(buffer.getvalue(), dtype=np.uint8)
    return pixels.reshape(-1, int(figure.bbox.width), 4)


def _of_array(name: str, picture: Any) -> npt.NDArray[Any]:
    accepted = "(height, width) or (height, width, 3 or 4), of uint8, uint16, bool, or float from 0 to 1"
    array = np.asarray(picture)
    if array.dtype.kind not in "buf" or (array.dtype.kind == "u" and array.dtype.itemsize > 2):
        raise TypeError(f"{name} must be an image or an array {accepted}, got {type(picture).__name__} of {array.dtype}")
    if array.ndim == 2:
        array = array[:, :, np.newaxis].repeat(3, axis=2)
    elif array.ndim == 3 and array.shape[2] == 1:
        array = array.repeat(3, axis=2)
    if array.ndim != 3 or array.shape[2] not in (3, 4) or 0 in array.shape:
        raise ValueError(f"{name} must be {accepted}, got shape {array.shape}")
    if array.dtype.kind == "b":
        array = array.astype(np.uint8) * np.uint8(255)
    elif array.dtype.kind == "f":
        if not bool(np.all((array >= 0) & (array <= 1))):
            raise ValueError(f"{name} must be 0 to 1 in floating point, got {np.nanmin(array)} to {np.nanmax(array)}")
        array = (255.0 * array + 0.5).astype(np.uint8)
    if array.shape[2] == 3:
        alpha = np.full((*array.shape[:2], 1), np.iinfo(array.dtype).max, dtype=array.dtype)
        array = np.concatenate([array, alpha], axis=2)
    return np.require(array, dtype=array.dtype.newbyteorder("="), requirements=["C", "A"])
