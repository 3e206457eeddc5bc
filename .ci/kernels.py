#!/usr/bin/env python3
"""kernels.py ROUNDEL: operations of SIMD vectors are compiled into the loops that use them.

A closure that an iterator, `array::map` or `Option::map_or` calls is compiled without the instructions of the loop around it: each
operation is then a call, and ten times as slow. Such calls are found in the program's code; prints the functions that have more than a few,
which optimizing the whole program would inline.
"""

import collections
import re
import subprocess
import sys

KERNEL = "fearless_simd_kernel"
HEAD = re.compile(r"^[0-9a-f]+ <(.*)>:$")
FEW = 8
CALL = re.compile(r"\b(?:call|jmp)\s+[0-9a-f]+ <([^>+]*)>")


def main(program: str) -> None:
    code = subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", program], stdout=subprocess.PIPE, text=True)
    calls, functions, function = collections.Counter(), 0, ""
    for line in code.stdout:
        if head := HEAD.match(line):
            function = head[1]
            functions += 1
        elif KERNEL not in function and (call := CALL.search(line)) and KERNEL in call[1]:
            calls[function] += 1
    if code.wait() != 0 or functions < 1000:
        sys.exit(f"kernels.py: objdump read {functions} functions of {program}")
    calls = {name: count for name, count in calls.items() if count > FEW}
    if calls:
        names = subprocess.run(["c++filt", "-i"], input="\n".join(calls), capture_output=True, text=True).stdout.splitlines()
        lines = (f"  {count} in {name[:180]}" for name, count in zip(names, calls.values()))
        sys.exit("kernels.py: vector operations are calls, not instructions:\n" + "\n".join(lines))
    print(f"vector operations of {functions} functions are instructions")


main(*sys.argv[1:])
