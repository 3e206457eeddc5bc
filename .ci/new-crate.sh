#!/usr/bin/env bash
# The golden test of docs/testing.md in a crate of its own, from failure to approval, as its reader would paste it.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"

# block NUMBER LANGUAGE: a fenced block of the page
block() {
    awk -v number="$1" -v fence="\`\`\`$2" '
        index($0, fence) == 1 { inside = ++count == number; next }
        /^```/ { inside = 0 }
        inside' "$root/docs/testing.md"
}

# fails COMMAND…: succeeds if the command fails; prints its output
fails() {
    ! "$@" 2>&1 || { echo "new-crate.sh: $* succeeds" >&2; exit 1; }
}

# goldens are approved below
unset CI
mkdir src tests
touch src/lib.rs
printf '[package]\nname = "charts"\nversion = "0.1.0"\nedition = "2024"\n\n' > Cargo.toml
block 1 toml | sed "s|version = \"[0-9.]*\"|path = \"$root/crates/golden\"|" >> Cargo.toml
block 1 rust > tests/chart.rs
block 2 rust > tests/dashboard.rs
# the versions that the crate itself is tested with
cp "$root/Cargo.lock" .

fails cargo test --test chart | grep -F 'if the new picture is right: ROUNDEL_BLESS=chart cargo test'
test -f target/golden/charts/chart.actual.png -a -f target/golden/report.html -a ! -e tests/golden
ROUNDEL_BLESS=chart cargo test --test chart
test -f tests/golden/chart.png -a ! -e target/golden/report.html
ROUNDEL_BLESS=all cargo test
cargo test

# the picture changes, and then the test goes
sed -i 's/60, 90/60, 91/' tests/chart.rs
fails cargo test --no-fail-fast | grep -F 'golden chart: 17 of 16000 pixels differ'
"$root/target/release/roundel" golden summary | grep -F '| <code>charts/chart</code> | changed | 17 of 16000 pixels differ, by up to 224'
fails env ROUNDEL_BLESS=1 cargo test | grep -F 'not blessed: ROUNDEL_BLESS must be names'
test -f target/golden/charts/chart.actual.png -a -f target/golden/report.html
rm tests/chart.rs
cargo test
test ! -e target/golden/charts/chart.actual.png -a ! -e target/golden/report.html
untested=$(fails "$root/target/release/roundel" golden untested tests/golden)
test "$untested" = tests/golden/chart.png

# nothing can be written
ROUNDEL_OUTPUT=/dev/null/none cargo test
cp "$root/crates/golden/tests/comparison/golden_tests.rs" tests/golden/light.png
ROUNDEL_OUTPUT=/dev/null/none fails cargo test | grep -F 'cannot decode'
