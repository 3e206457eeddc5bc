"""Shared by formats.py and sweep.py: files to read, their facts in one form, and a report of differences."""
import collections
import importlib.util
import pathlib
import sys

import numpy


def files(packages, folders):
    """All files in the data of the packages that are installed, and in the folders."""
    roots = [pathlib.Path(folder) for folder in folders]
    for package in packages:
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            print(f"{package} is not installed", file=sys.stderr)
            continue
        roots.append(pathlib.Path(list(spec.submodule_search_locations)[0]))
    return sorted({path for root in roots for path in root.rglob("*") if path.is_file()})


def box(positions):
    positions = numpy.asarray(positions, dtype=float)
    return [positions.min(axis=0).tolist(), positions.max(axis=0).tolist()]


def plain(elements):
    """Deuterium is hydrogen; X, * and the groups R, R# and R1 are unknown."""
    counts = collections.Counter()
    for name, count in elements.items():
        is_group = name[:1] == "R" and (name[1:].isdigit() or name[1:] in ("", "#"))
        counts["Xx" if is_group else {"D": "H", "T": "H", "X": "Xx", "*": "Xx"}.get(name, name)] += count
    return dict(counts)


def differences(source, expected):
    """Differences of the facts that the other reader has, among bounds, elements and cell."""
    if "bounds" in expected and not numpy.allclose(expected["bounds"], source["bounds"], atol=2e-3, rtol=1e-5):
        yield f"bounds {expected['bounds']}, roundel {source['bounds']}"
    if "elements" in expected and plain(expected["elements"]) != dict(source["elements"]):
        yield f"elements {dict(sorted(plain(expected['elements']).items()))}, roundel {dict(sorted(source['elements']))}"
    if "cell" in expected:
        cell = source["cell"]
        shape = cell["lengths"] + cell["angles"] if cell else None
        if (shape is None) != (expected["cell"] is None) or (shape and not numpy.allclose(shape, expected["cell"], rtol=1e-3, atol=2e-2)):
            yield f"cell {expected['cell']}, roundel {shape}"


def left_out(expected, *facts):
    return {name: value for name, value in expected.items() if name not in facts}


class Report:
    """Prints differences; `reasons` has a part of the file's name, a part of the difference, and the reason."""

    def __init__(self, reasons):
        self.reasons, self.totals, self.unexplained = reasons, collections.Counter(), 0

    def __call__(self, path, what):
        reason = next((reason for name, part, reason in self.reasons if name in str(path) and part in what), None)
        print(f"{path}: {what}" + (f" — {reason}" if reason else ""), flush=True)
        self.unexplained += reason is None

    def end(self):
        """Prints the totals; the exit status is 1 if a difference has no reason."""
        print(", ".join(f"{count} {what}" for what, count in sorted(self.totals.items())) + f"; {self.unexplained} unexplained differences")
        sys.exit(1 if self.unexplained else 0)
