#!/usr/bin/env bash
# roundel for browsers: builds it of docs/web/wasm, and checks that browsers draw the bytes of the program.
#
#   .ci/web.sh            all of it, with target/release/roundel
#   .ci/web.sh build      builds target/web/roundel.wasm.gz and target/web/selftest.wasm
#   .ci/web.sh bless      builds, and replaces docs/web/roundel.wasm.gz, which the program holds; build the program anew after it
#
# With Debian's packages alone: its compiler for browsers (.ci/rustc-web.sh) beside the machine's Rust, and one npm package that
# drives Chromium. The pages are drawn twice: with the library that is committed, and with the one that was just built.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
out=$root/target/web
roundel=${ROUNDEL:-$root/target/release/roundel}
# bytes that a page downloads, compressed; the aim is 350000
limit=1800000
mkdir -p "$out"

need() {
    command -v "$1" >/dev/null || { apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${2:-$1}" >/dev/null; }
}

# the standard library of a target, once, into the compiler's own folder: no build needs -Zbuild-std after that
standard_library() {
    local target=$1 hello=$out/hello
    local libraries=$prefix/usr/lib/rustlib/$target/lib
    ls "$libraries"/libstd-*.rlib >/dev/null 2>&1 && return
    mkdir -p "$hello/src" "$libraries"
    printf '[package]\nname = "hello"\nversion = "0.1.0"\nedition = "2024"\n[profile.release]\npanic = "abort"\n[workspace]\n' >"$hello/Cargo.toml"
    echo '#[must_use] pub fn hello() -> Vec<u8> { vec![1] }' >"$hello/src/lib.rs"
    (cd "$hello" && RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$hello/target cargo build -q --release --target "$target" -Zbuild-std=std,panic_abort)
    cp "$hello/target/$target/release/deps/"*.rlib "$libraries/"
    rm -r "$hello"
}

compiler() {
    prefix=$(.ci/rustc-web.sh)
    export RUSTC=$prefix/bin/rustc CARGO_TARGET_DIR=$out/target
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$prefix/bin/wasm-ld
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-C target-feature=+simd128 -C link-arg=-zstack-size=4194304"
}

build() (
    need wasm-opt binaryen
    compiler
    standard_library wasm32-unknown-unknown
    cd docs/web/wasm
    cargo build --release --locked --lib --target wasm32-unknown-unknown
    local built=$CARGO_TARGET_DIR/wasm32-unknown-unknown/release/roundel_web.wasm
    # the features that the compiler uses: Debian's wasm-opt writes types of others, which browsers refuse
    wasm-opt -Oz --enable-simd --enable-bulk-memory --enable-mutable-globals --enable-nontrapping-float-to-int --enable-sign-ext \
        --enable-multivalue --enable-reference-types "$built" -o "$out/roundel.wasm"
    gzip -9 -n -c "$out/roundel.wasm" >"$out/roundel.wasm.gz"
    cargo build --release --locked --lib --target wasm32-unknown-unknown --features selftest
    cp "$built" "$out/selftest.wasm"
    local size
    size=$(stat -c %s "$out/roundel.wasm.gz")
    echo "roundel.wasm: $(stat -c %s "$out/roundel.wasm") bytes, compressed $size"
    [ "$size" -le $limit ] || { echo ".ci/web.sh: more than $limit bytes" >&2; exit 1; }
)

# the frames of the manifest under WASI, in node
wasi() (
    need node nodejs
    compiler
    standard_library wasm32-wasip1
    local own=$prefix/usr/lib/rustlib/wasm32-wasip1/lib/self-contained
    if [ ! -e "$own/libc.a" ]; then
        (cd "$out" && apt-get download -q wasi-libc && dpkg -x wasi-libc_*.deb wasi-libc && rm wasi-libc_*.deb)
        mkdir -p "$own"
        find "$out/wasi-libc" \( -name 'crt1*.o' -o -name libc.a \) -exec cp {} "$own/" \;
    fi
    export CARGO_TARGET_WASM32_WASIP1_LINKER=$prefix/bin/wasm-ld
    export CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="-C target-feature=+simd128 -C link-arg=-zstack-size=4194304"
    cd docs/web/wasm
    cargo build --release --locked --bin selftest --target wasm32-wasip1 --features selftest
    cat >"$out/wasi.mjs" <<'EOF'
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";
const wasi = new WASI({ version: "preview1", args: ["selftest"] });
const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]), wasi.getImportObject());
process.exitCode = wasi.start(instance);
EOF
    node --no-warnings "$out/wasi.mjs" "$CARGO_TARGET_DIR/wasm32-wasip1/release/selftest.wasm"
)

# drives pages that hold the library $1 in Chromium, and writes pictures of them to the folder $2
pages() {
    need chromium
    need node nodejs
    need npm
    if [ ! -d "$out/npm/node_modules/puppeteer-core" ]; then
        mkdir -p "$out/npm"
        (cd "$out/npm" && echo '{"private":true}' >package.json && npm install --no-audit --no-fund --loglevel=error puppeteer-core@24)
    fi
    echo "-- pages with $1"
    CHROMIUM=$(command -v chromium) node .ci/web.mjs "$roundel" "$out/npm" "$1" "$out/selftest.wasm" "$2"
}

case ${1:-all} in
build) build ;;
bless)
    build
    cp "$out/roundel.wasm.gz" docs/web/roundel.wasm.gz
    ;;
wasi) wasi ;;
pages) pages docs/web/roundel.wasm.gz "$out/pages" ;;
all)
    build
    wasi
    pages docs/web/roundel.wasm.gz "$out/pages"
    pages "$out/roundel.wasm.gz" "$out/pages-built"
    ;;
*)
    echo ".ci/web.sh: no step $1 (build, bless, wasi, pages)" >&2
    exit 2
    ;;
esac
