"""Objects of other packages as particles: recognised by what they offer, so that none of the packages is needed.

ASE, MDAnalysis, Biotite, gemmi, Biopython, OVITO, and frames of pandas and Polars.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Particles", "frame_column", "frame_columns", "particles", "values"]


@dataclass
class Particles:
    """The particles of an object; ``None`` where it has no such data."""

    positions: Any
    elements: list[Any] | None = None
    radii: Any = None
    colors: Any = None
    parts: Any = None
    column: Callable[[str, str], Any] | None = None
    """Looks up a named column for an argument."""
    cell: npt.NDArray[np.float64] | None = None
    """A corner of the periodic box and its three edges from there, (4, 3)."""
    names: Sequence[str] = ()
    """The columns that a file of the object has."""
    is_macromolecule: bool = False
    """Whether the box is that of a macromolecule's crystal, which is drawn if it is asked for, as of files."""

    def shows_cell(self, option: Any) -> bool:
        """Whether the box is drawn with this option ``cell``."""
        return self.cell is not None and (not self.is_macromolecule if option is None else bool(option))


def particles(value: Any) -> Particles | None:
    """The particles of an object; ``None`` for arrays and what numpy makes arrays of."""
    if isinstance(value, (list, tuple)) and value and _is_structure(value[0]):
        kind = type(value[0]).__name__
        raise ValueError(
            f"positions is a list of {len(value)} {kind}: draw one of them, such as positions[-1], or all by roundel.film"
        )
    if isinstance(value, Particles):
        return value
    if isinstance(value, (np.ndarray, list, tuple)):
        return None
    for reader in (_ase, _mdanalysis, _timestep, _biotite, _gemmi, _biopython, _ovito, _frame):
        found = reader(value)
        if found is not None:
            return found
    return None


def _is_structure(value: Any) -> bool:
    """Whether an element of a list is a structure, not a number or a row of numbers."""
    return not isinstance(value, (np.ndarray, list, tuple, float, int, str)) and particles(value) is not None


def _ase(value: Any) -> Particles | None:
    """``ase.Atoms``."""
    if not (hasattr(value, "get_positions") and hasattr(value, "get_atomic_numbers")):
        return None
    # `positions` is the array itself, `get_positions` copies it
    positions = value.positions if hasattr(value, "positions") else value.get_positions()
    arrays = getattr(value, "arrays", {})
    is_periodic = bool(np.any(getattr(value, "pbc", False)))
    cell = _box((0.0, 0.0, 0.0), np.asarray(value.cell)) if is_periodic and hasattr(value, "cell") else None
    names = [name for name in arrays if name not in ("numbers", "positions")]
    column, elements = _lookup("Atoms", arrays), list(value.get_atomic_numbers())
    # as of PDB files
    is_macromolecule = "residuenames" in arrays and "bfactor" in arrays
    return Particles(positions, elements, column=column, cell=cell, names=names, is_macromolecule=is_macromolecule)


OF_MDANALYSIS = ("name", "resname", "resid", "segid", "type", "mass", "charge", "tempfactor", "occupancy", "velocities", "forces")
"""Attributes of atoms that files have, too."""


def _mdanalysis(value: Any) -> Particles | None:
    """``MDAnalysis.Universe`` or ``AtomGroup``."""
    atoms = getattr(value, "atoms", None)
    if atoms is None or not hasattr(atoms, "positions") or not hasattr(atoms, "n_atoms"):
        return None
    elements: list[Any] | None = None
    # topologies without elements raise NoDataError, an AttributeError
    for attribute, guessed in (("elements", False), ("types", True), ("names", True)):
        try:
            names = list(getattr(atoms, attribute))
        except (AttributeError, ValueError):
            continue
        elements = [_element_of_name(str(name)) for name in names] if guessed else names
        break

    def column(argument: str, name: str) -> Any:
        # a group has resids, masses and indices where an atom has resid, mass and index
        for plural in (name, f"{name}s", f"{name}es", name.removesuffix("ex") + "ices"):
            try:
                return np.asarray(getattr(atoms, plural))
            except (AttributeError, ValueError):
                continue
        raise ValueError(f"{argument}: the AtomGroup has no attribute {name!r}")

    try:
        parts = atoms.chainIDs
    except (AttributeError, ValueError):
        parts = None
    return Particles(atoms.positions, elements, parts=parts, column=column, names=OF_MDANALYSIS)


def _timestep(value: Any) -> Particles | None:
    """A time step of an MDAnalysis trajectory, which has no elements."""
    has_positions = hasattr(value, "positions") and hasattr(value, "n_atoms") and hasattr(value, "dimensions")
    return Particles(value.positions) if has_positions else None


def _biotite(value: Any) -> Particles | None:
    """``biotite.structure.AtomArray``."""
    if not (hasattr(value, "coord") and hasattr(value, "array_length") and hasattr(value, "get_annotation_categories")):
        return None
    coordinates = np.asarray(value.coord)
    if coordinates.ndim == 3:
        raise ValueError(f"positions is a stack of {len(coordinates)} models: draw one of them, such as stack[0]")
    categories = value.get_annotation_categories()
    columns = {name: value.get_annotation(name) for name in categories}
    elements = [str(element) for element in columns["element"]] if "element" in columns else None
    return Particles(coordinates, elements, parts=columns.get("chain_id"), column=_lookup("AtomArray", columns), names=list(columns))


def _gemmi(value: Any) -> Particles | None:
    """``gemmi.Structure`` (its first model), ``Model`` or ``Chain``."""
    if not type(value).__module__.split(".")[0] == "gemmi":
        return None
    if hasattr(value, "make_mmcif_document") and hasattr(value, "__len__"):
        if len(value) == 0:
            return Particles(np.empty((0, 3)), [])
        value = value[0]
    if hasattr(value, "all"):
        atoms = [found.atom for found in value.all()]
        columns = {
            "chain": lambda: [found.chain.name for found in value.all()],
            "resname": lambda: [found.residue.name for found in value.all()],
            "resid": lambda: [found.residue.seqid.num for found in value.all()],
            "name": lambda: [atom.name for atom in atoms],
            "b_iso": lambda: [atom.b_iso for atom in atoms],
            "occ": lambda: [atom.occ for atom in atoms],
        }
    else:
        atoms = [atom for residue in value for atom in residue]
        columns = {
            "resname": lambda: [residue.name for residue in value for _ in residue],
            "resid": lambda: [residue.seqid.num for residue in value for _ in residue],
            "name": lambda: [atom.name for atom in atoms],
            "b_iso": lambda: [atom.b_iso for atom in atoms],
        }

    def column(argument: str, name: str) -> Any:
        if name not in columns:
            raise ValueError(f"{argument} must be one of {', '.join(columns)}, got {name!r}")
        return np.asarray(columns[name]())

    positions = np.array([atom.pos.tolist() for atom in atoms]).reshape(-1, 3)
    parts = columns["chain"]() if "chain" in columns else None
    return Particles(positions, [atom.element.name for atom in atoms], parts=parts, column=column, names=list(columns))


def _biopython(value: Any) -> Particles | None:
    """``Bio.PDB`` structures (their first model), models, chains and residues."""
    if not (hasattr(value, "get_atoms") and hasattr(value, "get_level")):
        return None
    if value.get_level() == "S":
        value = next(iter(value.get_models()), None)
    atoms = [] if value is None else list(value.get_atoms())
    positions = np.array([atom.coord for atom in atoms], dtype=np.float32).reshape(-1, 3)

    def column(argument: str, name: str) -> Any:
        try:
            return np.asarray([getattr(atom, name) for atom in atoms])
        except AttributeError:
            raise ValueError(f"{argument}: the atoms have no attribute {name!r}") from None

    parts = [atom.get_full_id()[2] if len(atom.get_full_id()) > 2 else "" for atom in atoms]
    names = ("name", "bfactor", "occupancy")
    return Particles(positions, [str(atom.element) for atom in atoms], parts=parts, column=column, names=names)


def _ovito(value: Any) -> Particles | None:
    """``ovito.data.DataCollection``, or its ``Particles``."""
    found = getattr(value, "particles", value)
    if found is None or not (hasattr(found, "positions") and hasattr(found, "particle_types")):
        return None
    radii = _ovito_property(found, "Radius")
    colors = _ovito_property(found, "Color")
    elements = None
    types = found.particle_types
    if types is not None:
        kinds = {kind.id: kind for kind in types.types}
        ids = np.asarray(types)
        elements = [kinds[number].name if number in kinds else "" for number in ids.tolist()]
        if colors is None:
            colors = np.array([kinds[number].color if number in kinds else (0.5, 0.5, 0.5) for number in ids.tolist()])
        if radii is None and all(kind.radius > 0 for kind in kinds.values()):
            radii = np.array([kinds[number].radius if number in kinds else 0.0 for number in ids.tolist()])

    def column(argument: str, name: str) -> Any:
        values = _ovito_property(found, name)
        if values is None:
            raise ValueError(f"{argument}: the particles have no property {name!r}")
        return values

    box = getattr(value, "cell", None)
    matrix = None if box is None or not np.any(getattr(box, "pbc", False)) else np.asarray(box)
    # columns are the edges and the origin
    cell = None if matrix is None or matrix.shape != (3, 4) else _box(matrix[:, 3], matrix[:, :3].T)
    names = [name for name in found if isinstance(name, str)] if hasattr(found, "keys") else []
    return Particles(np.asarray(found.positions), elements, radii, colors, column=column, cell=cell, names=names)


def _box(corner: Any, edges: Any) -> npt.NDArray[np.float64] | None:
    """A corner and three edges as rows; ``None`` unless the edges span a volume."""
    rows = np.vstack([np.asarray(corner, dtype=np.float64).reshape(1, 3), np.asarray(edges, dtype=np.float64)])
    if rows.shape != (4, 3) or not np.isfinite(rows).all() or np.linalg.det(rows[1:]) == 0.0:
        return None
    return rows


def _ovito_property(found: Any, name: str) -> Any:
    try:
        return np.asarray(found[name]) if name in found else None
    except TypeError:
        return None


def _frame(value: Any) -> Particles | None:
    """A frame with columns x, y and z, as those of pandas, Polars and PyArrow."""
    columns = frame_columns(value)
    if columns is None:
        return None
    lookup = _lookup("frame", columns)
    axes = [next((name for name in columns if name.lower() == axis), None) for axis in "xyz"]
    if None in axes:
        raise ValueError(f"positions is a frame without columns x, y and z; it has {', '.join(columns) or 'none'}")
    positions = np.column_stack([values(columns[axis]) for axis in axes if axis is not None])
    by_name = {name.lower(): name for name in reversed(list(columns))}
    element = next((by_name[name] for name in ("element", "symbol", "atomic_number") if name in by_name), None)
    radius = next((by_name[name] for name in ("radius", "r") if name in by_name), None)
    elements = None if element is None else values(columns[element]).tolist()
    radii = None if radius is None else values(columns[radius])
    chain = next((by_name[name] for name in ("chain", "chain_id") if name in by_name), None)
    parts = None if chain is None else values(columns[chain])
    names = [name for name in columns if name not in (*axes, element)]
    return Particles(positions, elements, radii, parts=parts, column=lookup, names=names)


def frame_columns(value: Any) -> dict[str, Any] | None:
    """The columns of a frame by name; ``None`` for anything else."""
    if isinstance(value, dict):
        return {str(name): column for name, column in value.items()}
    if hasattr(value, "collect_schema") and hasattr(value, "collect"):
        # a lazy frame of Polars
        value = value.collect()
    names = getattr(value, "column_names", None) or getattr(value, "columns", None)
    if names is None or not hasattr(value, "__getitem__") or callable(names):
        return None
    return {str(name): value[name] for name in names}


def values(column: Any) -> Any:
    """The numbers or names of a column as an array."""
    return column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)


def _lookup(kind: str, columns: Any) -> Callable[[str, str], Any]:
    def column(argument: str, name: str) -> Any:
        if name not in columns:
            raise ValueError(f"{argument} must name a column of the {kind} ({', '.join(columns)}), got {name!r}")
        return columns[name]

    return column


def frame_column(argument: str, frame: Any, name: str) -> Any:
    """A column of a frame."""
    columns = frame_columns(frame)
    if columns is None:
        raise TypeError(f"data must be a frame or a dict of columns, got {type(frame).__name__}")
    return _lookup("frame", columns)(argument, name)


def _element_of_name(name: str) -> str:
    """The element of a force field's atom name, guessed from its first letters."""
    letters = "".join(letter for letter in name if letter.isalpha())
    two = letters[:2].capitalize()
    return two if two in ("Cl", "Br", "Na", "Mg", "Zn", "Fe", "Mn", "Cu", "Si", "Li", "Se") else letters[:1].upper()
