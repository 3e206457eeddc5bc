"""Compares what `roundel info` says of files with what independent readers find in them.

    pip install numpy polars pyarrow gemmi biotite MDAnalysis ase
    python tests/readers/agree.py target/release/roundel [FOLDER]

The program must be built with the features `parquet` and `arrow`.

Counts, bounds, cells, chains, elements and numbers of frames must agree for the files of the tests and, if FOLDER is given, for
those in it. The exit status is 1 if any does not.
"""

import json
import math
import pathlib
import subprocess
import sys
import warnings
from collections import Counter

import ase.io
import biotite.structure.io.pdbx as pdbx
import gemmi
import MDAnalysis
import numpy
import polars
import pyarrow
import pyarrow.compute
import pyarrow.feather
import pyarrow.ipc

warnings.filterwarnings("ignore")
ROOT = pathlib.Path(__file__).resolve().parents[2]


def box(positions):
    return [positions.min(axis=0).tolist(), positions.max(axis=0).tolist()]


def cell(lengths_and_angles):
    """Six numbers; none for a box that is no box."""
    numbers = [float(number) for number in lengths_and_angles]
    return numbers if numbers[0] * numbers[1] * numbers[2] > 1.001 else None


def by_gemmi(path):
    structure = gemmi.read_structure(str(path))
    model = structure[0]
    atoms = [(atom, chain.name) for chain in model for residue in chain for atom in residue]
    # of several places of an atom one is drawn
    first = {}
    kept = []
    for chain in model:
        for residue in chain:
            places = sorted({atom.altloc for atom in residue if atom.altloc != "\0"})
            if places:
                occupancy = {place: sum(a.occ for a in residue if a.altloc == place) for place in places}
                first[(chain.name, str(residue.seqid))] = max(places, key=lambda place: occupancy[place])
    for chain in model:
        for residue in chain:
            for atom in residue:
                if atom.altloc in ("\0", first.get((chain.name, str(residue.seqid)))):
                    kept.append(atom)
    positions = numpy.array([atom.pos.tolist() for atom, _ in atoms])
    return {
        "atoms": len(atoms),
        "records": len(kept) if not first else None,
        "bounds": box(positions) if not first else None,
        "cell": cell(structure.cell.parameters) if structure.cell.is_crystal() else None,
        "elements": dict(Counter(atom.element.name for atom in kept)) if not first else None,
        "chain_names": {chain.name for chain in model},
        "models": len(structure),
    }


def by_biotite(path):
    block = pdbx.BinaryCIFFile.read(path).block
    site = block["atom_site"]
    models = site["pdbx_PDB_model_num"].as_array(int) if "pdbx_PDB_model_num" in site else numpy.ones(site.row_count)
    first = models == models[0]
    positions = numpy.stack([site[f"Cartn_{axis}"].as_array(float)[first] for axis in "xyz"], axis=1)
    shape = None
    if "cell" in block:
        names = [f"length_{edge}" for edge in "abc"] + [f"angle_{angle}" for angle in ("alpha", "beta", "gamma")]
        shape = cell(block["cell"][name].as_array(float)[0] for name in names)
    return {"atoms": int(first.sum()), "models": len(set(models)), "cell": shape, "all_bounds": box(positions)}


def by_mdanalysis(path):
    universe = MDAnalysis.Universe(str(path))
    shape = universe.dimensions
    # virtual sites are no atoms
    atoms = universe.select_atoms("not name MW*")
    return {
        "records": len(atoms),
        "bounds": box(atoms.positions.astype(float)),
        "cell": None if shape is None else cell(shape),
    }


def by_ase(path):
    frames = ase.io.read(path, index=":", format="extxyz")
    atoms = frames[0]
    return {
        "records": len(atoms),
        "bounds": box(atoms.positions),
        "cell": cell(atoms.cell.cellpar()) if atoms.cell.rank == 3 else None,
        "elements": dict(Counter(atoms.get_chemical_symbols())),
        "models": len(frames),
    }


def by_ase_dump(path):
    frames = ase.io.read(path, index=":", format="lammps-dump-text")
    atoms = frames[0]
    # scaled coordinates begin at the corner of the box, which ASE keeps apart
    positions = atoms.positions + atoms.get_celldisp().reshape(3)
    return {
        "records": len(atoms),
        "bounds": box(positions),
        "cell": cell(atoms.cell.cellpar()),
        "models": len(frames),
    }


def by_polars(path):
    """Tables of every kind that polars reads, Parquet and Arrow's among them."""
    if path.suffix == ".parquet":
        table = polars.read_parquet(path)
    elif path.suffix == ".arrow":
        table = polars.read_ipc(path)
    else:
        table = polars.read_csv(path, infer_schema_length=None)
    numbers = table.select(polars.selectors.numeric())
    ranges = {name: [float(numbers[name].min()), float(numbers[name].max())] for name in numbers.columns}
    return {"records": table.height, "ranges": ranges}


def by_pyarrow(path):
    if path.suffix == ".feather":
        table = pyarrow.feather.read_table(path)
    else:
        table = pyarrow.ipc.open_stream(path).read_all()
    numbers = table.select([field.name for field in table.schema if pyarrow.types.is_floating(field.type)])
    extremes = {name: pyarrow.compute.min_max(numbers[name].cast("double")).as_py() for name in numbers.column_names}
    ranges = {name: [float(found["min"]), float(found["max"])] for name, found in extremes.items()}
    positions = numpy.stack([table[axis].to_numpy() for axis in "xyz"], axis=1).astype(float)
    return {"records": table.num_rows, "ranges": ranges, "bounds": box(positions)}


def by_numpy(path):
    array = numpy.load(path)
    if path.suffix == ".npz":
        array = next(array[name] for name in ("positions", "xyz") if name in array)
    return {"records": len(array), "bounds": box(array[:, :3].astype(float))}


READERS = {
    ".pdb": by_gemmi,
    ".cif": by_gemmi,
    ".bcif": by_biotite,
    ".gro": by_mdanalysis,
    ".dump": by_ase_dump,
    ".xyz": by_ase,
    ".csv": by_polars,
    ".parquet": by_polars,
    ".arrow": by_polars,
    ".feather": by_pyarrow,
    ".arrows": by_pyarrow,
    ".npy": by_numpy,
    ".npz": by_numpy,
}

# files of the tests that are as other programs write them
OWN = [
    "docs/scenes/caffeine.xyz",
    "docs/scenes/places.csv",
    "docs/scenes/salt.dump",
    "tests/fuzz/arrow/lists.arrow",
    "tests/fuzz/arrow/lz4.feather",
    "tests/fuzz/arrow/plain.arrow",
    "tests/fuzz/arrow/polars.arrow",
    "tests/fuzz/arrow/stream.arrows",
    "tests/fuzz/assembly/two-chains.pdb",
    "tests/fuzz/bcif/packed.bcif",
    "tests/fuzz/bcif/plain.bcif",
    "tests/fuzz/cif/two-models.cif",
    "tests/fuzz/gro/water.gro",
    "tests/fuzz/lammps-dump/scaled.dump",
    "tests/fuzz/npy/by-column.npy",
    "tests/fuzz/npy/plain.npy",
    "tests/fuzz/npz/by-column.npz",
    "tests/fuzz/npz/stored.npz",
    "tests/fuzz/parquet/delta.parquet",
    "tests/fuzz/parquet/gzip.parquet",
    "tests/fuzz/parquet/lengths.parquet",
    "tests/fuzz/parquet/lz4.parquet",
    "tests/fuzz/parquet/none.parquet",
    "tests/fuzz/parquet/polars.parquet",
    "tests/fuzz/parquet/snappy.parquet",
    "tests/fuzz/parquet/types.parquet",
    "tests/fuzz/parquet/zstd.parquet",
]


def ours(program, path):
    run = subprocess.run([program, "info", "--json", path], capture_output=True, text=True)
    if run.returncode != 0:
        return {"error": run.stderr.strip()}
    source = json.loads(run.stdout)["sources"][0]
    shape = source["cell"]
    return {
        "records": source["records"],
        "atoms": source["records"] + source["alternates"],
        "bounds": source["bounds"],
        "all_bounds": source["bounds"] if source["alternates"] == 0 else None,
        "cell": shape and shape["lengths"] + shape["angles"],
        "elements": {symbol: count for symbol, count in source["elements"]},
        "chain_names": set(source["chains"]),
        "models": source["models"],
        "ranges": dict(source["ranges"]),
    }


def near(ours, theirs):
    if isinstance(theirs, (list, tuple)):
        return ours is not None and len(ours) == len(theirs) and all(map(near, ours, theirs))
    if isinstance(theirs, float):
        return math.isclose(ours, theirs, rel_tol=1e-5, abs_tol=2e-3)
    return ours == theirs


def compare(program, path):
    """The differences, a line each, and how many facts were compared."""
    found, theirs = ours(program, path), READERS[path.suffix](path)
    if "error" in found:
        return [found["error"]], 0
    wrong, compared = [], 0
    for fact, value in theirs.items():
        own = found[fact]
        if value is None or (fact == "all_bounds" and own is None):
            continue
        if fact == "elements":
            # what one reader does not know is not compared
            value = {name.upper(): count for name, count in value.items() if name.upper() != "X"}
            own = {name.upper(): own.get(name, 0) for name in own if name.upper() in value}
        if fact == "ranges":
            own = {name: own.get(name) for name in value}
            pairs = [(own[name], value[name]) for name in value if own[name] is not None]
            agrees = len(pairs) > 0 and all(near(a, b) for a, b in pairs)
        else:
            agrees = near(own, value)
        compared += 1
        if not agrees:
            wrong.append(f"{fact} is {own}, {READERS[path.suffix].__name__} finds {value}")
    return wrong, compared


def main():
    program, *folders = sys.argv[1:]
    paths = [ROOT / name for name in OWN]
    for folder in folders:
        paths += sorted(path for path in pathlib.Path(folder).iterdir() if path.suffix in READERS)
    failed = 0
    for path in paths:
        wrong, compared = compare(program, path)
        failed += bool(wrong)
        print(f"{path.name}: " + ("; ".join(wrong) if wrong else f"agrees on {compared} facts"))
    print(f"{len(paths) - failed} of {len(paths)} files agree")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
