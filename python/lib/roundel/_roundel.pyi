"""The compiled part. Functions take arrays that Python code has checked and prepared."""

import os
from collections.abc import Mapping, Sequence
from typing import IO, Any, final

import numpy as np
import numpy.typing as npt
from typing_extensions import Unpack

from ._options import RenderOptions

__version__: str

@final
class Image:
    """A finished picture: (height, width, 4) uint8, straight-alpha sRGB; uint16 if drawn with ``bits=16``. Immutable.

    ``numpy.asarray(image)`` shows the pixels without a copy; notebooks show the picture itself.
    """

    def __new__(cls, pixels: npt.NDArray[np.uint8] | npt.NDArray[np.uint16]) -> Image: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def shape(self) -> tuple[int, int, int]: ...
    @property
    def pixels(self) -> npt.NDArray[Any]:
        """(height, width, 4) uint8 or uint16, read-only."""
    @property
    def depth(self) -> npt.NDArray[np.float32]:
        """Distances from the eye along the line of sight, (height, width) float32; infinite where there is no sphere."""
    @property
    def index(self) -> npt.NDArray[np.int64]:
        """The row of the sphere in the middle of each pixel, (height, width) int64; -1 where there is none."""
    @property
    def normal(self) -> npt.NDArray[np.float32]:
        """Unit normals in world coordinates, (height, width, 3) float32; 0 where there is no sphere."""
    @property
    def values(self) -> npt.NDArray[np.float64]:
        """The number by pixel of a density, (height, width) float64, NaN where there are no points; without marks around it."""
    @property
    def extent(self) -> tuple[float, float, float, float]:
        """The left, right, bottom and top edge of a density in the units of its data."""
    @property
    def dpi(self) -> float | None: ...
    @property
    def counts(self) -> dict[str, int]: ...
    @property
    def times_ms(self) -> dict[str, float]: ...
    def to_png(self) -> bytes:
        """The bytes of a PNG."""
    def to_pil(self) -> Any:
        """The picture as a ``PIL.Image.Image``, whose ``info`` has the dpi; the package pillow is needed."""
    def save(
        self,
        path: str | os.PathLike[str] | IO[bytes],
        *,
        format: str | None = None,
        dpi: float | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        """Writes the picture to a file, which is replaced whole or not at all, or to a file object.

        The name or ``format`` says which: ``"png"``, or ``"jpeg"``, ``"tiff"``, ``"webp"``, ``"bmp"`` and ``"gif"``, which Pillow
        writes. ``dpi`` takes the place of that of the picture; ``metadata`` are texts by name, for PNG.
        """
    def compare(self, other: Any, **options: Any) -> Comparison: ...
    def _repr_png_(self) -> bytes: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Scene:
    """What a file says to draw, ready to be drawn. Immutable; a notebook shows its picture.

    A pickle holds the file's path and the options, with which it is read again.
    """

    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def kind(self) -> str: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def frames(self) -> int:
        """Models or frames of the file, of which one is drawn."""
    @property
    def path(self) -> str | None: ...
    @property
    def camera(self) -> dict[str, Any] | None:
        """``eye``, ``target``, ``up``, and ``fov`` or ``ortho_height``, as options have them; ``None`` of circles."""
    def _camera_from(self, picture: Mapping[str, Any]) -> dict[str, Any] | None: ...
    def _repr_png_(self) -> bytes: ...
    def render(self, **options: Unpack[RenderOptions]) -> Image:
        """Draws the scene, from where the options say; see :func:`roundel.render`."""
    def __add__(self, other: Scene) -> Scene:
        """Both scenes in one; see :func:`roundel.scenes.mix`."""
    def save(self, path: str | os.PathLike[str], *, vector_text: str | None = None) -> None:
        """Draws it and writes a file: ``.svg`` and ``.pdf`` as shapes, whose texts are outlines or in the font ``vector_text``."""
    def to_toml(self) -> str: ...
    def __len__(self) -> int: ...

@final
class Comparison:
    """How two pictures compare. True if they agree."""

    @property
    def same(self) -> bool: ...
    @property
    def verdict(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def compared(self) -> int: ...
    @property
    def differing(self) -> int: ...
    @property
    def antialiased(self) -> int: ...
    @property
    def largest(self) -> float: ...
    @property
    def mean(self) -> float: ...
    @property
    def flip_mean(self) -> float | None: ...
    @property
    def first(self) -> tuple[int, int] | None: ...
    @property
    def regions(self) -> list[tuple[int, int, int, int, int]]: ...
    @property
    def difference(self) -> npt.NDArray[np.uint8] | None: ...
    def __bool__(self) -> bool: ...

@final
class FilmWriter:
    def __new__(
        cls, path: str | os.PathLike[str], fps: float, sample: Sequence[npt.NDArray[np.uint8]]
    ) -> FilmWriter: ...
    def push(self, pixels: npt.NDArray[np.uint8]) -> None: ...
    def finish(self) -> int: ...
    def abandon(self) -> None: ...

@final
class Renderer:
    def __new__(cls, **performance: Any) -> Renderer: ...
    def render(self, scene: Scene, output: tuple[int, list[str]]) -> Image: ...
    def render_from(
        self, scene: Scene, picture: Mapping[str, Any], output: tuple[int, list[str]]
    ) -> Image | None: ...
    def density(
        self,
        pixels: npt.NDArray[np.uint8],
        values: npt.NDArray[np.float64],
        extent: Sequence[float],
        facts: tuple[Any, ...],
        picture: Mapping[str, Any],
    ) -> Image: ...
    def sphere_scene(
        self,
        centers: npt.NDArray[np.float32],
        radii: float | npt.NDArray[np.float32],
        colors: str | npt.NDArray[np.uint8],
        parts: npt.NDArray[np.uint32] | None,
        are_atoms: bool,
        facts: tuple[Any, ...],
        picture: Mapping[str, Any],
    ) -> Scene: ...
    def markers(self, markers: dict[str, Any]) -> npt.NDArray[np.uint8]: ...
    def spheres(
        self,
        centers: npt.NDArray[np.float32],
        radii: float | npt.NDArray[np.float32],
        colors: str | npt.NDArray[np.uint8],
        parts: npt.NDArray[np.uint32] | None,
        are_atoms: bool,
        facts: tuple[Any, ...],
        picture: Mapping[str, Any],
        output: tuple[int, list[str]],
        rows: npt.NDArray[np.int64] | None,
    ) -> Image: ...
    def circles(
        self,
        centers: npt.NDArray[np.float32],
        radii: float | npt.NDArray[np.float32],
        colors: str | npt.NDArray[np.uint8],
        stroke: float | None,
        blend: str,
        facts: tuple[Any, ...],
        picture: Mapping[str, Any],
        output: tuple[int, list[str]],
    ) -> Image: ...
    def cylinders(
        self,
        starts: npt.NDArray[np.float32],
        ends: npt.NDArray[np.float32],
        radii: float | npt.NDArray[np.float32],
        colors: str | npt.NDArray[np.uint8],
        end_colors: str | npt.NDArray[np.uint8],
        is_round: bool,
        picture: tuple[tuple[Any, ...], Mapping[str, Any], tuple[int, list[str]], npt.NDArray[np.int64] | None],
    ) -> Image: ...
    def ellipsoids(
        self,
        centers: npt.NDArray[np.float32],
        radii: npt.NDArray[np.float32],
        rotations: npt.NDArray[np.float32] | None,
        colors: str | npt.NDArray[np.uint8],
        picture: tuple[tuple[Any, ...], Mapping[str, Any], tuple[int, list[str]], npt.NDArray[np.int64] | None],
    ) -> Image: ...
    def arrows(
        self,
        starts: npt.NDArray[np.float32],
        vectors: npt.NDArray[np.float32],
        radii: float | npt.NDArray[np.float32],
        colors: str | npt.NDArray[np.uint8],
        picture: tuple[tuple[Any, ...], Mapping[str, Any], tuple[int, list[str]], npt.NDArray[np.int64] | None],
    ) -> Image: ...

@final
class Viewer:
    def __new__(cls, scene: Scene, performance: Mapping[str, Any]) -> Viewer: ...
    def handle(self, events: str) -> None: ...
    def draw(self) -> Image | None: ...
    def finish(self) -> Image: ...
    def command(self, output: str) -> str: ...
    @property
    def is_idle(self) -> bool: ...
    @property
    def is_playing(self) -> bool: ...
    @property
    def quality(self) -> str: ...
    @property
    def picked(self) -> tuple[int, str, list[float], list[float], list[tuple[str, str]]] | None: ...

def colormaps() -> list[str]:
    """The names of all colour maps. With ``_r`` at its end that of a ramp means the same from its last colour to its first."""

def palettes() -> list[str]:
    """The names of the colour maps of categories."""

def colormap_name(name: str) -> str | None: ...
def add_colormap(name: str, colors: Sequence[Sequence[int]]) -> str: ...
def add_palette(name: str, colors: Sequence[Sequence[int]]) -> str: ...
def category_colors(palette: str, count: int) -> list[tuple[int, int, int]]: ...
def option_table() -> list[tuple[str, str, str]]: ...
def run_program(arguments: Sequence[str]) -> int: ...

def map_colors(
    values: npt.NDArray[np.float64], colormap: str, scale: str, least: float, greatest: float
) -> npt.NDArray[np.uint8]: ...
def value_range(values: npt.NDArray[np.float64], scale: str, shares: Sequence[float] | None = None) -> list[float]: ...
def color_ranks(values: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], list[list[float]]]: ...
def count_whole(values: npt.NDArray[np.float64], scale: str, ends: Sequence[float]) -> list[int]: ...
def color_channels(text: str) -> tuple[int, int, int, int] | None: ...
def element_looks(elements: Sequence[int | str], palette: str = ...) -> list[tuple[str, float, tuple[int, int, int]]]: ...
def default_radius(centers: npt.NDArray[np.float32]) -> float: ...
def sound_rows(centers: npt.NDArray[np.float32], radii: float | npt.NDArray[np.float32]) -> npt.NDArray[np.bool_] | None: ...
def read(path: str | os.PathLike[str], picture: Mapping[str, Any], performance: Mapping[str, Any]) -> Scene: ...
def read_image(path: str | os.PathLike[str]) -> npt.NDArray[Any]: ...
def encode_png(pixels: npt.NDArray[Any]) -> bytes: ...
def write_file(path: str | os.PathLike[str], content: bytes) -> None: ...
def compare(
    expected: npt.NDArray[Any],
    actual: npt.NDArray[Any],
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
    mask: Sequence[tuple[int, int, int, int]] = (),
    mask_image: npt.NDArray[Any] | None = None,
    mask_transparent: bool = False,
) -> Comparison: ...
def write_report(path: str | os.PathLike[str], title: str, cases: Sequence[tuple[Any, ...]]) -> None: ...
def bounds_of_points(points: Any) -> list[list[float]]: ...
def mass_by_pixel(
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    radii: npt.NDArray[np.float64],
    weights: npt.NDArray[np.float64] | None,
    extent: Sequence[float],
    size: Sequence[int],
) -> npt.NDArray[np.float64]: ...
def statistic_by_pixel(
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    weights: npt.NDArray[np.float64] | None,
    extent: Sequence[float],
    size: Sequence[int],
    statistic: str,
) -> npt.NDArray[np.float64]: ...
