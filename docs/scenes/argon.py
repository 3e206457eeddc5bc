"""Writes argon.xyz.gz: 864 atoms of argon in a periodic box, a crystal that is heated from above until it has melted.

Molecular dynamics with the potential of Lennard-Jones, in its units (3.4 angstroms, 2.15 picoseconds); needs numpy. `kinetic` is the energy of
an atom in units of the potential's depth.
"""

import gzip

import numpy as np

CELLS = 6  # along each side, of four atoms each
DENSITY = 0.92  # atoms in a cube of length 1
STEP, STEPS, FRAMES = 0.004, 2280, 20
CUT, SKIN = 2.5, 0.4
HOT = 3.2  # the temperature of the heated layer, above that of melting under this pressure


def crystal():
    """Positions on a face-centred lattice, and the length of the box."""
    side = CELLS * (4 / DENSITY) ** (1 / 3)
    corners = np.stack(np.meshgrid(*[np.arange(CELLS)] * 3, indexing="ij"), -1).reshape(-1, 1, 3)
    centres = np.array([[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]])
    return ((corners + centres + 0.25) * side / CELLS).reshape(-1, 3), side


def near(positions, side):
    """Pairs of atoms that may come within the cut before the list is made again."""
    offsets = positions[:, None] - positions[None]
    offsets -= side * np.round(offsets / side)
    return np.nonzero(np.triu((offsets**2).sum(-1) < (CUT + SKIN) ** 2, 1))


def forces(positions, side, pairs):
    """The force on each atom."""
    first, second = pairs
    offsets = positions[first] - positions[second]
    offsets -= side * np.round(offsets / side)
    squares = (offsets**2).sum(-1)
    inverse = np.where(squares < CUT**2, 1 / squares, 0)
    sixth = inverse**3
    pulls = offsets * (24 * inverse * (2 * sixth**2 - sixth))[:, None]
    total = np.empty_like(positions)
    for axis in range(3):
        total[:, axis] = np.bincount(first, pulls[:, axis], len(positions)) - np.bincount(second, pulls[:, axis], len(positions))
    return total


def main():
    source = np.random.default_rng(3)
    positions, side = crystal()
    speeds = source.normal(0, 0.45, positions.shape)
    speeds -= speeds.mean(0)
    pairs = near(positions, side)
    pull = forces(positions, side, pairs)
    with gzip.GzipFile("argon.xyz.gz", "wb", mtime=0) as packed:
        for step in range(STEPS + 1):
            if step % (STEPS // (FRAMES - 1)) == 0:
                kinetic = (speeds**2).sum(-1) / 2
                lattice = " ".join(f"{3.4 * side:.2f}" if k % 4 == 0 else "0" for k in range(9))
                head = f'Lattice="{lattice}" Properties=species:S:1:pos:R:3:kinetic:R:1 Time={step * STEP * 2.15:.2f}'
                rows = [f"Ar {x:.2f} {y:.2f} {z:.2f} {k:.2f}" for (x, y, z), k in zip(3.4 * (positions % side), kinetic)]
                packed.write("\n".join([str(len(rows)), head, *rows, ""]).encode())
            if step % 5 == 0:
                pairs = near(positions, side)
                # the highest atoms meet the atoms of a hot wall
                hot = positions[:, 2] % side > side * (1 - 1 / CELLS)
                speeds[hot] *= np.sqrt(HOT * 3 / (speeds[hot] ** 2).sum(-1).mean()) * 0.2 + 0.8
            speeds += STEP / 2 * pull
            positions = positions + STEP * speeds
            pull = forces(positions, side, pairs)
            speeds += STEP / 2 * pull


main()
