"""Signatures and texts of the drawing functions with every option, made of the table that the command line is made of."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from . import _drawing, _files, _films, _options, _roundel, _shapes, _widget

__all__ = ["complete"]

WIDTH = 124
"""Letters in a line of help."""

FLAG = re.compile(r"--([a-z][a-z-]*)")

OTHERS = {
    "transparent": 'Draw on nothing; short for background="transparent"',
    "highlight": "Selections and their colours; the last that holds a row counts",
    "opacity": "Opacity from 0 to 1 of all spheres, the name of a column, or selections and their opacities",
    "gloss": "Strength of highlights from 0 to 1, a strength and a roughness, or selections and these",
    "style": "spacefill, ball-and-stick, sticks, points or trace, or selections and their styles",
    "bits": "Bits a channel, 8 or 16: pixels are uint16 with 16",
    "arrays": 'Arrays to find beside the pixels, of "depth", "index" and "normal" (spheres)',
    "threads": "Number of threads; one per processor by default",
    "tile": "Side of the square tiles that are drawn one by one, 8 to 1024 pixels",
    "simd": 'Instruction set: "auto", "sse2", "avx2" …',
    "no_cull": "Test every shape against every tile",
    "limit_pixels": "The most pixels of a picture",
    "limit_shapes": "The most shapes of a scene",
    "limit_memory": "The most bytes for shapes and pixels",
    "colormap": "The colour map of values: a name, in any case and with _r at its end for the reverse, or an object of "
    "matplotlib or cmcrameri [default: viridis]",
    "palette": "The colours of categories: a name, a list of colours, or a dict of names and colours [default: distinct]",
    "vmin": "The value of the map's first colour; the least but outliers by default",
    "vmax": "The value of the map's last colour; the greatest but outliers by default",
    "color_range": 'The same as vmin and vmax in one: (0, 10), or percentiles as "p2,p98"',
    "color_scale": "How values are spread over the map: linear, log or sqrt; or equalize, which colours the pixels of a density by rank",
    "color_center": "The value in the middle of the map",
}

PAIRS = {
    "legend_name": "Entries of the legend and other names for them, as in legend_name=[('A', 'Gαs')]",
    "label": "Texts beside rows, with columns in braces, as in label=[('ligand', '{resname} {resid}')]; once for each residue "
    "where all columns are those of residues; beside circles those of the largest first, as many as fit",
}
"""Options that the command line has in other words."""

DEFAULTS = {
    "background": "white",
    "ao_distance": "any",
    "samples": "4",
    "look": "studio, or illustrative of atoms",
    "ao": "smooth",
    "azimuth": "0",
    "elevation": "0",
    "roll": "0",
    "zoom": "1",
    "fov": "30",
    "ortho": "False",
    "seed": "0",
    "scale": "1",
    "bits": "8",
    "color_scale": "linear",
    "color_range": "all values but outliers",
    "opacity": "1, or the alpha of colours",
}
"""Defaults of the functions for arrays, where descriptions do not name them."""

SIZES = {"show": ("640", "480"), **dict.fromkeys(_options.FLAT_FUNCTIONS, ("1280", "960"))}


def complete() -> None:
    """Gives functions their whole signatures and texts."""
    table = {**{name: _keywords(text) for name, _, text in _roundel.option_table()}, **PAIRS}
    arrays = {**table, **OTHERS, "opacity": "Opacity from 0 to 1: one, (n,) numbers, or the name of a column"}
    names = _options.Options.__annotations__
    drawing: tuple[Any, ...] = (_drawing.spheres, _drawing.circles, _drawing.scatter, _drawing.density)
    others: tuple[Any, ...] = (_films.film, _widget.show, _shapes.cylinders, _shapes.ellipsoids, _shapes.arrows)
    for function in (*drawing, *others):
        known = (*_options.taken(function.__name__), *_options.PERFORMANCE)
        _extend(function, {name: kind for name, kind in names.items() if name in known}, _with_defaults(function.__name__, arrays))
    of_files = {name: kind for name, kind in _options.ReadOptions.__annotations__.items() if name not in _options.RENAMED}
    _extend(_files.read, of_files, {**OTHERS, **table})
    _extend(_drawing.render, _options.RenderOptions.__annotations__, {**table, **OTHERS})
    for name in ("spheres", "circles", "scatter", "density", "render"):
        method, function = getattr(_drawing.Renderer, name), getattr(_drawing, name)
        method.__signature__ = _method(inspect.signature(function))


def _with_defaults(function: str, texts: dict[str, str]) -> dict[str, str]:
    defaults = {name: "that of the look" for name, group in _options.GROUPS.items() if group == "shading"}
    width, height = SIZES.get(function, ("1280 along the longer side",) * 2)
    defaults = {**defaults, **DEFAULTS, "width": width, "height": height}
    if function == "density":
        defaults["color_scale"] = "log where all numbers are positive"
    if function == "scatter":
        defaults["opacity"] = "one that suits the number of points"
    return {
        name: f"{text} [default: {defaults[name]}]" if name in defaults and "[default" not in text else text
        for name, text in texts.items()
    }


def _keywords(text: str) -> str:
    """A description with flags as keywords."""

    def keyword(flag: re.Match[str]) -> str:
        name = flag[1].replace("-", "_")
        return _options.RENAMED.get(name, name)

    text = FLAG.sub(keyword, text).replace("=false", "=False")
    return text.replace("; may be given several times", "; or a list of such").replace("legend=counts", 'legend="counts"')


def _extend(function: Callable[..., Any], names: dict[str, Any], texts: dict[str, str]) -> None:
    signature = inspect.signature(function)
    own = [part for part in signature.parameters.values() if part.kind is not inspect.Parameter.VAR_KEYWORD]
    taken = {part.name for part in own}
    options = [name for name in names if name not in taken]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_text(names[name]))
        for name in options
    ]
    function.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
    lines = "\n".join(_lines(options, texts))
    before, marker, after = (function.__doc__ or "").partition("        **options: ")
    first, _, rest = after.partition("\n")
    function.__doc__ = before + marker + first + "\n" + lines + "\n" + rest if marker else before


def _lines(options: list[str], texts: dict[str, str]) -> Iterator[str]:
    for name in options:
        yield _filled(f"{name}: {texts.get(name, '')}.")


@functools.cache
def _filled(text: str) -> str:
    """An option in lines; most are the same in many functions. :mod:`textwrap` takes a third of the time of the import."""
    first, *words = text.split(" ")
    lines, line = [], " " * 12 + first
    for word in words:
        if len(line) + len(word) < WIDTH:
            line += " " + word
        else:
            lines.append(line)
            line = " " * 16 + word
    return "\n".join([*lines, line])


def _text(annotation: Any) -> Any:
    return getattr(annotation, "__forward_arg__", annotation)


def _method(signature: inspect.Signature) -> inspect.Signature:
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    parts = [part for part in signature.parameters.values() if part.name not in _options.PERFORMANCE]
    return signature.replace(parameters=[own, *(part.replace() for part in parts)])
