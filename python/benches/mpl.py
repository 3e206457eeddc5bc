"""Scatter plots and densities beside matplotlib and datashader, from arrays to PNG: python benches/mpl.py

A figure of 1000 x 800 pixels with axes; seconds, the median of five runs in turn. `pip install datashader` for its rows.
"""

import io
import statistics
import sys
import time

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import roundel.mpl


def with_matplotlib(axes, x, y):
    axes.scatter(x, y, s=1, c=x, linewidths=0)


def with_roundel(axes, x, y):
    roundel.mpl.scatter(axes, x, y, s=1, c=x, linewidths=0)


def density(axes, x, y):
    roundel.mpl.density(axes, x, y)


def with_datashader(axes, x, y):
    import datashader
    import pandas as pd
    from datashader.mpl_ext import dsshow

    dsshow(pd.DataFrame({"x": x, "y": y}), datashader.Point("x", "y"), norm="log", aspect="auto", ax=axes)


def seconds(draw, x, y):
    begun = time.perf_counter()
    figure, axes = plt.subplots(figsize=(10, 8), dpi=100)
    draw(axes, x, y)
    figure.savefig(io.BytesIO())
    plt.close(figure)
    return time.perf_counter() - begun


def main():
    print("points     matplotlib  roundel.scatter  datashader  roundel.density")
    for count in (10**5, 10**6, 10**7):
        x, y = np.random.default_rng(1).normal(size=(2, count))
        rivals = [with_matplotlib, with_roundel, with_datashader, density]
        times = {draw: [] for draw in rivals if not (draw is with_matplotlib and count > 10**6 and "--all" not in sys.argv)}
        for draw in times:
            seconds(draw, x[:1000], y[:1000])
        for _ in range(5):
            for draw, list_of_times in times.items():
                list_of_times.append(seconds(draw, x, y))
        medians = [f"{statistics.median(times[draw]):.3f}" if draw in times else "-" for draw in rivals]
        print(f"{count:<10} {medians[0]:<11} {medians[1]:<16} {medians[2]:<11} {medians[3]}")


if __name__ == "__main__":
    main()
