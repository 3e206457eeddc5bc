#!/usr/bin/env bash
# Figures of flat spheres as SVG and PDF, as resvg (from PyPI) and poppler render them, beside the pixels of ROUNDEL:
#
#   .ci/vectors.sh ROUNDEL [FOLDER]      FOLDER: more molecules, such as those of ../shared/data
set -euo pipefail
roundel=$(realpath "$1")
shift
cd "$(dirname "$0")/.."
command -v pdftoppm >/dev/null || { echo ".ci/vectors.sh: pdftoppm is missing" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
python3 -m venv "$folder/venv"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1
"$folder/venv/bin/pip" install numpy pillow resvg-py
"$folder/venv/bin/python" .ci/vectors.py "$roundel" "$@"
