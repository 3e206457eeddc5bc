"""Whatever is passed in ends in a picture or in an exception of a usual type, never in a crash or a panic."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from hypothesis.extra import numpy as arrays

import roundel

KINDS = ["f2", "f4", "f8", ">f4", "i1", "u1", "i8", "u8", "?", "c8", "O", "U3", "M8[s]"]
NUMBERS = [0, 1, -1, 1e-40, 1e30, -1e300, np.inf, -np.inf, np.nan, 255, 1 << 70]
NAMES = [
    "width", "height", "background", "view_box", "samples", "ao", "ao_distance", "shadows", "ambient", "seed", "eye", "target", "up",
    "fov", "ortho", "ortho_height", "threads", "tile", "simd", "no_cull", "limit_pixels", "limit_shapes", "limit_memory", "colormap",
    "vmin", "vmax", "invalid", "parts", "look", "ao_strength", "key", "fill", "key_angle", "fog", "fog_start", "outline_width",
    "outline_depth", "outline_color", "cloud_radius",
]  # fmt: skip

values = some.one_of(
    some.none(),
    some.booleans(),
    some.integers(-3, 300),
    some.sampled_from(NUMBERS),
    some.floats(width=32),
    some.text(max_size=8),
    some.sampled_from(["#d62728", "smooth", "off", "element", "vdw", "raise", "skip", "viridis", "auto", "\0", "\ud800"]),
    some.lists(some.sampled_from(NUMBERS), max_size=5),
    some.tuples(some.floats(0, 1), some.floats(0, 1), some.floats(0, 1)),
    some.builds(object),
)


@some.composite
def strided(draw: Any, shape: tuple[int, ...]) -> Any:
    """An array of any type and layout."""
    array = np.zeros(shape, dtype=draw(some.sampled_from(KINDS[:3])))
    array[...] = draw(arrays.arrays(np.float64, shape, elements=some.sampled_from([0.0, 0.5, 1.0, 3.0, np.nan])))
    with np.errstate(invalid="ignore"):
        array = array.astype(draw(some.sampled_from(KINDS[:9]))) if draw(some.booleans()) else array
    for axis in range(array.ndim):
        step = draw(some.sampled_from([1, -1, 2]))
        array = np.flip(array, axis) if step == -1 else np.repeat(array, step, axis)[(slice(None),) * axis + (slice(None, None, step),)]
    array = np.asfortranarray(array) if draw(some.booleans()) else array
    if draw(some.booleans()):
        array.flags.writeable = False
    return array


rows = some.integers(0, 5)
anything = some.one_of(
    values,
    rows.flatmap(lambda n: strided((n, 3))),
    rows.flatmap(lambda n: strided((n, 2))),
    rows.flatmap(lambda n: strided((n,))),
    some.sampled_from(KINDS).map(lambda kind: np.zeros((3, 3), dtype=kind)),
    some.sampled_from([(), (0,), (0, 3), (3, 0), (1, 3, 1), (3, 3, 3)]).map(np.zeros),
)
options = some.dictionaries(some.sampled_from(NAMES), values, max_size=3)
BOUNDS = {"width": 24, "height": 16, "samples": 1, "ao": "off", "limit_pixels": 10_000}
quick = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def survives(call: Any, *arguments: Any, **keywords: Any) -> None:
    try:
        image = call(*arguments, **keywords)
    except (TypeError, ValueError, MemoryError, OverflowError) as error:
        assert str(error)
    else:
        assert np.asarray(image).ndim == 3


@quick
@given(positions=anything, radii=anything, colors=anything, keywords=options)
def test_spheres_survive_anything(positions, radii, colors, keywords):
    survives(roundel.spheres, positions, radii, colors, **{**BOUNDS, **keywords})


@quick
@given(n=rows, data=some.data(), keywords=options)
def test_spheres_survive_arrays_that_nearly_fit(n, data, keywords):
    radii = data.draw(some.one_of(some.just(0.5), strided((n,))))
    colors = data.draw(some.one_of(some.just("#d62728"), strided((n,)), strided((n, 3)), strided((n, 4))))
    survives(roundel.spheres, data.draw(strided((n, 3))), radii, colors, **{**BOUNDS, **keywords})


@quick
@given(xy=anything, radii=anything, colors=anything, stroke=values)
def test_circles_survive_anything(xy, radii, colors, stroke):
    survives(roundel.circles, xy, radii, colors, stroke=stroke, width=24, height=16)


@quick
@given(x=anything, y=anything, third=anything, color=anything)
def test_plots_survive_anything(x, y, third, color):
    survives(roundel.scatter, x, y, third, color, width=24, height=16)
    survives(roundel.density, x, y, third, width=24, height=16)


@quick
@given(expected=anything, actual=anything, keywords=some.dictionaries(some.sampled_from(["tolerance", "flip", "pixels", "share", "mask", "mask_image"]), values))
def test_comparisons_survive_anything(expected, actual, keywords):
    try:
        roundel.compare(expected, actual, **keywords)
    except (TypeError, ValueError, MemoryError, OverflowError, OSError) as error:
        assert str(error)
