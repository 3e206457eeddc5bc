#!/usr/bin/env bash
# .ci/film.sh ROUNDEL: films of every format, decoded again by ffmpeg, Chromium and Pillow (Debian's, for Debian's Python), have the frames
# of `roundel render`. In lossless formats they are compared byte for byte, in others by PSNR. A killed film leaves no file.
set -euo pipefail
cd "$(dirname "$0")/.."
roundel=$(realpath "$1")
root=$PWD
data=$root/docs/scenes
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"

for case in "argon.xyz.gz --color-by kinetic -W 160" \
    "caffeine.xyz --turntable 360 --seconds 1 --fps 12 -W 160" \
    "caffeine.xyz --rock 30 --seconds 1 --fps 12 -W 151 -H 101"; do
    # shellcheck disable=SC2086
    set -- $case
    input=$1
    shift
    rate=25
    [[ $case != *--fps* ]] || { rate=${case#*--fps } && rate=${rate%% *}; }
    rm -rf frames film.*
    mkdir frames
    for output in 'frames/%.png' film.png film.gif film.webp film.mp4 film.y4m; do
        "$roundel" film "$data/$input" -q "$@" -o "${output/\%/\{frame:04\}}"
    done
    "$roundel" film "$data/$input" -q "$@" -o - | cmp - film.y4m
    for film in film.png film.gif film.webp film.mp4 film.y4m; do
        mkdir -p "decoded/$film"
        rm -f "decoded/$film"/*
        # Debian's ffmpeg reads no animated WebP
        [ $film = film.webp ] || ffmpeg -hide_banner -loglevel error -i $film -fps_mode passthrough -pix_fmt rgb24 "decoded/$film/%04d.png"
    done
    /usr/bin/python3 - <<'PYTHON'
import glob, math
from PIL import Image, ImageChops, ImageSequence, ImageStat

frames = [Image.open(name).convert("RGB") for name in sorted(glob.glob("frames/*.png"))]
films = {name: [frame.convert("RGB") for frame in ImageSequence.Iterator(Image.open(name))] for name in ("film.png", "film.gif", "film.webp")}
for name in ("film.png", "film.gif", "film.mp4", "film.y4m"):
    decoded = [Image.open(path).convert("RGB") for path in sorted(glob.glob(f"decoded/{name}/*.png"))]
    films[name + " by ffmpeg"] = decoded
for name, decoded in films.items():
    assert len(decoded) == len(frames), f"{name}: {len(decoded)} frames for {len(frames)}"
    worst = math.inf
    for number, (film, frame) in enumerate(zip(decoded, frames)):
        width, height = frame.size
        if "mp4" in name:
            assert film.size == (width + width % 2, height + height % 2), f"{name}: {film.size} for {frame.size}"
            film = film.crop((0, 0, width, height))
        if name.startswith(("film.png", "film.webp")):
            assert film.tobytes() == frame.tobytes(), f"{name}: frame {number} has other pixels"
            continue
        squares = ImageStat.Stat(ImageChops.difference(film, frame)).sum2
        error = sum(squares) / (3 * width * height)
        worst = min(worst, 10 * math.log10(255**2 / error) if error else math.inf)
    least = {"film.gif": 30, "film.mp4": 24, "film.y4m": 40}.get(name.split(" ")[0])
    assert least is None or worst > least, f"{name}: PSNR {worst:.1f} dB"
    print(f"{name}: {len(decoded)} frames, " + ("lossless" if worst == math.inf else f"PSNR {worst:.1f} dB at least"))
PYTHON
    /usr/bin/python3 "$root/.ci/film_page.py" "$rate"
done

# memory does not grow with the number of frames
peak() {
    /usr/bin/time -f %M "$roundel" film "$data/caffeine.xyz" --turntable 360 --fps 25 --seconds "$1" -W 320 -q -o long.webp 2>&1
}
short=$(peak 2) long=$(peak 20)
[ "$long" -lt $((short + short / 4)) ] || { echo ".ci/film.sh: $short KiB for 50 frames, $long KiB for 500" >&2; exit 1; }
# ended in the middle, a film leaves nothing or whole pictures
for signal in TERM KILL; do
    rm -rf killed
    mkdir killed
    for output in killed/film.png killed/film.mp4 'killed/f_{frame:05}.png'; do
        timeout -s $signal 2 "$roundel" film "$data/caffeine.xyz" -W 640 --samples 16 --turntable 360 --seconds 4000 -q -o "$output" || true
    done
    for name in killed/*; do
        # a slow machine has written nothing yet
        [ -e "$name" ] || continue
        case $name in
        killed/f_*.png) /usr/bin/python3 -c 'import sys; from PIL import Image; Image.open(sys.argv[1]).load()' "$name" ;;
        *) echo ".ci/film.sh: $signal leaves $name" >&2; exit 1 ;;
        esac
    done
done
echo "films are whole or not there after TERM and KILL"
