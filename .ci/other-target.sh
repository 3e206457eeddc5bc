#!/usr/bin/env bash
# Checks that the library compiles for Windows; .ci/web.sh builds it for WebAssembly.
#
#   .ci/other-target.sh
#
# The machine's Rust has the standard library of Linux alone. Debian's compiler comes with the library's source, which cargo builds
# first. Nothing is linked, so neither a linker nor an emulator is needed.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=$(.ci/rustc-web.sh)
export RUSTC=$prefix/bin/rustc
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target/other-target}
# cargo accepts -Zbuild-std; nothing that is built runs
export RUSTC_BOOTSTRAP=1 CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=0
"$RUSTC" --version

cargo check --locked --target x86_64-pc-windows-msvc -Zbuild-std=std,panic_abort --lib --no-default-features
