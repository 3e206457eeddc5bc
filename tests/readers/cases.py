#!/usr/bin/env python3
"""What `roundel info` says of small files, against numpy, ASE and gemmi: positions, colours, counts, cells and steps.

    pip install numpy ase gemmi
    tests/readers/cases.py ROUNDEL [FOLDER…]

Reads the files of tests/files/data, of ../shared/cases if it is there, and of the folders. A file that the independent reader refuses
is passed over; one that roundel refuses is listed with its reason and counts as a difference unless it is in REFUSALS. The exit
status is 1 if anything differs without an explanation in REASONS.
"""
import io
import json
import math
import pathlib
import subprocess
import sys
import warnings

import ase.data
import ase.data.colors
import ase.io
import gemmi
import numpy

warnings.filterwarnings("ignore")
ROOT = pathlib.Path(__file__).resolve().parents[2]

# parts of names of files that are refused, and why
REFUSALS = [
    ("refused-", "is wrong on purpose"),
    ("semi.csv", "has decimal commas, which --decimal , reads"),
    ("quoted.csv", "has decimal commas, which --decimal , reads"),
    ("local.dump", "is a dump of bonds"),
    ("coloncolon.xyz", "is wrong on purpose"),
    ("typo.xyz", "is wrong on purpose"),
]

# parts of names of files, facts and why they differ
REASONS = [
    ("cell-behind-atoms.pdb", "cell", "CRYST1 stands behind the atoms, where gemmi does not look"),
    ("force-field-names.pdb", "elements", "gemmi takes names of atoms without an element by their columns alone"),
    ("force-field-names.pdb", "chains", "gemmi reads chains of two letters where force fields have residues of four"),
    ("segid.pdb", "chains", "segment ids are the chains of files without chains, which gemmi leaves empty"),
    ("lammps-image-flags.data", "bounds", "ASE moves atoms by their image flags; roundel does with --unwrap"),
    ("virtual-sites.pdb", "", "virtual sites are no atoms, and are left out with a note"),
    ("unknown-places-in-cell.cif", "", "gemmi places an atom without a place at the origin"),
]

# files whose last frame ASE would refuse, and the frames that are whole
CUT = {"mid.xyz": 2}


def box(positions):
    positions = numpy.asarray(positions, dtype=float).reshape(-1, 3)
    return [positions.min(axis=0).tolist(), positions.max(axis=0).tolist()] if len(positions) else None


def counts(symbols):
    return {symbol: list(symbols).count(symbol) for symbol in set(symbols)}


def cell(lengths_and_angles):
    numbers = [float(number) for number in lengths_and_angles]
    return numbers if numbers[0] * numbers[1] * numbers[2] > 1.001 else None


def by_numpy_dump(path):
    """Dumps of LAMMPS, read by the letter of its documentation."""
    frames, lines = [], path.read_text().split("\n")
    at = 0
    while at < len(lines) and lines[at].startswith("ITEM: TIMESTEP"):
        frame = {}
        while at < len(lines) and not lines[at].startswith("ITEM: ATOMS"):
            if lines[at].startswith("ITEM: TIMESTEP") and at + 1 < len(lines):
                frame["step"] = int(lines[at + 1])
            if lines[at].startswith("ITEM: NUMBER OF ATOMS") and at + 1 < len(lines):
                frame["atoms"] = int(lines[at + 1])
            at += 1
        if at == len(lines):
            break
        columns = lines[at].split()[2:]
        rows = [line.split() for line in lines[at + 1 : at + 1 + frame["atoms"]]]
        at += 1 + frame["atoms"]
        if len(rows) < frame["atoms"] or any(len(row) < len(columns) for row in rows):
            break
        frame["rows"] = {name: [row[place] for row in rows] for place, name in enumerate(columns)}
        frames.append(frame)
    first = frames[0]
    axes = next((axes for axes in (["x", "y", "z"], ["xu", "yu", "zu"]) if all(axis in first["rows"] for axis in axes)), None)
    places = numpy.array([[float(value) for value in first["rows"][axis]] for axis in axes]).T if axes else None
    return {
        "records": first["atoms"],
        "bounds": box(places) if places is not None and first["atoms"] else None,
        "models": len(frames),
        "steps": [frame["step"] for frame in frames],
    }


def by_ase(path, **arguments):
    frames = ase.io.read(path, index=":", **arguments)
    atoms = frames[0]
    steps = [frame.info.get("step") for frame in frames]
    symbols = [symbol for symbol in atoms.get_chemical_symbols()]
    return {
        "records": len(atoms),
        "bounds": box(atoms.positions),
        "cell": cell(atoms.cell.cellpar()) if atoms.cell.rank == 3 else None,
        "elements": counts(symbols) if "X" not in symbols else None,
        "models": len(frames),
        "steps": steps if all(isinstance(step, (int, numpy.integer)) for step in steps) else None,
    }


def by_ase_xyz(path):
    text = path.read_text()
    if path.name in CUT:
        lines = text.split("\n")
        size = int(lines[0]) + 2
        whole = io.StringIO("\n".join(lines[: size * CUT[path.name]]) + "\n")
        return by_ase(whole, format="extxyz")
    return by_ase(path, format="extxyz")


def by_ase_data(path):
    found = by_ase(path, format="lammps-data")
    # the elements are guesses from masses
    return {**found, "elements": None}


def by_gemmi_pdb(path):
    structure = gemmi.read_structure(str(path))
    atoms = [(atom, chain.name) for chain in structure[0] for residue in chain for atom in residue]
    if any(atom.altloc != "\0" for atom, _ in atoms):
        return {"models": len(structure)}
    return {
        "records": len(atoms),
        "bounds": box([atom.pos.tolist() for atom, _ in atoms]),
        "cell": cell(structure.cell.parameters) if structure.cell.is_crystal() else None,
        "elements": dict(counts([atom.element.name for atom, _ in atoms])),
        "chains": sorted({chain for _, chain in atoms} - {""}),
        "models": len(structure),
    }


def by_gemmi_crystal(path):
    """Crystals: the sites of the whole cell; of disordered and shared sites those with the greatest occupancy."""
    block = gemmi.cif.read(str(path))[0]
    if not block.find_values("_atom_site_fract_x"):
        return None
    small = gemmi.make_small_structure_from_block(block)
    groups = {}
    for site in small.sites:
        if site.disorder_group:
            groups.setdefault(site.disorder_group, []).append(site.occ)
    best = max(groups, key=lambda group: (numpy.mean(groups[group]), -abs(group))) if groups else None
    places = {}
    for site in small.get_all_unit_cell_sites():
        if site.disorder_group and site.disorder_group != best:
            continue
        place = small.cell.orthogonalize(site.fract.wrap_to_unit())
        key = tuple(round(value, 1) for value in place.tolist())
        if key not in places or site.occ > places[key].occ:
            places[key] = site
    return {
        "records": len(places),
        "cell": cell(small.cell.parameters),
        "elements": counts([site.element.name for site in places.values()]),
    }


READERS = {
    ".dump": by_numpy_dump,
    ".xyz": by_ase_xyz,
    ".data": by_ase_data,
    ".pdb": by_gemmi_pdb,
    ".cif": by_gemmi_crystal,
}


def colors_of(source):
    """The colours of elements, as `info` lists them."""
    key = (source.get("colors") or {}).get("categories", {})
    if key.get("name") != "element":
        return {}
    return {entry["name"]: entry["color"] for entry in key["items"]}


def ours(program, path):
    run = subprocess.run([program, "info", "--json", path], capture_output=True, text=True)
    if run.returncode != 0:
        return {"error": run.stderr.strip()}
    source = json.loads(run.stdout)["sources"][0]
    shape = source["cell"]
    return {
        "records": source["records"],
        "bounds": source["bounds"],
        "cell": shape and shape["lengths"] + shape["angles"],
        "elements": {symbol: count for symbol, count in source["elements"]},
        "chains": sorted(set(source["chains"]) - {""}),
        "models": source["models"],
        "steps": [time.get("step") for time in source.get("times", [])],
        "colors": colors_of(source),
    }


def near(own, value):
    if isinstance(value, (list, tuple)):
        return own is not None and len(own) == len(value) and all(map(near, own, value))
    if isinstance(value, float):
        return own is not None and math.isclose(own, value, rel_tol=1e-5, abs_tol=2e-3)
    return own == value


def wrong_colors(colors):
    """Colours of elements that are not those of Jmol, by one step of 8 bits; C, N, O and others of the usual elements."""
    for symbol, color in colors.items():
        number = ase.data.atomic_numbers.get(symbol)
        if number is None or number >= len(ase.data.colors.jmol_colors):
            continue
        expected = [round(255 * value) for value in ase.data.colors.jmol_colors[number]]
        found = [int(color[at : at + 2], 16) for at in (1, 3, 5)]
        if any(abs(a - b) > 1 for a, b in zip(found, expected)):
            yield f"colour of {symbol} is {color}, ASE has {expected}"


def compare(program, path):
    """The differences, a line each, and how many facts were compared."""
    try:
        theirs = READERS[path.suffix](path)
    except Exception as error:  # what the other reader refuses is not compared
        return [], f"not compared: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
    if theirs is None:
        return [], "not compared"
    found = ours(program, path)
    if "error" in found:
        reason = next((reason for part, reason in REFUSALS if part in path.name), None)
        return ([] if reason else [found["error"]]), f"refused: {reason}"
    wrong = list(wrong_colors(found["colors"]))
    compared = len(found["colors"])
    for fact, value in theirs.items():
        if value is None or (fact == "steps" and not found["steps"] and len(value) < 2):
            continue
        compared += 1
        if near(found[fact], value) or any(part in path.name and known in (fact, "") for part, known, _ in REASONS):
            continue
        wrong.append(f"{fact} is {found[fact]}, {READERS[path.suffix].__name__} finds {value}")
    return wrong, f"agrees on {compared} facts"


def main():
    program, *folders = sys.argv[1:]
    folders = [ROOT / "tests/files/data", ROOT / "../shared/cases", *map(pathlib.Path, folders)]
    paths = [path for folder in folders if folder.is_dir() for path in sorted(folder.iterdir()) if path.suffix in READERS]
    failed = 0
    for path in paths:
        wrong, said = compare(program, path)
        failed += bool(wrong)
        print(f"{path.name}: " + ("; ".join(wrong) if wrong else said))
    print(f"{len(paths) - failed} of {len(paths)} files agree")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
