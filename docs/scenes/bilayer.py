"""Writes bilayer.gro.gz: a patch of 512 lipids of 12 beads each, as Martini's POPC has them, that undulates.

A model made by rules, not a simulation: lipids stand on a jittered hexagonal lattice, their tails wander as they go down.
"""

import gzip
import math
import random

SIDE = 16  # lipids along x, and rows along y, of a leaflet
SPACING = 8.2  # angstroms between lipids
HEADS = ["NC3", "PO4"]
TAILS = [["GL1", "C1A", "D2A", "C3A", "C4A"], ["GL2", "C1B", "C2B", "C3B", "C4B"]]


def height(x, y, width, depth):
    """The middle of the membrane."""
    return 60 + 9 * math.sin(2 * math.pi * x / width + 0.4) + 6 * math.sin(2 * math.pi * (y / depth + x / width))


def lipid(random, x, y, side, width, depth):
    """The beads of a lipid of the upper (side 1) or lower (side -1) leaflet, with their positions."""
    middle = height(x, y, width, depth)
    yield "NC3", (x + random.gauss(0, 1.8), y + random.gauss(0, 1.8), middle + side * (21.5 + random.gauss(0, 1)))
    yield "PO4", (x + random.gauss(0, 0.6), y + random.gauss(0, 0.6), middle + side * (18.5 + random.gauss(0, 0.6)))
    turn = random.uniform(0, 2 * math.pi)
    for tail, beads in enumerate(TAILS):
        a, b = x + 2.3 * math.cos(turn + math.pi * tail), y + 2.3 * math.sin(turn + math.pi * tail)
        for step, bead in enumerate(beads):
            a, b = a + random.gauss(0, 0.9), b + random.gauss(0, 0.9)
            yield bead, (a, b, middle + side * (15.2 - 3.3 * step + random.gauss(0, 0.5)))


def main():
    source = random.Random(7)
    width, depth = SIDE * SPACING, SIDE * SPACING * math.sqrt(3) / 2
    lines, residue, atom = [], 0, 0
    for side in (1, -1):
        for row in range(SIDE):
            for column in range(SIDE):
                x = (column + 0.5 * (row % 2)) * SPACING + source.gauss(0, 0.7)
                y = row * SPACING * math.sqrt(3) / 2 + source.gauss(0, 0.7)
                residue += 1
                for name, (a, b, c) in lipid(source, x, y, side, width, depth):
                    atom += 1
                    lines.append(f"{residue:5d}{'POPC':<5}{name:>5}{atom:5d}{a / 10:8.3f}{b / 10:8.3f}{c / 10:8.3f}")
    text = f"A bilayer made by bilayer.py\n{len(lines)}\n" + "\n".join(lines)
    text += f"\n{width / 10:10.5f}{depth / 10:10.5f}{12:10.5f}\n"
    with open("bilayer.gro.gz", "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
        packed.write(text.encode())


main()
