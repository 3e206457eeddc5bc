"""Goldens of tests: what fails, what is approved, and what the report shows."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import roundel
from roundel import testing

TEST = """
    import numpy as np
    import pytest
    import roundel
    from roundel.testing import assert_matches

    def test_disc():
        assert_matches(roundel.circles([(16, 12)], {radius}, "#d62728", width=32, height=24))

    @pytest.mark.parametrize("color", ["#f00", "#00f"])
    def test_colors(color):
        assert_matches(roundel.circles([(8, 8)], 6, color, width=16, height=16))

    def test_named():
        assert_matches(np.zeros((4, 4), np.uint8), "black/square")
        assert_matches(np.zeros((4, 4), np.uint8))
        assert_matches(np.zeros((2, 4), np.uint8))
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    # a file that is rewritten within a second would be taken for the compiled one
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    # where nothing is approved
    monkeypatch.delenv("CI", raising=False)
    # runs inside this one are not its workers
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider\n")
    pytester.makepyfile(test_chart=TEST.format(radius=8))
    return pytester


def run(project: pytest.Pytester, *arguments: str, **outcomes: int):
    result = project.runpytest_inprocess(*arguments)
    result.assert_outcomes(**outcomes)
    return result


def test_goldens_are_approved_by_name_and_then_pass(project):
    result = run(project, failed=4)
    result.stdout.fnmatch_lines(
        [
            "*golden test_chart/test_disc: there is none yet",
            "*  expected:   *golden/test_chart/test_disc.png",
            "*  actual:     *golden-output/test_chart/test_disc.actual.png",
            "*if the new picture is right: pytest --roundel-bless test_chart/test_disc",
            "4 goldens fail: *golden-output/report.html",
        ]
    )
    assert not (project.path / "golden").exists()
    result = run(project, "--roundel-bless", "test_chart/test_disc,black/square.png", passed=1, failed=3)
    result.stdout.fnmatch_lines(["golden test_chart/test_disc: there is none yet; blessed *golden/test_chart/test_disc.png"])
    run(project, "--roundel-bless=all", passed=4)
    run(project, passed=4)
    names = sorted(str(file.relative_to(project.path / "golden")) for file in (project.path / "golden").rglob("*.png"))
    assert names == [
        "black/square.png",
        "test_chart/test_colors-00f.png",
        "test_chart/test_colors-f00.png",
        "test_chart/test_disc.png",
        "test_chart/test_named-2.png",
        "test_chart/test_named.png",
    ]
    assert not (project.path / "golden-output" / "report.html").exists()


def test_picture_that_changes_fails_until_it_is_right(project):
    run(project, "--roundel-bless=all", passed=4)
    project.makepyfile(test_chart=TEST.format(radius=9))
    result = run(project, passed=3, failed=1)
    result.stdout.fnmatch_lines(["*golden test_chart/test_disc: * of 768 pixels differ, by up to 2*, first at *"])
    output = project.path / "golden-output"
    assert (output / "test_chart/test_disc.diff.png").exists()
    report = (output / "report.html").read_text()
    assert "test_chart/test_disc" in report and "pytest --roundel-bless test_chart/test_disc" in report
    # a test that is not run keeps its failure; one that passes loses it
    run(project, "-k", "colors", passed=2, deselected=2)
    assert (output / "report.html").exists()
    project.makepyfile(test_chart=TEST.format(radius=8))
    run(project, passed=4)
    assert not list(output.rglob("*.png")) and not (output / "report.html").exists()


def test_bless_that_names_no_failure_is_said(project):
    result = run(project, "--roundel-bless", "test_chart/test_disk", failed=4)
    result.stdout.fnmatch_lines(["*not blessed: test_chart/test_disk names other goldens*"])
    result.stdout.fnmatch_lines(["--roundel-bless: no test of this run has a golden of the name test_chart/test_disk"])
    known = run(project, "--roundel-bless", "test_chart/test_disc", passed=1, failed=3)
    known.stdout.no_fnmatch_line("--roundel-bless: no test*")


@pytest.fixture
def processes(project, monkeypatch: pytest.MonkeyPatch):
    """A project for several processes, which import the needed plugins alone."""
    pytest.importorskip("xdist")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "roundel.pytest_plugin,xdist.plugin")
    return project


def test_names_to_bless_are_known_to_processes_of_xdist(processes):
    result = processes.runpytest_subprocess("-n", "2", "--roundel-bless", "test_chart/test_disc,nothing")
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(["--roundel-bless: no test of this run has a golden of the name nothing"])
    result.stdout.no_fnmatch_line("*of the name test_chart*")


def test_report_and_folders_may_be_named(project):
    project.makeini("[pytest]\nroundel_golden = approved\nroundel_output = out\naddopts = -p no:cacheprovider\n")
    run(project, "--roundel-bless=all", passed=4)
    assert (project.path / "approved/black/square.png").exists()
    run(project, "--roundel-report", "deep/report.html", passed=4)
    assert "<html" in (project.path / "deep/report.html").read_text()


def test_processes_of_xdist_share_one_report(processes):
    result = processes.runpytest_subprocess("-n", "2")
    result.assert_outcomes(failed=4)
    result.stdout.fnmatch_lines(["4 goldens fail: *report.html"])
    report = (processes.path / "golden-output/report.html").read_text()
    assert all(name in report for name in ("test_disc", "test_colors-f00", "black/square"))


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("CI", raising=False)
    fresh = testing.Session(golden=tmp_path / "golden", output=tmp_path / "output", bless=["all"])
    monkeypatch.setattr(testing, "session", fresh)
    return fresh


def test_what_may_differ_passes(session):
    picture = np.full((8, 8, 3), 200, np.uint8)
    testing.assert_matches(picture, "gray")
    session.bless = []
    picture[3, 2, 1] = 204
    for options in ({"tolerance": 4}, {"threshold": 0.1}, {"pixels": 1}, {"share": 0.02}, {"mask": [(2, 3, 1, 1)]}, {"flip": 0.1}):
        testing.assert_matches(picture, "gray", **options)
    for options in ({}, {"tolerance": 3}, {"pixels": 0}, {"mask": [(3, 3, 1, 1)]}):
        with pytest.raises(AssertionError, match="golden gray: 1 of 6[34] pixels differ, by up to 4, first at 2,3"):
            testing.assert_matches(picture, "gray", **options)
    assert "gray" in session.report_file.read_text()


@pytest.mark.parametrize("name", ["", "../secret", "/etc/passwd", "a/../b", ".png", "a//b", "a\\b"])
def test_names_stay_inside_the_folder(session, name):
    with pytest.raises(ValueError, match="name must be a path inside the folder of goldens"):
        testing.assert_matches(np.zeros((2, 2), np.uint8), name)


def test_name_is_needed_outside_of_pytest(session):
    with pytest.raises(ValueError, match="name can be left out under pytest only"):
        testing.assert_matches(np.zeros((2, 2), np.uint8))
    with pytest.raises(TypeError, match="name must be a string"):
        testing.assert_matches(np.zeros((2, 2), np.uint8), 7)


def test_environment_approves_too(session, monkeypatch):
    session.bless = []
    monkeypatch.setenv("ROUNDEL_BLESS", "gray")
    testing.assert_matches(np.full((8, 8), 200, np.uint8), "gray")
    assert roundel.compare(session.golden / "gray.png", np.full((8, 8), 200, np.uint8))


def test_golden_that_is_no_image_is_an_error(session):
    session.golden.mkdir()
    broken = session.golden / "broken.png"
    broken.write_text("no image")
    session.bless = []
    with pytest.raises(AssertionError, match="golden broken: cannot .*broken.png"):
        testing.assert_matches(np.zeros((2, 2), np.uint8), "broken")
    session.bless = ["broken"]
    testing.assert_matches(np.zeros((2, 2), np.uint8), "broken")
    assert roundel.compare(broken, np.zeros((2, 2), np.uint8))


def test_one_name_for_two_pictures_is_refused(session):
    testing.assert_matches(np.zeros((2, 2), np.uint8), "twice")
    testing.assert_matches(np.zeros((2, 2), np.uint8), "twice")
    with pytest.raises(AssertionError, match="golden twice: two tests use this name for different pictures"):
        testing.assert_matches(np.ones((2, 2), np.uint8), "twice")


def test_soft_collects_all_failures(session):
    session.bless = []
    with pytest.raises(AssertionError, match="(?s)2 pictures fail.*golden a: there is none.*golden b: there is none"):
        with testing.soft():
            testing.assert_matches(np.zeros((2, 2), np.uint8), "a")
            testing.assert_matches(np.zeros((2, 2), np.uint8), "b")


def test_soft_tests_fail_at_their_end(project):
    result = run(project, "--roundel-soft", "-k", "named", failed=1, deselected=3)
    result.stdout.fnmatch_lines(["*3 pictures fail*", "*golden black/square: there is none yet*", "3 goldens fail: *"])
    run(project, "--roundel-soft", "--roundel-bless=all", passed=4)


def test_continuous_integration_approves_nothing(project, monkeypatch):
    monkeypatch.setenv("CI", "true")
    result = project.runpytest_inprocess("--roundel-bless=all")
    assert result.ret != 0
    result.stderr.fnmatch_lines(["*approves nothing where the variable CI is set; --roundel-force does*"])
    run(project, "--roundel-bless=all", "--roundel-force", passed=4)


def test_goldens_without_a_test_are_listed(project):
    run(project, "--roundel-bless=all", passed=4)
    (project.path / "golden/old.png").write_bytes((project.path / "golden/black/square.png").read_bytes())
    result = run(project, "--roundel-untested", passed=4)
    result.stdout.fnmatch_lines(["golden/old.png", "1 in all; *"])


def test_failures_of_tests_that_are_gone_leave_the_report(project):
    run(project, failed=4)
    project.makepyfile(test_chart="def test_nothing(): pass")
    run(project, passed=1)
    assert not list((project.path / "golden-output").rglob("*.png"))


def test_failures_are_records_for_summaries(project, monkeypatch):
    """`roundel golden summary` reads these lines, and the action for pull requests keeps them."""
    monkeypatch.setenv("ROUNDEL_OUTPUT", "left")
    (project.path / ".git").mkdir()
    run(project, "--roundel-bless", "all", passed=4)
    project.makepyfile(test_chart=TEST.format(radius=9))
    run(project, failed=1, passed=3)
    left = project.path / "left"
    head, *pictures = (left / "test_chart/test_disc.report.js").read_text().split("picture(")
    lines = dict(line.removeprefix("// ").split(": ", 1) for line in head.splitlines())
    assert lines["status"] == '"changed"' and lines["in repository"] == '"golden/test_chart/test_disc.png"'
    assert lines["approve"] == '"pytest --roundel-bless test_chart/test_disc"'
    assert 0 < float(lines["share"].strip('"')) < 1
    assert '"expected":"test_chart/test_disc 0"' in lines["entry"] and len(pictures) == 3
    assert len((left / "tested.txt").read_text().splitlines()) == 7
    # read again, and removed once the picture agrees
    assert [record["name"] for record in testing.failures()] == ["test_chart/test_disc"]
    project.makepyfile(test_chart=TEST.format(radius=8))
    run(project, passed=4)
    assert not list(left.rglob("*.report.js"))


def test_texts_of_records_fit_into_comments():
    assert testing._quoted("a<b\n\u2028\x85🎨\"") == '"a\\u003cb\\n\\u2028\\u0085🎨\\""'
