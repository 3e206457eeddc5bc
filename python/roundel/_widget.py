"""A widget for notebooks: the viewer of ``roundel view``, drawn in the kernel."""

from __future__ import annotations

import base64
import os
from typing import TYPE_CHECKING, Any

from . import _drawing, _options, _plane, _roundel
from ._roundel import Image, Scene

if TYPE_CHECKING:
    from ._view import View

__all__ = ["show"]

SIZE = (640, 480)


def show(scene: Any, radii: Any = None, colors: Any = None, **options: Any) -> View:
    """Shows spheres in a notebook, to turn, zoom and pick with the mouse. The package ``anywidget`` is needed.

    A drag turns, with Shift or the right button it moves, the wheel zooms, a click picks. The keys are those of
    ``roundel view``: 1, 3, 7 and 9 look from the sides, F fits, L changes the look, S and A switch shadows and occlusion, Enter
    returns to the first view. Pictures are drawn in the kernel: coarse ones while the view changes, and at rest exactly that of
    :func:`roundel.spheres`, which stays in the notebook when it is saved.

    Args:
        scene: A scene that :func:`roundel.read` has read, or positions as in :func:`roundel.spheres`.
        radii, colors: Of positions, as there.
        **options: As follows, of positions; ``width`` and ``height`` (640 by 480 by default) and options of performance of both.

    Returns:
        The widget. ``view.picked`` is the shape that was picked last, ``view.image`` the picture, ``view.save(path)`` writes it.

    >>> import numpy as np, roundel
    >>> view = roundel.show(np.random.default_rng(1).normal(size=(1000, 3)), 0.1)  # doctest: +SKIP
    """
    try:
        from ._view import View
    except ImportError as error:
        raise ImportError(f"roundel.show needs the package anywidget: pip install anywidget ({error})") from error
    speed = {name: value for name, value in options.items() if name in _options.PERFORMANCE and value is not None}
    rest = {name: value for name, value in options.items() if name not in _options.PERFORMANCE}
    size = _plane.size_of({name: rest.pop(name, None) for name in ("width", "height")}, SIZE)
    if isinstance(scene, Scene):
        for name in (*rest, *(name for name, value in (("radii", radii), ("colors", colors)) if value is not None)):
            raise TypeError(f"show() does not take {name!r} with a scene: give it to roundel.read")
        return View(scene, size, speed)
    _options.check("show", rest)
    made = _drawing.sphere_scene(scene, radii, colors, width=size[0], height=size[1], **rest, **speed)
    return View(made, size, speed)


class Session:
    """The viewer behind a widget: events in, pictures out; independent of notebooks."""

    def __init__(self, scene: Scene, size: tuple[int, int], speed: dict[str, Any]) -> None:
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
        return {"index": index, "kind": kind, "center": center, "radii": radii, "record": dict(record)}

    def image(self) -> Image:
        """The final picture."""
        return self._viewer.finish()

    def save(self, path: str | os.PathLike[str]) -> None:
        self.image().save(path)


def base64_png(image: Image) -> str:
    """A PNG as notebooks keep it."""
    return base64.b64encode(image.to_png()).decode("ascii")
