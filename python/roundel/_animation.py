"""Films of pictures, or of positions, with one camera for all frames."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _objects, _options
from ._drawing import Renderer, sphere_scene
from ._films import film
from ._roundel import Image, Scene

__all__ = ["animate"]

# positions of a frame that decide on the camera
MOST_POSITIONS = 20_000


def animate(
    frames: Iterable[Any],
    path: str | os.PathLike[str],
    *,
    fps: float = 25.0,
    turn: float | None = None,
    count: int | None = None,
    **options: Any,
) -> int:
    """Writes a film: GIF, WebP, APNG (``.png``), Y4M or MP4 (by ffmpeg), as the name says.

    Args:
        frames: Pictures, such as those of :func:`roundel.spheres`; or what :func:`roundel.spheres` draws, frame by frame: arrays,
            ``ase.Atoms``, frames of a table. With ``turn``, one of those, around which the camera goes.
        path: The file. It appears when the film is finished; an interrupted one leaves none.
        fps: Frames a second.
        turn: Degrees by which the camera goes around, such as 360.
        count: Pictures of a turn; by default one for each 4 degrees.
        **options: As for :func:`roundel.spheres`: ``radii``, ``colors``, ``width``, ``title`` … . One camera shows all frames unless
            ``eye`` places it, and values of columns have one range of colours unless ``vmin`` and ``vmax`` name it.

    Returns:
        The number of frames.

    >>> import numpy as np, roundel
    >>> positions = np.random.default_rng(1).normal(size=(100, 3))
    >>> roundel.animate(positions, "turn.gif", turn=360, radii=0.2, width=320, height=240)  # doctest: +SKIP
    90
    >>> pictures = (roundel.spheres(positions * scale, 0.2, eye=(0, 0, 20), width=320, height=240) for scale in (1, 1.1, 1.2))
    >>> roundel.animate(pictures, "grow.gif", fps=5)  # doctest: +SKIP
    3
    """
    if turn is not None:
        degrees = _arrays.number("turn", turn)
        steps = max(1, round(abs(degrees) / 4)) if count is None else _arrays.whole("count", count)
        if steps < 1:
            raise ValueError(f"count must be 1 or more, got {count}")
        return film(_turned(frames, degrees, steps, options), path, fps=fps).frames
    if count is not None:
        raise TypeError("animate() takes 'count' with 'turn' alone")
    if _is_one(frames):
        raise TypeError(f"frames must be several, got one {type(frames).__name__}: turn=360 goes around it")
    if not isinstance(frames, Iterable):
        raise TypeError(f"frames must be pictures or positions one after another, got {type(frames).__name__}")
    return film(_drawn(frames, options), path, fps=fps).frames


def _is_one(frames: Any) -> bool:
    """Whether this is one frame: iterated over, it would be its rows or columns."""
    if isinstance(frames, np.ndarray):
        return frames.ndim == 2
    return hasattr(frames, "get_positions") or _objects.frame_columns(frames) is not None


def _drawn(frames: Iterable[Any], options: dict[str, Any]) -> Iterator[Image]:
    """Pictures as they are, and others drawn with one camera."""
    frames = iter(frames)
    first = next(frames, None)
    if first is None:
        return
    if isinstance(first, Image):
        if options:
            raise TypeError(f"animate() takes {next(iter(options))!r} for frames that it draws, and these are pictures")
        for number, picture in enumerate(itertools.chain([first], frames)):
            if not isinstance(picture, Image):
                raise TypeError(f"frames must be pictures as the first is, got {type(picture).__name__} at {number}")
            yield picture
        return
    rest = list(frames)
    renderer, options = _renderer(options)
    everything = [first, *rest]
    options = {**options, **_one_range(everything, options)}
    camera = _camera(everything, options)
    for frame in everything:
        yield renderer.spheres(frame, **{**options, **camera})


def _renderer(options: Mapping[str, Any]) -> tuple[Renderer, dict[str, Any]]:
    speed: Any = {name: value for name, value in options.items() if name in _options.PERFORMANCE}
    return Renderer(**speed), {name: value for name, value in options.items() if name not in speed}


def _places(frame: Any) -> npt.NDArray[Any]:
    """Some positions of a frame."""
    given = _objects.particles(frame)
    places = np.asarray(frame if given is None else given.positions)
    if places.ndim != 2 or places.shape[1] != 3:
        raise ValueError(f"frames must be pictures or positions (n, 3), got shape {places.shape}")
    return places[:: max(1, len(places) // MOST_POSITIONS)]


def _camera(frames: Sequence[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The camera that shows all frames."""
    if options.get("eye") is not None:
        return {}
    camera, size = _scene_camera(np.concatenate([_places(frame) for frame in frames]), options)
    return {**camera, "width": size[0], "height": size[1], **_sides(options)}


def _scene_camera(places: npt.NDArray[Any], options: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[int, int]]:
    """The camera that shows all places, and the size of the picture."""
    largest = _largest(options)
    scene = sphere_scene(places, largest, **_of_scene(options))
    camera = _camera_options(scene)
    shift = _arrays.shift_of("frames", [places], largest or 0.0, stacklevel=6)
    if shift is not None:
        # the scene lies at the origin
        camera.update({name: (np.asarray(camera[name], dtype=float) + shift).tolist() for name in ("eye", "target")})
    return camera, scene.size


def _of_scene(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that decide on a camera: without marks, which need colours or a periodic box."""
    marks = ("title", "legend", "legend_title", "legend_name", "cell", "scale_bar")
    return {name: value for name, value in options.items() if name in _options.PICTURE and name not in marks}


def _camera_options(scene: Scene) -> dict[str, Any]:
    camera = scene.camera
    return {} if camera is None else dict(camera)


def _sides(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("width", "height") if options.get(name) is not None}


def _one_range(frames: Sequence[Any], options: Mapping[str, Any]) -> dict[str, float]:
    """The least and the greatest value of a column in all frames."""
    name = options.get("colors")
    if not isinstance(name, str) or any(options.get(limit) is not None for limit in ("vmin", "vmax", "color_range", "palette")):
        return {}
    found: list[npt.NDArray[Any]] = []
    for frame in frames:
        given = _objects.particles(frame)
        try:
            values = None if given is None or given.column is None else np.asarray(given.column("colors", name))
        except ValueError:
            return {}
        if values is None or values.dtype.kind != "f":
            return {}
        found.append(values[np.isfinite(values)])
    everything = np.concatenate(found)
    return {"vmin": float(everything.min()), "vmax": float(everything.max())} if len(everything) else {}


def _turned(frame: Any, degrees: float, steps: int, options: dict[str, Any]) -> Iterator[Image]:
    """Pictures around spheres, or around the spheres of a scene's file."""
    renderer, options = _renderer(options)
    if isinstance(frame, Scene):
        raise TypeError("frames of a turn must be positions or an object that has them; roundel film turns around files")
    camera, size = _scene_camera(_places(frame), options)
    eye, target, up = (np.array(camera[name], dtype=float) for name in ("eye", "target", "up"))
    if options.get("eye") is None:
        eye, target, camera = _far_enough(_places(frame), _largest(options) or 0.0, eye, target, camera, size)
    up = up / np.linalg.norm(up)
    for step in range(steps):
        angle = math.radians(degrees * step / steps)
        turned = target + _around(eye - target, up, angle)
        view = {**camera, "eye": turned.tolist(), "target": target.tolist()}
        sides = {"width": size[0], "height": size[1], **_sides(options)}
        yield renderer.spheres(frame, **{**options, **view, **sides})


def _largest(options: Mapping[str, Any]) -> float | None:
    radii = options.get("radii")
    return float(np.max(radii)) if radii is not None and not isinstance(radii, str) else None


def _far_enough(
    places: npt.NDArray[Any],
    largest: float,
    eye: npt.NDArray[np.float64],
    target: npt.NDArray[np.float64],
    camera: Mapping[str, Any],
    size: tuple[int, int],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], dict[str, Any]]:
    """A camera that shows the sphere around all places from any side."""
    places = places[np.isfinite(places).all(axis=1)].astype(float)
    middle = 0.5 * (places.min(axis=0) + places.max(axis=0)) if len(places) else target
    reach = float(np.sqrt(((places - middle) ** 2).sum(axis=1).max(initial=0.0))) + largest
    narrow = min(1.0, size[0] / size[1])
    sight = (eye - target) / np.linalg.norm(eye - target)
    if "ortho_height" in camera:
        distance = max(float(np.linalg.norm(eye - target)), 2.0 * reach)
        return middle + sight * distance, middle, {**camera, "ortho_height": 2.0 * reach / narrow}
    half = math.atan(math.tan(math.radians(camera["fov"]) / 2) * narrow)
    return middle + sight * reach / math.sin(half), middle, dict(camera)


def _around(vector: npt.NDArray[np.float64], axis: npt.NDArray[np.float64], angle: float) -> npt.NDArray[np.float64]:
    """A vector turned about a unit axis (Rodrigues)."""
    cosine, sine = math.cos(angle), math.sin(angle)
    turned: npt.NDArray[np.float64] = vector * cosine + np.cross(axis, vector) * sine + axis * (axis @ vector) * (1 - cosine)
    return turned
