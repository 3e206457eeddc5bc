"""Films of what changes in place: every frame is its own, and all have one camera and one meaning of colours."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import roundel
from film_pixels import frames

RANDOM = np.random.default_rng(8)
SMALL = {"width": 64, "height": 48}
FLAT = {"look": "flat", "outline_width": 0, "samples": 1, **SMALL}


def filmed(source, tmp_path, **options):
    path = tmp_path / "film.png"
    roundel.film(source, path, **{**FLAT, **options})
    return frames(path)


def test_an_array_that_changes_in_place_is_a_frame_each(tmp_path):
    positions = np.zeros((1, 3))

    def moving():
        for step in range(5):
            positions[0, 0] = step
            yield positions

    expected = filmed([np.array([[step, 0, 0]], float) for step in range(5)], tmp_path, radii=0.5, colors="#000")
    shown = filmed(moving(), tmp_path, radii=0.5, colors="#000")
    assert len(shown) == 5
    assert all(np.array_equal(one, other) for one, other in zip(shown, expected))
    places = [np.nonzero(frame.min(axis=2) < 128)[1].mean() for frame in shown]
    assert np.all(np.diff(places) > 5)


def test_atoms_that_change_in_place_are_a_frame_each(tmp_path):
    ase = pytest.importorskip("ase")
    atoms = ase.Atoms("OC", positions=[(0, 0, 0), (1, 0, 0)])

    def steps():
        for _ in range(4):
            atoms.positions[1, 0] += 1
            yield atoms

    shown = filmed(steps(), tmp_path)
    assert len(shown) == 4 and all((one != other).any() for one, other in zip(shown, shown[1:]))


def universe():
    mda = pytest.importorskip("MDAnalysis")
    from MDAnalysis.coordinates.memory import MemoryReader

    places = np.zeros((10, 4, 3), dtype=np.float32)
    places[:, :, 1] = np.arange(4) * 3
    places[:, :, 0] = np.arange(10)[:, None] * 3
    made = mda.Universe.empty(4, trajectory=True)
    made.add_TopologyAttr("elements", ["C", "O", "N", "H"])
    made.load_new(places, format=MemoryReader)
    return made


def test_trajectories_have_their_frames(tmp_path):
    made = universe()
    groups = filmed((made.atoms for _ in made.trajectory), tmp_path)
    assert len(groups) == 10 and all((one != other).any() for one, other in zip(groups, groups[1:]))
    steps = filmed(made.trajectory, tmp_path, radii=0.5)
    assert len(steps) == 10 and all((one != other).any() for one, other in zip(steps, steps[1:]))
    with pytest.raises(TypeError, match="frames must be several, got one AtomGroup"):
        roundel.film(made.atoms, tmp_path / "a.png")


def test_pictures_that_change_in_place_are_a_frame_each(tmp_path):
    canvas = np.zeros((8, 8, 3), dtype=np.uint8)

    def brighter():
        for step in range(12):
            canvas[:] = 20 * step
            yield canvas

    for name in ("a.png", "a.gif"):
        roundel.film(brighter(), tmp_path / name)
        shown = frames(tmp_path / name)
        assert len(shown) == 12
        assert all(abs(frame[0, 0, 0] - 20 * step) <= (0 if name == "a.png" else 20) for step, frame in enumerate(shown))
    with pytest.raises(TypeError, match="frames must be several, got one ndarray"):
        roundel.film(canvas, tmp_path / "a.png")


def test_one_frame_is_in_memory_at_a_time(tmp_path):
    def many():
        for _ in range(40):
            yield RANDOM.normal(size=(50_000, 3))

    tracemalloc.start()
    roundel.film(many(), tmp_path / "many.png", radii=0.1, **{**FLAT, "width": 16, "height": 12})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 14 * 50_000 * 3 * 8, "the frames together have 40 times their size"


@pytest.mark.parametrize("kind", ["column", "elements", "array"])
def test_radii_do_not_reach_beyond_the_picture(tmp_path, kind):
    ase = pytest.importorskip("ase")
    places = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    size = [3.0, 0.1, 0.1]
    if kind == "elements":
        source, options = [ase.Atoms("CsHH", positions=0.4 * places + step) for step in (0, 0.1)], {}
    elif kind == "column":
        columns = dict(zip("xyz", places.T))
        source, options = [{**columns, "size": size} for _ in range(2)], {"radii": "size"}
    else:
        source, options = [places, places], {"radii": size}
    for frame in filmed(source, tmp_path, background="#f0f", **options):
        empty = (frame == [255, 0, 255]).all(axis=2)
        assert empty[[0, -1]].all() and empty[:, [0, -1]].all()


def test_far_points_that_a_sample_misses_are_in_view(tmp_path):
    places = RANDOM.normal(size=(150_001, 3)) * 0.1
    places[77_777] = [4, 0, 0]
    shown = filmed([places, places * 0.5], tmp_path, radii=0.3, background="#f0f")
    for frame in shown:
        empty = (frame == [255, 0, 255]).all(axis=2)
        assert empty[[0, -1]].all() and empty[:, [0, -1]].all()
    # and both clusters are seen in the first
    columns = ~(shown[0] == [255, 0, 255]).all(axis=2).all(axis=0)
    assert (np.diff(columns.astype(int)) == 1).sum() == 2


@pytest.mark.parametrize(
    "options",
    [{}, {"view": "iso"}, {"azimuth": 40, "elevation": 25}, {"zoom": 1.5}, {"ortho": True}, {"roll": 30}, {"up": (1, 0, 0)}, {"view": "top"},
     {"azimuth": 200, "elevation": -70, "roll": 10}],
)
def test_a_film_of_one_frame_is_its_picture(tmp_path, options):
    places = RANDOM.normal(size=(200, 3)) * [3, 2, 1]
    expected = roundel.spheres(places, 0.2, "#246", **{**FLAT, **options})
    (shown,) = filmed([places], tmp_path, radii=0.2, colors="#246", **options)
    difference = np.abs(expected.pixels[..., :3].astype(int) - shown).max(axis=2)
    assert (difference > 32).mean() < 0.01


def test_a_film_of_molecules_is_seen_from_the_side_of_its_pictures(tmp_path):
    ase = pytest.importorskip("ase")
    atoms = ase.Atoms("OCH", positions=[(0, 0, 0), (4, 0.5, 0.3), (1, 2, 0)], cell=[6, 6, 6], pbc=True)
    for options in ({}, {"cell": False}):
        expected = roundel.spheres(atoms, **{**FLAT, **options})
        (shown,) = filmed([atoms], tmp_path, **options)
        difference = np.abs(expected.pixels[..., :3].astype(int) - shown).max(axis=2)
        assert (difference > 32).mean() < 0.02


def test_an_eye_has_one_target(tmp_path):
    still = np.array([[0.0, 0, 0]])
    steps = [np.vstack([still, [[step, 0, 0]]]) for step in (1.0, 5.0)]
    colors = ["#ff0000", "#0000ff"]
    shown = filmed(steps, tmp_path, radii=0.5, colors=colors, eye=(2, -20, 0))
    red = [np.argwhere((frame[..., 0] > 128) & (frame[..., 2] < 128)).mean(axis=0) for frame in shown]
    assert red[0] == pytest.approx(red[1], abs=0.01), "the sphere that rests stays where it is"


def test_categories_keep_their_colors_when_rows_change_places(tmp_path):
    places = {"x": [0.0, 3, 6], "y": [0.0, 0, 0], "z": [0.0, 0, 0]}
    kinds = [["a", "b", "c"], ["c", "b", "a"], ["b", "b", "a"]]
    tables = [{**places, "kind": names} for names in kinds]
    shown = filmed(tables, tmp_path, colors="kind", radii=1.0)
    left, right = [frame[24, 8].tolist() for frame in shown], [frame[24, 55].tolist() for frame in shown]
    assert left[0] == right[1] == right[2] and right[0] == left[1] and left[0] != right[0]
    # the legend has all of them in each frame
    legends = filmed(tables, tmp_path, colors="kind", radii=1.0, legend=True)
    assert all(np.array_equal(frame[:, -40:], legends[0][:, -40:]) for frame in legends)


def test_categories_of_pandas_keep_their_order(tmp_path):
    pandas = pytest.importorskip("pandas")
    places = {"x": [0.0, 3, 6], "y": [0.0, 0, 0], "z": [0.0, 0, 0]}
    tables = [
        pandas.DataFrame({**places, "kind": pandas.Categorical(names, categories=["a", "b", "c"])})
        for names in (["c", "b", "b"], ["b", "a", "c"])
    ]
    first, second = filmed(tables, tmp_path, colors="kind", radii=1.0)
    assert first[24, 8].tolist() == second[24, 55].tolist() and first[24, 32].tolist() == second[24, 8].tolist()


def test_bare_positions_have_one_radius(tmp_path):
    places = RANDOM.normal(size=(50, 3))
    shown = filmed([places, places * 3], tmp_path, colors="#000")
    areas = [(frame.min(axis=2) < 128).sum() for frame in shown]
    single = filmed([places[:1], places[:1] + 2], tmp_path, colors="#000", radii=0.3)
    assert len(single) == 2 and 0 < areas[0] < areas[1]


def test_values_have_one_range_in_all_frames(tmp_path):
    places = {"x": [0.0, 3, 6], "y": [0.0, 0, 0], "z": [0.0, 0, 0]}
    tables = [{**places, "charge": values} for values in ([0.0, 0.5, 1.0], [-1.0, 0.5, 0.0])]
    first, second = filmed((table for table in tables), tmp_path, colors="charge", radii=1.0)
    assert first[24, 32].tolist() == second[24, 32].tolist()
    assert first[24, 8].tolist() == second[24, 55].tolist(), "0 has one colour"


def test_frames_have_bonds_and_labels_where_styles_are_given(tmp_path):
    ase = pytest.importorskip("ase")
    atoms = ase.Atoms("OCC", positions=[(0, 0, 0), (1.4, 0, 0), (2.8, 0, 0)])

    def steps():
        for _ in range(3):
            atoms.positions[:, 1] += 1
            yield atoms

    plain = filmed(steps(), tmp_path)
    sticks = filmed(steps(), tmp_path, style="sticks", bonds="distance")
    assert len(sticks) == 3 and all((one != other).any() for one, other in zip(sticks, sticks[1:]))
    # sticks are thinner than spheres
    assert all((stick.min(axis=2) < 250).sum() < 0.7 * (frame.min(axis=2) < 250).sum() for stick, frame in zip(sticks, plain))
    labelled = filmed(steps(), tmp_path, style="sticks", bonds="distance", label=[("element O", "oxygen")])
    assert all((one != other).any() for one, other in zip(sticks, labelled))
    turned = filmed(atoms, tmp_path, style={"element C": "sticks"}, turn=360, count=4)
    assert len(turned) == 4


def test_values_and_categories_of_styled_frames_keep_their_colors(tmp_path):
    ase = pytest.importorskip("ase")
    frames_of = []
    for step in range(2):
        atoms = ase.Atoms("CC", positions=[(0, 0, 0), (3, 0, 0)])
        atoms.set_array("kind", np.array([["a", "b"], ["b", "a"]][step]))
        atoms.set_array("load", np.array([[0.0, 1], [5, 10]][step]))
        frames_of.append(atoms)
    for column in ("kind", "load"):
        first, second = filmed(frames_of, tmp_path, colors=column, style="spacefill", view="front")
        left, right = (slice(None), slice(0, 32)), (slice(None), slice(32, 64))
        if column == "kind":
            assert np.array_equal(np.unique(first[left].reshape(-1, first.shape[2]), axis=0), np.unique(second[right].reshape(-1, first.shape[2]), axis=0))
        else:
            assert not np.array_equal(first, second)


@pytest.mark.parametrize("options", [{}, {"style": "spacefill"}, {"style": "spacefill", "palette": dict.fromkeys("abcdefg", "red") | {"h": "blue"}}])
def test_categories_keep_their_colors_where_some_are_missing_in_one_frame(tmp_path, options):
    frames_of = [{"x": np.arange(10.0), "y": np.zeros(10), "z": np.zeros(10), "kind": [*"abcdefgh", name, "a"]} for name in ("a", "")]
    first, second = filmed(frames_of, tmp_path, colors="kind", radii=0.4, view="front", **options)
    # the eighth of ten
    assert np.array_equal(first[:, 43:50], second[:, 43:50])
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("ortho", [False, True])
def test_a_turn_around_a_scene_shows_everything_from_any_side(tmp_path, ortho):
    rows = "\n".join(f"C {x} 0 0" for x in (0, 2, 4, 20))
    (tmp_path / "rod.xyz").write_text(f"4\n\n{rows}\n")
    scene = roundel.read(tmp_path / "rod.xyz", style="spacefill", ortho=ortho, look="flat", view="right", background="white", **SMALL)
    path = tmp_path / "turn.png"
    assert roundel.film(scene, path, turn=360, count=8, colors=None, outline_width=0).frames == 8
    shown = frames(path)
    dark = [frame[..., :3].min(axis=2) < 250 for frame in shown]
    # the rod turns, and never leaves the picture
    assert all(not (mask[0].any() or mask[-1].any() or mask[:, 0].any() or mask[:, -1].any()) for mask in dark)
    widths = [np.ptp(np.nonzero(mask.any(axis=0))[0]) for mask in dark]
    assert max(widths) > 2 * min(widths) and widths[2] > widths[0]
    with pytest.raises(TypeError, match=r"film\(\) does not take 'radii' for a scene"):
        roundel.film(scene, path, turn=360, radii=1)
