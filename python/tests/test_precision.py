"""Positions far from the origin."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import roundel

NEAR = np.random.default_rng(1).uniform(size=(400, 3)) * 0.06
FAR = np.array([4e6, -3e6, 5e5])
SMALL = {"width": 160, "height": 120}


def same(a, b):
    """Equal but for the last bit of single precision."""
    return bool(roundel.compare(a, b, tolerance=4, pixels=40))


@pytest.fixture(autouse=True)
def errors_of_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("options", [{}, {"view": "top"}, {"look": "flat"}])
def test_float64_keeps_its_precision(options):
    assert same(roundel.spheres(NEAR, 0.002, **SMALL, **options), roundel.spheres(NEAR + FAR, 0.002, **SMALL, **options))


def test_cameras_and_planes_move_along():
    eye, target = np.array([0.03, 0.03, 0.3]), np.array([0.03, 0.03, 0.03])
    near = roundel.spheres(NEAR, 0.002, eye=eye, target=target, clip="x<0.03", **SMALL)
    far = roundel.spheres(NEAR + FAR, 0.002, eye=eye + FAR, target=target + FAR, clip=f"x<{float(0.03 + FAR[0])}", **SMALL)
    assert near != roundel.spheres(NEAR, 0.002, eye=eye, target=target, **SMALL) and same(near, far)


def test_rows_and_boxes_are_those_given():
    ase = pytest.importorskip("ase")
    image = roundel.spheres(NEAR + FAR, 0.004, arrays=("index", "depth"), **SMALL)
    assert image.index.max() < 400 and image.index.max() > 100
    atoms = ase.Atoms("Ar" * 8, positions=NEAR[:8] * 100 + FAR, cell=[6, 6, 6], pbc=True)
    near = ase.Atoms("Ar" * 8, positions=NEAR[:8] * 100, cell=[6, 6, 6], pbc=True)
    # the box begins at the origin, far from the atoms
    assert roundel.spheres(near, **SMALL).size == roundel.spheres(atoms, cell=False, **SMALL).size


def test_too_few_steps_are_said():
    with pytest.warns(UserWarning, match="positions extends over 0.0[0-9]+, and float32 has steps of 0.25 .* pass float64"):
        roundel.spheres((NEAR + FAR).astype(np.float32), 0.002, **SMALL)
    with pytest.warns(UserWarning, match="float64 has steps of"):
        roundel.spheres(NEAR + 1e15, 0.002, **SMALL)
