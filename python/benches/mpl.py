"""Scatter plots and densities beside other packages, from arrays to PNG: python benches/mpl.py [PICTURE.png]

A figure of 1000 x 800 pixels with axes and 10^5, 10^6 and 10^7 points; seconds, the median of several runs in turn, as a table for
docs/python.md. `pip install matplotlib datashader mpl-scatter-density` for all columns. With a name, the figures of 10^6 points are written
side by side.
"""

import importlib.util
import io
import statistics
import sys
import time

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import roundel.mpl


def matplotlib_scatter(axes, x, y):
    axes.scatter(x, y, s=1, c=x, linewidths=0)


def roundel_scatter(axes, x, y):
    roundel.mpl.scatter(axes, x, y, s=1, c=x, linewidths=0)


def roundel_large(axes, x, y):
    roundel.mpl.scatter(axes, x, y, s=25, c=x, linewidths=0)


def roundel_pixels(axes, x, y):
    roundel.mpl.density(axes, x, y, x, statistic="mean", norm="linear")


def roundel_density(axes, x, y):
    roundel.mpl.density(axes, x, y)


def datashader_mean(axes, x, y):
    import datashader
    import pandas as pd
    from datashader.mpl_ext import dsshow

    points = datashader.Point("x", "y")
    dsshow(pd.DataFrame({"x": x, "y": y}), points, datashader.mean("x"), norm="linear", aspect="auto", ax=axes)


def datashader_density(axes, x, y):
    import datashader
    import pandas as pd
    from datashader.mpl_ext import dsshow

    dsshow(pd.DataFrame({"x": x, "y": y}), datashader.Point("x", "y"), norm="log", aspect="auto", ax=axes)


def scatter_density(axes, x, y):
    from mpl_scatter_density import ScatterDensityArtist

    axes.add_artist(ScatterDensityArtist(axes, x, y))
    axes.set(xlim=(x.min(), x.max()), ylim=(y.min(), y.max()))


RIVALS = {
    "matplotlib `scatter`": (matplotlib_scatter, "matplotlib"),
    "`roundel.mpl.scatter`, 1 point²": (roundel_scatter, "roundel"),
    "the same, 25 points²": (roundel_large, "roundel"),
    "datashader, mean by pixel": (datashader_mean, "datashader"),
    "`roundel.mpl.density`, mean": (roundel_pixels, "roundel"),
    "datashader, counts": (datashader_density, "datashader"),
    "mpl-scatter-density": (scatter_density, "mpl_scatter_density"),
    "`roundel.mpl.density`, counts": (roundel_density, "roundel"),
}

# runs of each, fewer where one takes many seconds
RUNS = {10**5: 7, 10**6: 5, 10**7: 3}


def draw(rival, x, y):
    figure, axes = plt.subplots(figsize=(10, 8), dpi=100)
    rival(axes, x, y)
    file = io.BytesIO()
    figure.savefig(file, format="png")
    plt.close(figure)
    return file


def seconds(rival, x, y):
    begun = time.perf_counter()
    draw(rival, x, y)
    return time.perf_counter() - begun


def write_pictures(path, rivals, x, y):
    import PIL.Image

    pictures = [np.asarray(PIL.Image.open(draw(rival, x, y)).convert("RGB").resize((500, 400))) for rival in rivals]
    rows = [np.concatenate(pictures[start : start + 3], axis=1) for start in range(0, len(pictures) // 3 * 3, 3)]
    PIL.Image.fromarray(np.concatenate(rows)).save(path)


def main():
    rivals = {name: draw for name, (draw, package) in RIVALS.items() if importlib.util.find_spec(package)}
    print("| points |", " | ".join(rivals), "|")
    print("|---" * (len(rivals) + 1) + "|")
    for count, runs in RUNS.items():
        x, y = np.random.default_rng(1).normal(size=(2, count))
        times = {name: [] for name in rivals}
        for rival in rivals.values():
            seconds(rival, x[:1000], y[:1000])
        for run in range(runs):
            for name, rival in rivals.items():
                # a minute is long enough to know
                if run == 0 or times[name][0] < 10:
                    times[name].append(seconds(rival, x, y))
        print(f"| {count:.0e} |", " | ".join(f"{statistics.median(list_of_times):.3f}" for list_of_times in times.values()), "|")
        if count == 10**6 and len(sys.argv) > 1:
            shown = [matplotlib_scatter, roundel_scatter, roundel_large, datashader_density, scatter_density, roundel_density]
            write_pictures(sys.argv[1], shown, x, y)


if __name__ == "__main__":
    main()
