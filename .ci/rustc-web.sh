#!/usr/bin/env bash
# Unpacks Debian's newest rustc beside the machine's own Rust, and prints the folder that it is in.
#
#   prefix=$(.ci/rustc-web.sh)        then $prefix/bin/rustc and $prefix/bin/wasm-ld, for cargo's RUSTC and a target's LINKER
#
# Debian builds browsers with it. It comes with the source of the standard library (cargo -Zbuild-std), the library for aarch64, and
# LLVM's linker. Unpacked, never installed: it must not stand beside rustup's. The folder is target/rustc-web; delete it to fetch again.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=$PWD/target/rustc-web
export DEBIAN_FRONTEND=noninteractive

# packages that PACKAGE depends on, whose names match
depends() { apt-cache depends "$1" | grep -o "$2" | sort -u | head -n 1; }

if [ ! -e "$prefix/complete" ]; then
    {
        dpkg --add-architecture arm64
        apt-get update -q
        apt-get install -y -q --no-install-recommends gcc libc6-dev libedit2 libffi8 libxml2 libz3-4 libzstd1 zlib1g libstdc++6
        rm -rf "$prefix" && mkdir -p "$prefix/deb" "$prefix/bin"
        library=$(depends libstd-rust-web-dev 'libstd-rust-web-[0-9][0-9.]*')
        llvm=$(depends "$library" 'libllvm[0-9]*')
        version=${llvm#libllvm}
        (cd "$prefix/deb" && apt-get download -q rustc-web "$library" "$llvm" "lld-$version" rust-web-src libstd-rust-web-dev libstd-rust-web-dev:arm64)
        for package in "$prefix"/deb/*.deb; do dpkg -x "$package" "$prefix"; done
        rm -r "$prefix/deb"
        # libraries for these two alone: cargo and what it runs keep their own
        for tool in rustc:usr/bin/rustc "wasm-ld:usr/lib/llvm-$version/bin/wasm-ld"; do
            printf '#!/bin/sh\nLD_LIBRARY_PATH=%s/usr/lib/x86_64-linux-gnu exec %s/%s "$@"\n' "$prefix" "$prefix" "${tool#*:}" >"$prefix/bin/${tool%%:*}"
            chmod +x "$prefix/bin/${tool%%:*}"
        done
        touch "$prefix/complete"
    } >&2
fi
echo "$prefix"
