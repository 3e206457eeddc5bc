#!/usr/bin/env python3
"""Brightness of the default look of particles beside OVITO's TachyonRenderer: medians of the pixels that show particles.

    pip install ovito==3.12.4 numpy pillow
    benches/peers/brightness.py target/release/roundel

Both programs draw the same particles from one side, in viridis over the same range, without the edges of the box.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
import numpy as np
from ovito.io import import_file
from ovito.modifiers import ColorCodingModifier
from ovito.vis import TachyonRenderer, Viewport
from PIL import Image

SIZE = (640, 480)


def scenes():
    """Names, positions and radii."""
    random = np.random.default_rng(7)
    yield "gaussian cloud", random.normal(size=(20000, 3)) * 8, 0.5
    yield "uniform in a cube", random.uniform(-15, 15, (20000, 3)), 0.6
    yield "cubic lattice", np.stack(np.meshgrid(*[np.arange(18.0)] * 3), -1).reshape(-1, 3), 0.5
    yield "thin slab", random.uniform(-15, 15, (4000, 3)) * [1, 1, 0.2], 0.8


def write(path, positions, radius, values):
    with open(path, "w") as file:
        file.write(f"{len(positions)}\nProperties=species:S:1:pos:R:3:radius:R:1:q:R:1\n")
        for (x, y, z), value in zip(positions, values):
            file.write(f"A {x:.4f} {y:.4f} {z:.4f} {radius} {value:.4f}\n")


def draw_ovito(path, picture, eye, middle, height):
    pipeline = import_file(str(path))
    pipeline.modifiers.append(ColorCodingModifier(property="q", gradient=ColorCodingModifier.Viridis()))
    pipeline.add_to_scene()
    if cell := pipeline.compute().cell:
        cell.vis.enabled = False
    view = Viewport(type=Viewport.Type.Ortho, camera_pos=middle, camera_dir=middle - eye, fov=height / 2)
    view.camera_up = (0, 1, 0)
    view.render_image(size=SIZE, filename=str(picture), renderer=TachyonRenderer(), background=(1, 1, 1))
    pipeline.remove_from_scene()


def draw_roundel(program, path, picture, eye, middle, height, values):
    place = lambda point: ",".join(str(number) for number in point)
    camera = [f"--eye={place(eye)}", f"--target={place(middle)}", "--up=0,1,0", f"--ortho-height={height}"]
    colors = ["--color-by=q", f"--color-range={values.min()},{values.max()}", "--radius=radius", "--cell=false"]
    size = ["-W", str(SIZE[0]), "-H", str(SIZE[1])]
    look = ["--look", "studio", "-q", "-o", str(picture)]
    subprocess.run([program, "render", str(path), *camera, *colors, *size, *look], check=True)


def brightness(picture):
    pixels = np.asarray(Image.open(picture).convert("RGB"), float)
    shown = (pixels < 250).any(-1)
    return np.median((pixels @ [0.2126, 0.7152, 0.0722])[shown])


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, positions, radius in scenes():
            middle = positions.mean(0)
            distances = np.linalg.norm(positions - middle, axis=1)
            for what, values in [("distance", distances), ("z", positions[:, 2])]:
                write(folder / "particles.xyz", positions, radius, values)
                camera = (middle + [35, 25, 100], middle, np.ptp(positions, axis=0).max() * 1.1)
                draw_ovito(folder / "particles.xyz", folder / "ovito.png", *camera)
                draw_roundel(sys.argv[1], folder / "particles.xyz", folder / "roundel.png", *camera, values)
                ours, theirs = brightness(folder / "roundel.png"), brightness(folder / "ovito.png")
                print(f"{name}, by {what}: {ours:.1f}, OVITO {theirs:.1f}, {ours / theirs:.3f}", flush=True)


if __name__ == "__main__":
    main()
