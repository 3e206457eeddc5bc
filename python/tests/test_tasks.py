"""What new users want to do, as they write it after `help(roundel)`, and what the pictures show."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import roundel

RANDOM = np.random.default_rng(3)
SMALL = {"width": 160, "height": 120}
POINTS = RANDOM.normal(size=(500, 3))


def colors_in(image: roundel.Image) -> set[str]:
    """Opaque colours of more than 20 pixels."""
    pixels = np.asarray(image)[..., :3][np.asarray(image)[..., 3] == 255]
    colors, counts = np.unique(pixels, axis=0, return_counts=True)
    return {"#" + bytes(color).hex() for color, count in zip(colors, counts) if count > 20}


def test_scatter_with_a_color_bar_and_logarithmic_colors():
    x, y = POINTS[:, 0], POINTS[:, 1]
    mass = 10.0 ** np.linspace(-2, 2, 500)
    options = {"colors": mass, "colormap": "viridis", "radii": 3, **SMALL}
    plain = roundel.scatter(x, y, color_scale="log", **options)
    image = roundel.scatter(x, y, color_scale="log", legend=True, legend_title="mass", **options)
    # the bar stands beside the picture
    assert image.height == 120 and image.width > 160
    assert np.array_equal(np.asarray(image)[:, :160], np.asarray(plain))
    # a scale of logarithms has colours where a linear one is nearly all dark
    assert plain == roundel.scatter(x, y, **{**options, "colors": np.log10(mass)})
    assert plain != roundel.scatter(x, y, **options)


def test_zoom_of_ten_million_points():
    plt = pytest.importorskip("matplotlib.pyplot")
    import roundel.mpl

    x, y = RANDOM.uniform(size=(2, 10**7))
    figure = plt.figure(figsize=(2, 2), dpi=100)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0.5, 0.501), ylim=(0.2, 0.201))
    axes.axis("off")
    roundel.mpl.scatter(axes, x, y, s=9, c="k", linewidths=0)
    axes.set(xlim=(0.5, 0.501), ylim=(0.2, 0.201))
    figure.canvas.draw()
    dark = np.asarray(figure.canvas.buffer_rgba())[..., 0] < 128
    seen = np.flatnonzero((np.abs(x - 0.5005) < 0.0005) & (np.abs(y - 0.2005) < 0.0005))
    columns, rows = (200 * (place - corner) / 0.001 for place, corner in ((x[seen], 0.5), (y[seen], 0.2)))
    assert 0 < len(seen) < 40
    for column, row in zip(columns, rows):
        assert dark[min(199, int(200 - row)), min(199, int(column))]
    assert dark.sum() < 20 * (len(seen) + 2)
    plt.close(figure)


def test_animation(tmp_path: Path):
    path = tmp_path / "turn.gif"
    count = roundel.film(POINTS, path, turn=360, radii=0.1, **SMALL).frames
    assert count > 30 and path.read_bytes()[:6] == b"GIF89a"
    image = pytest.importorskip("PIL.Image")
    with image.open(path) as frames:
        assert (frames.n_frames, frames.size) == (count, (160, 120))
    # without a name, a notebook plays it
    film = roundel.film(roundel.spheres(POINTS, 0.1, azimuth=angle, **SMALL) for angle in (0, 45, 90))
    assert len(film) == 3 and film.size == (160, 120)


def test_widget():
    pytest.importorskip("anywidget")
    view = roundel.show(POINTS, 0.1, POINTS[:, 2], **SMALL)
    assert view.image == roundel.spheres(POINTS, 0.1, POINTS[:, 2], **SMALL)


def test_what_a_widget_shows_is_drawn_again():
    pytest.importorskip("anywidget")
    scene = roundel.scenes.spheres(POINTS, 0.1, **SMALL) + roundel.scenes.arrows(POINTS[:9], POINTS[:9], **SMALL)
    view = roundel.show(scene, **SMALL)
    before = view.image
    view._on_message(None, {"events": "0 move 80 60\n10 press left\n20 move 120 80\n30 release left\n"}, [])
    image = scene.render(**view.camera, **SMALL)
    assert image == view.image != before
    assert roundel.compare(roundel.spheres(POINTS, 0.1, **view.camera, **SMALL), image).differing > 0


def test_a_film_of_a_trajectory_has_sticks(tmp_path: Path):
    analysis = pytest.importorskip("MDAnalysis")
    memory = pytest.importorskip("MDAnalysis.coordinates.memory")
    universe = analysis.Universe.empty(3, trajectory=True)
    universe.add_TopologyAttr("elements", ["C", "C", "O"])
    chain = np.array([[0, 0, 0], [1.5, 0, 0], [2.2, 1.3, 0]], dtype=np.float32)
    universe.load_new(np.array([chain, chain + (0, 0.5, 0), chain * (1, -1, 1)]), format=memory.MemoryReader)
    frames = (universe.atoms for _ in universe.trajectory)
    assert roundel.film(frames, tmp_path / "run{frame}.png", style="sticks", bonds="distance", look="flat", **SMALL).frames == 3
    images = [roundel.read_image(tmp_path / f"run{frame}.png") for frame in range(3)]
    assert all((one != other).any() for one, other in zip(images, images[1:]))
    # rods of one thickness, half grey and half red
    assert all(((image[..., :3] == (255, 13, 13)).all(axis=2).sum() > 50) for image in images)
    with pytest.raises(TypeError, match="style is for atoms, and frames of a trajectory have positions alone"):
        roundel.film(universe.trajectory, style="sticks")


def test_transparency_by_rgba():
    pair = [[0.0, 0, 0], [3, 0, 0]]
    colors = [(1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 0.3)]
    image = np.asarray(roundel.spheres(pair, 1, colors, background="transparent", look="flat", eye=(1.5, 0, 12), **SMALL))
    alphas = image[60, :, 3].astype(int)
    assert alphas[0] == 0 and alphas.max() == 255
    red, blue = (image[60, :, channel] > 200 for channel in (0, 2))
    assert (alphas[red & ~blue] == 255).any()
    # two surfaces of 0.3 lie behind one another
    assert np.median(alphas[blue & ~red]) == pytest.approx(255 * (1 - 0.7**2), abs=3)


def test_categories():
    pandas = pytest.importorskip("pandas")
    kinds = np.array(["cat", "dog", "eel"])[np.arange(500) % 3]
    frame = pandas.DataFrame({"x": POINTS[:, 0], "y": POINTS[:, 1], "kind": pandas.Categorical(kinds)})
    image = roundel.scatter("x", "y", radii=4, colors="kind", data=frame, legend=True, **SMALL)
    assert {"#1f77b4", "#ff7f0e", "#2ca02c"} <= colors_in(image) and image.width > 160
    chosen = {"cat": "tomato", "dog": "#999", "eel": "#102030"}
    image = roundel.scatter("x", "y", radii=4, colors="kind", data=frame, palette=chosen, **SMALL)
    assert {"#ff6347", "#999999", "#102030"} <= colors_in(image)
    flags = roundel.scatter("x", "y", radii=4, colors=frame["x"] > 0, data=frame, palette={True: "red", False: "blue"}, **SMALL)
    assert {"#ff0000", "#0000ff"} <= colors_in(flags)


def test_ase_atoms():
    build = pytest.importorskip("ase.build")
    image = roundel.spheres(build.molecule("CH3OH"), look="flat", **SMALL)
    # oxygen, carbon and hydrogen
    assert {"#ff0d0d", "#909090", "#ffffff"} <= colors_in(image)
    assert roundel.spheres(build.bulk("NaCl", "rocksalt", 5.6, cubic=True), **SMALL).size == (160, 120)


def test_mdanalysis_atoms():
    analysis = pytest.importorskip("MDAnalysis")
    universe = analysis.Universe.empty(3, n_residues=2, atom_resindex=[0, 0, 1], trajectory=True)
    universe.add_TopologyAttr("elements", ["O", "N", "C"])
    universe.add_TopologyAttr("resids", [10, 20])
    universe.atoms.positions = [[0, 0, 0], [4, 0, 0], [8, 0, 0]]
    image = roundel.spheres(universe.select_atoms("all"), look="flat", **SMALL)
    assert {"#ff0d0d", "#3050f8", "#909090"} <= colors_in(image)
    # as an atom has it, and as files have it
    by_residue = roundel.spheres(universe.atoms, colors="resid", look="flat", **SMALL)
    assert by_residue == roundel.spheres(universe.atoms, colors="resids", look="flat", **SMALL) != image


def test_golden_from_failure_to_approval(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    pytester.makepyfile(
        test_chart="""
        import roundel
        from roundel.testing import assert_matches

        def test_pie():
            assert_matches(roundel.circles([(16, 12)], 8, "red", width=32, height=24))
        """
    )
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    # the command that the failure names
    command = next(line for line in result.outlines if line.startswith("if the new pictures are right: "))
    words = command.partition(": ")[2].split()
    assert words[0] == "pytest"
    pytester.runpytest_inprocess(*words[1:]).assert_outcomes(passed=1)
    pytester.runpytest_inprocess().assert_outcomes(passed=1)


def test_program_comes_with_the_package(tmp_path: Path):
    program = shutil.which("roundel", path=str(Path(sys.executable).parent))
    command = [program] if program else [sys.executable, "-m", "roundel"]
    (tmp_path / "oxygen.xyz").write_text("1\n\nO 0 0 0\n")
    subprocess.run([*command, "render", "oxygen.xyz", "-W", "64", "-o", "oxygen.png"], cwd=tmp_path, check=True)
    assert roundel.compare(tmp_path / "oxygen.png", roundel.read(tmp_path / "oxygen.xyz", width=64).render())
