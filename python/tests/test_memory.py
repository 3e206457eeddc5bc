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


@pytest.mark.skipif(sys.platform != "linux", reason="peaks are reported in other units elsewhere")
def test_compiled_part_keeps_to_its_bytes_per_sphere():
    # 20 bytes of the scene's spheres and 16 of lists by tile, as docs/memory.md has it; not 12 more for positions
    code = f"""
import resource, sys
import numpy as np, roundel
count = int(sys.argv[1])
roundel.spheres(np.zeros((10, 3), np.float32), 0.1, **{PLAIN!r})
positions = np.random.default_rng(1).random((count, 3), dtype=np.float32)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
roundel.spheres(positions, 0.001, "teal", **{PLAIN!r})
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    counts = (1_000_000, 4_000_000)
    peaks = []
    for count in counts:
        command = [sys.executable, "-c", code, str(count)]
        found = subprocess.run(command, text=True, capture_output=True, timeout=120, cwd=REPOSITORY / "docs", check=True)
        peaks.append(1024 * int(found.stdout))
    assert (peaks[1] - peaks[0]) / (counts[1] - counts[0]) < 20 + 16 + 6, peaks
