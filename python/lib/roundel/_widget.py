"""A widget for notebooks: the viewer of ``roundel view``, drawn in the kernel."""

from __future__ import annotations

import base64
import os
import re
from typing import Any

from . import _drawing, _options, _particles, _plane, _roundel
from ._colors import Colors
from ._drawing import Invalid
from ._options import Options
from ._roundel import Image, Scene
from ._typing import Array, Positions, Unpack, View

__all__ = ["show"]

SIZE = (640, 480)

CAMERA = re.compile(r"--(eye|target|up|fov|ortho-height)=([^ ]+)")
"""The camera in the command that draws a view."""


def show(
    scene: Scene | Positions,
    radii: Array | None = None,
    colors: Colors | None = None,
    *,
    parts: Array | None = None,
    invalid: Invalid = "raise",
    **options: Unpack[Options],
) -> View:
    """Shows spheres in a notebook, to turn, zoom and pick with the mouse. The package ``anywidget`` is needed.

    A drag turns, with Shift or the right button it moves, the wheel zooms, a click picks. The keys are those of
    ``roundel view``: 1, 3, 7 and 9 look from the sides, F fits, L changes the look, S and A switch shadows and occlusion, Enter
    returns to the first view. Pictures are drawn in the kernel: coarse ones while the view changes, and at rest exactly that of
    :func:`roundel.spheres`, which stays in the notebook when it is saved.

    Args:
        scene: A scene that :func:`roundel.read` has read, or positions as in :func:`roundel.spheres`.
        radii, colors: Of positions, as there.
        parts: Of positions, as there.
        invalid: Of positions, as there.
        **options: As follows, of positions; ``width`` and ``height`` (640 by 480 by default) and options of performance of both.

    Returns:
        The widget. ``view.picked`` is the shape that was picked last, ``view.image`` the picture, ``view.save(path)`` writes it,
        and ``spheres(positions, **view.camera)`` or ``read(path, **view.camera)`` draws what it shows.

    >>> import numpy as np, roundel
    >>> view = roundel.show(np.random.default_rng(1).normal(size=(1000, 3)), 0.1)  # doctest: +SKIP
    """
    try:
        from ._view import View as Shown
    except ImportError as error:
        raise ImportError(f"roundel.show needs the package anywidget: pip install anywidget ({error})") from error
    speed = {name: value for name, value in options.items() if name in _options.PERFORMANCE and value is not None}
    rest: Any = {name: value for name, value in options.items() if name not in _options.PERFORMANCE}
    size = _plane.size_of({name: rest.pop(name, None) for name in ("width", "height")}, SIZE)
    if isinstance(scene, Scene):
        of_positions = {"radii": radii, "colors": colors, "parts": parts, "invalid": None if invalid == "raise" else invalid}
        for name in (*rest, *(name for name, value in of_positions.items() if value is not None)):
            raise TypeError(f"show() does not take {name!r} with a scene: give it to roundel.read")
        return Shown(scene, size, speed)
    _options.check("show", rest)
    made, given = _drawing.sphere_scene(
        scene, radii, colors, parts=parts, invalid=invalid, width=size[0], height=size[1], **rest, **speed
    )
    return Shown(made, size, speed, given)


class Session:
    """The viewer behind a widget: events in, pictures out; independent of notebooks."""

    def __init__(
        self, scene: Scene, size: tuple[int, int], speed: dict[str, Any], given: _particles.SphereArrays | None = None
    ) -> None:
        self._given = given
        self._viewer = _roundel.Viewer(scene, speed)
        self._viewer.handle(f"0 resize {size[0]} {size[1]}")

    def answer(self, events: str) -> tuple[dict[str, Any], Image | None]:
        """Takes events, and draws: the state after them, and the picture if it has changed."""
        if events:
            self._viewer.handle(events)
        image = self._viewer.draw()
        state = {"idle": self._viewer.is_idle and not self._viewer.is_playing, "quality": self._viewer.quality}
        return {**state, "picked": self.picked}, image

    @property
    def picked(self) -> dict[str, Any]:
        """The shape under the mouse, or the one that was clicked on; empty if there is none."""
        found = self._viewer.picked
        if found is None:
            return {}
        index, kind, center, radii, record = found
        if self._given is not None and self._given.rows is not None:
            index = int(self._given.rows[index])
        if self._given is not None and self._given.shift is not None:
            center = [place + by for place, by in zip(center, self._given.shift.tolist())]
        return {"index": index, "kind": kind, "center": center, "radii": radii, "record": dict(record)}

    @property
    def camera(self) -> dict[str, Any]:
        """The camera as options have it, in the coordinates that were given."""
        flags = dict(CAMERA.findall(self._viewer.command("view.png")))
        numbers = {name.replace("-", "_"): tuple(map(float, text.split(","))) for name, text in flags.items()}
        camera = {name: found[0] if len(found) == 1 else found for name, found in numbers.items()}
        return camera if self._given is None else _particles.unshifted_camera(camera, self._given.shift)

    def image(self) -> Image:
        """The final picture."""
        return self._viewer.finish()

    def save(self, path: str | os.PathLike[str]) -> None:
        self.image().save(path)


def base64_png(image: Image) -> str:
    """A PNG as notebooks keep it."""
    return base64.b64encode(image.to_png()).decode("ascii")
