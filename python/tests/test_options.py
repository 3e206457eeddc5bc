"""Options can be found, and words of other packages lead to them."""

from __future__ import annotations

import inspect
import pydoc
import re
import subprocess
import sys
import typing

import numpy as np
import pytest

import roundel
import roundel.testing

POINTS = np.zeros((1, 3))
DRAWING = {"spheres": (POINTS,), "circles": (POINTS[:, :2],), "scatter": ([0], [0]), "density": ([0], [0])}


@pytest.mark.parametrize("name", [*DRAWING, "read", "show", "film"])
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


@pytest.mark.parametrize("name", ["spheres", "cylinders"])
def test_help_names_defaults_as_they_are(name):
    shapes = (POINTS, 1) if name == "spheres" else (POINTS, POINTS + 1, 0.2)
    draw, size = getattr(roundel, name), {"width": 64, "height": 48}
    text = " ".join((draw.__doc__ or "").split())
    options = roundel._options.DRAWING
    found = {name: default for name in options for default in re.findall(rf" {name}: [^[]*\[default: ([^]]*)\]", text)}
    assert found["width"] == "1280 along the longer side" and found["fog"] == "that of the look"
    plain = draw(*shapes, **size)
    values = {"samples": 4, "ao": "smooth", "zoom": 1, "fov": 30, "ortho": False, "scale": 1, "bits": 8, "seed": 0}
    for option, value in values.items():
        assert found[option] == str(value) and draw(*shapes, **size, **{option: value}) == plain
    assert found["background"] == "white" and draw(*shapes, **size, background="white") == plain
    assert "shadows=False" in text
    assert found["look"].split(",")[0] == "studio" and draw(*shapes, **size, look="studio") == plain


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
    with pytest.raises(TypeError, match="use colors"):
        roundel.read("molecule.pdb", c="element")
    with pytest.raises(TypeError, match="use color_range"):
        roundel.read("molecule.pdb", vmin=1)
    with pytest.raises(TypeError, match="use opacity"):
        roundel.read("molecule.pdb", alpha=0.5)


@pytest.mark.parametrize(
    ("flag", "value", "name", "same"),
    [
        ("color_by", "index", "colors", "index"),
        ("color", "#ff0000", "colors", (1, 0, 0)),
        ("color_by", "#d62728", "colors", "tab:red"),
        ("radius", 2, "radii", 2),
        ("radius", "mass", "radii", "mass"),
        ("radius_of", [("element O", 0.5)], "radii", {"element O": 0.5}),
        ("opacity_by", "mass", "opacity", "mass"),
    ],
)
def test_files_and_arrays_have_one_vocabulary(tmp_path, flag, value, name, same):
    path, size = tmp_path / "pair.xyz", {"width": 40, "height": 30}
    path.write_text("2\nProperties=species:S:1:pos:R:3:mass:R:1\nO 0 0 0 0.5\nN 3 0 0 1\n")
    image = roundel.read(path, **{name: same}, **size).render()
    assert image != roundel.read(path, **size).render()
    with pytest.warns(DeprecationWarning, match=f"{flag} is called {name}"):
        assert image == roundel.read(path, **{flag: value}, **size).render()
    signature = inspect.signature(roundel.read)
    assert name in signature.parameters and flag not in signature.parameters
    with pytest.raises(ValueError, match=f"^{name} must be a column of .*, got \"none\""):
        roundel.read(path, **{name: "none"})


def test_a_column_comes_before_a_color(tmp_path):
    path, size = tmp_path / "r.csv", {"width": 40, "height": 30}
    path.write_text("x,y,C0\n0,0,1\n1,1,2\n")
    by_color = roundel.read(path, colors="C1", **size).render()
    assert by_color == roundel.read(path, colors="#ff7f0e", **size).render()
    assert roundel.read(path, colors="C0", **size).render() != roundel.read(path, colors="#1f77b4", **size).render()


@pytest.mark.parametrize("function", DRAWING)
@pytest.mark.parametrize("option", ["label", "grid", "same_view", "stamp", "legend_categories", "frame"])
def test_options_of_files_are_refused_for_arrays(function, option):
    with pytest.raises(TypeError, match=f"does not take '{option}', which is for files and objects: see roundel.read"):
        getattr(roundel, function)(*DRAWING[function], **{option: "time"})
    assert option not in inspect.signature(getattr(roundel, function)).parameters
    assert option in inspect.signature(roundel.read).parameters


@pytest.mark.parametrize("option", ["title", "legend", "dpi", "scale_bar", "bits", "arrays"])
def test_widgets_refuse_what_they_do_not_show(option):
    pytest.importorskip("anywidget")
    with pytest.raises(TypeError, match=rf"show\(\) does not take '{option}': give it to roundel.spheres"):
        roundel.show(POINTS, 1, **{option: 1})
    assert option not in inspect.signature(roundel.show).parameters


VALUES = {"positions": np.eye(3), "radii": 0.1, "colors": [1.0, 2.0, 3.0]}


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: roundel.spheres(**VALUES, vmin="a"), "vmin must be a number, got 'a'"),
        (lambda: roundel.spheres(**VALUES, vmax=[1]), r"vmax must be a number, got \[1\]"),
        (lambda: roundel.spheres(**VALUES, color_center=np.nan), "color_center must be finite, got nan"),
        (lambda: roundel.spheres(np.eye(3), 0.1, ["x", "y", "z"], palette=3), "palette must be a name, a list of colours or a dict"),
        (lambda: roundel.spheres(np.eye(3), 0.1, ["x", "y", "z"], palette=["redd"]), "a colour of palette must be .* got 'redd'"),
        (lambda: roundel.spheres(**VALUES, arrays=3), "arrays must be of 'depth', 'index', 'normal', got 3"),
        (lambda: roundel.spheres(np.eye(3), "x"), "radii 'x' is the name of a column, and positions has none"),
        (lambda: roundel.spheres(np.eye(3), 1, view_box=(1, 2, 3)), "does not take 'view_box', which is for circles"),
        (lambda: roundel.circles([(1, 1)], stroke="a"), "stroke must be a number, got 'a'"),
        (lambda: roundel.ellipsoids(np.eye(3), (1, 2)), r"radii must be three numbers or \(n, 3\), got shape \(2,\)"),
        (lambda: roundel.arrows(np.eye(3), np.eye(3), colors="len"), "colors must be a colour, 'length' or .* got 'len'"),
        (lambda: roundel.film(np.eye(3), "a.gif"), "frames must be several, got one ndarray: turn=360 goes around it"),
        (lambda: roundel.film({"x": [1], "y": [1], "z": [1]}, "a.gif"), "got one dict: turn=360"),
        (lambda: roundel.film(5, "a.gif"), "frames must be pictures or positions one after another, got int"),
        (lambda: roundel.film(np.eye(3), "a.gif", turn="x"), "turn must be a number, got 'x'"),
        (lambda: roundel.film(np.eye(3), "a.gif", turn=9, count=2.5), "count must be a whole number, got 2.5"),
        (lambda: roundel.film([], fps="a"), "fps must be a number, got 'a'"),
        (lambda: roundel.Renderer(width=5), r"Renderer\(\) does not take 'width': give it to its methods"),
    ],
)
def test_messages_name_the_argument(draw, message):
    with pytest.raises((TypeError, ValueError), match=message):
        draw()


def public_functions():
    import roundel.mpl

    for module in (roundel, roundel.mpl, roundel.testing):
        for name in module.__all__:
            found = getattr(module, name)
            if inspect.isfunction(found):
                yield f"{module.__name__}.{name}", found
            elif inspect.isclass(found):
                yield from ((f"{name}.{method}", part) for method, part in vars(found).items() if inspect.isfunction(part))


def test_hints_of_types_can_be_looked_up():
    pytest.importorskip("matplotlib")
    names = [name for name, function in public_functions() if typing.get_type_hints(function) is not None]
    assert {"roundel.spheres", "roundel.show", "roundel.read", "roundel.mpl.scatter", "Renderer.spheres"} <= set(names)


def test_the_public_names_fit_on_one_page():
    assert set(dir(roundel)) == {*roundel.__all__, "mpl", "scenes", "testing"}
    assert sum(len(module.__all__) for module in (roundel, roundel.mpl, roundel.scenes, roundel.testing)) < 50


def test_modules_are_imported_when_they_are_used():
    pytest.importorskip("matplotlib")
    program = (
        "import sys, roundel; assert not {'matplotlib', 'roundel.testing', 'roundel.scenes'} & set(sys.modules); "
        "roundel.scenes.mix, roundel.mpl.scatter, roundel.testing.assert_matches; assert not hasattr(roundel, 'mlp')"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
