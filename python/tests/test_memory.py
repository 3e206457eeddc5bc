"""Memory: Python code copies nothing that is borrowed, and the compiled part keeps to its bytes per sphere."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

import roundel
from conftest import REPOSITORY

PLAIN = {"look": "headlight", "ao": "off", "samples": 1, "eye": (0.5, 0.5, 9.0), "target": (0.5, 0.5, 0.5), "width": 64, "height": 48}


def traced(positions: np.ndarray, radii: object, colors: object) -> int:
    """Bytes that Python code and numpy allocate at most while spheres are drawn."""
    # modules that are imported at the first call
    roundel.spheres(positions[:4], 0.1, np.full((4, 3), 9, np.uint8), **PLAIN)
    tracemalloc.start()
    roundel.spheres(positions, radii, colors, **PLAIN)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_python_code_borrows_what_it_can():
    count = 500_000
    positions = np.random.default_rng(1).random((count, 3), dtype=np.float32)
    colors = np.full((count, 3), 99, dtype=np.uint8)
    radii = np.full(count, 0.01, dtype=np.float32)
    assert traced(positions, 0.01, "teal") < 100_000
    assert traced(positions, radii, colors) < 100_000
    # the columns of a frame are behind one another: converted once
    assert traced(np.asfortranarray(positions), 0.01, "teal") < 12 * count + 100_000
    assert 12 * count < traced(positions.astype(np.float64), 0.01, "teal") < 12 * count + 100_000


def test_default_radii_and_skipped_rows_copy_no_sound_positions():
    count = 500_000
    positions = np.random.default_rng(1).random((count, 3), dtype=np.float32)
    roundel.spheres(positions[:4], **PLAIN)
    tracemalloc.start()
    roundel.spheres(positions, invalid="skip", **PLAIN)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100_000


def peak_of(count: int, radii: str, colors: str, **picture: object) -> int:
    """Bytes by which the peak of a process grows while it draws so many spheres from float32 arrays."""
    code = f"""
import numpy as np, roundel

def peak():
    return next(1024 * int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))

picture = {picture!r}
roundel.spheres(np.zeros((10, 3), np.float32), 0.1, **picture)
positions = np.random.default_rng(1).random(({count}, 3), dtype=np.float32)
radii, colors = {radii}, {colors}
before = peak()
roundel.spheres(positions, radii, colors, **picture)
print(peak() - before)
"""
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, text=True, capture_output=True, timeout=300, cwd=REPOSITORY / "docs", check=True)
    return int(found.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="peaks are reported in other ways elsewhere")
def test_compiled_part_copies_no_arrays():
    count = 10_000_000
    # spheres out of sight take no memory of their own: a copy of the positions would take 12 bytes each
    away = {**PLAIN, "target": (0.5, 0.5, 18.0)}
    assert peak_of(count, "0.001", "'teal'", **away) < 3 * count
    # radii (4 bytes) and colours (3 or 4) are not copied either, nor is anything for the camera that shows all
    radii, rgb = f"np.full({count}, 0.001, np.float32)", f"np.full(({count}, 3), 99, np.uint8)"
    rgba = f"np.full(({count}, 4), 99, np.uint8)"
    assert peak_of(count, radii, rgb, **away) < 3 * count
    assert peak_of(count, radii, rgba, **away) < 3 * count


@pytest.mark.skipif(sys.platform != "linux", reason="peaks are reported in other ways elsewhere")
def test_compiled_part_keeps_to_its_bytes_per_sphere():
    # 16 bytes of tile lists, as in docs/memory.md; not 12 more for positions
    counts = (1_000_000, 10_000_000)
    framed = {name: value for name, value in PLAIN.items() if name not in ("eye", "target")}
    for picture in (PLAIN, framed):
        peaks = [peak_of(count, "0.001", "'teal'", **picture) for count in counts]
        assert (peaks[1] - peaks[0]) / (counts[1] - counts[0]) < 16 + 6, peaks
