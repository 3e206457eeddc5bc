"""The pytest plugin: names goldens after tests, approves them, and reports failures in one HTML file."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from . import testing


RUN = "ROUNDEL_TEST_RUN"
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
        "--roundel-report", metavar="FILE", help="write the report of failing pictures here, also if there are none"
    )
    parser.addini("roundel_golden", "folder of goldens, relative to the root (default: golden beside the test's file)")
    parser.addini("roundel_output", "folder of the pictures that fail, relative to the root (default: golden-output)")


def pytest_configure(config: pytest.Config) -> None:
    root = config.rootpath
    output = os.environ.get("ROUNDEL_OUTPUT") or config.getini("roundel_output") or "golden-output"
    report = config.getoption("--roundel-report")
    testing.session = config.stash[SESSION] = testing.Session(
        output=root / output,
        report=None if report is None else Path(report).absolute(),
        bless=testing.bless_names(config.getoption("--roundel-bless") or ()),
        command="pytest --roundel-bless {}",
        run=_run(),
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    session = item.config.stash[SESSION]
    folder = item.config.getini("roundel_golden")
    session.golden = item.config.rootpath / folder if folder else item.path.parent / "golden"
    session.test = testing.name_of_test(item.nodeid)
    session.used.pop(session.test, None)
    try:
        return (yield)
    finally:
        session.test = None


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    session = config.stash[SESSION]
    for message in session.messages:
        terminalreporter.write_line(message)
    report = testing.write_report()
    names = [record["name"] for record in testing.failures() if record["run"] == session.run]
    if names:
        count = "1 golden fails" if len(names) == 1 else f"{len(names)} goldens fail"
        terminalreporter.section("pictures")
        terminalreporter.write_line(f"{count}: {report}")
        terminalreporter.write_line(f"if the new pictures are right: {testing.approval(names)}")


def _run() -> str:
    """A text that the processes of a test run share: workers of pytest-xdist inherit it."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        os.environ[RUN] = f"{os.getpid()} {time.time_ns()}"
    return os.environ.get(RUN, "")
