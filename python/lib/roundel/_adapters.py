"""Pictures of pytest-mpl and pytest-pyvista, compared by roundel: ``pytest --roundel-compare``.

Baselines stay where these packages keep them. Their metrics (a root mean square, a sum of pixel distances) are replaced by
:func:`roundel.compare`; failures go into roundel's report, and ``--roundel-bless NAME`` replaces a baseline.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from . import testing
from ._pictures import pixels_of

__all__ = ["install", "options_of", "uninstall"]

NUMBERS = {
    "tolerance": float,
    "threshold": float,
    "oklab": float,
    "flip": float,
    "pixels_per_degree": float,
    "share": float,
    "pixels": int,
    "window": int,
}
SWITCHES = ("ignore_antialiasing", "mask_transparent")

_undo: list[Callable[[], None]] = []


def options_of(text: str) -> dict[str, Any]:
    """Options of :func:`roundel.compare` from ``tolerance=2,pixels=20,ignore_antialiasing``; ``exact`` stands for none."""
    options: dict[str, Any] = {}
    for part in (part.strip() for part in text.split(",")):
        name, _, value = part.partition("=")
        if part in ("", "exact"):
            continue
        if part in SWITCHES:
            options[part] = True
        elif name in NUMBERS:
            try:
                options[name] = NUMBERS[name](value)
            except ValueError:
                raise ValueError(f"must have a number for {name}, got {value!r}") from None
        else:
            raise ValueError(f"must be of {', '.join((*NUMBERS, *SWITCHES))}, got {name!r}")
    return options


def install(options: dict[str, Any]) -> None:
    """Replaces the comparisons of both packages, as far as they are installed."""
    uninstall()
    _matplotlib(options)
    _pyvista(options)


def uninstall() -> None:
    """Restores the comparisons."""
    while _undo:
        _undo.pop()()


def _replace(owner: Any, name: str, value: Any) -> Any:
    before = getattr(owner, name)
    setattr(owner, name, value)
    _undo.append(lambda: setattr(owner, name, before))
    return before


def _matplotlib(options: dict[str, Any]) -> None:
    plugin: Any = sys.modules.get("pytest_mpl.plugin")
    if plugin is None:
        return

    def compare_image_to_baseline(self: Any, item: Any, fig: Any, result_dir: Path, summary: Any = None) -> str | None:
        file = self.generate_filename(item)
        folder = str(self.get_baseline_directory(item))
        # vector files, and baselines from the network
        if not file.endswith(".png") or "://" in folder:
            found: str | None = plain(self, item, fig, result_dir, summary)
            return found
        summary = {} if summary is None else summary
        picture = (result_dir / "result.png").absolute()
        self.save_figure(item, fig, picture)
        summary["result_image"] = picture.relative_to(self.results_dir).as_posix()
        message = testing.match(testing.name_of_test(item.nodeid), Path(folder) / file, pixels_of("figure", picture), options)
        summary["status"] = "passed" if message is None else "failed"
        summary["image_status"] = "match" if message is None else "diff"
        summary["status_msg"] = "roundel: the pictures agree" if message is None else message
        return message

    plain = _replace(plugin.ImageComparison, "compare_image_to_baseline", compare_image_to_baseline)


def _pyvista(options: dict[str, Any]) -> None:
    plugin: Any = sys.modules.get("pytest_pyvista.pytest_pyvista")
    if plugin is None:
        return

    def test_compare_images(
        test_name: str, test_image: Any, cached_image: Any, allowed_error: float, allowed_warning: float
    ) -> tuple[str | None, str | None]:
        del allowed_error, allowed_warning
        if not hasattr(test_image, "screenshot"):
            pixels = pixels_of("picture", test_image)
        else:
            largest = plugin.VerifyImageCache.max_image_size
            pixels = pixels_of("picture", np.asarray(plugin._screenshot(test_image, return_img=True, max_image_size=largest)))
        return None, testing.match(test_name, Path(cached_image), pixels, options)

    def call(self: Any, plotter: Any) -> None:
        name = f"{self.test_name}_{self.n_calls}" if self.n_calls > 0 else self.test_name
        # a missing picture is an error before any is compared
        before, self.add_missing_images = self.add_missing_images, (
            self.add_missing_images or testing.approves(name.removeprefix("test_"))
        )
        try:
            plain(self, plotter)
        finally:
            self.add_missing_images = before

    plain = _replace(plugin.VerifyImageCache, "__call__", call)
    _replace(plugin, "_test_compare_images", test_compare_images)
