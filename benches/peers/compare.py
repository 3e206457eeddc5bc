#!/usr/bin/env python3
"""Times programs that compare pictures, in turn in one run: two 4K PNGs that differ, and 1,000 of 800 x 600 that agree.

    npm install odiff-bin pixelmatch pngjs reg-cli playwright-core    # in FOLDER
    compare.py FOLDER ROUNDEL [KOMPARI]

FOLDER gets the pictures, too. ROUNDEL is the program; KOMPARI is one that takes two folders, made of `kompari::DirDiffConfig`. The pictures
that agree have the same pixels in other bytes, so that all programs must decode them. Insta compares bytes, and reads files alone.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from PIL import Image

RUNS = 9
FIRST = """const { PNG } = require("pngjs"); const fs = require("fs"); const read = (path) => PNG.sync.read(fs.readFileSync(path));"""
NODE = {
    "pixelmatch": FIRST
    + """import("pixelmatch").then(({ default: match }) => { for (const name of names) { const [a, b] = [read(before + name), read(after + name)];
        match(a.data, b.data, null, a.width, a.height, { threshold: 0.1 }); } });""",
    "playwright": """const { utils } = require("playwright-core/lib/coreBundle"); const fs = require("fs"); const compare = utils.getComparator("image/png");
        for (const name of names) compare(fs.readFileSync(after + name), fs.readFileSync(before + name), {});""",
}


def picture(width: int, height: int, seed: int) -> np.ndarray:
    """Discs with hard edges on a shaded background."""
    random = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width]
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:] = (16 + y * 24 // height + x * 24 // width)[..., None]
    for _ in range(width * height // 400):
        cx, cy, radius = random.integers(width), random.integers(height), random.integers(2, 18)
        rows, columns = slice(max(cy - radius, 0), cy + radius), slice(max(cx - radius, 0), cx + radius)
        disc = (x[rows, columns] - cx) ** 2 + (y[rows, columns] - cy) ** 2 < radius**2
        pixels[rows, columns][disc] = random.integers(30, 158, 3)
    return pixels


def save(pixels: np.ndarray, path: Path, level: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path, compress_level=level)


def pictures(folder: Path) -> None:
    if (folder / "many").exists():
        return
    one = picture(3840, 2160, 1)
    other = one.copy()
    changed = np.random.default_rng(2).random(one.shape[:2]) < 0.03
    other[changed] += 1
    save(one, folder / "two/before/a.png", 6)
    save(other, folder / "two/after/a.png", 6)
    base = picture(800, 600, 3)
    for number in range(1000):
        pixels = np.roll(base, number, axis=1)
        save(pixels, folder / f"many/before/{number}.png", 6)
        save(pixels, folder / f"many/after/{number}.png", 5)


def commands(folder: Path, what: str, roundel: str, kompari: str | None) -> dict[str, list[list[str]]]:
    before, after = (str(folder / what / side) for side in ("before", "after"))
    names = sorted(path.name for path in Path(before).iterdir())
    bins = folder / "node_modules/.bin"
    pairs = [(f"{before}/{name}", f"{after}/{name}") for name in names]
    found = {"roundel compare": [[roundel, "compare", before, after]]}
    # one process for each pair: it takes no folders
    found["odiff"] = [[str(bins / "odiff"), a, b, "/dev/null"] for a, b in pairs]
    for name, script in NODE.items():
        head = f"const [before, after] = ['{before}/', '{after}/']; const names = require('fs').readdirSync(before);"
        found[name] = [["node", "-e", head + script]]
    found["reg-cli"] = [[str(bins / "reg-cli"), after, before, str(folder / "reg"), "-J", str(folder / "reg.json"), "-I"]]
    if kompari:
        found["kompari"] = [[kompari, before, after]]
    return found


def timed(lines: list[list[str]], folder: Path) -> tuple[float, float]:
    """Seconds on the clock and of processors."""
    of = resource.RUSAGE_CHILDREN
    begun, used = time.perf_counter(), resource.getrusage(of)
    for line in lines:
        subprocess.run(line, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    ended = resource.getrusage(of)
    return time.perf_counter() - begun, ended.ru_utime + ended.ru_stime - used.ru_utime - used.ru_stime


def main() -> None:
    folder, roundel = Path(sys.argv[1]).resolve(), os.path.realpath(sys.argv[2])
    pictures(folder)
    for what, runs in (("two", RUNS), ("many", 3)):
        programs = commands(folder, what, roundel, sys.argv[3] if len(sys.argv) > 3 else None)
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
        for _ in range(runs):
            for name, lines in programs.items():
                times[name].append(timed(lines, folder))
        print(f"\n{what}: seconds on the clock, median (least); of processors, median (least)")
        for name, found in times.items():
            clock, used = zip(*found, strict=True)
            values = (statistics.median(clock), min(clock), statistics.median(used), min(used))
            print("{:16} {:7.3f} ({:.3f})   {:7.3f} ({:.3f})".format(name, *values))


if __name__ == "__main__":
    main()
