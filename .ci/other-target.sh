#!/usr/bin/env bash
# Checks that the library compiles where the target is not Linux: Windows and WebAssembly.
#
#   .ci/other-target.sh [PREFIX]      PREFIX: where the compiler is unpacked, /tmp/roundel-other-target by default
#
# The machine's Rust has the standard library of Linux alone. Debian's compiler comes with the library's source, which cargo builds
# for each target first. Nothing is linked, so neither a linker nor an emulator is needed.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${1:-/tmp/roundel-other-target}
export DEBIAN_FRONTEND=noninteractive

if [ ! -x "$prefix/usr/bin/rustc" ]; then
    apt-get update -q
    apt-get install -y -q --no-install-recommends gcc libc6-dev libedit2 libffi8 libxml2 libz3-4 libzstd1 zlib1g
    mkdir -p "$prefix/deb"
    # unpacked, never installed: Debian's rustc must not stand beside rustup's
    library=$(apt-cache depends libstd-rust-web-dev | sed -n 's/.*Depends: \(libstd-rust-web-[0-9.]*\)$/\1/p' | head -n 1)
    llvm=$(apt-cache depends "$library" rustc-web | sed -n 's/.*Depends: \(libllvm[0-9]*\)$/\1/p' | head -n 1)
    (cd "$prefix/deb" && apt-get download -q rustc-web "$library" "$llvm" libstd-rust-web-dev rust-web-src)
    for package in "$prefix"/deb/*.deb; do dpkg -x "$package" "$prefix"; done
    rm -r "$prefix/deb"
fi
export RUSTC="$prefix/usr/bin/rustc" LD_LIBRARY_PATH="$prefix/usr/lib/x86_64-linux-gnu"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target/other-target}
# cargo accepts -Zbuild-std; nothing that is built runs
export RUSTC_BOOTSTRAP=1 CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=0
"$RUSTC" --version

check() {
    echo "== $1"
    cargo check --locked --target "$1" -Zbuild-std=std,panic_abort --lib --no-default-features --features scene-files
}
check x86_64-pc-windows-msvc
check wasm32-unknown-unknown
