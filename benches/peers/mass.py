#!/usr/bin/env python3
"""Seconds for the masses of ten million discs of 1024 x 1024 pixels: roundel, swiftsimio (projection backends).

    pip install swiftsimio
    benches/peers/mass.py [COUNT]

Arrays to an array of numbers; the median of three runs of each, once before to compile. `fast` samples a kernel of single precision at the
centres of pixels, and is a histogram of centres where discs are smaller than pixels; `renormalised` scales its samples so that masses sum
up; `subsampled` takes many samples a pixel, and is the nearest to roundel's exact areas. A tenth of the discs is enough for that.
"""

import statistics
import sys
import time

import numpy as np
import roundel
from swiftsimio.visualisation.projection_backends import backends

SIDE = 1024


def seconds(draw, runs=3):
    draw()
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        draw()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def main():
    count = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**7
    x, y = np.random.default_rng(1).uniform(0, 1, (2, count))
    for radius in (0.5, 2.0):
        single = radius / SIDE
        spread = seconds(lambda: roundel._roundel.mass_by_pixel(x, y, np.array([single]), None, [0.0, 1.0, 0.0, 1.0], [SIDE, SIDE]))
        print(f"radius {radius}: roundel {spread:.2f}")
        for name in ("histogram", "fast", "renormalised", "subsampled"):
            rows = slice(None, None, 10 if name == "subsampled" else 1)
            masses = np.ones(count, np.float32)[rows]
            sizes = np.full(count, single, np.float32)[rows]
            places = {"x": x[rows].copy(), "y": y[rows].copy()}
            draw = lambda: backends[name](**places, m=masses, h=sizes, res=SIDE, box_x=0.0, box_y=0.0)  # noqa: B023, called at once
            print(f"radius {radius}: swiftsimio {name} {seconds(draw, 1 if name == 'subsampled' else 3):.2f} of {len(masses)} discs")


if __name__ == "__main__":
    main()
