"""The program ``roundel``, which the package brings."""

from __future__ import annotations

import signal
import sys

from . import _roundel

__all__ = ["main"]


def main() -> int:
    """Runs ``roundel`` with the arguments of this process; returns its exit status."""
    # the program handles signals itself: unfinished files are removed
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _roundel.run_program(["roundel", *sys.argv[1:]])
