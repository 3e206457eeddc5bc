"""The widget itself, which needs the package anywidget."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ._roundel import Image, Scene
from ._widget import Session, base64_png

__all__ = ["View"]

WIDGET = "application/vnd.jupyter.widget-view+json"


class View(anywidget.AnyWidget):
    """Spheres in a notebook; :func:`roundel.show` makes one.

    The page sends events of mouse and keys when the answer to those before has come, so that a slow connection draws fewer
    pictures instead of late ones.
    """

    _esm = Path(__file__).parent / "widget.js"
    _css = Path(__file__).parent / "widget.css"

    width = traitlets.Int().tag(sync=True)
    height = traitlets.Int().tag(sync=True)
    picture = traitlets.Bytes().tag(sync=True)
    """The last picture at rest, a PNG."""
    picked = traitlets.Dict().tag(sync=True)
    """The shape that was picked last: ``index``, ``kind``, ``center``, ``radii``, and the ``record`` that its file has for it."""

    def __init__(self, scene: Scene, size: tuple[int, int], speed: dict[str, Any], given: Any = None) -> None:
        self._session = Session(scene, size, speed, given)
        self._shown: Any = None
        self._is_saved = True
        picture = self._session.image().to_png()
        super().__init__(width=size[0], height=size[1], picture=picture, picked={})
        self.on_msg(self._on_message)

    @property
    def image(self) -> Image:
        """The picture at rest."""
        return self._session.image()

    @property
    def camera(self) -> dict[str, Any]:
        """``eye``, ``target``, ``up``, and ``fov`` or ``ortho_height``, as options have them."""
        return self._session.camera

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture at rest as PNG."""
        self._session.save(path)

    def _on_message(self, _: Any, content: Any, buffers: Any) -> None:
        """Answers a message of the page."""
        if content.get("save"):
            self._save_in_notebook()
            return
        state, image = self._session.answer(str(content.get("events", "")))
        self.picked = state["picked"]
        pictures: list[bytes] = []
        if image is not None:
            self._is_saved = False
            pictures = [image.to_png()]
            if state["quality"] == "finished":
                self.picture = pictures[0]
        self.send({"view": content.get("view"), **state}, buffers=pictures)

    def _save_in_notebook(self) -> None:
        """Puts the picture into the cell's output, for readers without a kernel."""
        if self._shown is not None and not self._is_saved:
            self._is_saved = True
            self._shown.update(self._bundle(), raw=True)

    def _bundle(self) -> dict[str, Any]:
        width, height = self.width, self.height
        return {
            "text/plain": f"<roundel.View of {width}x{height} pixels>",
            "image/png": base64_png(self.image),
            WIDGET: {"version_major": 2, "version_minor": 1, "model_id": self.model_id},
        }

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[Any, Any], dict[Any, Any]]:
        return self._bundle(), {}

    def _ipython_display_(self) -> None:
        from IPython.display import display

        show: Any = display
        self._shown = show(self._bundle(), raw=True, display_id=True)

    def __repr__(self) -> str:
        return f"<roundel.View of {self.width}x{self.height} pixels>"
