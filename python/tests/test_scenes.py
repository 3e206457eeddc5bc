"""Scenes of arrays are drawn as the arrays are, and mixed scenes have the shapes of all."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import roundel
from conftest import REPOSITORY
from roundel import scenes

RANDOM = np.random.default_rng(5)
PLACES = RANDOM.normal(size=(20, 3))
CAFFEINE = REPOSITORY / "docs/scenes/caffeine.xyz"
SMALL = {"width": 96, "height": 72}
# without occlusion, which depends on all shapes
PLAIN = {"ao": "off", "shadows": False, **SMALL}
DRAWN = {
    "spheres": (PLACES, 0.2, PLACES[:, 2]),
    "cylinders": (PLACES, PLACES + (0, 0, 1), 0.05, PLACES[:, 2]),
    "ellipsoids": (PLACES, (0.6, 0.1, 0.1), RANDOM.normal(size=(20, 4)), "tab:red"),
    "arrows": (PLACES, -PLACES, 0.03, "length"),
}


@pytest.mark.parametrize("origin", [(0, 0, 0), (600_000, 5_000_000, 0)])
@pytest.mark.parametrize("name", DRAWN)
def test_a_scene_of_arrays_is_drawn_as_they_are(name, origin):
    first, second, *rest = DRAWN[name]
    arguments = first + origin, second + origin if name == "cylinders" else second, *rest
    options = {"colormap": "magma", "opacity": 0.7, **SMALL}
    scene = getattr(scenes, name)(*arguments, **options)
    expected = getattr(roundel, name)(*arguments, **options)
    # positions are written as decimals, and occlusion has no limit of distance
    assert roundel.compare(expected, scene.render(), tolerance=12, share=0.02), roundel.compare(expected, scene.render())
    assert pickle.loads(pickle.dumps(scene)).render() == scene.render()


def test_options_of_shapes_are_kept():
    options = {"end_colors": "red", "caps": "round", **SMALL}
    flat = scenes.cylinders(*DRAWN["cylinders"], **SMALL).render()
    assert scenes.cylinders(*DRAWN["cylinders"], **options).render() != flat
    assert len(scenes.spheres([[0, 0, np.nan], [0, 0, 0]], 1, invalid="skip")) == 1
    with pytest.raises(TypeError, match="did you mean 'samples'"):
        scenes.spheres(PLACES, sampels=4)


def test_mixed_scenes_have_the_shapes_of_all():
    parts = [getattr(scenes, name)(*arguments) for name, arguments in DRAWN.items()]
    mixed = scenes.mix(*parts, roundel.read(CAFFEINE, style="sticks"), **PLAIN)
    assert len(mixed) == 20 + len(roundel.read(CAFFEINE))
    image = mixed.render()
    for left_out in range(len(parts)):
        rest = [part for number, part in enumerate(parts) if number != left_out]
        assert scenes.mix(*rest, roundel.read(CAFFEINE, style="sticks"), **PLAIN, **(mixed.camera or {})).render() != image
    again = scenes.mix(scenes.mix(*parts[:2]), scenes.mix(*parts[2:]), roundel.read(CAFFEINE, style="sticks"), **PLAIN)
    assert again.render() == image


def test_objects_and_chains_are_mixed(tmp_path):
    path = tmp_path / "pair.pdb"
    atom = "ATOM  {0:>5}  CA  ALA {1}{0:>4}    {2:8.3f}{3:8.3f}{3:8.3f}  1.00  0.00           C\n"
    path.write_text(atom.format(1, "A", 0.0, 0.0) + atom.format(2, "B", 8.0, 0.0))
    chains = roundel.read(path, colors="chain", style="spacefill", label=[("chain A", "first")])
    gold = scenes.spheres([[4.0, 0, 0]], 1.5, "gold")
    image = scenes.mix(chains, gold, look="flat", **SMALL).render()
    assert [255, 215, 0] in image.pixels[..., :3].reshape(-1, 3).tolist()
    without = roundel.read(path, colors="chain", style="spacefill")
    assert scenes.mix(without, gold, look="flat", **SMALL).render() != image
    water = {"element": ["O", "H"], "x": [0, 1.0], "y": [0, 0.0], "z": [0, 0.0]}
    assert len(scenes.mix(roundel.read(water, style="ball-and-stick"), gold)) == 3


def test_a_sum_of_scenes_is_mixed():
    first, second = scenes.spheres(*DRAWN["spheres"]), scenes.arrows(*DRAWN["arrows"])
    assert (first + second).render(**SMALL) == scenes.mix(first, second, **SMALL).render()
    assert repr(scenes.mix(first, second, **SMALL)) == "<roundel.Scene of 20 spheres and 40 other shapes, 96x72 pixels>"
    with pytest.raises(TypeError):
        first + PLACES


@pytest.fixture
def unread(monkeypatch):
    """Reading a file again fails."""

    def start():
        monkeypatch.setattr(roundel._files._roundel, "read", lambda *arguments: pytest.fail("a file was read again"))

    return start


CAMERAS = [
    {"azimuth": 30},
    {"view": "top", "roll": 20},
    {"elevation": 20, "zoom": 1.5},
    {"eye": (30, 20, 50), "target": (1, 0, 0), "fov": 40},
    {"ortho": True, "azimuth": -60},
    {"ortho_height": 20},
]
FILES = {"caffeine.xyz": {"azimuth": 10}, "salt.dump": {"zoom": 2}, "opsin.pdb.gz": {"title": "opsin"}, "spheres.toml": {}}


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("name", FILES)
def test_a_scene_is_drawn_from_any_camera_without_reading_again(unread, name, camera):
    path, options = REPOSITORY / "docs/scenes" / name, {**FILES[name], "ao": "off", **SMALL}
    # an eye is where it is, whatever the turns of the scene
    kept = {"title": options.get("title")} if "eye" in camera else options
    expected = roundel.read(path, **{**options, **dict.fromkeys(("azimuth", "zoom")), **kept, **camera}).render()
    scene = roundel.read(path, **options)
    unread()
    assert scene.render(**camera) == expected
    assert roundel.Renderer(threads=2).render(scene, **camera) == expected


def test_a_mixed_scene_is_drawn_from_any_camera(unread):
    parts = [getattr(scenes, name)(*arguments) for name, arguments in DRAWN.items()]
    expected = scenes.mix(*parts, azimuth=50, elevation=10, **SMALL).render()
    mixed = scenes.mix(*parts, **SMALL)
    unread()
    assert mixed.render(azimuth=50, elevation=10) == expected != mixed.render()
    film = roundel.film(mixed, turn=360, count=3)
    assert len(film) == 3 and film.size == (96, 72)


def test_another_camera_keeps_the_size_of_the_picture():
    scene = roundel.read(CAFFEINE, width=100)
    assert scene.render(azimuth=90).size == scene.render(azimuth=90, title=None, background="tan").size == scene.size
    # whose aspect would be another
    assert roundel.read(CAFFEINE, width=100, azimuth=90).size != scene.size
    assert scene.render(azimuth=90, width=50, height=50).size == (50, 50)
    assert roundel.read(CAFFEINE, **SMALL).render(width=48).size == roundel.read(CAFFEINE, **SMALL).render(height=36).size == (48, 36)


def test_what_is_seen_decides_on_legends_and_cuts():
    for options in ({"legend": "counts", "colors": "element"}, {"focus": "element N"}, {"slab": 3}):
        scene = roundel.read(CAFFEINE, **options, **SMALL)
        assert scene.render(zoom=4) == roundel.read(CAFFEINE, **options, zoom=4, **SMALL).render()


def test_axes_of_the_data_are_found_in_its_rows():
    first, third = ({"view": view, **SMALL} for view in ("axis 1", "axis 3 of element N"))
    for options in (first, third, {**first, "azimuth": 20}, {"view": "broadside", **SMALL}):
        expected = roundel.read(CAFFEINE, **options).render()
        given = {name: value for name, value in options.items() if name not in SMALL}
        for scene in (roundel.read(CAFFEINE, **SMALL), roundel.read(CAFFEINE, **first), roundel.read(CAFFEINE, **third)):
            assert scene.render(**given) == expected


def test_legends_are_not_for_scenes_of_arrays():
    scene = scenes.spheres(*DRAWN["spheres"], **SMALL)
    for call in (
        lambda: scenes.spheres(*DRAWN["spheres"], legend=True),
        lambda: scenes.mix(scene, legend="right"),
        lambda: scene.render(legend=True),
    ):
        with pytest.raises(ValueError, match="scenes of arrays keep colours without their meaning"):
            call()


def test_the_camera_of_a_scene_is_its_camera():
    for options in ({"azimuth": 30, "zoom": 2}, {"view": "top"}, {"ortho": True, "roll": 30}):
        first = roundel.read(CAFFEINE, **options, **SMALL)
        second = roundel.read(CAFFEINE, elevation=40, **SMALL)
        assert second.render(**first.camera) == first.render()


@pytest.mark.parametrize("value", [PLACES, roundel.read(REPOSITORY / "docs/scenes/circles.toml")])
def test_what_is_no_scene_of_solids_is_refused(value):
    with pytest.raises(TypeError, match="scenes must be scenes of spheres and other solids, got"):
        scenes.mix(value)
