#!/usr/bin/env bash
# install.sh key|build: names the build of this program by its sources; builds it unless the cache has it.
set -euo pipefail
folder=$HOME/.cache/roundel-action
case $1 in
key)
    cd "$ACTION"
    key=$(find Cargo.toml Cargo.lock src crates docs -type f -print0 | LC_ALL=C sort -z | xargs -0 cat | sha256sum | cut -c 1-20)
    echo "key=$key" >>"$GITHUB_OUTPUT"
    ;;
build)
    [ -x "$folder/bin/roundel" ] ||
        cargo install --quiet --locked --path "$ACTION" --no-default-features --features cli --root "$folder" --no-track
    echo "$folder/bin" >>"$GITHUB_PATH"
    ;;
esac
