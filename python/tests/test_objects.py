"""Particles of other packages, and what stands in for packages that are not installed."""

from __future__ import annotations

import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import roundel
from conftest import REPOSITORY

# the look that molecules and particles have in common
SMALL = {"width": 120, "height": 90, "look": "headlight"}
WATER = np.array([(0, 0, 0.12), (0, 0.76, -0.48), (0, -0.76, -0.48)])
COLORS = np.array([(255, 13, 13), (255, 255, 255), (255, 255, 255)], np.uint8)


@pytest.fixture(scope="module")
def water() -> roundel.Image:
    return roundel.spheres(WATER, [1.52, 1.2, 1.2], COLORS, **SMALL)


def draw(value: Any, **options: Any) -> roundel.Image:
    return roundel.spheres(value, **SMALL, **options)


def test_frames_have_columns(water):
    columns = {"Element": ["O", "H", "H"], **dict(zip("XYZ", WATER.T)), "charge": [-0.8, 0.4, 0.4]}
    assert draw(columns) == water
    assert draw({**columns, "radius": [1.52, 1.2, 1.2]}) == water
    assert draw(columns, radii=0.3) == draw(columns, radii=np.full(3, 0.3)) != water
    assert draw(columns, colors="charge") == draw(WATER, radii=[1.52, 1.2, 1.2], colors=columns["charge"], color_center=0)
    assert draw({**columns, "Element": [8, 1, 1]}) == water
    assert draw({**dict(zip("xyz", WATER.T)), "atomic_number": [8, 1, 1]}) == water
    for name in ("pandas", "polars", "pyarrow"):
        package = pytest.importorskip(name) if name == "pandas" else _installed(name)
        if package is not None:
            frame = package.table(columns) if name == "pyarrow" else package.DataFrame(columns)
            assert draw(frame) == water
            assert draw(frame, colors="charge") == draw(columns, colors="charge")


def _installed(name: str) -> Any:
    try:
        return __import__(name)
    except ImportError:
        return None


def test_ase_atoms(water):
    ase = pytest.importorskip("ase")
    assert draw(ase.Atoms("OH2", positions=WATER)) == water
    atoms = ase.Atoms("OH2", positions=WATER)
    atoms.set_array("charge", np.array([-0.8, 0.4, 0.4]))
    assert draw(atoms, colors="charge") != water


def test_mdanalysis_universe(water):
    analysis = pytest.importorskip("MDAnalysis")
    universe = analysis.Universe.empty(3, trajectory=True)
    universe.add_TopologyAttr("names", ["OW", "HW1", "HW2"])
    universe.atoms.positions = WATER
    assert draw(universe) == draw(universe.atoms) == water
    universe.add_TopologyAttr("elements", ["O", "H", "H"])
    assert draw(universe.select_atoms("all")) == water
    assert draw(universe.atoms, colors="names") != water


def test_biotite_atom_array(water):
    structure = pytest.importorskip("biotite.structure")
    array = structure.AtomArray(3)
    array.coord = WATER.astype(np.float32)
    array.element = np.array(["O", "H", "H"])
    array.chain_id = np.array(["A", "A", "B"])
    assert draw(array) == water
    assert draw(array, colors="chain_id") == draw(WATER, radii=[1.52, 1.2, 1.2], colors=["#1f77b4", "#1f77b4", "#ff7f0e"])
    with pytest.raises(ValueError, match="stack of 1 models"):
        draw(structure.stack([array]))


PDB = """\
ATOM      1  O   HOH A   1       0.000   0.000   0.120  1.00  5.00           O
ATOM      2  H1  HOH A   1       0.000   0.760  -0.480  1.00  5.00           H
ATOM      3  H2  HOH A   1       0.000  -0.760  -0.480  1.00  9.00           H
END
"""


def test_gemmi_structure(water):
    gemmi = pytest.importorskip("gemmi")
    structure = gemmi.read_pdb_string(PDB)
    assert draw(structure) == draw(structure[0]) == draw(structure[0]["A"]) == water
    assert draw(structure, colors="b_iso") == draw(structure[0], colors=[5, 5, 9])


def test_biopython_structure(water, tmp_path):
    parser = pytest.importorskip("Bio.PDB")
    (tmp_path / "water.pdb").write_text(PDB)
    structure = parser.PDBParser(QUIET=True).get_structure("water", tmp_path / "water.pdb")
    assert draw(structure) == draw(structure[0]) == draw(structure[0]["A"]) == water
    assert draw(structure, colors="bfactor") == draw(WATER, radii=[1.52, 1.2, 1.2], colors=[5, 5, 9])


class Particles(dict):
    """What OVITO's `Particles` offer."""

    positions = WATER

    @property
    def particle_types(self):
        kinds = [
            SimpleNamespace(id=1, name="O", color=(1.0, 13 / 255, 13 / 255), radius=1.52),
            SimpleNamespace(id=2, name="H", color=(1.0, 1.0, 1.0), radius=1.2),
        ]

        class Types(list):
            types = kinds

        return Types([1, 2, 2])


def test_ovito_collection(water):
    assert draw(SimpleNamespace(particles=Particles())) == water
    charged = SimpleNamespace(particles=Particles({"Charge": np.array([-0.8, 0.4, 0.4])}))
    assert draw(charged, colors="Charge") == draw(WATER, radii=[1.52, 1.2, 1.2], colors=[-0.8, 0.4, 0.4], color_center=0)


@pytest.mark.parametrize(
    ("value", "options", "message"),
    [
        ({"a": [1]}, {}, "frame without columns x, y and z; it has a"),
        ({}, {}, "it has none"),
        ({axis: [1.0] for axis in "xyz"}, {"colors": "charge"}, r"colors must name a column of the frame \(x, y, z\), got 'charge'"),
        ({axis: [1.0] for axis in "xyz"}, {"radii": "mass"}, "radii must name a column"),
        ({axis: [1.0] for axis in "xyz"}, {"radii": "vdw"}, "radii 'vdw' is for objects with elements"),
        (SimpleNamespace(particles=Particles()), {"colors": "Mass"}, "no property 'Mass'"),
    ],
)
def test_missing_columns_are_named(value, options, message):
    with pytest.raises(ValueError, match=message):
        draw(value, **options)


def test_periodic_boxes_are_drawn_as_those_of_files(tmp_path):
    ase = _installed("ase")
    if ase is None:
        pytest.skip("ase is not installed")
    edges = np.array([(4.0, 0, 0), (1.0, 5.0, 0), (0, 0, 6.0)])
    atoms = ase.Atoms("OHH", WATER + 2.0, cell=edges, pbc=True)
    lattice = " ".join(f"{number}" for number in edges.ravel())
    rows = [f"{name} {x} {y} {z}" for name, (x, y, z) in zip("OHH", atoms.positions.tolist())]
    (tmp_path / "water.xyz").write_text(f'3\nLattice="{lattice}" Properties=species:S:1:pos:R:3\n' + "\n".join(rows) + "\n")
    marks = {"width": 120, "height": 90, "legend": "counts", "scale_bar": True, "axes": True}
    boxed = roundel.spheres(atoms, **marks)
    assert boxed == roundel.read(tmp_path / "water.xyz", style="spacefill", **marks).render()
    assert roundel.spheres(atoms, cell=False, **marks) != boxed
    atoms.pbc = False
    assert roundel.spheres(atoms, **SMALL) == roundel.spheres(ase.Atoms("OHH", WATER + 2.0), **SMALL)


CAFFEINE = REPOSITORY / "docs/scenes/caffeine.xyz"


@pytest.mark.parametrize("options", [{}, {"style": "sticks"}, {"only": "not element H", "label": [("element O", "{element}")]}])
def test_objects_are_read_as_their_files_are(options):
    io = pytest.importorskip("ase.io")
    read = {name: roundel.read(source, **options, **SMALL) for name, source in (("object", io.read(CAFFEINE)), ("file", CAFFEINE))}
    assert read["object"].render() == read["file"].render()
    assert read["object"].frames == 1 and pickle.loads(pickle.dumps(read["object"])).render() == read["file"].render()


def test_frames_are_read_as_their_tables_are(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": [0.0, 3, 6], "y": 0.0, "z": 0.0, "kind": ["a b", None, "c"], "size": [1, 2, 1], "n": [1, pandas.NA, 3]})
    frame.to_csv(tmp_path / "table.csv", index=False)
    options = {"colors": "kind", "radii": "size", "legend": True, "label": [("size > 1", "{size}")], **SMALL}
    assert roundel.read(frame, **options).render() == roundel.read(tmp_path / "table.csv", **options).render()


def test_columns_of_objects_have_the_words_of_selections():
    analysis = pytest.importorskip("MDAnalysis")
    universe = analysis.Universe.empty(4, n_residues=2, atom_resindex=[0, 0, 1, 1], trajectory=True)
    for name, values in (("elements", list("NCCO")), ("names", ["N", "CA", "CA", "O"]), ("resids", [10, 20]), ("resnames", ["ALA", "GLY"])):
        universe.add_TopologyAttr(name, values)
    universe.atoms.positions = [[0, 0, 0], [1.5, 0, 0], [3, 0, 0], [4.2, 0, 0]]
    counts = [len(roundel.read(universe.atoms, only=only)) for only in ("name CA", "resid 20", "resname ALA and element N")]
    assert counts == [2, 2, 1]
    sticks = roundel.read(universe.atoms, style="sticks", bonds="distance", **SMALL).render()
    assert sticks != roundel.read(universe.atoms, style="spacefill", **SMALL).render()


def test_boxes_and_vectors_of_objects_are_drawn():
    build = pytest.importorskip("ase.build")
    atoms = build.bulk("NaCl", "rocksalt", 5.6, cubic=True)
    atoms.set_array("forces", np.ones((8, 3)))
    assert len(roundel.read(atoms, replicate=(2, 1, 1))) == 16
    with_arrows = roundel.read(atoms, vectors="forces", **SMALL).render()
    assert with_arrows != roundel.read(atoms, **SMALL).render()


@pytest.mark.parametrize("value", [5, np.eye(3), [[0.0, 0, 0]]])
def test_what_has_no_particles_is_no_file(value):
    with pytest.raises(TypeError, match=r"path must be the name of a file or an object that has particles, got (int|ndarray|list)"):
        roundel.read(value)


def test_the_box_of_a_macromolecule_is_drawn_where_it_is_asked_for(tmp_path):
    io = pytest.importorskip("ase.io")
    text = "CRYST1   90.000   90.000   90.000  90.00  90.00  90.00 P 1           1\n"
    atom = "ATOM  {0:>5}  CA  ALA A{0:>4}    {1:8.3f}   0.000   0.000  1.00  0.00           C\n"
    path = tmp_path / "pair.pdb"
    path.write_text(text + "".join(atom.format(1 + row, 3.8 * row) for row in range(5)) + "END\n")
    atoms = io.read(path)
    assert atoms.pbc.all()
    small = {"width": 64, "height": 48}
    for draw in (roundel.spheres, lambda *given, **options: roundel.read(*given, **options).render()):
        bare = atoms.copy()
        bare.pbc = False
        assert draw(atoms, **small) == draw(bare, **small) != draw(atoms, cell=True, **small)
    film = roundel.film([atoms], tmp_path / "film.png", style="spacefill", **small)
    boxed = roundel.film([atoms], tmp_path / "boxed.png", style="spacefill", cell=True, **small)
    assert film.to_bytes() != boxed.to_bytes()
    # that of a simulation or a crystal is drawn
    del atoms.arrays["bfactor"]
    assert roundel.spheres(atoms, **small) == roundel.spheres(atoms, cell=True, **small)
