"""Films: pictures one after another, as a file that plays."""

from __future__ import annotations

import base64
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _arrays, _objects, _options, _roundel
from ._color_names import Color
from ._colors import Colors
from ._drawing import Invalid
from ._options import Options
from ._pictures import pixels_of
from ._roundel import Image, Scene
from ._typing import Array, Positions, Unpack

__all__ = ["Film", "film"]

SAMPLES = 8
"""Frames, from all parts of a film, from which the colours of a GIF are chosen."""

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


def film(
    frames: Scene | Positions,
    path: str | os.PathLike[str] | None = None,
    *,
    fps: float = 25.0,
    turn: float | None = None,
    count: int | None = None,
    radii: Array | None = None,
    colors: Colors | None = None,
    parts: Array | None = None,
    invalid: Invalid = "raise",
    style: str | Mapping[str, str] | None = None,
    bonds: Literal["auto", "file", "distance", "none"] | None = None,
    highlight: Mapping[str, Color] | None = None,
    label: Sequence[tuple[str, Any]] | None = None,
    **options: Unpack[Options],
) -> Film:
    """Makes a film of pictures, or of what :func:`roundel.spheres` draws, one frame after another.

    Args:
        frames: Pictures: images of this package, scenes of :func:`roundel.read`, arrays of (height, width, 3 or 4), PIL images,
            figures of matplotlib, or names of image files, all of one size. Or what :func:`roundel.spheres` draws: arrays (n, 3),
            ``ase.Atoms``, MDAnalysis groups, frames of a table. They may be made on the way, or change in place, as in
            ``(u.atoms for _ in u.trajectory)``: each is read once, when its turn comes. With ``turn``, one of the latter, or a
            scene, around which the camera goes.
        path: The file, whose name says the format: ``.png`` (animated), ``.gif``, ``.webp``, ``.mp4`` (needs ``ffmpeg``), ``.y4m``, or
            ``frame_{frame:04}.png`` for a PNG each. It appears when the film is finished; an interrupted one leaves none. Without
            a name the film is a WebP in memory, for a notebook.
        fps: Frames a second.
        turn: Degrees by which the camera goes around, such as 360.
        count: Pictures of a turn; by default one for each 4 degrees.
        radii: Of frames that are drawn, as in :func:`roundel.spheres`: numbers or the name of a column.
        colors: Of frames that are drawn, as there; the name of a column has one range of values, or one colour for each category.
        parts: Of frames that are drawn, as there.
        invalid: Of frames that are drawn, as there.
        style: Of frames that are drawn, as in :func:`roundel.read`: ``"sticks"``, ``"ball-and-stick"`` …; ``colors`` and ``radii``
            are then those of files, too.
        bonds: Of frames that are drawn, as there.
        highlight: Of frames that are drawn, as there.
        label: Of frames that are drawn, as there.
        **options: As there. One camera shows all of them, one range of colours fits all values of a column, and a
            category has one colour. Frames that are not in a list wait in a temporary file until the last has come.

    Returns:
        The film, which a notebook plays.

    >>> import numpy as np, roundel
    >>> positions = np.random.default_rng(1).normal(size=(100, 3))
    >>> roundel.film([positions * scale for scale in (1, 1.1, 1.2)], radii=0.2, width=64, height=48, fps=12)
    <roundel.Film of 3 frames, 64x48 pixels, 12 a second>
    >>> roundel.film(positions, "turn.gif", turn=360, radii=0.2, width=320, height=240)  # doctest: +SKIP
    <roundel.Film of 90 frames, 320x240 pixels, 25 a second>
    >>> pictures = (roundel.spheres(positions * scale, 0.2, eye=(0, 0, 20), width=64, height=48) for scale in (1, 1.1, 1.2))
    >>> roundel.film(pictures, fps=12)
    <roundel.Film of 3 frames, 64x48 pixels, 12 a second>
    """
    fps = _arrays.number("fps", fps)
    given: dict[str, Any] = {"radii": radii, "colors": colors, "parts": parts, "invalid": None if invalid == "raise" else invalid}
    given.update(style=style, bonds=bonds, highlight=highlight, label=label)
    _options.check("film", {name: value for name, value in options.items() if name not in _options.PERFORMANCE})
    of_frames = {name: value for name, value in {**given, **options}.items() if value is not None}
    pictures = _pictures_of(frames, turn, count, of_frames)
    if path is None:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            found = _written(pictures, Path(folder) / "film.webp", fps)
            return Film(Path("film.webp"), found.frames, found.fps, found.size, found.to_bytes())
    return _written(pictures, Path(path), fps)


def _pictures_of(frames: Any, turn: Any, count: Any, options: dict[str, Any]) -> Iterable[Any]:
    """The pictures of frames: as they are, or drawn."""
    # not before a film is made, as it takes time
    from . import _film_frames

    if turn is not None:
        degrees = _arrays.number("turn", turn)
        steps = max(1, round(abs(degrees) / 4)) if count is None else _arrays.whole("count", count)
        if steps < 1:
            raise ValueError(f"count must be 1 or more, got {count}")
        if isinstance(frames, Scene):
            if frames.kind != "spheres":
                raise TypeError(f"frames of a turn must be positions or a scene of solids, got {frames!r}")
            return _film_frames.turned_scene(frames, degrees, steps, options)
        return _film_frames.turned(frames, degrees, steps, options)
    if count is not None:
        raise TypeError("film() takes 'count' with 'turn' alone")
    is_picture = isinstance(frames, np.ndarray) and frames.ndim == 3 and frames.dtype == np.uint8
    if is_picture or _film_frames.is_one(frames):
        raise TypeError(f"frames must be several, got one {type(frames).__name__}: turn=360 goes around it")
    if not isinstance(frames, Iterable) or isinstance(frames, (str, Image)):
        raise TypeError(f"frames must be pictures or positions one after another, got {type(frames).__name__}")
    if isinstance(frames, (list, tuple, np.ndarray)):
        first = frames[0] if len(frames) else None
        return _film_frames.drawn(frames, options) if _is_drawn(first) else _plain(frames, options)
    frames = iter(frames)
    # only looked at: the next frame may take its place in memory
    first = next(frames, None)
    if not _is_drawn(first):
        return _plain([] if first is None else _film_frames.continued(first, frames), options)
    return _film_frames.drawn(frames, options, first)


def _is_drawn(frame: Any) -> bool:
    """Whether a frame is something to draw, not a picture."""
    if isinstance(frame, (np.ndarray, list, tuple)):
        shape = np.shape(frame)
        return len(shape) == 2 and shape[1] == 3
    return not isinstance(frame, (Image, Scene, str, os.PathLike)) and _objects.particles(frame) is not None


def _plain(frames: Iterable[Any], options: dict[str, Any]) -> Iterable[Any]:
    """Pictures, which take no options."""
    if options:
        raise TypeError(f"film() takes {next(iter(options))!r} for frames that it draws, and these are pictures")
    return frames


def _written(frames: Iterable[Any], path: Path, fps: float) -> Film:
    pictures = _pictures(frames)
    if path.suffix.lower() == ".gif":
        import tempfile

        with tempfile.TemporaryFile() as file:
            places = [_stored(file, pixels) for pixels in pictures]
            chosen = sorted({round(place) for place in np.linspace(0, max(len(places) - 1, 0), SAMPLES)}) if places else []
            sample = [_restored(file, *places[place]) for place in chosen]
            return _encoded((_restored(file, *place) for place in places), sample, path, fps)
    first = list(islice(pictures, 1))
    return _encoded(chain(first, pictures), first, path, fps)


def _stored(file: Any, pixels: npt.NDArray[np.uint8]) -> tuple[int, tuple[int, ...]]:
    """Writes pixels to a file; returns where they are, and their shape."""
    file.write(pixels.tobytes())
    return file.tell() - pixels.nbytes, pixels.shape


def _restored(file: Any, at: int, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    file.seek(at)
    return np.frombuffer(file.read(math.prod(shape)), dtype=np.uint8).reshape(shape)


def _encoded(
    pictures: Iterable[npt.NDArray[np.uint8]], sample: list[npt.NDArray[np.uint8]], path: Path, fps: float
) -> Film:
    """Writes a film; some of its pictures decide on the colours of a GIF."""
    if not sample:
        raise ValueError("frames must be one or more, got none")
    height, width = sample[0].shape[:2]
    writer = _roundel.FilmWriter(path, fps, sample)
    try:
        for pixels in pictures:
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
        pixels = pixels if pixels.dtype == np.uint8 else ((pixels.astype(np.uint32) + 128) // 257).astype(np.uint8)
        # the next frame may take the place of an array in memory
        yield np.array(pixels) if isinstance(frame, np.ndarray) else pixels
