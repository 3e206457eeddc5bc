"""Particles of objects as files, which are drawn as any other: extended XYZ of atoms, which has a place for every column, or else CSV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _colors, _objects

__all__ = ["columns", "write"]

WORDS = {
    "atom_name": "name",
    "atomtypes": "name",
    "b_factor": "b",
    "bfactor": "b",
    "chain_id": "chain",
    "res_id": "resid",
    "res_name": "resname",
    "residuenames": "resname",
    "residuenumbers": "resid",
    "tempfactor": "b",
}
"""Names of columns in other packages, and the words of selections and labels that mean the same."""


def write(given: _objects.Particles, stem: str) -> str:
    """Writes particles with their elements, radii, colours, periodic box and columns; returns the name of the file."""
    places = _arrays.shaped("positions", given.positions, 3)
    if given.elements is None and given.cell is None and given.colors is None:
        return _write_table(given, places, stem + ".csv")
    return _write_atoms(given, places, stem + ".xyz")


def _write_table(given: _objects.Particles, places: npt.NDArray[Any], path: str) -> str:
    everything = {**dict(zip("xyz", places.T)), **dict(columns(given))}
    flat = {name: np.asarray(_objects.values(column)) for name, column in everything.items()}
    flat = {name: column for name, column in flat.items() if column.shape == (len(places),)}
    import csv

    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(flat)
        table.writerows(zip(*(["" if _colors.is_missing(value) else value for value in part.tolist()] for part in flat.values())))
    return path


def _write_atoms(given: _objects.Particles, places: npt.NDArray[Any], path: str) -> str:
    count = len(places)
    everything: dict[str, Any] = {"pos": places}
    if given.elements is not None:
        everything = {"species": given.elements, **everything}
    everything.update({"radius": given.radii, "color": given.colors, "chain": given.parts})
    for name, column in columns(given):
        everything.setdefault(WORDS.get(name, name), column)
        everything.setdefault(name, column)
    fields: list[str] = []
    texts: list[list[str]] = []
    for name, column in everything.items():
        found = None if column is None else _field(np.asarray(_objects.values(column)), count)
        if found is not None:
            fields.append(f"{'_'.join(name.replace(':', ' ').split())}:{found[0]}:{len(found[1])}")
            texts.extend(found[1])
    header = f"Properties={':'.join(fields)}"
    if given.cell is not None:
        corner, edges = (" ".join(map(repr, part.ravel().tolist())) for part in (given.cell[0], given.cell[1:]))
        header = f'Lattice="{edges}" Origin="{corner}" pbc="T T T" {header}'
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{count}\n{header}\n")
        file.writelines(" ".join(row) + "\n" for row in zip(*texts))
    return path


def columns(given: _objects.Particles) -> Iterator[tuple[str, Any]]:
    """The columns of an object that it has."""
    for name in given.names:
        try:
            yield name, given.column("columns", name) if given.column is not None else None
        except ValueError:
            continue


def _field(array: npt.NDArray[Any], count: int) -> tuple[str, list[list[str]]] | None:
    """The kind of a column and the texts of its parts; ``None`` if a file has no place for it."""
    if array.ndim not in (1, 2) or len(array) != count:
        return None
    parts = [array] if array.ndim == 1 else list(array.T)
    if array.dtype.kind in "iu":
        return "I", [list(map(str, part.tolist())) for part in parts]
    if array.dtype.kind in "fb":
        return "R", [list(map(repr, part.astype(float).tolist())) for part in parts]
    if array.dtype.kind in "OUT":
        # a blank ends a text, and an empty one is missing
        return "S", [["NA" if _colors.is_missing(value) else "_".join(str(value).split()) or "NA" for value in part.tolist()] for part in parts]
    return None
