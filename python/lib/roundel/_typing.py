"""Types of arguments, and names of annotations that not every installation has."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol, Union

import numpy.typing as npt

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._view import View
else:
    # Python 3.10 has no Unpack, and anywidget may be missing: `typing.get_type_hints` works nevertheless
    Unpack = getattr(typing, "Unpack", typing.Optional)
    View = Any

__all__ = ["Array", "Column", "Positions", "Rotations", "Unpack", "View"]


class Column(Protocol):
    """A column of pandas, Polars or PyArrow, or anything else that numpy makes an array of."""

    @property
    def __array__(self) -> Callable[..., Any]: ...


Array = Union[npt.ArrayLike, Column]
"""Numbers that numpy makes an array of."""


class HasPositions(Protocol):
    """Such as ``ase.Atoms``."""

    @property
    def positions(self) -> Any: ...


class HasAtoms(Protocol):
    """Such as ``MDAnalysis.Universe``."""

    @property
    def atoms(self) -> Any: ...


class HasParticles(Protocol):
    """Such as OVITO's ``DataCollection``."""

    @property
    def particles(self) -> Any: ...


class HasQuaternions(Protocol):
    """Such as ``scipy.spatial.transform.Rotation``."""

    def as_quat(self) -> Any: ...


Positions = Union[Array, HasPositions, HasAtoms, HasParticles, Iterable[Any]]
"""Positions, or an object that has particles. Structures, models and frames are iterable."""

Rotations = Union[Array, HasQuaternions]
