"""Writes cosmos.npy: 40,000 masses that gravity gathers in halos and filaments, as a thin slice of the universe.

A particle-mesh simulation in two dimensions, from a random field to today, in an expanding universe of matter alone; needs numpy. Rows have a
position and the radius within which a mass spreads, in thousandths of a degree of the sky.
"""

import numpy as np

SIDE = 200  # particles along each side
MESH = 512
SPACING = 60 / SIDE  # degrees between particles before they move
STEPS = 240
BEGIN = 0.02  # scale of the universe at the first step; today's is 1
STRENGTH = 8  # root mean square of the displacements of linear theory today, in spacings


def waves():
    """Wave numbers of the mesh, in cycles a cell, and their square without a zero."""
    k = np.fft.fftfreq(MESH)
    kx, ky = np.meshgrid(k, k, indexing="ij")
    square = kx**2 + ky**2
    square[0, 0] = 1
    return kx, ky, square


def at(field, places):
    """Values of a periodic mesh at places in cells, bilinear."""
    low = np.floor(places).astype(int)
    share = places - low
    total = 0
    for i in (0, 1):
        for j in (0, 1):
            weight = np.abs(1 - i - share[:, 0]) * np.abs(1 - j - share[:, 1])
            total = total + weight * field[(low[:, 0] + i) % MESH, (low[:, 1] + j) % MESH]
    return total


def spread(places):
    """Mean density 1 of unit masses at places in cells, bilinear."""
    density = np.zeros((MESH, MESH))
    low = np.floor(places).astype(int)
    share = places - low
    for i in (0, 1):
        for j in (0, 1):
            weight = np.abs(1 - i - share[:, 0]) * np.abs(1 - j - share[:, 1])
            np.add.at(density, ((low[:, 0] + i) % MESH, (low[:, 1] + j) % MESH), weight)
    return density * (MESH / SIDE) ** 2


def pull(potential, kx, ky):
    """Minus the gradient of a transformed potential, in cells."""
    return [np.fft.ifft2(-2j * np.pi * k * potential).real for k in (kx, ky)]


def main():
    source = np.random.default_rng(11)
    kx, ky, square = waves()
    noise = np.fft.fft2(source.normal(size=(MESH, MESH)))
    # large waves are strong, waves shorter than two spacings are left out
    power = square ** -0.3 * np.exp(-square * (1.4 * MESH / SIDE) ** 2)
    displacement = np.stack(pull(noise * power / square, kx, ky), -1)
    displacement *= STRENGTH * MESH / SIDE / np.sqrt((displacement**2).sum(-1).mean())
    lattice = (np.stack(np.meshgrid(*[np.arange(SIDE)] * 2, indexing="ij"), -1).reshape(-1, 2) + 0.5) * MESH / SIDE
    drift = np.stack([at(displacement[..., axis], lattice) for axis in (0, 1)], -1)
    places, moments = lattice + BEGIN * drift, BEGIN**1.5 * drift
    scales = np.geomspace(BEGIN, 1, STEPS + 1)
    for scale, next_scale in zip(scales, scales[1:]):
        middle = (scale + next_scale) / 2
        places = places + (middle - scale) * moments * scale**-1.5
        excess = np.fft.fft2(spread(places) - 1)
        slopes = pull(-1.5 * excess / (middle * (2 * np.pi) ** 2 * square), kx, ky)
        moments = moments + (next_scale - scale) * middle**0.5 * np.stack([at(slope, places) for slope in slopes], -1)
        places = places + (next_scale - middle) * moments * next_scale**-1.5
    smooth = np.fft.ifft2(np.fft.fft2(spread(places)) * np.exp(-square * 2 * np.pi**2 * 2.2**2)).real
    radius = 2.6 * SPACING / np.sqrt(np.maximum(at(smooth, places), 0.2))
    rows = np.empty(len(places), [("x", "<u2"), ("y", "<u2"), ("radius", "<u2")])
    rows["x"], rows["y"] = (places % MESH * SPACING * SIDE / MESH * 1000).T
    rows["radius"] = radius * 1000
    np.save("cosmos.npy", rows)


main()
