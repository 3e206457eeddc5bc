#!/usr/bin/env python3
"""Files of chemistry and simulation in other packages' test data: what `roundel info` says of them, against independent readers.

    pip install netCDF4 numpy ase MDAnalysis MDAnalysisTests ParmEd ProDy biotite rdkit openbabel-wheel gsd h5py vtk laspy lazrs
    .ci/formats.py ROUNDEL [FOLDER…]

Reads SDF and MOL (RDKit), MOL2 (Open Babel), PQR, TRR, AMBER restarts and NetCDF (MDAnalysis), H5MD (h5py), POSCAR and XDATCAR (ASE), and the
topologies PSF and PRMTOP with a trajectory of as many atoms (MDAnalysis); DL_POLY (MDAnalysis) and VTK's XML (vtk, which reads what it
wrote: tests/files/data has files of every encoding). Counts, bounds, cells, elements and numbers of frames must agree, for
the first frame and the last. The exit status is 1 if a difference has no explanation in REASONS.
"""
import collections
import json
import pathlib
import subprocess
import sys
import warnings

import numpy

import other_readers
from other_readers import box

warnings.filterwarnings("ignore")

PACKAGES = ["MDAnalysisTests", "ase", "biotite", "parmed", "prody", "rdkit", "openbabel", "mdtraj", "chemfiles", "pymatgen"]

# a part of the file's name, a part of the difference, and the reason
REASONS = [
    ("adk_notop_BAD.psf", "", "the file's first line is wrong on purpose"),
    ("trz_psf.psf", "refused", "masses are in kg/mol, and so all below those of Drude particles"),
    ("ace_mbondi3.negative.parm7", "elements", "atomic numbers are -1 on purpose; roundel goes by mass"),
    ("Molecule_comments_header.mol2", "elements", "types of GAFF are no elements: Open Babel takes ho for holmium"),
]

ENDINGS = {
    ".sdf": "sdf", ".mol": "sdf", ".sd": "sdf", ".mol2": "mol2", ".pqr": "pqr", ".trr": "trr", ".rst7": "rst7", ".inpcrd": "rst7",
    ".rst": "rst7", ".restrt": "rst7", ".nc": "netcdf", ".ncdf": "netcdf", ".ncrst": "netcdf", ".vasp": "vasp", ".gsd": "gsd", ".h5md": "h5md", ".h5": "h5md",
    ".vtp": "vtp", ".vtu": "vtp", ".las": "las", ".laz": "las", ".config": "dlpoly", ".history": "dlpoly",
}


def by_rdkit(path, frame):
    from rdkit import Chem

    text = path.read_text(errors="replace")
    blocks = [block for block in text.replace("\r\n", "\n").split("$$$$\n") if block.strip()]
    molecule = Chem.MolFromMolBlock(blocks[frame], sanitize=False, removeHs=False, strictParsing=False)
    if molecule is None:
        return None
    return {
        "frames": len(blocks),
        "atoms": molecule.GetNumAtoms(),
        "bounds": box(molecule.GetConformer().GetPositions()),
        "elements": collections.Counter(atom.GetSymbol() for atom in molecule.GetAtoms()),
    }


def by_openbabel(path, frame):
    from openbabel import openbabel, pybel

    openbabel.obErrorLog.StopLogging()
    molecules = list(pybel.readfile("mol2", str(path)))
    atoms = molecules[frame].atoms
    return {
        "frames": len(molecules),
        "atoms": len(atoms),
        "bounds": box([atom.coords for atom in atoms]),
        "elements": collections.Counter(openbabel.GetSymbol(atom.atomicnum) or "Xx" for atom in atoms),
    }


def by_ase(path, frame):
    import ase.io

    kind = "vasp-xdatcar" if "XDATCAR" in path.name else "vasp"
    frames = ase.io.read(path, index=":", format=kind)
    atoms = frames[frame]
    return {
        "frames": len(frames),
        "atoms": len(atoms),
        "bounds": box(atoms.positions),
        "cell": list(atoms.cell.cellpar()),
        "elements": collections.Counter(atoms.get_chemical_symbols()),
    }


def by_mdanalysis(path, frame, topology=None, kind=None):
    import MDAnalysis

    if topology is None:
        reader = MDAnalysis.coordinates.core.get_reader_for(str(path), format=kind)
        trajectory = reader(str(path))
    else:
        trajectory = MDAnalysis.Universe(str(topology), str(path)).trajectory
    step = trajectory[frame]
    shape = step.dimensions
    return {
        "frames": len(trajectory),
        "atoms": step.n_atoms,
        "bounds": box(step.positions),
        "cell": None if shape is None or shape[0] * shape[1] * shape[2] == 0 else [float(value) for value in shape],
    }


def by_parmed(path, frame):
    import parmed

    restart = parmed.amber.Rst7.open(str(path))
    box_of = restart.box
    return {
        "frames": 1,
        "atoms": restart.natom,
        "bounds": box(numpy.reshape(restart.coordinates, (-1, 3))),
        "cell": None if box_of is None or not box_of[:3].all() else [float(value) for value in box_of],
    }


def by_netcdf(path, frame):
    import netCDF4

    with netCDF4.Dataset(path) as data:
        if "coordinates" not in data.variables:
            return None
        coordinates = data["coordinates"]
        is_many = coordinates.ndim == 3
        found = {"frames": coordinates.shape[0] if is_many else 1}
        found["atoms"] = coordinates.shape[-2]
        found["bounds"] = box(coordinates[frame] if is_many else coordinates[:])
        return found


def by_gsd(path, frame):
    import gsd.hoomd

    with gsd.hoomd.open(str(path)) as trajectory:
        snapshot = trajectory[frame]
        return {"frames": len(trajectory), "atoms": snapshot.particles.N, "bounds": box(snapshot.particles.position)}


def by_h5md(path, frame):
    import h5py

    with h5py.File(path) as data:
        groups = sorted(name for name, group in data.get("particles", {}).items() if "position" in group)
        values = data[f"particles/{groups[0]}/position/value"] if groups else data["coordinates"]
        unit = values.attrs.get("unit", values.attrs.get("units", ""))
        factor = 10 if (unit.decode() if isinstance(unit, bytes) else unit).startswith(("nm", "nanometer")) else 1
        return {"frames": values.shape[0], "atoms": values.shape[1], "bounds": box(values[frame] * factor)}


def by_laspy(path, frame):
    import laspy

    points = laspy.read(path)
    return {"frames": 1, "atoms": len(points.x), "bounds": box(numpy.stack([points.x, points.y, points.z], axis=1))}


def by_dlpoly(path, frame):
    return by_mdanalysis(path, frame, kind="HISTORY" if "HISTORY" in path.name.upper() else "CONFIG")


def by_vtk(path, frame):
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy

    reader = vtk.vtkXMLPolyDataReader() if path.suffix == ".vtp" else vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    points = vtk_to_numpy(reader.GetOutput().GetPoints().GetData())
    return {"frames": 1, "atoms": len(points), "bounds": box(points)}


READERS = {
    "dlpoly": by_dlpoly,
    "vtp": by_vtk,
    "las": by_laspy,
    "sdf": by_rdkit,
    "mol2": by_openbabel,
    "pqr": by_mdanalysis,
    "trr": by_mdanalysis,
    "rst7": by_parmed,
    "netcdf": by_netcdf,
    "vasp": by_ase,
    "gsd": by_gsd,
    "h5md": by_h5md,
}


def info(roundel, *arguments):
    return subprocess.run([roundel, "info", "--json", *map(str, arguments)], capture_output=True, text=True)


def differences(found, expected):
    source = found["sources"][0]
    # of atoms with several places one is drawn
    alternates = source.get("alternates", 0)
    if source["records"] + alternates != expected["atoms"]:
        yield f"{expected['atoms']} atoms, roundel {source['records'] + alternates}"
        return
    yield from other_readers.differences(source, other_readers.left_out(expected, "bounds", "elements") if alternates else expected)
    if "frames" in expected and expected["frames"] != source["models"]:
        yield f"{expected['frames']} frames, roundel {source['models']}"


def kind_of(path):
    name = path.name
    if name.startswith(("POSCAR", "CONTCAR", "XDATCAR")):
        return "vasp"
    if name.startswith(("CONFIG", "HISTORY", "REVCON")):
        return "dlpoly"
    return ENDINGS.get(path.suffix.lower())


def main():
    roundel = str(pathlib.Path(sys.argv[1]).resolve())
    paths = other_readers.files(PACKAGES, sys.argv[2:])
    report = other_readers.Report(REASONS)
    totals = report.totals
    for path in paths:
        kind = kind_of(path)
        if kind not in READERS:
            continue
        for frame in (0, -1):
            try:
                expected = READERS[kind](path, frame)
            except Exception as error:
                totals[f"{kind}: other reader fails"] += frame == 0
                expected = None
            run = info(roundel, path, *([] if frame == 0 else ["--frame=-1"]))
            if run.returncode != 0:
                print(f"{path}: refused: {run.stderr.strip()}", flush=True)
                totals[f"{kind}: refused"] += frame == 0
                if expected is not None:
                    report(path, f"the other reader finds {expected['atoms']} atoms")
                break
            if expected is None:
                break
            found = json.loads(run.stdout)
            if found["format"] != kind:
                report(path, f"is read as {found['format']}")
                break
            totals[f"{kind}: compared"] += frame == 0
            for what in differences(found, expected):
                report(path, f"frame {frame}: {what}")
            if expected.get("frames", 1) == 1:
                break
    topologies(roundel, paths, report)
    report.end()


def topologies(roundel, paths, report):
    """Names of PSF and PRMTOP, with a trajectory of zeros made here: columns and counts must agree with MDAnalysis."""
    import tempfile

    import MDAnalysis

    totals = report.totals
    for path in (path for path in paths if path.suffix.lower() in (".psf", ".prmtop", ".parm7", ".top")):
        if path.suffix == ".top" and not path.read_text(errors="replace").startswith("%VERSION"):
            continue
        kind = "psf" if path.suffix.lower() == ".psf" else "prmtop"
        with tempfile.TemporaryDirectory() as folder:
            trajectory = pathlib.Path(folder) / "zeros.dcd"
            try:
                universe = MDAnalysis.Universe(str(path), topology_format="PSF" if kind == "psf" else "PRMTOP")
                atoms = universe.atoms
                positions = numpy.random.default_rng(1).random((len(atoms), 3)) * 9
                empty = MDAnalysis.Universe.empty(len(atoms), trajectory=True)
                empty.atoms.positions = positions
                empty.atoms.write(str(trajectory))
            except Exception:
                totals[f"{kind}: other reader fails"] += 1
                continue
            run = info(roundel, trajectory, "--topology", path, "--hide=none")
            if run.returncode != 0:
                totals[f"{kind}: refused"] += 1
                report(path, f"refused: {run.stderr.strip()}; MDAnalysis finds {len(atoms)} atoms")
                continue
            totals[f"{kind}: compared"] += 1
            found = json.loads(run.stdout)
            source = found["sources"][0]
            virtual = sum(int(note.split(": ")[1].split()[0]) for note in found["notes"] if "virtual site" in note)
            if source["records"] + virtual != len(atoms):
                report(path, f"{len(atoms)} atoms, roundel {source['records']} and {virtual} virtual sites")
            ends = next((entry[1] for entry in source["ranges"] if entry[0] == "charge"), None)
            if ends and not virtual and hasattr(atoms, "charges"):
                expected = [atoms.charges.min(), atoms.charges.max()]
                if not numpy.allclose(ends, expected, atol=1e-4):
                    report(path, f"charges {expected}, roundel {ends}")
            if hasattr(atoms, "elements") and not virtual:
                expected = collections.Counter(name.capitalize() or "Xx" for name in atoms.elements)
                if dict(expected) != dict(source["elements"]):
                    report(path, f"elements {dict(expected)}, roundel {dict(source['elements'])}")


main()
