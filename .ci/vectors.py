"""Figures of flat spheres as SVG and PDF, rendered by resvg and poppler, beside the pixels of `roundel render`.

    vectors.py ROUNDEL [FOLDER]

Both programs render at four times the size; sixteen of their pixels are averaged into one, and so are those of the
reference, which has 16 samples in each. Inside of a region all three must have its colour to a level. At an edge of two
colours the share of each is compared. resvg and poppler have 4 x 4 places a pixel, so 256 in one of these: an edge may lie
a column of these off on either side, which is 1/16 of a row and 1/64 of the pixel in the mean. Therefore: the mean error of
all edges is at most 1/64, and that of none in a hundred is above 1/16. Pixels of three colours and more are counted. A region
so small that it lies between the samples of the reference may show: that of few pixels, which then differ by a 64th, or 4
levels, at most.
"""

import json
import math
import random
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

import numpy as np
import resvg_py
from PIL import Image

TIMES = 4
SAMPLES = 16
SIZE = (320, 240)
RANDOM_SCENES = 200
FLAT = ["--look", "flat", "--outline-width", "0", "--ao", "off", "--style", "spacefill"]

LEVELS = 1
LEVELS_OF_FEW = 4
FEW = 1e-4
MEAN = 1 / 64
MOST = 1 / 16
SHARE_BEYOND = 0.01


def to_linear(levels):
    """sRGB levels of 0 to 255 as linear light."""
    value = levels / 255.0
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def averaged(picture):
    """Each square of TIMES x TIMES pixels as one."""
    height, width, channels = picture.shape
    return picture.reshape(height // TIMES, TIMES, width // TIMES, TIMES, channels).mean(axis=(1, 3))


def around(values):
    """The nine arrays of each pixel's value and of those beside it."""
    edges = [(1, 1), (1, 1)] + [(0, 0)] * (values.ndim - 2)
    padded = np.pad(values, edges, mode="edge")
    return [padded[y : y + SIZE[1], x : x + SIZE[0]] for y in range(3) for x in range(3)]


class Sums:
    """What all pictures of one program differ by."""

    def __init__(self, name):
        self.name = name
        self.pictures = self.pixels = self.off = self.edges = self.beyond = self.mixed = 0
        self.inside = self.error = self.worst = 0.0

    def add(self, reference, single, drawn, label):
        """`reference` has many samples, `single` one sample at each centre, so that it has the colours of regions alone."""
        self.pictures += 1
        regions = single.reshape(SIZE[1], TIMES, SIZE[0], TIMES, 3).transpose(0, 2, 1, 3, 4)
        regions = regions.reshape(SIZE[1], SIZE[0], TIMES * TIMES, 3)
        code = (regions.astype(np.int64) * [65536, 256, 1]).sum(axis=3)
        least, most = code.min(axis=2), code.max(axis=2)
        wide = lambda of, what: what.reduce(around(of))
        low, high = wide(least, np.minimum), wide(most, np.maximum)
        # what is narrower than a quarter of a pixel may lie between centres, but not between all samples
        pure = (reference == single).all(axis=2).reshape(SIZE[1], TIMES, SIZE[0], TIMES).all(axis=(1, 3))
        inside = (low == high) & wide(pure, np.logical_and)
        shown = averaged(drawn.astype(float))
        levels = np.abs(shown - regions[:, :, 0].astype(float)).max(axis=2)[inside]
        off = float(levels.max(initial=0.0))
        self.inside = max(self.inside, off)
        self.pixels += levels.size
        self.off += int((levels > LEVELS).sum())
        if off > LEVELS_OF_FEW:
            print(f"{self.name}: {label}: {off:.1f} levels inside of a region")
        # of two colours around a pixel, the share of the second
        is_one = lambda part: ((part == low[:, :, None]) | (part == high[:, :, None])).all(axis=2)
        of_two = np.logical_and.reduce([is_one(part) for part in around(code)])
        self.mixed += int((~inside & (~of_two | (low == high))).sum())
        edge = of_two & ~inside & (low != high)
        split = lambda codes: np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=-1).astype(float)
        first, second = split(low[edge]), split(high[edge])
        share = lambda value, a, b: ((value - a) * (b - a)).sum(axis=1) / ((b - a) ** 2).sum(axis=1)
        expected = share(averaged(to_linear(reference.astype(float)))[edge], to_linear(first), to_linear(second))
        found = share(shown[edge], first, second)
        errors = np.abs(expected - found)
        if errors.size:
            self.error += float(errors.sum())
            self.edges += errors.size
            self.beyond += int((errors > MOST).sum())
            if errors.max() > self.worst:
                self.worst = float(errors.max())

    def report(self):
        mean, beyond = self.error / max(self.edges, 1), self.beyond / max(self.edges, 1)
        print(
            f"{self.name}: {self.pictures} pictures, {self.inside:.2f} levels inside, above {LEVELS} in {self.off} of "
            f"{self.pixels} pixels; {self.edges} pixels at edges: mean error 1/{1 / max(mean, 1e-9):.0f}, {beyond:.2%} above "
            f"1/{1 / MOST:.0f}, worst {self.worst:.3f}; {self.mixed} pixels of three colours and more"
        )
        is_inside_right = self.inside <= LEVELS_OF_FEW and self.off <= FEW * self.pixels
        return is_inside_right and mean <= MEAN and beyond <= SHARE_BEYOND


def random_scene(seed):
    """Spheres that touch, intersect, contain one another, or are the same, from a near or a far eye, or with parallel rays."""
    rng = random.Random(seed)
    spheres = []
    for _ in range(rng.randint(2, 40)):
        radius = rng.choice([0.25, 0.5, 1.0, rng.uniform(0.05, 1.2)])
        center = [rng.uniform(-2, 2), rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5)]
        if spheres and rng.random() < 0.5:
            other = rng.choice(spheres)
            turn, lift = rng.uniform(0, 2 * math.pi), rng.uniform(-1, 1)
            along = [math.sqrt(1 - lift * lift) * math.cos(turn), lift, math.sqrt(1 - lift * lift) * math.sin(turn)]
            far = rng.choice([other["radius"] + radius, abs(other["radius"] - radius), 0.0, rng.uniform(0, 1)])
            center = [other["center"][axis] + far * along[axis] for axis in range(3)]
            radius = other["radius"] if rng.random() < 0.2 else radius
        color = "#" + "".join(f"{rng.choice([0, 51, 102, 153, 204, 255]):02x}" for _ in range(3))
        spheres.append({"center": center, "radius": radius, "color": color})
    camera = {"eye": [0, 0, rng.choice([5.0, 9.0])], "target": [0, 0, 0], "background": "#ffffff"}
    camera |= {"width": SIZE[0], "height": SIZE[1]}
    camera |= {"ortho_height": 4.0} if seed % 2 else {"fov": 40.0}
    return {"camera": camera, "render": {"look": "flat", "outline_width": 0, "ao": "off"}, "sphere": spheres}


def pixels_of(picture):
    return np.asarray(Image.open(picture).convert("RGB"))


def main():
    roundel, more = sys.argv[1], sys.argv[2:]
    here = Path(__file__).parent.parent
    folder = Path(tempfile.mkdtemp(prefix="roundel-vectors-"))
    molecules = [here / "docs/scenes/opsin.pdb.gz", here / "docs/scenes/caffeine.xyz"]
    for place in more:
        kinds = {".pdb", ".cif", ".xyz", ".gro", ".dump"}
        molecules += sorted(path for path in Path(place).iterdir() if path.suffix in kinds)
    jobs = [(path.name, path, FLAT) for path in molecules]
    for seed in range(RANDOM_SCENES):
        scene = folder / f"random-{seed}.json"
        scene.write_text(json.dumps(random_scene(seed)))
        jobs.append((scene.name, scene, []))
    sums = {"resvg": Sums("resvg"), "poppler": Sums("poppler")}
    pictures_within = 0
    for label, path, options in jobs:
        render = [roundel, "render", path, *options, "--limit-memory", "16GB", "--force", "-q"]
        small = ["-W", SIZE[0], "-H", SIZE[1]]
        large = ["-W", SIZE[0] * TIMES, "-H", SIZE[1] * TIMES]
        run = lambda *arguments: subprocess.run([str(part) for part in arguments], check=True, capture_output=True)
        run(*render, *small, "-o", folder / "x.svg")
        run(*render, *small, "-o", folder / "x.pdf")
        run(*render, *large, "--samples", SAMPLES, "-o", folder / "many.png")
        run(*render, *large, "--samples", 1, "-o", folder / "single.png")
        if b"<image" in (folder / "x.svg").read_bytes():
            pictures_within += 1
            print(f"{label}: a picture inside of the figure")
            continue
        many, single = pixels_of(folder / "many.png"), pixels_of(folder / "single.png")
        # ways from 1/96 inch to a quarter of it
        svg = resvg_py.svg_to_bytes(svg_path=str(folder / "x.svg"), zoom=TIMES)
        run("pdftoppm", "-r", 96 * TIMES, "-png", "-singlefile", folder / "x.pdf", folder / "pdf")
        sums["resvg"].add(many, single, pixels_of(BytesIO(bytes(svg))), label)
        sums["poppler"].add(many, single, pixels_of(folder / "pdf.png"), label)
    passed = [of.report() for of in sums.values()]
    if not all(passed) or pictures_within:
        sys.exit(1)


main()
