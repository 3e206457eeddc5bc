#!/usr/bin/env bash
# Cross-builds `roundel` for aarch64 with Debian's compiler, beside the machine's own Rust, and runs its selftest under qemu:
# NEON and scalar code against the manifest of pixel hashes that the x86-64 build is held to.
#
#   .ci/aarch64.sh [PREFIX]      PREFIX: where the compiler is unpacked, /tmp/roundel-aarch64 unless told
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${1:-/tmp/roundel-aarch64}
export DEBIAN_FRONTEND=noninteractive

if [ ! -x "$prefix/usr/bin/rustc" ]; then
    dpkg --add-architecture arm64
    apt-get update -q
    apt-get install -y -q --no-install-recommends gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static
    mkdir -p "$prefix/deb"
    # unpacked, never installed: Debian's rustc must not stand beside rustup's
    library=$(apt-cache depends libstd-rust-web-dev | sed -n 's/.*Depends: \(libstd-rust-web-[0-9.]*\)$/\1/p' | head -n 1)
    llvm=$(apt-cache depends "$library" rustc-web | sed -n 's/.*Depends: \(libllvm[0-9]*\)$/\1/p' | head -n 1)
    (cd "$prefix/deb" && apt-get download -q rustc-web "$library" "$llvm" libstd-rust-web-dev libstd-rust-web-dev:arm64)
    for package in "$prefix"/deb/*.deb; do dpkg -x "$package" "$prefix"; done
fi
export RUSTC="$prefix/usr/bin/rustc" LD_LIBRARY_PATH="$prefix/usr/lib/x86_64-linux-gnu"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target/aarch64}
"$RUSTC" --version
cargo build --release --locked --target aarch64-unknown-linux-gnu --no-default-features --features cli
qemu-aarch64-static -L /usr/aarch64-linux-gnu "$CARGO_TARGET_DIR/aarch64-unknown-linux-gnu/release/roundel" selftest --brief
