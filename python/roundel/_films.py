"""Films: pictures one after another, as a file that plays."""

from __future__ import annotations

import base64
import os
import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _roundel
from ._pictures import pixels_of
from ._roundel import Scene

__all__ = ["Film", "film"]

SAMPLES = 8
"""Frames from which the colours of a GIF are chosen."""

MIME_TYPES = {
    ".png": "image/png",
    ".apng": "image/png",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".mp4": "video/mp4",
}
"""Formats that browsers play, by the ending of the name."""


class Film:
    """A finished film. Notebooks play it where it is the last value of a cell."""

    def __init__(self, path: Path, frames: int, fps: float, size: tuple[int, int], content: bytes | None = None):
        self.path = path
        """The file; of a film in memory the name that says its format."""
        self.frames = frames
        self.fps = fps
        self.size = size
        self._content = content

    def __len__(self) -> int:
        return self.frames

    def __repr__(self) -> str:
        width, height = self.size
        return f"<roundel.Film of {self.frames} frames, {width}x{height} pixels, {self.fps:g} a second>"

    def to_bytes(self) -> bytes:
        """The content of the file."""
        return self.path.read_bytes() if self._content is None else self._content

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the film to a file of the same format."""
        path = Path(path)
        if path.suffix.lower() != self.path.suffix.lower():
            raise ValueError(f"path must end in {self.path.suffix}, the format of the film, got {str(path)!r}")
        path.write_bytes(self.to_bytes())

    def _repr_html_(self) -> str | None:
        kind = MIME_TYPES.get(self.path.suffix.lower())
        if kind is None or "{" in self.path.name:
            return None
        data = f"data:{kind};base64,{base64.b64encode(self.to_bytes()).decode()}"
        width, height = self.size
        if kind.startswith("video"):
            return f'<video src="{data}" width="{width}" height="{height}" controls autoplay loop muted></video>'
        return f'<img src="{data}" width="{width}" height="{height}" alt="{self.frames} frames">'


def film(frames: Iterable[Any], path: str | os.PathLike[str] | None = None, *, fps: float = 25.0) -> Film:
    """Writes pictures one after another to a file that plays. A few of them are in memory at a time.

    Args:
        frames: The pictures, which may be made on the way: images of this package, scenes of :func:`roundel.read`, arrays of
            (height, width, 3 or 4), PIL images, figures of matplotlib, or names of image files. All have one size.
        path: The file, whose name says the format: ``.png`` (animated), ``.gif``, ``.webp``, ``.mp4`` (needs ``ffmpeg``), ``.y4m``, or
            ``frame_{frame:04}.png`` for a PNG each. Without a name the film is a WebP in memory, for a notebook.
        fps: Frames a second.

    Returns:
        The film, which a notebook plays.

    >>> import numpy as np, roundel
    >>> positions = np.random.default_rng(1).normal(size=(100, 3))
    >>> turn = (roundel.spheres(positions, 0.2, azimuth=angle, zoom=0.8, width=64, height=48) for angle in range(0, 360, 30))
    >>> roundel.film(turn, fps=12)
    <roundel.Film of 12 frames, 64x48 pixels, 12 a second>
    """
    if path is None:
        with tempfile.TemporaryDirectory() as folder:
            found = film(frames, Path(folder) / "film.webp", fps=fps)
            return Film(Path("film.webp"), found.frames, found.fps, found.size, found.to_bytes())
    path, fps = Path(path), _arrays.number("fps", fps)
    if not isinstance(frames, Iterable):
        raise TypeError(f"frames must be pictures one after another, got {type(frames).__name__}")
    pictures = _pictures(frames)
    sample = list(islice(pictures, SAMPLES if path.suffix.lower() == ".gif" else 1))
    if not sample:
        raise ValueError("frames must be one or more, got none")
    height, width = sample[0].shape[:2]
    writer = _roundel.FilmWriter(path, fps, sample)
    try:
        for pixels in chain(sample, pictures):
            writer.push(pixels)
        count = writer.finish()
    except BaseException:
        writer.abandon()
        raise
    return Film(path, count, fps, (width, height))


def _pictures(frames: Iterable[Any]) -> Iterator[npt.NDArray[np.uint8]]:
    for number, frame in enumerate(frames):
        pixels = pixels_of(f"frame {number}", frame.render() if isinstance(frame, Scene) else frame)
        # 16 bits rounded to 8, as the nearest step of 257
        yield pixels if pixels.dtype == np.uint8 else ((pixels.astype(np.uint32) + 128) // 257).astype(np.uint8)
