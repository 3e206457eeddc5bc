"""Files and their options."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import roundel

CAFFEINE = Path("../docs/scenes/caffeine.xyz")
PLACES = Path("../docs/scenes/places.csv")


def test_scenes_are_read_and_drawn():
    scene = roundel.read("../docs/scenes/spheres.toml")
    assert scene.kind == "spheres" and scene.size == (480, 360) and len(scene) == 25
    assert scene.render() == roundel.render(scene, threads=1) == roundel.Renderer().render(scene)
    assert repr(scene) == "<roundel.Scene of 25 spheres, 480x360 pixels>"
    circles = roundel.read("../docs/scenes/circles.toml", width=100)
    assert circles.kind == "circles" and circles.size[0] == 100


def test_goldens_of_the_repository_are_drawn_pixel_for_pixel():
    count = 0
    for file in sorted(Path("../golden").glob("*/*.toml")):
        # marks beside pictures are drawn by the command line alone
        if "[tolerance]" in file.read_text() or "[figure]" in file.read_text():
            continue
        found = roundel.compare(file.with_suffix(".png"), roundel.read(file).render())
        assert found, (file, found)
        count += 1
    assert count > 20


def test_scenes_are_written_as_text_that_draws_the_same(tmp_path: Path):
    files = [*sorted(Path("../golden").glob("*/*.toml")), Path("../docs/scenes/spheres.toml"), CAFFEINE, PLACES]
    written, changed, with_parts = 0, [], []
    for file in files:
        scene = roundel.read(file)
        if len(scene) > 5000:
            continue
        try:
            (tmp_path / "scene.toml").write_text(scene.to_toml())
        except ValueError:
            with_parts.append(file)
            continue
        again = roundel.read(tmp_path / "scene.toml")
        if not again.render().compare(scene.render(), pixels=20):
            changed.append(file)
        written += 1
    assert written > 40 and not changed and len(with_parts) < 10
    with_chains = tmp_path / "pair.pdb"
    atom = "ATOM      {0}  CA  GLY {1}   1      {0}1.000  12.000  13.000  1.00 20.00           C\n"
    with_chains.write_text(atom.format(1, "A") + atom.format(2, "B"))
    with pytest.raises(ValueError, match="scene has parts, such as chains"):
        roundel.read(with_chains).to_toml()


def test_options_are_those_of_the_command_line():
    small = {"width": 120, "height": 90}
    options = [
        {"only": "element C"},
        {"hide": "hydrogen"},
        {"highlight": {"element O": "#00ff00"}},
        {"highlight": [("element O", (0.0, 1.0, 0.0))]},
        {"color_by": "index"},
        {"radius": 0.5},
        {"radius": "vdw"},
        {"ortho": True},
        {"samples": 1, "ao": 4, "seed": 3, "ambient": 0.1, "ao_distance": 3.0},
        {"background": (0, 0, 0)},
        {"format": "xyz"},
        {"fov": 60, "eye": [0, 0, 20], "target": np.zeros(3), "up": (1, 0, 0)},
    ]
    plain = roundel.read(CAFFEINE, **small).render()
    pictures = [roundel.read(CAFFEINE, **small, **option).render() for option in options]
    assert pictures[2] == pictures[3]
    same = [picture == plain for picture in pictures]
    assert [i for i, is_same in enumerate(same) if is_same] == [6, 10]
    table = roundel.read(PLACES, x="lon", y="lat", r="people", color="people", **small)
    assert table.kind == "circles" and table.render() != roundel.read(PLACES, **small).render()


@pytest.mark.parametrize(
    ("path", "options", "kind", "message"),
    [
        ("none.xyz", {}, FileNotFoundError, "none.xyz"),
        ("..", {}, OSError, "directory"),
        (CAFFEINE, {"only": "element C and"}, ValueError, "only"),
        (CAFFEINE, {"x": "lon", "y": "lat"}, ValueError, "is for tables"),
        (CAFFEINE, {"fram": 1}, TypeError, "did you mean 'frame'"),
        (CAFFEINE, {"frame": 99}, ValueError, "frame"),
        (CAFFEINE, {"format": "docx"}, ValueError, "format"),
        (CAFFEINE, {"highlight": 7}, TypeError, "highlight"),
        (PLACES, {"eye": (1, 2, 3)}, ValueError, "eye is for spheres"),
        (7, {}, TypeError, "path"),
        ("nul\0l", {}, ValueError, "(?i)null? byte|nul"),
    ],
)
def test_wrong_files_and_options_are_named(path, options, kind, message):
    with pytest.raises(kind, match=message):
        roundel.read(path, **options)


def test_notes_say_what_was_left_out(tmp_path: Path):
    (tmp_path / "gap.csv").write_text("x,y\n1,2\n3,\n5,6\n")
    assert "1 row has no coordinates" in roundel.read(tmp_path / "gap.csv").notes[0]


def test_render_takes_scenes_alone():
    with pytest.raises(TypeError, match="scene must be a Scene, which roundel.read returns, got str"):
        roundel.render("scene.toml")
