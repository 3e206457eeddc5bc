"""Frames of a film that are positions: drawn with one camera, one range of colours and one palette.

Frames are read once, in order, as they may change in place or be made on the way. A first pass finds what all have in common and
keeps a copy of each on disk, unless they are in a list; a second one draws them. One frame is in memory at a time.
"""

from __future__ import annotations

import copy
import math
import os
import pickle
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from . import _arrays, _colors, _object_files, _objects, _options, _particles
from ._drawing import Renderer, sphere_scene
from ._files import camera, changed, read, source
from ._roundel import Image, Scene, default_radius

__all__ = ["continued", "drawn", "is_one", "turned", "turned_scene"]

Places = npt.NDArray[np.float64]

SAMPLE = 100_000
"""Positions of all frames that decide on the side to look from and on the shape of the picture."""

VALUES = 1 << 16
"""Values of a frame that decide on outliers, beside the least and the greatest."""

FILLED = 0.94
"""The share of the picture that framed spheres fill, as in crates/scene/src/scene/framing.rs."""

# the camera is found once for all frames, and then given as eye, target and up
CAMERA = ("view", "azimuth", "elevation", "roll", "zoom", "eye", "target", "up", "fov", "ortho", "ortho_height")

FILE = frozenset(("style", "bonds", "highlight", "label", "categories"))
"""Options of frames that are drawn as files are."""

# these are said in other words to files
OF_ARRAYS = ("parts", "invalid", "vmin", "vmax", *_options.OUTPUT)

# marks need colours, or a box
MARKS = ("title", "legend", "legend_title", "legend_unit", "legend_order", "legend_name")


def is_one(frames: Any) -> bool:
    """Whether this is one frame: iterated over, it would be its rows or columns."""
    if isinstance(frames, np.ndarray):
        return frames.ndim == 2
    return not isinstance(frames, (list, tuple)) and _objects.particles(frames) is not None


def continued(first: Any, rest: Iterator[Any]) -> Iterator[Any]:
    """A frame and those after it. Readers of trajectories begin again where ``iter`` is called on them."""
    yield first
    end = object()
    while (frame := next(rest, end)) is not end:
        yield frame


def drawn(frames: Iterable[Any], options: Mapping[str, Any], first: Any = None) -> Iterator[Image]:
    """Pictures of frames with one camera, one range of colours and one palette; an iterator has given ``first`` already."""
    renderer, options = _renderer(options)
    with _Frames(frames, options, first) as source:
        survey = _Survey(options)
        for frame in source:
            survey.add(frame)
        common = survey.common(source)
        for frame in source:
            yield _image(renderer, survey.painted(frame), {**options, **common})


def turned(frame: Any, degrees: float, steps: int, options: Mapping[str, Any]) -> Iterator[Image]:
    """Pictures around the particles of one frame."""
    renderer, options = _renderer(options)
    frame = _snapshot(frame, options)
    survey = _Survey(options)
    survey.add(frame)
    camera = survey.turned_camera(frame)
    eye, target, up = (np.array(camera[name], dtype=float) for name in ("eye", "target", "up"))
    up = up / np.linalg.norm(up)
    for step in range(steps):
        place = target + _around(eye - target, up, math.radians(degrees * step / steps))
        yield _image(renderer, frame, {**options, **camera, "eye": place.tolist()})


def turned_scene(scene: Scene, degrees: float, steps: int, options: Mapping[str, Any]) -> Iterator[Image]:
    """Pictures around the solids of a scene."""
    renderer, options = _renderer(options)
    for name in options:
        if name not in _options.SCENE:
            raise TypeError(f"film() does not take {name!r} for a scene: give it to roundel.read")
    picture, _ = _options.split("film", options, accepted=_options.SCENE, performance=False)
    output: Any = {name: picture.pop(name) for name in _options.OUTPUT if name in picture}
    scene = changed(scene, picture) if picture else scene
    start = float(source(scene)[1].get("azimuth", 0.0))

    def camera_at(angle: float) -> dict[str, Any]:
        return {name: np.asarray(value, dtype=float) for name, value in camera(scene, {"azimuth": start + angle}).items()}

    # from one point, and so far away that everything is shown from any side
    sides = [camera_at(45.0 * side) for side in range(8)]
    target = sides[0]["target"]
    away = [float(np.linalg.norm(side["target"] - target)) for side in sides]
    distance = max(float(np.linalg.norm(side["eye"] - side["target"])) + beside for side, beside in zip(sides, away))
    for step in range(steps):
        found = camera_at(degrees * step / steps)
        sight = found["eye"] - found["target"]
        seen: Any = {"eye": target + sight * (distance / np.linalg.norm(sight)), "target": target, "up": found["up"]}
        if "ortho_height" in found:
            seen["ortho_height"] = max(float(side["ortho_height"]) + 2 * beside for side, beside in zip(sides, away))
        elif "fov" in found:
            seen["fov"] = float(found["fov"])
        yield renderer.render(scene, **seen, **output)


def _renderer(options: Mapping[str, Any]) -> tuple[Renderer, dict[str, Any]]:
    speed: Any = {name: value for name, value in options.items() if name in _options.PERFORMANCE}
    return Renderer(**speed), {name: value for name, value in options.items() if name not in speed}


def _is_of_file(options: Mapping[str, Any]) -> bool:
    """Whether frames are drawn as files are, with bonds and labels."""
    return not FILE.isdisjoint(options)


def _image(renderer: Renderer, frame: _objects.Particles, options: Mapping[str, Any]) -> Image:
    """The picture of a frame, or of a file of it."""
    if not _is_of_file(options):
        return renderer.spheres(frame, **options)
    of_file: dict[str, Any] = {name: value for name, value in options.items() if name not in OF_ARRAYS}
    if options.get("vmin") is not None:
        of_file["color_range"] = options["vmin"], options["vmax"]
    if frame.cell is not None:
        of_file["cell"] = frame.shows_cell(options.get("cell"))
    output: Any = {name: options[name] for name in _options.OUTPUT if name in options}
    with tempfile.TemporaryDirectory() as folder:
        path = _object_files.write(frame, os.path.join(folder, "frame"))
        return renderer.render(read(path, **of_file), **output)


@dataclass
class _Columns:
    """Named columns of a frame."""

    columns: dict[str, Any]

    def __call__(self, argument: str, name: str) -> Any:
        if name not in self.columns:
            raise ValueError(f"{argument} must name a column, got {name!r}")
        return self.columns[name]


def _snapshot(frame: Any, options: Mapping[str, Any]) -> _objects.Particles:
    """A copy of the positions and columns of a frame that are drawn."""
    given = _objects.particles(frame) or _objects.Particles(frame)
    places = np.array(_arrays.shaped("positions", given.positions, 3))
    columns: dict[str, Any] = {}
    for argument in ("radii", "colors", "parts", "opacity"):
        name = options.get(argument)
        if isinstance(name, str) and given.column is not None:
            try:
                columns[name] = copy.deepcopy(given.column(argument, name))
            except ValueError:
                # a colour, or refused with its name when the frame is drawn
                continue
    elements = None if given.elements is None else list(given.elements)
    radii, colors, parts = (copy.deepcopy(value) for value in (given.radii, given.colors, given.parts))
    if given.column is not None and _is_of_file(options):
        columns.update({name: copy.deepcopy(column) for name, column in _object_files.columns(given)})
    column = None if given.column is None else _Columns(columns)
    cell = copy.deepcopy(given.cell)
    return _objects.Particles(places, elements, radii, colors, parts, column, cell, tuple(columns), given.is_macromolecule)


class _Frames:
    """Frames that can be read again and again: from a list, or from copies on disk."""

    def __init__(self, frames: Iterable[Any], options: Mapping[str, Any], first: Any) -> None:
        self._options = options
        self._listed = frames if isinstance(frames, (list, tuple, np.ndarray)) else None
        self._once = None if self._listed is not None else continued(first, cast("Iterator[Any]", frames))
        self._file: Any = None
        self._count = 0

    def __enter__(self) -> _Frames:
        if self._listed is None:
            self._file = tempfile.TemporaryFile()
        return self

    def __exit__(self, *_: Any) -> None:
        if self._file is not None:
            self._file.close()

    def __iter__(self) -> Iterator[_objects.Particles]:
        if self._listed is not None:
            for frame in self._listed:
                yield _snapshot(_checked(frame, self._options), self._options)
            return
        if self._once is not None:
            once, self._once = self._once, None
            for frame in once:
                kept = _snapshot(_checked(frame, self._options), self._options)
                pickle.dump(kept, self._file, protocol=pickle.HIGHEST_PROTOCOL)
                self._count += 1
                yield kept
            return
        self._file.seek(0)
        for _ in range(self._count):
            yield pickle.load(self._file)


def _checked(frame: Any, options: Mapping[str, Any]) -> Any:
    if isinstance(frame, Image):
        raise TypeError("frames must be positions as the first is, got Image")
    if type(frame).__name__ == "Timestep" and _is_of_file(options):
        option = next(name for name in options if name in FILE)
        raise TypeError(f"{option} is for atoms, and frames of a trajectory have positions alone: give (u.atoms for _ in u.trajectory)")
    return frame


@dataclass
class _Spheres:
    """Some spheres: centres (n, 3), and radii (n,)."""

    centers: Places = field(default_factory=lambda: np.empty((0, 3)))
    radii: Places = field(default_factory=lambda: np.empty(0))

    def __add__(self, other: _Spheres) -> _Spheres:
        return _Spheres(np.concatenate([self.centers, other.centers]), np.concatenate([self.radii, other.radii]))

    def __getitem__(self, rows: Any) -> _Spheres:
        return _Spheres(self.centers[rows], self.radii[rows])

    def farthest(self, directions: Places) -> _Spheres:
        """The sphere that reaches farthest in each direction of unit length."""
        if not len(self.radii):
            return self
        return self[np.unique([int(np.argmax(self.centers @ direction + self.radii)) for direction in directions])]


AXES = np.vstack([np.eye(3), -np.eye(3)])


class _Survey:
    """What all frames have in common: the camera, the range of colours, categories, and the radius of bare positions."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._options = options
        self._radius: float | None = None
        self._sample, self._step = _Spheres(), 1
        self._bounds = _Spheres()
        self._values: list[Places] = []
        self._names: dict[str, None] = {}
        self._may_miss = False
        self._kinds: set[str] = set()
        self._first: _objects.Particles | None = None

    def add(self, frame: _objects.Particles) -> None:
        self._first = self._first or frame
        spheres = self._spheres(frame)
        self._bounds = (self._bounds + spheres.farthest(AXES)).farthest(AXES)
        self._sample += spheres[:: self._step]
        while len(self._sample.radii) > SAMPLE:
            self._sample, self._step = self._sample[::2], 2 * self._step
        self._add_colors(frame)

    def _spheres(self, frame: _objects.Particles) -> _Spheres:
        """The spheres of a frame, and points at the corners of its box if it is drawn."""
        given, name = np.asarray(frame.positions), self._options.get("radii")
        if name is None and frame.radii is None and frame.elements is None:
            if self._radius is None:
                self._radius = default_radius(_arrays.positions("positions", given, 3))
            radii: Any = self._radius
        else:
            radii = _arrays.radii("radii", _particles.sphere_radii(frame, name, given), len(given))
        centers = given.astype(np.float64)
        radii = np.broadcast_to(np.asarray(radii, dtype=np.float64), len(centers))
        finite = np.isfinite(centers).all(axis=1) & np.isfinite(radii)
        spheres = _Spheres(centers[finite], radii[finite])
        if frame.cell is not None and frame.shows_cell(self._options.get("cell")):
            corner, edges = frame.cell[0], frame.cell[1:]
            shares = np.array(np.meshgrid(*[(0.0, 1.0)] * 3)).reshape(3, -1).T
            spheres += _Spheres(corner + shares @ edges, np.zeros(8))
        return spheres

    def _add_colors(self, frame: _objects.Particles) -> None:
        column = self._column(frame)
        if column is None:
            self._kinds.add("none")
            return
        found = _colors.named_categories(column, self._options)
        if found is not None:
            self._kinds.add("names")
            self._names.update(dict.fromkeys(found[1]))
            self._may_miss = self._may_miss or None in found[0].tolist()
            return
        values = np.asarray(_objects.values(column))
        if values.ndim != 1 or values.dtype.kind not in "buif":
            self._kinds.add("none")
            return
        self._kinds.add("values")
        values = values[np.isfinite(values)].astype(np.float64)
        if len(values):
            ends = values[[int(values.argmin()), int(values.argmax())]]
            self._values.append(np.concatenate([ends, values[:: max(1, len(values) // VALUES)]]))

    def _column(self, frame: _objects.Particles) -> Any:
        name = self._options.get("colors")
        if not isinstance(name, str) or name == "element" or not isinstance(frame.column, _Columns):
            return None
        return frame.column.columns.get(name)

    def painted(self, frame: _objects.Particles) -> _objects.Particles:
        """A frame whose categories are those of all frames."""
        if _is_of_file(self._options):
            return frame
        column, name = self._column(frame), str(self._options.get("colors"))
        found = None if column is None or self._kinds != {"names"} else _colors.named_categories(column, self._options)
        if found is None:
            return frame
        categories = _colors.Categories(name, found[0], tuple(self._names), self._may_miss)
        columns = cast(_Columns, frame.column).columns
        return replace(frame, column=_Columns({**columns, name: categories}))

    def _seen(self) -> _Spheres:
        """Spheres that decide on the side to look from, and on the shape of the picture."""
        return self._sample if self._step == 1 else self._sample + self._bounds

    def common(self, frames: Iterable[_objects.Particles]) -> dict[str, Any]:
        """The options of every frame."""
        found: dict[str, Any] = {} if self._radius is None else {"radii": self._radius}
        options = self._options
        if self._kinds == {"values"} and self._values:
            # numbers of both signs have the colours that show it in all frames or in none
            values, name = np.concatenate(self._values), options["colors"]
            if options.get("color_center") is None and _colors.is_signed(values, name, options):
                found["color_center"] = 0.0
            ends = _colors.limits(values, {**options, "color_center": None})
            found.update(color_range=None, vmin=ends[0], vmax=ends[1])
            if "color_center" not in found and options.get("colormap") is None and options.get("color_center") is None:
                found["colormap"] = "viridis"
        if self._kinds == {"names"} and _is_of_file(options):
            # an empty name is a missing one
            found["categories"] = [*self._names, *([""] if self._may_miss else [])]
        return {**found, **self._camera(frames)}

    def _camera(self, frames: Iterable[_objects.Particles]) -> dict[str, Any]:
        """The camera that shows all spheres of all frames."""
        camera, size = self._framed(self._seen(), {"zoom": None}, self._first)
        if self._options.get("eye") is None and len(self._bounds.radii):
            directions = _sides(camera, size)
            reaching = _Spheres()
            for frame in frames:
                reaching = (reaching + self._spheres(frame).farthest(directions)).farthest(directions)
            options = {**_angles(camera), "width": size[0], "height": size[1]}
            camera, _ = self._framed(reaching, options, None)
        return {**dict.fromkeys(CAMERA), **camera, "width": size[0], "height": size[1]}

    def _framed(
        self, spheres: _Spheres, options: Mapping[str, Any], like: _objects.Particles | None
    ) -> tuple[dict[str, Any], tuple[int, int]]:
        """The camera that shows spheres, from the side that suits a frame or bare particles, and the size of the picture."""
        of_scene = {name: value for name, value in self._options.items() if name in _options.PICTURE and name not in MARKS}
        given = _objects.Particles(spheres.centers)
        if like is not None:
            given = replace(given, elements=None if like.elements is None else [], cell=like.cell, is_macromolecule=like.is_macromolecule)
        elif of_scene.get("cell"):
            of_scene["cell"] = None
        scene, arrays = sphere_scene(given, spheres.radii, "white", **{**of_scene, **options})
        return _particles.unshifted_camera(scene.camera or {}, arrays.shift), scene.size

    def turned_camera(self, frame: _objects.Particles) -> dict[str, Any]:
        """A camera that shows all spheres of one frame from any side around the vertical."""
        camera, size = self._framed(self._seen(), {}, frame)
        spheres = self._spheres(frame)
        if self._options.get("eye") is None and len(spheres.radii):
            eye, target = (np.array(camera[name], dtype=float) for name in ("eye", "target"))
            middle = 0.5 * (spheres.centers.min(axis=0) + spheres.centers.max(axis=0))
            reach = float((np.sqrt(((spheres.centers - middle) ** 2).sum(axis=1)) + spheres.radii).max())
            sight, narrow = (eye - target) / np.linalg.norm(eye - target), min(1.0, size[0] / size[1])
            if "ortho_height" in camera:
                distance = max(float(np.linalg.norm(eye - target)), 2.0 * reach)
                camera["ortho_height"] = 2.0 * reach / narrow
            else:
                distance = reach / math.sin(math.atan(math.tan(math.radians(camera["fov"]) / 2) * narrow))
            camera.update(eye=(middle + sight * distance).tolist(), target=middle.tolist())
        radius = {} if self._radius is None else {"radii": self._radius}
        return {**radius, **dict.fromkeys(CAMERA), **camera, "width": size[0], "height": size[1]}


def _axes(camera: Mapping[str, Any]) -> Places:
    """Unit vectors to the right, up, and towards the eye, as rows."""
    eye, target, up = (np.array(camera[name], dtype=float) for name in ("eye", "target", "up"))
    back = (eye - target) / np.linalg.norm(eye - target)
    right = np.cross(up, back)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(back, right), back])


def _sides(camera: Mapping[str, Any], size: tuple[int, int]) -> Places:
    """Outward normals of the part of a camera's frustum that spheres fill: its four sides, front and back."""
    tangent = 0.0 if "ortho_height" in camera else math.tan(math.radians(camera["fov"]) / 2) * FILLED
    tangents = tangent * size[0] / size[1], tangent
    normals = [[1, 0, tangents[0]], [-1, 0, tangents[0]], [0, 1, tangents[1]], [0, -1, tangents[1]], [0, 0, 1], [0, 0, -1]]
    rows = np.array(normals) @ _axes(camera)
    unit: Places = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def _angles(camera: Mapping[str, Any]) -> dict[str, Any]:
    """The direction of a camera as turns from the front of particles, which faces -y with z up."""
    right, up, back = _axes(camera)
    elevation = math.asin(max(-1.0, min(1.0, float(back[2]))))
    azimuth = math.atan2(float(back[0]), -float(back[1])) if abs(back[2]) < 1 - 1e-12 else math.atan2(float(right[1]), float(right[0]))
    level = np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
    roll = math.atan2(-float(right @ np.cross(back, level)), float(right @ level))
    angles = {"azimuth": azimuth, "elevation": elevation, "roll": roll}
    return {"view": "front", "up": None, **{name: math.degrees(angle) for name, angle in angles.items()}}


def _around(vector: Places, axis: Places, angle: float) -> Places:
    """A vector turned about a unit axis (Rodrigues)."""
    cosine, sine = math.cos(angle), math.sin(angle)
    turned: Places = vector * cosine + np.cross(axis, vector) * sine + axis * (axis @ vector) * (1 - cosine)
    return turned
