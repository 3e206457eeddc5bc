"""Frames of the notebook's widget in the kernel, from an event to the PNG that is sent: python benches/widget.py [SPHERES]"""

import statistics
import sys
import time

import numpy as np
import roundel
from roundel._drawing import sphere_scene
from roundel._widget import Session


def main():
    count = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**6
    positions = np.random.default_rng(1).normal(size=(count, 3)).astype(np.float32)
    scene, _ = sphere_scene(positions, 0.01, positions[:, 2], colormap="viridis", width=640, height=480)
    session = Session(scene, (640, 480), {})
    # the prepared hierarchies are not counted
    session.image()
    session.answer("0 move 320 240\n0 press left")
    times, sizes, qualities = [], [], set()
    for step in range(1, 61):
        begun = time.perf_counter()
        state, image = session.answer(f"{step} move {320 + 3 * step} {240 + step}")
        if image is None:
            # the mouse has not left the place of a click
            continue
        png = image.to_png()
        times.append(time.perf_counter() - begun)
        sizes.append(len(png))
        qualities.add((state["quality"], image.size))
    median = statistics.median(times[10:])
    print(f"{count:.0e} spheres: {1e3 * median:.1f} ms a frame, {1 / median:.0f} a second, {statistics.median(sizes) / 1e3:.0f} kB; {sorted(qualities)}")
    print(roundel.__version__)


if __name__ == "__main__":
    main()
