#!/usr/bin/env python3
"""Bonds of molecules: how many roundel finds, and how many Open Babel and RDKit do.

    pip install openbabel-wheel rdkit numpy
    .ci/bonds.py ROUNDEL [FOLDER…]

Open Babel bonds atoms by distance, by the same radii and tolerance, and then removes the longest bonds of atoms that have too
many; RDKit has templates of residues and distances for the rest. The numbers of bonds must agree with one of them, unless a
reason is listed. Water and hydrogens count. The exit status is 1 if some do not.
"""
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

from openbabel import openbabel
from rdkit import Chem, RDLogger

RDLogger.DisableLog("rdApp.*")
openbabel.obErrorLog.SetOutputLevel(0)

ROOT = pathlib.Path(__file__).resolve().parent.parent
OWN = [
    "docs/scenes/caffeine.xyz",
    "docs/scenes/opsin.pdb.gz",
    "golden/trace/ethanol.xyz",
    "golden/trace/peptides.pdb",
    "tests/files/data/glycine-v3000.mol",
    "tests/files/data/glycine.mol2",
    "tests/files/data/glycine.sdf",
    "tests/files/data/virtual-sites.pdb",
    "tests/files/data/water.xyz",
]

# files by a part of their names, and why readers differ
REASONS = {"adk_oplsaa.gro": "Open Babel joins no atoms across the boundary of the box"}


def ours(roundel, path, rule):
    run = [roundel, "info", "--json", "--hide", "none", "--bonds", rule, path]
    run = subprocess.run(run, capture_output=True, text=True)
    return json.loads(run.stdout)["bonds"] if run.returncode == 0 else run.stderr.strip()


def by_openbabel(path, kind):
    conversion, molecule = openbabel.OBConversion(), openbabel.OBMol()
    if not conversion.SetInFormat(kind) or not conversion.ReadFile(molecule, str(path)):
        return None
    return molecule.NumBonds()


def by_rdkit(path, kind):
    if kind == "pdb":
        # the first model, the first of alternate locations
        molecule = Chem.MolFromPDBFile(str(path), sanitize=False, removeHs=False, proximityBonding=True)
    elif kind == "mol" or kind == "sdf":
        molecule = Chem.MolFromMolFile(str(path), sanitize=False, removeHs=False)
    elif kind == "mol2":
        molecule = Chem.MolFromMol2File(str(path), sanitize=False, removeHs=False)
    elif kind == "xyz":
        from rdkit.Chem import rdDetermineBonds

        molecule = Chem.MolFromXYZFile(str(path))
        if molecule is not None:
            rdDetermineBonds.DetermineConnectivity(molecule, useHueckel=False)
    else:
        return None
    return molecule.GetNumBonds() if molecule is not None else None


def unpacked(path, folder):
    """The path of the file, decompressed, and of PDB without atoms that are not drawn: other places of an atom."""
    text = gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()
    name = path.name.removesuffix(".gz")
    if name.endswith((".pdb", ".ent")):
        lines = text.decode().splitlines(keepends=True)
        first = next((at for at, line in enumerate(lines) if line.startswith("ENDMDL")), len(lines))
        tail = [line for line in lines[first:] if line.startswith("CONECT")]
        kept = [line for line in lines[:first] if not line.startswith(("ATOM", "HETATM")) or line[16] in " A"]
        text = "".join(kept + tail).encode()
    target = pathlib.Path(folder) / name
    target.write_bytes(text)
    return target


def main():
    roundel, folders = sys.argv[1], sys.argv[2:]
    files = [ROOT / name for name in OWN]
    for folder in folders:
        kinds = {".pdb", ".ent", ".xyz", ".mol", ".sdf", ".mol2", ".gro", ".cif", ".gz"}
        files += sorted(path for path in pathlib.Path(folder).iterdir() if path.suffix in kinds)
    failed = 0
    print(f"{'file':34} {'auto':>8} {'distance':>9} {'Open Babel':>11} {'RDKit':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            plain = unpacked(path, folder)
            kind = plain.suffix[1:].replace("ent", "pdb")
            auto, distance = ours(roundel, plain, "auto"), ours(roundel, plain, "distance")
            small = plain.stat().st_size < 3_000_000
            found = [by_openbabel(plain, kind) if small else None, by_rdkit(plain, kind)]
            known = [number for number in found if number is not None]
            reason = next((reason for part, reason in REASONS.items() if part in path.name), None)
            agrees = not known or auto in known or distance in known
            note = "" if agrees else f"  differs: {reason}" if reason else "  DIFFERS"
            failed += not agrees and reason is None
            shown = [str(number) if number is not None else "-" for number in [auto, distance, *found]]
            print(f"{path.name:34} {shown[0]:>8} {shown[1]:>9} {shown[2]:>11} {shown[3]:>8}{note}", flush=True)
    sys.exit(failed > 0)


main()
