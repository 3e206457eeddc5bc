"""Options can be found, and words of other packages lead to them."""

from __future__ import annotations

import inspect
import pydoc

import numpy as np
import pytest

import roundel

POINTS = np.zeros((1, 3))
DRAWING = {"spheres": (POINTS,), "circles": (POINTS[:, :2],), "scatter": ([0], [0]), "density": ([0], [0])}


@pytest.mark.parametrize("name", [*DRAWING, "read", "show", "animate"])
def test_help_lists_every_option_with_its_default_and_a_line(name):
    function = getattr(roundel, name)
    text = pydoc.plain(pydoc.render_doc(function))
    signature = inspect.signature(function)
    assert all(part.kind is not inspect.Parameter.VAR_KEYWORD for part in signature.parameters.values())
    options = [part.name for part in signature.parameters.values() if part.kind is inspect.Parameter.KEYWORD_ONLY]
    assert {"width", "height", "threads"} <= set(options) and len(options) > 10
    lines = [line.strip() for line in text.splitlines()]
    for option in options:
        found = [line for line in lines if line.startswith((f"{option}: ", f"{option}, "))]
        assert found and len(found[0]) > len(option) + 8, option
    assert "--" not in text.replace("-->", "") and text.count(" = None") + text.count("=None") > 10


def test_options_complete_where_people_type():
    jedi = pytest.importorskip("jedi")
    for typed, name in (("roundel.spheres(p, backg", "background"), ("roundel.scatter(x, y, color_sc", "color_scale")):
        found = jedi.Interpreter(typed, [{"roundel": roundel, "p": POINTS, "x": 1, "y": 1}]).complete()
        assert f"{name}=" in [completion.name for completion in found]


@pytest.mark.parametrize(
    ("function", "word", "use"),
    [
        ("spheres", "cmap", "colormap"),
        ("spheres", "c", "colors"),
        ("spheres", "s", "radii"),
        ("spheres", "norm", "color_scale"),
        ("spheres", "alpha", "opacity"),
        ("spheres", "clim", "color_range"),
        ("spheres", "scalars", "colors"),
        ("spheres", "colorbar", "legend"),
        ("spheres", "figsize", "width and height"),
        ("spheres", "window_size", "width and height"),
        ("spheres", "camera_position", "eye and target"),
        ("scatter", "size", "radii"),
        ("scatter", "color", "colors"),
        ("scatter", "alpha", "opacity"),
        ("scatter", "color_continuous_scale", "colormap"),
        ("circles", "xy", "positions"),
        ("circles", "linewidths", "stroke"),
        ("density", "cmap", "colormap"),
        ("density", "range", "extent"),
        ("density", "c", "weights"),
    ],
)
def test_words_of_other_packages_are_known(function, word, use):
    with pytest.raises(TypeError, match=rf"{function}\(\) does not take '{word}'; use {use}$"):
        getattr(roundel, function)(*DRAWING[function], **{word: 1})


@pytest.mark.parametrize("word", ["axes", "xlim", "marker", "log_x"])
def test_words_of_plots_lead_to_matplotlib(word):
    with pytest.raises(TypeError, match=rf"scatter\(\) does not take '{word}': roundel.mpl.scatter draws in the axes"):
        roundel.scatter([0], [0], **{word: True})


@pytest.mark.parametrize("function", DRAWING)
@pytest.mark.parametrize("word", ["titel", "colourmap", "widht", "radius", "frame", "eye", "zzz", "opacities"])
def test_hints_never_suggest_what_was_refused(function, word):
    try:
        getattr(roundel, function)(*DRAWING[function], width=16, height=12, **{word: None if word == "eye" else 1})
    except TypeError as error:
        _, _, hint = str(error).partition(";")
        assert f"'{word}'" not in hint
    else:
        assert function == "spheres" and word == "eye"


def test_functions_for_the_same_thing_have_the_same_names():
    names = [list(inspect.signature(getattr(roundel, name)).parameters) for name in ("spheres", "circles", "scatter")]
    shared = set(names[0]) & set(names[1]) & set(names[2])
    assert {"radii", "colors", "colormap", "palette", "vmin", "vmax", "color_scale", "opacity", "title", "legend"} <= shared


def test_read_takes_words_for_colors():
    with pytest.raises(TypeError, match="use color_by"):
        roundel.read("molecule.pdb", colors="element")
    with pytest.raises(TypeError, match="use opacity"):
        roundel.read("molecule.pdb", alpha=0.5)
