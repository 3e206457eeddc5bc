"""The pytest plugin: names goldens after tests, approves them, and reports failures in one HTML file.

With ``--roundel-compare`` the pictures of pytest-mpl and pytest-pyvista are compared by roundel, too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Container, Generator
from pathlib import Path
from typing import Any

import pytest

from . import _adapters, testing

RUN = "ROUNDEL_TEST_RUN"
TESTED, NAMED = "roundel_tested", "roundel_named"
SESSION = pytest.StashKey[testing.Session]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("roundel", "pictures of tests (roundel)")
    group.addoption(
        "--roundel-bless",
        action="append",
        default=[],
        metavar="NAME",
        help="approve the pictures of these goldens (names with commas between them, or all)",
    )
    group.addoption(
        "--roundel-force", action="store_true", help="approve pictures although the variable CI is set"
    )
    group.addoption(
        "--roundel-report", metavar="FILE", help="write the report of failing pictures here, also if there are none"
    )
    group.addoption(
        "--roundel-soft", action="store_true", help="go on after a picture that differs; a test fails at its end"
    )
    group.addoption(
        "--roundel-untested", action="store_true", help="list goldens that no test of this run compared with"
    )
    group.addoption(
        "--roundel-compare",
        nargs="?",
        const="",
        default=None,
        metavar="OPTIONS",
        help="compare the pictures of pytest-mpl and pytest-pyvista by roundel: exactly, or as "
        "tolerance=2,pixels=20,ignore_antialiasing says; --roundel-bless approves them, and one report shows them",
    )
    parser.addini("roundel_golden", "folder of goldens, relative to the root (default: golden beside the test's file)")
    parser.addini("roundel_output", "folder of the pictures that fail, relative to the root (default: golden-output)")
    parser.addini("roundel_soft", "whether a test goes on after a picture that differs", type="bool", default=False)
    parser.addini("roundel_compare", "as --roundel-compare, in every run; exact for no differences")


def pytest_configure(config: pytest.Config) -> None:
    root = config.rootpath
    output = os.environ.get("ROUNDEL_OUTPUT") or config.getini("roundel_output") or "golden-output"
    report = config.getoption("--roundel-report")
    testing.session = config.stash[SESSION] = testing.Session(
        output=root / output,
        report=None if report is None else Path(report).absolute(),
        bless=testing.bless_names(config.getoption("--roundel-bless") or ()),
        force=bool(config.getoption("--roundel-force")),
        soft=bool(config.getoption("--roundel-soft") or config.getini("roundel_soft")),
        command="pytest --roundel-bless {}",
        run=_run(),
    )
    if testing.session.bless and testing.is_refused():
        raise pytest.UsageError("--roundel-bless approves nothing where the variable CI is set; --roundel-force does")
    compare = config.getoption("--roundel-compare")
    compare = config.getini("roundel_compare") or None if compare is None else compare
    if compare is not None:
        try:
            _adapters.install(_adapters.options_of(compare))
        except ValueError as error:
            raise pytest.UsageError(f"--roundel-compare {error}") from None


def pytest_unconfigure() -> None:
    _adapters.uninstall()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    # before any are left out by -k or -m
    if any("::" in argument for argument in config.args) or "PYTEST_XDIST_WORKER" in os.environ:
        return
    nodes = {item.nodeid for item in items}
    testing.forget_gone(nodes, {node.split("::")[0] for node in nodes}, config.rootpath)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    session = item.config.stash[SESSION]
    folder = item.config.getini("roundel_golden")
    session.golden = item.config.rootpath / folder if folder else item.path.parent / "golden"
    session.test = testing.name_of_test(item.nodeid)
    session.node = item.nodeid
    session.used.pop(session.test, None)
    session.collected = [] if session.soft else None
    try:
        result = yield
        if session.collected:
            pytest.fail(testing.joined(session.collected), pytrace=False)
        return result
    finally:
        session.test = session.node = session.collected = None


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        found = session.config.stash[SESSION]
        output[TESTED], output[NAMED] = found.tested, sorted(found.named)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker of pytest-xdist has ended."""
    output = getattr(node, "workeroutput", {})
    testing.session.tested.update(output.get(TESTED, {}))
    testing.session.named.update(output.get(NAMED, ()))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    session = config.stash[SESSION]
    for message in session.messages:
        terminalreporter.write_line(message)
    for name in testing.unknown_names():
        terminalreporter.write_line(f"--roundel-bless: no test of this run has a golden of the name {name}")
    report = testing.write_report()
    testing.write_tested()
    names = [record["name"] for record in testing.failures() if record["run"] == session.run]
    if names:
        count = "1 golden fails" if len(names) == 1 else f"{len(names)} goldens fail"
        terminalreporter.section("pictures")
        terminalreporter.write_line(f"{count}: {report}")
        terminalreporter.write_line(f"if the new pictures are right: {testing.approval(names)}")
    if config.getoption("--roundel-untested"):
        _list_untested(terminalreporter, config, session.tested)


def _list_untested(terminalreporter: Any, config: pytest.Config, tested: Container[str]) -> None:
    folder = config.getini("roundel_golden")
    root = config.rootpath
    folders = [root / folder] if folder else [path for path in root.rglob("golden") if path.is_dir()]
    found = testing.untested(folders, tested)
    terminalreporter.section("goldens without a test")
    for file in found:
        terminalreporter.write_line(os.path.relpath(file))
    terminalreporter.write_line(f"{len(found)} in all; those of tests that did not run count, too")


def _run() -> str:
    """A text that the processes of a test run share: workers of pytest-xdist inherit it."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        os.environ[RUN] = f"{os.getpid()} {time.time_ns()}"
    return os.environ.get(RUN, "")
