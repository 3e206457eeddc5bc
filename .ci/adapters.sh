#!/usr/bin/env bash
# Examples for users of other tools: egui_kittest, insta, and Playwright with the program given as the first argument.
set -euo pipefail
cd "$(dirname "$0")/.."
roundel=$(realpath "$1")

# fails COMMAND…: succeeds if the command fails; prints its output
fails() {
    ! "$@" 2>&1 || { echo "adapters.sh: $* succeeds" >&2; exit 1; }
}

for name in insta egui_kittest; do
    CARGO_TARGET_DIR=$PWD/target/examples-of-tools cargo test --quiet --manifest-path "examples/$name/Cargo.toml"
done

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cp -r examples/playwright/. "$folder"
cd "$folder"
export ROUNDEL=$roundel CHROMIUM=${CHROMIUM:-$(command -v chromium)} PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
npm install --silent --no-audit --no-fund
npx playwright test
# a bar that is one pixel higher
HEIGHT=51 fails npx playwright test | grep -F 'chart: 13 of 9600 pixels differ'
test -s test-results/*/chart.report.html
# approved, where no CI is
env -u CI HEIGHT=51 ROUNDEL_BLESS=chart npx playwright test
HEIGHT=51 npx playwright test
