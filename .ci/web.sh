#!/usr/bin/env bash
# roundel for browsers: builds it from docs/web/wasm, and checks that browsers draw the bytes of the program.
#
#   .ci/web.sh            all of it, with target/release/roundel
#   .ci/web.sh build      builds target/web/roundel.wasm.gz and target/web/selftest.wasm
#   .ci/web.sh native     tests what pages ask of the library, on this machine
#   .ci/web.sh bless      builds, and replaces docs/web/roundel.wasm.gz, which the program holds; build the program anew after it
#
# With Debian's packages alone: its compiler for browsers (.ci/rustc-web.sh) beside the machine's Rust, and one npm package that
# drives Chromium. The pages are drawn twice: with the library that was just built, and with the one that is committed, if it is another.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
out=$root/target/web
roundel=${ROUNDEL:-$root/target/release/roundel}
# bytes that a page downloads, compressed; the aim is 350000
limit=1400000
mkdir -p "$out"

need() {
    command -v "$1" >/dev/null || { apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${2:-$1}" >/dev/null; }
}

# Runs a command of cargo for a target, which builds the standard library, too. A panic traps at once: the texts of panics, and what puts
# them together, would be 8 % of the library.
cargo_for() {
    local prefix target=$1
    prefix=$(.ci/rustc-web.sh)
    export RUSTC=$prefix/bin/rustc CARGO_TARGET_DIR=$out/$target RUSTC_BOOTSTRAP=1
    local name=${target^^}
    export "CARGO_TARGET_${name//-/_}_LINKER=$prefix/bin/wasm-ld"
    export "CARGO_TARGET_${name//-/_}_RUSTFLAGS=-C target-feature=+simd128 -C link-arg=-zstack-size=4194304 -Zunstable-options -Cpanic=immediate-abort"
    (cd docs/web/wasm && cargo "$2" --quiet --release --locked --target "$target" -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size "${@:3}")
}

build() (
    need wasm-opt binaryen
    need zopfli
    local built=$out/wasm32-unknown-unknown/wasm32-unknown-unknown/release/roundel_web.wasm
    # of this kind alone: cargo optimizes no library as a whole that is another kind, too
    cargo_for wasm32-unknown-unknown rustc --lib --crate-type cdylib
    # the features that the compiler uses: Debian's wasm-opt writes types of others, which browsers refuse
    wasm-opt -Oz --merge-similar-functions -Oz --enable-simd --enable-bulk-memory --enable-mutable-globals --enable-nontrapping-float-to-int \
        --enable-sign-ext --enable-multivalue --enable-reference-types --strip-debug --strip-producers "$built" -o "$out/roundel.wasm"
    # gzip's format, by a slower search: 4.6 % less than gzip -9
    zopfli -c "$out/roundel.wasm" >"$out/roundel.wasm.gz"
    local size
    size=$(stat -c %s "$out/roundel.wasm.gz")
    echo "roundel.wasm: $(stat -c %s "$out/roundel.wasm") bytes, compressed $size"
    [ "$size" -le $limit ] || { echo ".ci/web.sh: more than $limit bytes" >&2; exit 1; }
    cargo_for wasm32-unknown-unknown rustc --lib --crate-type cdylib --features selftest
    cp "$built" "$out/selftest.wasm"
)

native() (cd docs/web/wasm && cargo fmt --check && CARGO_TARGET_DIR=$out/native cargo test --quiet --locked --lib)

# the frames of the manifest under WASI, in node
wasi() (
    need node nodejs
    local own
    own=$(.ci/rustc-web.sh)/usr/lib/rustlib/wasm32-wasip1/lib/self-contained
    if [ ! -e "$own/libc.a" ]; then
        (cd "$out" && apt-get download -q wasi-libc && dpkg -x wasi-libc_*.deb wasi-libc && rm wasi-libc_*.deb)
        mkdir -p "$own"
        find "$out/wasi-libc" \( -name 'crt1*.o' -o -name libc.a \) -exec cp {} "$own/" \;
    fi
    cargo_for wasm32-wasip1 build --bin selftest --features selftest
    cat >"$out/wasi.mjs" <<'END'
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";
const wasi = new WASI({ version: "preview1", args: ["selftest"] });
const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]), wasi.getImportObject());
process.exitCode = wasi.start(instance);
END
    node --no-warnings "$out/wasi.mjs" "$out/wasm32-wasip1/wasm32-wasip1/release/selftest.wasm"
)

# drives pages that hold the library $1 in Chromium, and writes pictures of them to the folder $2; draws frames with $3, if given
pages() {
    need chromium
    need node nodejs
    need npm
    if [ ! -d "$out/npm/node_modules/puppeteer-core" ]; then
        mkdir -p "$out/npm"
        (cd "$out/npm" && echo '{"private":true}' >package.json && npm install --no-audit --no-fund --loglevel=error puppeteer-core@24)
    fi
    echo "-- pages with $1"
    CHROMIUM=$(command -v chromium) node .ci/web.mjs "$roundel" "$out/npm" "$@"
}

case ${1:-all} in
build) build ;;
native) native ;;
bless)
    build
    cp "$out/roundel.wasm.gz" docs/web/roundel.wasm.gz
    ;;
wasi) wasi ;;
pages) pages docs/web/roundel.wasm.gz "$out/pages" "$out/selftest.wasm" ;;
all)
    need wasm-opt binaryen
    need node nodejs
    .ci/rustc-web.sh >/dev/null
    native
    # side by side: each spends most of its time in one thread of LLVM
    wasi >"$out/wasi.log" 2>&1 &
    build
    wait $! || { cat "$out/wasi.log" >&2; exit 1; }
    cat "$out/wasi.log"
    pages "$out/roundel.wasm.gz" "$out/pages-built" "$out/selftest.wasm"
    cmp "$out/roundel.wasm.gz" docs/web/roundel.wasm.gz || pages docs/web/roundel.wasm.gz "$out/pages"
    ;;
*)
    echo ".ci/web.sh: no step $1 (build, native, bless, wasi, pages)" >&2
    exit 2
    ;;
esac
