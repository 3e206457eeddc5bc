"""Pictures that are blank, or show less than was given, warn."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import roundel

SMALL = {"width": 80, "height": 60}
POINTS = np.random.default_rng(2).normal(size=(200, 3))
AWAY = {"eye": (0, 0, 50), "target": (0, 0, 100)}


@pytest.mark.parametrize(
    "draw",
    [
        lambda: roundel.spheres(POINTS, 0.1, **AWAY, **SMALL),
        lambda: roundel.cylinders(POINTS, POINTS + 1, 0.1, **AWAY, **SMALL),
        lambda: roundel.ellipsoids(POINTS, (0.1, 0.2, 0.3), **AWAY, **SMALL),
        lambda: roundel.arrows(POINTS, POINTS, 0.1, **AWAY, **SMALL),
        lambda: roundel.circles(POINTS[:, :2] - 50, 1, **SMALL),
        lambda: roundel.density(POINTS[:, 0], POINTS[:, 1], extent=(50, 60, 50, 60), **SMALL),
        lambda: roundel.read("../docs/scenes/caffeine.xyz", eye=(0, 0, 50), target=(0, 0, 100), **SMALL).render(),
        lambda: roundel.render(roundel.read("../docs/scenes/caffeine.xyz", eye=(0, 0, 50), target=(0, 0, 100), **SMALL)),
        lambda: roundel.film([POINTS], radii=0.1, **AWAY, **SMALL),
    ],
)
def test_nothing_in_view_warns_at_the_call(draw):
    with pytest.warns(roundel.PictureWarning, match="nothing is in view") as caught:
        draw()
    assert all(warning.filename == __file__ for warning in caught)


@pytest.mark.parametrize(
    "draw",
    [
        lambda: roundel.spheres(POINTS, 0.1, **SMALL),
        lambda: roundel.spheres(np.empty((0, 3)), 0.1, **SMALL),
        lambda: roundel.spheres(POINTS[:1], 0.1, **SMALL),
        lambda: roundel.circles([], **SMALL),
        lambda: roundel.scatter([], [], **SMALL),
        lambda: roundel.scatter([1], [1], **SMALL),
        lambda: roundel.scatter(POINTS[:, 0], POINTS[:, 1], **SMALL),
        lambda: roundel.scatter(POINTS[:, 0], np.zeros(200), **SMALL),
        lambda: roundel.scatter([1, 2, np.nan], [1, 2, 3], invalid="skip", **SMALL),
        lambda: roundel.density(POINTS[:, 0], POINTS[:, 1], **SMALL),
        lambda: roundel.spheres(np.vstack([POINTS, [np.nan] * 3]), 0.1, invalid="skip", **SMALL),
        lambda: roundel.read("../docs/scenes/caffeine.xyz", **SMALL).render(),
        lambda: roundel.film([POINTS, POINTS * 2], radii=0.1, **SMALL),
    ],
)
def test_pictures_of_what_was_given_do_not_warn(draw):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw()


def test_points_in_one_pixel_warn():
    x, y = POINTS[:, 0].copy(), POINTS[:, 1].copy()
    x[7] = 1e9
    with pytest.warns(roundel.PictureWarning, match="199 of 200 points lie in one pixel: the other 1 are far away"):
        roundel.scatter(x, y, **SMALL)
    with pytest.warns(roundel.PictureWarning, match="200 of 200 points lie in one pixel"):
        roundel.scatter(np.full(200, 3.0), np.full(200, 4.0), **SMALL)
    with pytest.warns(roundel.PictureWarning, match="all points within the extent lie in one pixel"):
        roundel.density([1, 1], [2, 2], **SMALL)
    with pytest.warns(roundel.PictureWarning, match="lie in one pixel"):
        roundel.spheres(POINTS, 0.1, eye=(0, 0, 1e5), target=(0, 0, 0), **SMALL)
    with pytest.warns(roundel.PictureWarning, match="lie in one pixel"):
        roundel.spheres(POINTS, 0.1, ortho_height=1e5, **SMALL)


def test_rows_that_are_left_out_warn():
    x, y = [1.0, 2.0, np.nan, 4.0], [1.0, 2.0, 3.0, np.inf]
    with pytest.warns(roundel.PictureWarning, match="2 of 4 rows are left out: x, y or radii is not finite"):
        roundel.scatter(x, y, **SMALL)
    with pytest.warns(roundel.PictureWarning, match="1 of 4 rows are left out"):
        roundel.scatter([1, 2, 3, 4], [1, 2, 3, 4], [1, 1, -1, 1], **SMALL)
    with pytest.warns(roundel.PictureWarning, match="2 of 4 rows are left out"):
        roundel.density(x, y, **SMALL)


def test_a_row_without_a_weight_is_left_out_of_its_pixel():
    with pytest.warns(roundel.PictureWarning, match="1 of 4 rows are left out"):
        shown = roundel.density([0, 0, 1, 1], [0, 0, 1, 1], [1, np.nan, 2, 3], extent=(0, 2, 0, 2), width=2, height=2)
    assert np.array_equal(shown.values[::-1], [[1, np.nan], [np.nan, 5]], equal_nan=True)


def test_unequal_units_warn():
    for draw in (roundel.scatter, roundel.density):
        with pytest.warns(roundel.PictureWarning, match="on one scale, which makes a line"):
            draw(POINTS[:, 0], POINTS[:, 1] * 1e6, **SMALL)


def test_a_filter_of_the_class_makes_errors_of_them():
    with warnings.catch_warnings():
        warnings.simplefilter("error", roundel.PictureWarning)
        with pytest.raises(roundel.PictureWarning):
            roundel.spheres(POINTS, 0.1, **AWAY, **SMALL)
