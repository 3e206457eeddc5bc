#!/usr/bin/env bash
# Screenshots of Playwright, compared by the program that is the first argument; pictures of egui_kittest, and snapshots of insta.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
roundel=$(realpath "$1")

# fails COMMAND…: succeeds if the command fails; prints its output
fails() {
    ! "$@" 2>&1 || { echo "adapters.sh: $* succeeds" >&2; exit 1; }
}

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cp -r examples/playwright examples/egui_kittest examples/insta "$folder"
cd "$folder/playwright"
export ROUNDEL=$roundel CHROMIUM=${CHROMIUM:-$(command -v chromium)} PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
npm install --silent --no-audit --no-fund
npx playwright test
# a bar that is one pixel higher
HEIGHT=51 fails npx playwright test | grep -F 'chart: 13 of 9600 pixels differ'
test -s test-results/*/chart.report.html
# what the action for pull requests sums up
"$roundel" golden summary | grep -F '<code>playwright/chart</code>'
# approved, where no CI is
env -u CI HEIGHT=51 ROUNDEL_BLESS=chart npx playwright test
HEIGHT=51 npx playwright test
"$roundel" golden summary | grep -Fx '### 1 of 1 pictures agree'

# tests of Rust, each in a package of its own; their builds are kept between runs
export CARGO_TARGET_DIR=$root/target/adapters CARGO_PROFILE_DEV_DEBUG=0
for example in egui_kittest insta; do
    cd "$root/examples/$example"
    # an earlier run has built the changed copy, which is newer
    touch tests/*.rs
    cargo fmt --check
    cargo clippy --quiet --locked --all-targets -- -D warnings
    cargo test --quiet --locked
    # what follows changes them
    sed -i "s|path = \"../../crates/golden\"|path = \"$root/crates/golden\"|" "$folder/$example/Cargo.toml"
done
# a slider that is further left, and a bar that is one pixel higher
cd "$folder/egui_kittest"
sed -i 's/size: 3.0/size: 2.0/' tests/panel.rs
fails cargo test --quiet --locked | grep -F 'if the new picture is right: ROUNDEL_BLESS=panel cargo test'
env -u CI ROUNDEL_BLESS=panel cargo test --quiet --locked
cd "$folder/insta"
sed -i 's/60, 90/60, 91/' tests/chart.rs
failed=$(fails cargo test --quiet --locked)
printf '%s\n' "$failed" | grep -F 'golden chart: 17 of 16000 pixels differ'
printf '%s\n' "$failed" | grep '^17 of 16000 pixels differ, by up to 224, first at'
# another encoding of the same pixels is no change
cp "$root/examples/insta/tests/chart.rs" tests
before=$(stat -c %s tests/snapshots/chart__chart.snap.png)
mogrify -define png:compression-level=0 -define png:color-type=2 tests/snapshots/chart__chart.snap.png
test "$before" != "$(stat -c %s tests/snapshots/chart__chart.snap.png)"
cargo test --quiet --locked
