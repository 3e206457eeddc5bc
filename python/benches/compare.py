"""The same spheres from the same array, drawn by roundel and by what is used now; one process each, one after another.

    python benches/compare.py [-n 100000] [--pictures FOLDER] [NAME …]

Prints a table: seconds of the first picture and of the second in the same process (imports not counted), peak memory above
that of the imports and the array, lines of code. Packages that are not installed are left out.
"""

from __future__ import annotations

import argparse
import inspect
import json
import resource
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np

WIDTH, HEIGHT = 1280, 960


def cloud(count: int) -> tuple[np.ndarray, float]:
    """Positions, float32, in a ball of radius 1, and a radius at which they nearly touch."""
    positions = np.random.default_rng(1).normal(size=(count, 3))
    positions *= (np.random.default_rng(2).random((count, 1)) ** (1 / 3)) / np.linalg.norm(positions, axis=1, keepdims=True)
    return positions.astype(np.float32), 0.8 * count ** (-1 / 3)


def draw_roundel(positions, radius, file):
    import roundel

    roundel.spheres(positions, radius, positions[:, 2]).save(file)


def draw_roundel_headlight(positions, radius, file):
    import roundel

    roundel.spheres(positions, radius, positions[:, 2], ao="off").save(file)


def draw_matplotlib(positions, radius, file):
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(12.8, 9.6), dpi=100)
    axes = figure.add_subplot(projection="3d", proj_type="persp", box_aspect=(1, 1, 1))
    # areas in points², as if all spheres were at the middle's distance
    points = (2 * radius * 300 * 0.72) ** 2
    axes.scatter(*positions.T, c=positions[:, 2], s=points, linewidths=0, depthshade=False)
    axes.view_init(90, -90)
    axes.set_axis_off()
    figure.savefig(file)
    pyplot.close(figure)


def draw_pyvista(positions, radius, file):
    import pyvista

    plotter = pyvista.Plotter(off_screen=True, window_size=(1280, 960))
    plotter.set_background("white")
    cloud = pyvista.PolyData(positions)
    cloud["z"] = positions[:, 2]
    plotter.add_mesh(
        cloud.glyph(geom=pyvista.Sphere(radius=radius, theta_resolution=12, phi_resolution=12), scale=False, orient=False),
        scalars="z",
        show_scalar_bar=False,
    )
    plotter.view_xy()
    plotter.screenshot(file)
    plotter.close()


def draw_pyvista_sprites(positions, radius, file):
    import pyvista

    plotter = pyvista.Plotter(off_screen=True, window_size=(1280, 960))
    plotter.set_background("white")
    mapper = plotter.add_points(
        positions,
        scalars=positions[:, 2],
        style="points_gaussian",
        render_points_as_spheres=True,
        emissive=False,
        show_scalar_bar=False,
    ).mapper
    mapper.scale_factor = radius
    plotter.view_xy()
    plotter.screenshot(file)
    plotter.close()


def draw_ovito(positions, radius, file):
    from ovito.data import DataCollection
    from ovito.pipeline import Pipeline, StaticSource
    from ovito.vis import TachyonRenderer, Viewport

    data = DataCollection()
    particles = data.create_particles(count=len(positions))
    particles.create_property("Position", data=positions)
    shade = (positions[:, 2] + 1) / 2
    particles.create_property("Color", data=np.column_stack([shade, shade, 1 - shade]))
    particles.vis.radius = radius
    pipeline = Pipeline(source=StaticSource(data=data))
    pipeline.add_to_scene()
    viewport = Viewport(type=Viewport.Type.Top)
    viewport.zoom_all(size=(1280, 960))
    viewport.render_image(filename=file, size=(1280, 960), renderer=TachyonRenderer())
    pipeline.remove_from_scene()


DRAWERS = {
    "roundel": draw_roundel,
    "roundel, ao='off'": draw_roundel_headlight,
    "matplotlib scatter": draw_matplotlib,
    "PyVista glyphs": draw_pyvista,
    "PyVista points": draw_pyvista_sprites,
    "OVITO Tachyon": draw_ovito,
}


def lines(draw) -> int:
    """Lines of a function's body, without imports, comments and blank lines."""
    body = textwrap.dedent(inspect.getsource(draw)).splitlines()[1:]
    code = [line.strip() for line in body]
    return sum(bool(line) and not line.startswith(("#", "import ", "from ")) for line in code)


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(name: str, count: int, folder: Path) -> None:
    """Draws twice in this process and prints what that took."""
    draw = DRAWERS[name]
    file = str(folder / (name.replace(" ", "-").replace(",", "").replace("'", "").replace("=", "-") + ".png"))
    few, radius = cloud(10)
    # imports, and what is set up once
    draw(few, radius, file)
    positions, radius = cloud(count)
    before = peak()
    times = []
    for _ in range(2):
        began = time.perf_counter()
        draw(positions, radius, file)
        times.append(time.perf_counter() - began)
    print(json.dumps({"times": times, "memory": peak() - before, "lines": lines(draw)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=100_000, help="number of spheres")
    parser.add_argument("--pictures", type=Path, default=Path("."), help="folder of the pictures")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(DRAWERS)}")
    arguments = parser.parse_args()
    arguments.pictures.mkdir(parents=True, exist_ok=True)
    if arguments.measure:
        measure(arguments.measure, arguments.n, arguments.pictures)
        return
    print(f"{arguments.n} spheres, {WIDTH}x{HEIGHT} pixels\n")
    print("| package | first picture, s | second, s | memory, MB | lines |\n|---|---|---|---|---|")
    for name in arguments.names or DRAWERS:
        command = [sys.executable, __file__, "-n", str(arguments.n), "--pictures", str(arguments.pictures), "--measure", name]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            reason = (run.stderr.strip().splitlines() or ["no message"])[-1]
            print(f"| {name} | {reason} | | | |")
            continue
        found = json.loads(run.stdout.strip().splitlines()[-1])
        first, second = found["times"]
        print(f"| {name} | {first:.2f} | {second:.2f} | {found['memory'] / 1e6:.0f} | {found['lines']} |")


if __name__ == "__main__":
    main()
