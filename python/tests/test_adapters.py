"""Pictures of pytest-mpl and pytest-pyvista, compared by roundel with one option."""

from __future__ import annotations

import sys

import pytest

MPL = """
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import pytest

    @pytest.mark.mpl_image_compare
    def test_line():
        figure, axes = plt.subplots(figsize=(2, 1.5), dpi=60)
        axes.plot([0, 1], [0, {height}], linewidth={width})
        return figure
"""

PYVISTA = """
    import pyvista

    def test_ball(verify_image_cache):
        plotter = pyvista.Plotter(off_screen=True, window_size=(80, 60))
        plotter.add_mesh(pyvista.Sphere(), color="{color}")
        plotter.show()
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    monkeypatch.delenv("CI", raising=False)
    # importing all plugins that are installed takes seconds
    needed = {"pytest_mpl": "pytest_mpl.plugin", "pytest_pyvista": "xdist.plugin,pytest_pyvista.pytest_pyvista"}
    plugins = [plugin for name, plugin in needed.items() if name in request.node.name]
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", ",".join(["roundel.pytest_plugin", *plugins]))
    return pytester


def run(project: pytest.Pytester, *arguments: str, **outcomes: int):
    result = project.runpytest_subprocess(*arguments)
    result.assert_outcomes(**outcomes)
    return result


def test_pytest_mpl_switches_by_one_option(project):
    pytest.importorskip("pytest_mpl")
    project.makepyfile(test_line=MPL.format(height=1, width=1.5))
    run(project, "--mpl-generate-path=baseline", skipped=1)
    run(project, "--mpl", passed=1)
    run(project, "--mpl", "--roundel-compare", passed=1)
    # a line that is a little wider is nothing to a root mean square of the whole picture
    project.makepyfile(test_line=MPL.format(height=1, width=1.58))
    run(project, "--mpl", passed=1)
    result = run(project, "--mpl", "--roundel-compare", failed=1)
    result.stdout.fnmatch_lines(["*golden test_line/test_line: * of * pixels differ*", "*1 golden fails: *report.html"])
    run(project, "--mpl", "--roundel-compare=tolerance=200", passed=1)
    run(project, "--mpl", "--roundel-compare", "--roundel-bless=test_line/test_line", passed=1)
    run(project, "--mpl", "--roundel-compare", passed=1)
    assert not (project.path / "golden-output/report.html").exists()


def test_pytest_mpl_approves_new_pictures(project):
    pytest.importorskip("pytest_mpl")
    project.makepyfile(test_line=MPL.format(height=1, width=1.5))
    result = run(project, "--mpl", "--roundel-compare", failed=1)
    result.stdout.fnmatch_lines(["*golden test_line/test_line: there is none yet"])
    run(project, "--mpl", "--roundel-compare", "--roundel-bless=all", passed=1)
    assert (project.path / "baseline/test_line.png").exists()
    run(project, "--mpl", passed=1)


def test_pytest_pyvista_switches_by_one_option(project):
    pytest.importorskip("pytest_pyvista")
    (project.path / "plot_cache").mkdir()
    cache = ["--image_cache_dir=plot_cache"]
    project.makepyfile(test_ball=PYVISTA.format(color="tomato"))
    run(project, *cache, "--add_missing_images", passed=1)
    run(project, *cache, "--roundel-compare", passed=1)
    project.makepyfile(test_ball=PYVISTA.format(color="coral"))
    result = run(project, *cache, "--roundel-compare", failed=1)
    result.stdout.fnmatch_lines(["*golden ball: * of 4800 pixels differ*"])
    run(project, *cache, "--roundel-compare", "--roundel-bless=ball", passed=1)
    run(project, *cache, "--roundel-compare", passed=1)


def test_options_of_comparisons_are_checked(project):
    project.makepyfile(test_nothing="def test(): pass")
    for options, message in (("tolerence=2", "must be of tolerance"), ("pixels=x", "must have a number for pixels")):
        result = project.runpytest_subprocess(f"--roundel-compare={options}")
        assert result.ret != 0
        result.stderr.fnmatch_lines([f"*--roundel-compare {message}*"])
