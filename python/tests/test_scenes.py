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


@pytest.mark.parametrize("value", [PLACES, roundel.read(REPOSITORY / "docs/scenes/circles.toml")])
def test_what_is_no_scene_of_solids_is_refused(value):
    with pytest.raises(TypeError, match="scenes must be scenes of spheres and other solids, got"):
        scenes.mix(value)
