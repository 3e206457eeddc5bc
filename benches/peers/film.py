#!/usr/bin/env python3
"""Frames a second of films of one trajectory: roundel, OVITO (TachyonRenderer), MDAnalysis with matplotlib.

    pip install ovito MDAnalysis matplotlib imageio
    benches/peers/film.py target/release/roundel [ATOMS] [FRAMES]

The trajectory is a random walk of a lattice, written here as XYZ. Each program reads it, draws it at 1280 x 720 with plain shading and
writes its frames as PNGs, once without a film to load its modules and caches.
"""

import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

WIDTH, HEIGHT = 1280, 720


def trajectory(path, atoms, frames):
    side = round(atoms ** (1 / 3))
    places = np.stack(np.meshgrid(*[np.arange(side) * 3.0] * 3), -1).reshape(-1, 3)
    random = np.random.default_rng(1)
    with open(path, "w") as file:
        for _ in range(frames):
            file.write(f"{len(places)}\ncomment\n")
            np.savetxt(file, places, fmt="Ar %.3f %.3f %.3f")
            places = places + random.normal(0, 0.2, places.shape)


def roundel(program, path, output):
    subprocess.run([program, "film", path, "-q", "--look", "headlight", "--ao", "off", "--samples", "1", "-W", str(WIDTH), "-H",
                    str(HEIGHT), "-o", output], check=True)


def ovito(path, folder):
    from ovito.io import import_file
    from ovito.vis import TachyonRenderer, Viewport

    pipeline = import_file(path)
    pipeline.add_to_scene()
    view = Viewport(type=Viewport.Type.Perspective, camera_dir=(0, 0, -1))
    view.zoom_all((WIDTH, HEIGHT))
    renderer = TachyonRenderer(ambient_occlusion=False, shadows=False, antialiasing_samples=1)
    for frame in range(pipeline.source.num_frames):
        view.render_image(size=(WIDTH, HEIGHT), frame=frame, renderer=renderer, filename=f"{folder}/ovito{frame:04}.png")
    pipeline.remove_from_scene()


def matplotlib(path, folder):
    import MDAnalysis
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    universe = MDAnalysis.Universe(path)
    figure = plt.figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100)
    axes = figure.add_subplot(projection="3d")
    for frame in universe.trajectory:
        axes.clear()
        axes.scatter(*universe.atoms.positions.T, s=9)
        figure.savefig(f"{folder}/mpl{frame.frame:04}.png")
    plt.close(figure)


def main():
    program = sys.argv[1]
    atoms, frames = (int(text) for text in (sys.argv[2:] + ["100000", "20"][len(sys.argv[2:]):])[:2])
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "walk.xyz")
        trajectory(path, atoms, frames)
        ways = {
            "roundel, PNGs": lambda: roundel(program, path, f"{folder}/f_{{frame:04}}.png"),
            "roundel, Y4M": lambda: roundel(program, path, f"{folder}/film.y4m"),
            "roundel, WebP": lambda: roundel(program, path, f"{folder}/film.webp"),
            "OVITO, Tachyon, PNGs": lambda: ovito(path, folder),
            "MDAnalysis + matplotlib, PNGs": lambda: matplotlib(path, folder),
        }
        for name, way in ways.items():
            try:
                start = time.perf_counter()
                way()
                print(f"{name}: {frames / (time.perf_counter() - start):.2f} frames/s", flush=True)
            except ImportError as missing:
                print(f"{name}: not measured, {missing}", flush=True)


if __name__ == "__main__":
    main()
