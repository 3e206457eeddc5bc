#!/usr/bin/env bash
# Several processes draw the bytes of one; an error in one of them ends all, with one message and no file:
#
#   .ci/ranks.sh ROUNDEL
#
# ROUNDEL is built with the feature mpi. More processes than cores are started.
set -euo pipefail
roundel=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
picture=(--look headlight --ao off -W 400 --quiet)

# ranks N ARGUMENT…: N processes draw together
ranks() {
    local count=$1
    shift
    mpirun -q --oversubscribe -n "$count" "$roundel" render "$@" "${picture[@]}"
}

fail() {
    echo ".ci/ranks.sh: $*" >&2
    exit 1
}

"$roundel" generate uniform -n 40000 -o all.npy
for part in 1 2 3 4; do
    "$roundel" generate uniform -n 10000 --seed "$part" -o "part-$part.npy"
done
"$roundel" render --stream all.npy "${picture[@]}" -o one.png
"$roundel" render --stream part-*.npy "${picture[@]}" -o parts.png
"$roundel" render --generate gaussian:1e5 "${picture[@]}" -o generated.png
for count in 2 3 5; do
    rm -f ./*.roundel-index
    ranks "$count" all.npy -o found.png && cmp one.png found.png
    ranks "$count" part-*.npy -o found.png && cmp parts.png found.png
    ranks "$count" --generate gaussian:1e5 -o found.png && cmp generated.png found.png
done

# all look for the spheres that cast shadows
picture=(--look studio --ao off --key-angle 0 --cloud-radius 0 -W 400 --quiet)
"$roundel" render --stream all.npy "${picture[@]}" -o shadowed.png
if cmp -s one.png shadowed.png; then fail 'no shadows'; fi
for count in 2 3 5; do
    ranks "$count" all.npy -o found.png && cmp shadowed.png found.png
done
# the default look is simplified in all of them; messages are longer than one round
picture=(-W 1200 --quiet)
"$roundel" render --generate uniform:2e6 "${picture[@]}" -o large.png
for count in 2 3; do
    ranks "$count" --generate uniform:2e6 -o found.png && cmp large.png found.png
done
picture=(--look headlight --ao off -W 400 --quiet)

head -c 50000 part-2.npy >cut.npy
status=0
ranks 3 part-1.npy cut.npy part-3.npy -o broken.png 2>message || status=$?
[ "$status" = 2 ] && [ ! -e broken.png ] || fail "a file that is cut short: status $status"
[ "$(grep -c '^roundel: ' message)" = 1 ] && grep -q 'cut.npy.*the file ends after' message || fail "$(cat message)"

status=0
ranks 3 --generate uniform:1e4 -o /dev/full 2>message || status=$?
[ "$status" = 2 ] && [ "$(grep -c '^roundel: .*No space left' message)" = 1 ] || fail "a full disk: status $status, $(cat message)"

ranks 3 --generate uniform:1e9 -o killed.png 2>message &
sleep 3
pkill -9 -n -f 'generate uniform:1e9' || fail 'no process to kill'
if wait $!; then fail 'a killed process ended well'; fi
[ ! -e killed.png ] || fail 'a killed process left a file'
# frames of a film, shared
printf '3\n\nC 0 0 0\nC 1.5 0 0\nC 3 0 0\n3\n\nC 0 0 0\nC 1.5 1 0\nC 3 0 1\n3\n\nC 0 1 0\nC 1.5 1 1\nC 3 2 0\n' >walk.xyz
for output in film.webp film.gif film.png film.y4m; do
    "$roundel" film walk.xyz --turntable 90 --seconds 1 --fps 7 -W 120 -q -o "one-$output"
    for count in 2 3 5; do
        mpirun -q --oversubscribe -n "$count" "$roundel" film walk.xyz --turntable 90 --seconds 1 --fps 7 -W 120 -q -o "$output"
        cmp "one-$output" "$output"
    done
done
status=0
mpirun -q --oversubscribe -n 3 "$roundel" film walk.xyz --frames 0..9 -q -o refused.webp 2>message || status=$?
[ "$status" = 2 ] && [ "$(grep -c '^roundel: .*frames 0 to 2' message)" = 1 ] && [ ! -e refused.webp ] || fail "a film that is refused: $(cat message)"

echo 'processes together draw the bytes of one'
