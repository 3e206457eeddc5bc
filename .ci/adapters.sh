#!/usr/bin/env bash
# Screenshots of Playwright, compared by the program that is the first argument.
set -euo pipefail
cd "$(dirname "$0")/.."
roundel=$(realpath "$1")

# fails COMMAND…: succeeds if the command fails; prints its output
fails() {
    ! "$@" 2>&1 || { echo "adapters.sh: $* succeeds" >&2; exit 1; }
}

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
