"""Vector files of matplotlib's figures show the same as the screen."""

import io
import shutil
import subprocess

import numpy as np
import pytest

mpl = pytest.importorskip("matplotlib")
mpl.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import roundel.mpl  # noqa: E402

Image = pytest.importorskip("PIL.Image")
RANDOM = np.random.default_rng(4)
X, Y = RANDOM.uniform(size=(2, 200_000))


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def figure_of(draw, **options):
    """A figure of 3 by 2 inches that one plot of the unit square fills."""
    figure = plt.figure(figsize=(3, 2))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 1), ylim=(0, 1))
    axes.axis("off")
    draw(axes, X, Y, **options)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    return figure


def page(figure, kind, dpi):
    """The page of a vector file as grey pixels, 100 an inch."""
    program = {"pdf": "pdftoppm", "svg": "rsvg-convert", "eps": "gs"}[kind]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    file = io.BytesIO()
    figure.savefig(file, format=kind, dpi=dpi)
    command = {
        "pdf": ["pdftoppm", "-r", "100", "-png", "-singlefile", "-"],
        "svg": ["rsvg-convert", "-d", "100", "-p", "100"],
        "eps": ["gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dEPSCrop", "-sDEVICE=png16m", "-r100", "-sOutputFile=-", "-"],
    }[kind]
    shown = subprocess.run(command, input=file.getvalue(), stdout=subprocess.PIPE, check=True).stdout
    picture = Image.open(io.BytesIO(shown)).convert("RGBA")
    white = Image.new("RGBA", picture.size, "white")
    return np.asarray(Image.alpha_composite(white, picture).convert("L")).astype(int)


@pytest.mark.parametrize("rasterized", [True, False])
@pytest.mark.parametrize("dpi", [72, 300])
@pytest.mark.parametrize("kind", ["pdf", "svg", "eps"])
def test_a_density_fills_its_axes_in_vector_files(kind, dpi, rasterized):
    figure = figure_of(roundel.mpl.density, norm="linear", cmap="viridis", rasterized=rasterized)
    shown = page(figure, kind, dpi)
    height, width = shown.shape
    blocks = shown[: height // 10 * 10, : width // 10 * 10].reshape(height // 10, 10, width // 10, 10)
    assert (blocks.min(axis=(1, 3)) < 250).all()


@pytest.mark.parametrize("kind", ["pdf", "svg"])
def test_scatter_is_drawn_as_paths_where_it_is_not_rasterized(kind):
    x, y = np.meshgrid(np.linspace(0.1, 0.9, 40), np.linspace(0.1, 0.9, 30))
    counts = []
    for rasterized in (False, True):
        figure = plt.figure(figsize=(3, 2))
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 1), ylim=(0, 1))
        roundel.mpl.scatter(axes, x.ravel(), y.ravel(), s=4, c="k", linewidths=0, rasterized=rasterized)
        file = io.BytesIO()
        with mpl.rc_context({"pdf.compression": 0}):
            figure.savefig(file, format=kind, dpi=300)
        content = file.getvalue()
        counts.append((content.count(b"<image") + content.count(b"/Subtype /Image"), content.count(b"<use") + content.count(b" Do")))
    (no_picture, markers), (picture, _) = counts
    assert no_picture == 0 and markers >= 1200
    assert picture >= 1


@pytest.mark.parametrize("rasterized", [True, False])
@pytest.mark.parametrize("kind", ["pdf", "svg"])
def test_points_lie_where_they_are_in_vector_files(kind, rasterized):
    figure = plt.figure(figsize=(3, 2))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 1), ylim=(0, 1))
    axes.axis("off")
    roundel.mpl.scatter(axes, [0.25, 0.75], [0.25, 0.75], s=[400, 100], c="k", linewidths=0, rasterized=rasterized)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    dark = page(figure, kind, 300) < 128
    height, width = dark.shape
    for column, row, area in ((0.25, 0.75, 400), (0.75, 0.25, 100)):
        part = dark[int(row * height) - height // 4 : int(row * height) + height // 4]
        part = part[:, int(column * width) - width // 4 : int(column * width) + width // 4]
        assert part.sum() == pytest.approx(np.pi / 4 * area * (100 / 72) ** 2, rel=0.12)
        rows, columns = np.nonzero(part)
        assert rows.mean() == pytest.approx(part.shape[0] / 2, abs=2) and columns.mean() == pytest.approx(part.shape[1] / 2, abs=2)


def test_a_density_has_the_resolution_of_its_file():
    figure = figure_of(roundel.mpl.density)
    for dpi in (72, 150):
        figure.savefig(io.BytesIO(), format="pdf", dpi=dpi)
        assert figure.axes[0].get_children()[0].get_array().shape == (2 * dpi, 3 * dpi)


def test_a_density_counts_in_polar_axes():
    figure = plt.figure(figsize=(2, 2), dpi=100)
    axes = figure.add_subplot(projection="polar")
    angle = RANDOM.uniform(0, 2 * np.pi, 50_000)
    shown = roundel.mpl.density(axes, angle, np.sqrt(RANDOM.uniform(0, 1, 50_000)), norm="linear")
    axes.set_rlim(0, 1)
    figure.canvas.draw()
    counts = shown.get_array().filled(0)
    assert counts.sum() == pytest.approx(50_000, rel=0.02)
    rows, columns = np.nonzero(counts)
    width, height = np.ptp(columns) + 1, np.ptp(rows) + 1
    assert width == pytest.approx(height, rel=0.05)
    # as many to the left as to the right
    middle = columns.min() + width // 2
    assert counts[:, :middle].sum() == pytest.approx(counts[:, middle:].sum(), rel=0.1)
