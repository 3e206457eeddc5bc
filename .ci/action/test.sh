#!/usr/bin/env bash
# Runs the tests. What fails is left in a folder that is empty before, and summed up on the page of the run; a later step fails as the
# tests do.
set -euo pipefail
export ROUNDEL_OUTPUT=$RUNNER_TEMP/golden
rm -rf "$ROUNDEL_OUTPUT"
mkdir -p "$ROUNDEL_OUTPUT"
status=0
# the tests need no token
env -u GH_TOKEN -u GITHUB_TOKEN bash -eo pipefail -c "$RUN" || status=$?
echo "status=$status" >>"$GITHUB_OUTPUT"
"${ROUNDEL:-roundel}" golden summary "$ROUNDEL_OUTPUT" >>"$GITHUB_STEP_SUMMARY"
