#!/usr/bin/env bash
# What `roundel info` says of files, and what independent readers from PyPI find in them. PROGRAM must be built with all features;
# a folder with more files may be named:
#
#   .ci/readers.sh PROGRAM [FOLDER]
set -euo pipefail
program=$(realpath "$1")
shift
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
python3 -m venv "$folder/venv"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1
"$folder/venv/bin/pip" install numpy polars pyarrow gemmi biotite MDAnalysis ase
"$folder/venv/bin/python" tests/readers/agree.py "$program" "$@"
