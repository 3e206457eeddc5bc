#!/usr/bin/env bash
# Cross-builds `roundel` for aarch64 with Debian's compiler, beside the machine's own Rust, and runs its selftest under qemu:
# NEON code against the manifest of pixel hashes that the x86-64 build is held to.
#
#   .ci/aarch64.sh
set -euo pipefail
cd "$(dirname "$0")/.."
export DEBIAN_FRONTEND=noninteractive

prefix=$(.ci/rustc-web.sh)
command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64-static >/dev/null ||
    apt-get install -y -q --no-install-recommends gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static
export RUSTC=$prefix/bin/rustc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target/aarch64}
"$RUSTC" --version
# optimized for size, so that one more way of building is covered
cargo build --release --locked --config 'profile.release.opt-level="s"' --target aarch64-unknown-linux-gnu --no-default-features --features cli
qemu-aarch64-static -L /usr/aarch64-linux-gnu "$CARGO_TARGET_DIR/aarch64-unknown-linux-gnu/release/roundel" selftest --brief
