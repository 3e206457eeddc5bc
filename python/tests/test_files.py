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
        if "[tolerance]" in file.read_text():
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
        # marks are left out
        if len(scene) > 5000 or "[figure]" in file.read_text():
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
        {"colors": "index"},
        {"radii": 0.5},
        {"radii": "vdw"},
        {"ortho": True},
        {"samples": 1, "ao": 4, "seed": 3, "ambient": 0.1, "ao_distance": 3.0},
        {"background": (0, 0, 0)},
        {"format": "xyz"},
        {"clip": "x<1"},
        {"clip": ["x<1", "y>-1"]},
        {"slab": (0.5, 1)},
        # a thickness
        {"slab": 1},
        {"transparent": True},
        {"view": "front"},
        {"title": "caffeine"},
        {"legend": True},
        {"legend": "counts"},
        {"scale_bar": True},
        {"scale_bar": 2},
        {"axes": True},
        {"trim": True},
        {"trim": 5},
        {"scale": 1.5},
        {"fov": 60, "eye": [0, 0, 20], "target": np.zeros(3), "up": (1, 0, 0)},
    ]
    plain = roundel.read(CAFFEINE, **small).render()
    pictures = [roundel.read(CAFFEINE, **small, **option).render() for option in options]
    assert pictures[2] == pictures[3]
    names = [str(option) for option, picture in zip(options, pictures) if picture == plain]
    # radii draw spheres instead of balls and sticks
    assert names == [str({"format": "xyz"})]
    different = [index for index, picture in enumerate(pictures) if picture in pictures[:index]]
    assert [options[index] for index in different] == [options[3]]
    table = roundel.read(PLACES, x="lon", y="lat", r="people", colors="people", **small)
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
        (CAFFEINE, {"background": "blurple"}, ValueError, "background must be a name of CSS"),
        (CAFFEINE, {"clip": "w<3"}, ValueError, "clip must be"),
        (CAFFEINE, {"clip": 7}, TypeError, "clip must be a string such as 'x<12'"),
        (CAFFEINE, {"slab": (0.9, 0.1)}, ValueError, "slab must be"),
        (CAFFEINE, {"legend": "yes"}, ValueError, "legend must be on, off, counts, right, below or inside"),
        (CAFFEINE, {"scale_bar": -1}, ValueError, "scale_bar must be a positive length"),
        (CAFFEINE, {"scale_bar": "long"}, TypeError, "scale_bar must be True, False or a length"),
        (CAFFEINE, {"cell": True}, ValueError, "cell is for a periodic box"),
        (CAFFEINE, {"dpi": 0}, ValueError, "dpi must be 1 to 4800"),
        (CAFFEINE, {"transparent": 1}, TypeError, "transparent must be True or False"),
        (CAFFEINE, {"transparent": True, "background": "red"}, ValueError, "exclude one another"),
        (CAFFEINE, {"no_orient": True}, TypeError, "does not take 'no_orient'; use view"),
        (CAFFEINE, {"bits": 16}, TypeError, r"read\(\) does not take 'bits': give it to render"),
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


def test_notes_are_those_of_the_command_line(capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder):
    scene = roundel.read(CAFFEINE, width=32, legend_title="Atoms", fog_start=0.5)
    scene.render()
    assert [note.split(" ", 1)[0] for note in scene.notes] == ["--fog-start", "--legend-title"]
    assert not recwarn.list and capfd.readouterr() == ("", "")
    assert roundel.read(CAFFEINE).notes == []


def test_notes_say_where_smooth_occlusion_is_far_from_rays(tmp_path: Path):
    # the inside of a box of spheres without a front and a lid
    a, b = (side.ravel() for side in np.meshgrid(*2 * [np.linspace(-1, 1, 25)]))
    ones = np.ones_like(a)
    walls = np.concatenate([np.stack(wall, 1) for wall in [(-ones, a, b), (ones, a, b), (a, b, -ones), (a, ones, b)]])
    np.savetxt(tmp_path / "room.csv", walls, delimiter=",", header="x,y,z", comments="")
    look = dict(radii=0.06, width=80, height=60, view="front", ao_distance=100)
    scene = roundel.read(tmp_path / "room.csv", ao="smooth", **look)
    assert "of the surfaces open, and rays 0." in scene.notes[0]
    assert scene.notes == scene.notes
    assert roundel.read(tmp_path / "room.csv", ao=16, **look).notes == []


def test_render_takes_options_of_the_picture():
    scene = roundel.read(CAFFEINE, style="sticks", width=80, height=60)
    turned = roundel.read(CAFFEINE, style="sticks", width=80, height=60, azimuth=30, look="flat", background="black")
    assert roundel.render(scene, azimuth=30, look="flat", background="k") == turned.render() != scene.render()
    assert roundel.Renderer().render(scene, width=40, height=30).size == (40, 30)
    with pytest.raises(TypeError, match=r"render\(\) does not take 'style', which is for files and objects: see roundel.read"):
        roundel.render(scene, style="sticks")


def test_render_takes_scenes_alone():
    with pytest.raises(TypeError, match="scene must be a Scene, which roundel.read returns, got str"):
        roundel.render("scene.toml")


def test_figures_of_the_command_line_are_drawn_byte_for_byte():
    found = [file for file in sorted(Path("../golden").glob("*/*.toml")) if "[figure]" in file.read_text()]
    assert len(found) >= 2
    for file in found:
        assert roundel.compare(file.with_suffix(".png"), roundel.read(file).render()), file


def test_sixteen_bits_are_those_of_eight_and_more(tmp_path: Path):
    scene = roundel.read(CAFFEINE, width=120, height=90, dpi=300, title="caffeine")
    eight, sixteen = scene.render(), scene.render(bits=16)
    assert (eight.pixels.dtype, sixteen.pixels.dtype) == (np.uint8, np.uint16)
    assert eight.shape == sixteen.shape and sixteen != eight
    assert np.abs(sixteen.pixels / 257.0 - eight.pixels).max() <= 0.51
    assert (sixteen.pixels % 257 != 0).any()
    assert sixteen.dpi == 300
    sixteen.save(tmp_path / "sixteen.png")
    assert np.array_equal(roundel.read_image(tmp_path / "sixteen.png"), sixteen)
    assert b"pHYs" in (tmp_path / "sixteen.png").read_bytes() and b"pHYs" not in roundel.read(CAFFEINE).render().to_png()
    assert np.array_equal(roundel.Image(sixteen.pixels), sixteen)
    with pytest.raises(ValueError, match="16 bits"):
        sixteen.to_pil()
    for bits, kind in ((10, ValueError), ("16", ValueError)):
        with pytest.raises(kind, match="bits must be 8 or 16"):
            scene.render(bits=bits)


def test_arrays_are_moved_as_the_picture_is():
    options = {"width": 120, "height": 90, "samples": 1, "style": "spacefill"}
    plain = roundel.read(CAFFEINE, **options).render(arrays=("depth", "index", "normal"))
    shape = plain.shape[:2]
    assert (plain.depth.dtype, plain.depth.shape) == (np.float32, shape)
    assert (plain.index.dtype, plain.index.shape) == (np.int64, shape)
    assert (plain.normal.dtype, plain.normal.shape) == (np.float32, (*shape, 3))
    assert not (plain.depth.flags.writeable or plain.index.flags.writeable or plain.normal.flags.writeable)
    hit = plain.index >= 0
    assert hit.any() and plain.index.max() < 24 and plain.index.min() == -1
    assert np.array_equal(hit, np.isfinite(plain.depth)) and np.allclose(np.linalg.norm(plain.normal[hit], axis=1), 1, atol=1e-5)
    assert not plain.normal[~hit].any()
    titled = roundel.read(CAFFEINE, title="caffeine", axes=True, **options).render(arrays="index")
    assert titled.index.shape == titled.shape[:2] and titled.shape[0] > 90
    top = np.flatnonzero((titled.index >= 0).any(axis=1))[0] - np.flatnonzero(hit.any(axis=1))[0]
    assert np.array_equal(titled.index[top : top + 90, :120], plain.index) and (titled.index[:top] == -1).all()
    trimmed = roundel.read(CAFFEINE, trim=True, **options).render(arrays="depth")
    rows, columns = (np.flatnonzero((plain.pixels != 255).any(axis=2).any(axis=axis)) for axis in (1, 0))
    assert np.array_equal(trimmed.depth, plain.depth[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
    with pytest.raises(AttributeError, match="arrays=..depth"):
        titled.depth
    with pytest.raises(ValueError, match="arrays are for spheres"):
        roundel.read(PLACES).render(arrays="depth")
    with pytest.raises(ValueError, match="arrays must be of 'depth', 'index', 'normal', got 'colour'"):
        roundel.read(CAFFEINE).render(arrays=["colour"])


def test_contacts_and_tubes_are_drawn():
    opsin = "../docs/scenes/opsin.pdb.gz"
    options = {"width": 120, "samples": 1, "only": "byres (within 4 of resname RET)", "style": "sticks"}
    plain = roundel.read(opsin, **options)
    near = roundel.read(opsin, contacts=[("resname RET", "protein", 3.6)], **options)
    assert "8 contacts within 3.6" in " ".join(near.notes) and near.render() != plain.render()
    bonds = roundel.read(opsin, contacts=[("resname RET", "protein", "hbonds")], hbonds=True, **options)
    assert any("hydrogen bond" in note for note in bonds.notes)
    assert roundel.read(opsin, hbonds=False, **options).render() == plain.render()
    tube = roundel.read(opsin, width=120, samples=1, style="trace").render()
    assert tube != roundel.read(opsin, width=120, samples=1, style="sticks").render()
    with pytest.raises(ValueError, match="positive distance, hbonds"):
        roundel.read(opsin, contacts=[("ligand", "protein", "near")])
    with pytest.raises((TypeError, ValueError), match="two selections"):
        roundel.read(opsin, contacts=[("ligand",)])
