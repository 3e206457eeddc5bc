#!/usr/bin/env bash
# What `roundel info` says of files, and what independent readers from PyPI find in them. ROUNDEL is
# built with all features:
#
#   .ci/readers.sh ROUNDEL [FOLDER]      FOLDER: more files, such as those of ../shared/data
set -euo pipefail
roundel=$(realpath "$1")
shift
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
python3 -m venv "$folder/venv"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1
"$folder/venv/bin/pip" install numpy polars pyarrow gemmi biotite MDAnalysis ase openbabel-wheel rdkit matplotlib cmcrameri
"$folder/venv/bin/python" crates/image/src/color/map_tables.py --check crates/image/src/color/map_tables.rs
"$folder/venv/bin/python" tests/readers/agree.py "$roundel" "$@"
"$folder/venv/bin/python" tests/readers/cases.py "$roundel" "$@"
"$folder/venv/bin/python" .ci/bonds.py "$roundel" "$@"
