#!/usr/bin/env bash
# Looks for memory errors at run time. Our code is safe Rust (`unsafe` is forbidden), where the compiler rules out memory errors
# and data races, but it builds on crates and a standard library with unsafe code.
#
# ThreadSanitizer is not run: it needs an instrumented standard library, that is nightly's -Zbuild-std and sources that this
# toolchain lacks. Without, it does not see std's locks and wake-ups, and reports every hand-over by rayon as a race (252
# reports for `golden status golden`, the first in rayon's own sleep, none of a kind of its own).
#
#   .ci/sanitizers.sh            valgrind on target/release/roundel, once it is built
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# memory WANTED COMMAND…: runs under valgrind, and fails unless it ends with this status and all memory was used rightly.
# Valgrind knows AVX2, not AVX-512, and says so to the program.
memory() {
    local wanted=$1 status=0
    shift
    valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
        "$@" || status=$?
    [ "$status" = "$wanted" ] || { echo ".ci/sanitizers.sh: $* ends with $status, not $wanted" >&2; exit 1; }
}

roundel=target/release/roundel
memory 0 $roundel render --quiet golden/raster/strokes.toml -o "$folder/strokes.png"
memory 0 $roundel render --quiet --threads 7 golden/trace/occlusion.toml -o "$folder/occlusion.png"
memory 0 $roundel golden status golden
memory 1 $roundel compare golden/raster/blend-srgb.png golden/raster/blend-linear.png --diff "$folder/difference.png"
