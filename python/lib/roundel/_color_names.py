"""One colour by its name: of CSS, of matplotlib, in hexadecimal digits, or as numbers."""

from __future__ import annotations

import re
from typing import Any, Union

from . import _roundel

__all__ = ["Color", "channels", "is_color", "of_matplotlib", "one_color"]

Color = Union[str, tuple[float, float, float], tuple[float, float, float, float]]
"""One colour: a name of CSS such as ``"steelblue"``, or of matplotlib such as ``"C0"``, ``"tab:red"``, ``"k"`` and ``"0.5"``; ``"#rgb"``,
``"#rrggbb"``, ``"#rrggbbaa"``, or a tuple of three or four numbers from 0 to 1."""

ONE = "a name such as 'steelblue', '#rrggbb', or 3 or 4 numbers from 0 to 1"

MATPLOTLIB = {"b": "#0000ff", "g": "#008000", "r": "#ff0000", "c": "#00bfbf", "m": "#bf00bf", "y": "#bfbf00", "k": "#000000", "w": "#ffffff"}
"""Letters that matplotlib reads as colours."""

TAB = ("blue", "orange", "green", "red", "purple", "brown", "pink", "gray", "olive", "cyan")


def of_matplotlib(text: str) -> str:
    """A colour of matplotlib as ``#rrggbb``; any other text as it is."""
    name, number = text.removeprefix("tab:").replace("grey", "gray"), None
    if text.startswith("tab:") and name in TAB:
        number = TAB.index(name)
    elif text.startswith("C") and text[1:].isascii() and text[1:].isdecimal():
        number = int(text[1:]) % len(TAB)
    if number is not None:
        return "#{:02x}{:02x}{:02x}".format(*_roundel.category_colors("tab10", len(TAB))[number])
    if re.fullmatch(r"[01]?\.[0-9]+|[01]\.?", text) and 0 <= float(text) <= 1:
        return "#" + f"{int(255 * float(text) + 0.5):02x}" * 3
    return MATPLOTLIB.get(text, text)


def one_color(name: str, value: Any) -> str:
    """A colour as text, which the compiled part reads."""
    if isinstance(value, str):
        text = of_matplotlib(value)
        channels(name, text)
        return text
    try:
        parts = [float(part) for part in value]
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a colour, {ONE}, got {value!r}") from None
    if len(parts) not in (3, 4) or not all(0 <= part <= 1 for part in parts):
        raise ValueError(f"{name} must be a colour, {ONE}, got {value!r}")
    return "#" + "".join(f"{int(255 * part + 0.5):02x}" for part in parts)


def channels(name: str, text: str) -> tuple[int, int, int, int]:
    """Red, green, blue and alpha of a colour's text."""
    found = _roundel.color_channels(text)
    if found is None:
        raise ValueError(f"{name} must be a name of CSS such as steelblue, #rgb, #rgba, #rrggbb or #rrggbbaa, got {text!r}")
    return found


def is_color(text: str) -> bool:
    """Whether a text is a colour."""
    return _roundel.color_channels(of_matplotlib(text)) is not None
