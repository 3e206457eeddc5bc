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


@pytest.mark.parametrize("camera", [{}, {"eye": np.array([0.03, 0.03, 0.3]), "target": np.array([0.03, 0.03, 0.03])}])
def test_other_shapes_keep_their_precision(camera):
    far_camera = {name: place + FAR for name, place in camera.items()}

    def drawn(where, options):
        return (
            roundel.cylinders(NEAR + where, NEAR + where + 0.004, 0.001, **SMALL, **options),
            roundel.ellipsoids(NEAR + where, (0.001, 0.002, 0.003), **SMALL, **options),
            roundel.arrows(NEAR + where, 0.1 * NEAR, 0.0005, **SMALL, **options),
        )

    assert all(same(*pair) for pair in zip(drawn(0, camera), drawn(FAR, far_camera)))


@pytest.mark.parametrize("options", [{}, {"turn": 90.0, "count": 2}])
def test_films_keep_their_precision(tmp_path, options):
    for name, where in (("near.png", 0), ("far.png", FAR)):
        frames = NEAR + where if options else [NEAR + where, 0.5 * NEAR + where]
        roundel.film(frames, tmp_path / name, radii=0.002, **SMALL, **options)
    assert same(roundel.read_image(tmp_path / "near.png"), roundel.read_image(tmp_path / "far.png"))


def test_rows_and_boxes_are_those_given():
    ase = pytest.importorskip("ase")
    image = roundel.spheres(NEAR + FAR, 0.004, arrays=("index", "depth"), **SMALL)
    assert image.index.max() < 400 and image.index.max() > 100
    atoms = ase.Atoms("Ar" * 8, positions=NEAR[:8] * 100 + FAR, cell=[6, 6, 6], pbc=True)
    near = ase.Atoms("Ar" * 8, positions=NEAR[:8] * 100, cell=[6, 6, 6], pbc=True)
    # the box begins at the origin, far from the atoms
    assert roundel.spheres(near, **SMALL).size == roundel.spheres(atoms, cell=False, **SMALL).size


def test_too_few_steps_are_said():
    # the camera is inside of spheres that have become one
    blank = pytest.warns(roundel.PictureWarning, match="nothing is in view")
    with blank, pytest.warns(UserWarning, match="positions extends over 0.0[0-9]+, and float32 has steps of 0.25 .* pass float64"):
        roundel.spheres((NEAR + FAR).astype(np.float32), 0.002, **SMALL)
    with pytest.warns(UserWarning, match="float64 has steps of"):
        roundel.spheres(NEAR + 1e15, 0.002, **SMALL)
