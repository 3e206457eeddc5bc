"""Writes nanoparticle.xyz: a truncated octahedron of 4,033 platinum atoms, cut out of the fcc lattice, warm by 0.05 angstroms."""

import random

CELL = 3.924  # edge of platinum's cell in angstroms
REACH = 6.2  # where the cube's faces cut, in cells along x, y or z
CORNER = 9.0  # where the octahedron's faces cut: the sum of the three


def main():
    source = random.Random(3)
    atoms = []
    for x in range(-14, 15):
        for y in range(-14, 15):
            for z in range(-14, 15):
                place = [x / 2, y / 2, z / 2]
                if (x + y + z) % 2 == 0 and max(map(abs, place)) <= REACH and sum(map(abs, place)) <= CORNER:
                    atoms.append([CELL * value + source.gauss(0, 0.05) for value in place])
    with open("nanoparticle.xyz", "w") as file:
        file.write(f"{len(atoms)}\nA nanoparticle of platinum, made by nanoparticle.py\n")
        file.writelines(f"Pt {x:.3f} {y:.3f} {z:.3f}\n" for x, y, z in atoms)


main()
