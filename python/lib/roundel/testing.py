"""Golden images: pictures of tests that are compared with approved ones.

>>> from roundel.testing import assert_matches
>>> def test_dashboard():
...     assert_matches(draw_dashboard(), "dashboard")  # golden/dashboard.png beside the test's file

A picture that differs from its golden, or has none yet, fails the test. The message says how the two differ and names the
files to look at; ``pytest --roundel-bless dashboard`` approves the picture. Without pytest, ``ROUNDEL_BLESS=dashboard`` does. Where the
variable ``CI`` is set nothing is approved, unless ``--roundel-force`` or ``ROUNDEL_FORCE=1`` says so.

:func:`soft` collects the failures of a test instead of ending it at the first.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import re
import shlex
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import _roundel
from ._pictures import Rectangle, compare, pixels_of

__all__ = ["assert_matches", "soft"]

ACTUAL, DIFFERENCE, RECORD = ".actual.png", ".diff.png", ".report.js"
REPORT = "report.html"
NO_GOLDEN = "there is none yet"
# begins the line of a record that this module reads again
OWN = "// python: "


@dataclass
class Session:
    """Where goldens are, where failures go, and what is approved; the pytest plugin sets these."""

    golden: Path = Path("tests/golden")
    output: Path = Path("golden-output")
    report: Path | None = None
    bless: Sequence[str] = ()
    force: bool = False
    soft: bool = False
    """Whether failures of a test are collected until its end."""
    command: str = "ROUNDEL_BLESS={} python …"
    run: str = ""
    test: str | None = None
    node: str | None = None
    """The test as pytest names it."""
    collected: list[str] | None = None
    """Failures of the running test, or of a block of :func:`soft`; ``None`` where the first one ends it."""
    tested: dict[str, str] = field(default_factory=dict[str, str])
    """Files of the goldens that were compared, and their names."""
    named: set[str] = field(default_factory=set[str])
    """Their names."""
    written: dict[str, str] = field(default_factory=dict[str, str])
    """What this run wrote to goldens: hashes of pixels by file."""
    used: dict[str, int] = field(default_factory=dict[str, int])
    messages: list[str] = field(default_factory=list[str])

    @property
    def report_file(self) -> Path:
        return self.report or self.output / REPORT


session = Session()


def assert_matches(
    picture: Any,
    name: str | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    tolerance: float | None = None,
    threshold: float | None = None,
    oklab: float | None = None,
    flip: float | None = None,
    pixels_per_degree: float = 67.0,
    pixels: int | None = None,
    share: float | None = None,
    window: int | None = None,
    ignore_antialiasing: bool = False,
    mask: Iterable[Rectangle] = (),
    mask_image: Any = None,
    mask_transparent: bool = False,
) -> None:
    """Asserts that a picture equals the golden of this name, pixel for pixel unless an option allows more.

    Args:
        picture: An image, a matplotlib figure, a PIL image, a file or an array; see :func:`roundel.compare`.
        name: The golden is ``NAME.png`` in the folder; ``/`` separates folders. Under pytest the name may be left out and
            is then made from the names of the test's file and function, and its parameters.
        folder: The folder of goldens: ``golden`` beside the test's file under pytest, ``tests/golden`` without it.
        tolerance, threshold, oklab, flip, pixels_per_degree, pixels, share, window, ignore_antialiasing, mask, mask_image,
            mask_transparent: What may differ; see :func:`roundel.compare`.

    Raises:
        AssertionError: The picture differs, or there is no golden.
    """
    __tracebackhide__ = True
    name = _checked_name(name)
    golden = Path(folder if folder is not None else session.golden) / f"{name}.png"
    options: dict[str, Any] = {
        "tolerance": tolerance,
        "threshold": threshold,
        "oklab": oklab,
        "flip": flip,
        "pixels_per_degree": pixels_per_degree,
        "pixels": pixels,
        "share": share,
        "window": window,
        "ignore_antialiasing": ignore_antialiasing,
        "mask": mask,
        "mask_image": mask_image,
        "mask_transparent": mask_transparent,
    }
    message = match(name, golden, pixels_of("picture", picture), options)
    if message is None:
        return
    if session.collected is None:
        raise AssertionError(message)
    session.collected.append(message)


@contextlib.contextmanager
def soft() -> Iterator[None]:
    """Goes on after pictures that differ inside a ``with`` block, and fails at its end with all of their messages.

    >>> from roundel.testing import assert_matches, soft
    >>> def test_pages():
    ...     with soft():
    ...         for page in pages():
    ...             assert_matches(page.draw(), page.name)
    """
    __tracebackhide__ = True
    before, session.collected = session.collected, []
    try:
        yield
    finally:
        found, session.collected = session.collected, before
    if found and before is None:
        raise AssertionError(joined(found))
    if before is not None:
        before.extend(found)


def joined(messages: Sequence[str]) -> str:
    """One message of several."""
    return messages[0] if len(messages) == 1 else f"{len(messages)} pictures fail\n\n" + "\n\n".join(messages)


def match(name: str, golden: Path, actual: Any, options: dict[str, Any]) -> str | None:
    """Compares pixels with a golden: the message of the failure, or ``None``. Approves it if that was asked for."""
    session.tested[str(golden.absolute())] = name
    session.named.add(name)
    found, summary, is_corrupt = None, NO_GOLDEN, False
    if golden.exists():
        try:
            expected = _roundel.read_image(golden)
        except (ValueError, OSError) as error:
            summary, is_corrupt = str(error), True
        else:
            found = compare(expected, actual, **options)
            summary = found.summary
            if found:
                _forget(name, earlier_runs=True)
                return None
    if approves(name):
        clash = _written_before(golden, actual)
        if clash is not None:
            return f"golden {name}: {clash}"
        golden.parent.mkdir(parents=True, exist_ok=True)
        _write(golden, _roundel.encode_png(actual))
        _forget(name)
        session.messages.append(f"golden {name}: {summary}; blessed {golden}")
        return None
    return _failure(name, golden, actual, found, summary, is_corrupt=is_corrupt)


def _written_before(golden: Path, actual: Any) -> str | None:
    """Why a golden cannot be written: another test of this run wrote another picture to it."""
    content = hashlib.sha256(repr(actual.shape).encode() + actual.tobytes()).hexdigest()
    before = session.written.setdefault(str(golden.absolute()), content)
    if before == content:
        return None
    return "two tests use this name for different pictures; give each golden a name of its own"


def _checked_name(name: str | None) -> str:
    if name is None:
        if session.test is None:
            raise ValueError("name can be left out under pytest only")
        count = session.used.get(session.test, 0) + 1
        session.used[session.test] = count
        return session.test if count == 1 else f"{session.test}-{count}"
    if not isinstance(name, str):
        raise TypeError(f"name must be a string, got {name!r}")
    name = name.removesuffix(".png")
    parts = name.split("/")
    if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts) or Path(name).is_absolute():
        raise ValueError(f"name must be a path inside the folder of goldens, got {name!r}")
    return name


def name_of_test(node: str) -> str:
    """The name of a golden for a test such as ``tests/test_chart.py::TestPie::test_colors[a-1]``."""
    file, *inner = node.split("::")
    parts = [Path(file).stem, *inner]
    return "/".join(re.sub(r"[^\w.-]+", "-", part).strip("-.") or "test" for part in parts)


def bless_names(values: Iterable[str]) -> list[str]:
    """Names with commas between them, ``.png`` left out."""
    names = [name.strip().removesuffix(".png") for value in values for name in value.split(",")]
    return [name for name in names if name]


def unknown_names() -> list[str]:
    """Names to approve that no golden of the run has."""
    return [name for name in session.bless if name != "all" and name not in session.named]


def _approved() -> list[str]:
    return [*session.bless, *bless_names([os.environ.get("ROUNDEL_BLESS", "")])]


def approves(name: str) -> bool:
    """Whether the golden of this name is to be approved."""
    approved = _approved()
    return (name in approved or "all" in approved) and not is_refused()


def is_refused() -> bool:
    """Whether nothing is approved because this is continuous integration, where a golden that is written is lost or unseen."""
    is_ci = os.environ.get("CI", "").lower() not in ("", "0", "false")
    return is_ci and not session.force and os.environ.get("ROUNDEL_FORCE", "") in ("", "0")


def _failure(name: str, golden: Path, actual: Any, found: Any, summary: str, *, is_corrupt: bool) -> str:
    """Writes the files of a failure; its message."""
    lines = [f"golden {name}: {summary}", f"  expected:   {golden}"]
    try:
        actual_file = _output_file(name, ACTUAL)
        actual_file.parent.mkdir(parents=True, exist_ok=True)
        _write(actual_file, _roundel.encode_png(actual))
        lines.append(f"  actual:     {actual_file}")
        difference_file = _output_file(name, DIFFERENCE)
        if found is not None and found.difference is not None:
            _write(difference_file, _roundel.encode_png(found.difference))
            lines.append(f"  difference: {difference_file}")
        else:
            difference_file.unlink(missing_ok=True)
        record: dict[str, Any] = {
            "name": name,
            "run": session.run,
            "test": session.node,
            "corrupt": is_corrupt,
            "summary": summary,
            "golden": str(golden.absolute()),
            "expected": str(golden.absolute()) if found is not None else None,
            "regions": found.regions[:100] if found is not None else [],
            "share": 1.0 if found is None or not found.compared else found.differing / found.compared,
        }
        _write(_output_file(name, RECORD), _script(record).encode())
        lines.append(f"  report:     {session.report_file}")
    except OSError as error:
        lines.append(f"  not saved:  {error}")
    approved = _approved()
    if approved and is_refused():
        lines.append("  not blessed: CI is set; --roundel-force or ROUNDEL_FORCE=1 approves there")
    elif approved:
        lines.append(f"  not blessed: {', '.join(approved)} names other goldens")
    lines.append(f"if the new picture is right: {approval([name])}")
    if not session.test:
        write_report()
    return "\n".join(lines)


def _script(record: dict[str, Any]) -> str:
    """A failure as ``roundel golden summary`` and the reports of Rust's tests read it: comments, one field a line, and pictures."""
    name, golden = record["name"], Path(record["golden"])
    status = _status(record)
    repository = next((folder for folder in golden.parents if (folder / ".git").exists()), None)
    pictures = {
        "expected": _bytes(golden) if status == "changed" and not record["corrupt"] else None,
        "actual": _bytes(_output_file(name, ACTUAL)),
        "difference": _bytes(_output_file(name, DIFFERENCE)),
    }
    shown = {role: picture for role, picture in pictures.items() if picture is not None}
    ids = {role: f"{name} {number}" for number, role in enumerate(shown)}
    regions = record["regions"]
    entry = {"name": name, "summary": record["summary"], "status": status, "approve": approval([name])}
    entry |= {"region_count": len(regions), "regions": regions, **ids}
    fields = {
        "run": record["run"],
        "golden": str(golden),
        "in repository": str(golden.relative_to(repository)) if repository else "",
        "status": status,
        "summary": record["summary"],
        "approve": approval([name]),
        "share": str(record["share"]),
    }
    lines = [f"// {key}: {_quoted(text)}" for key, text in fields.items()]
    lines += [f"{OWN}{_quoted(record)}", f"// entry: {_quoted(entry)}"]
    for role, picture in shown.items():
        lines.append(f'picture({_quoted(ids[role])}, "image/png", "{base64.b64encode(picture).decode()}");')
    return "\n".join(lines) + "\n"


def _quoted(value: Any) -> str:
    """JSON without blanks that fits into a comment and into an HTML element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return re.sub("[<\x7f-\x9f\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", text)


def _status(record: dict[str, Any]) -> str:
    return "changed" if record["expected"] or record.get("corrupt") else "new"


def _read_record(content: bytes) -> dict[str, Any]:
    """The fields of a record of this module."""
    for line in content.decode().splitlines():
        if line.startswith(OWN):
            record: dict[str, Any] = json.loads(line.removeprefix(OWN))
            return record
    raise ValueError("the record of another program")


def write_tested() -> None:
    """Lists the goldens that this run compared, for ``roundel golden summary``, if the variable ``ROUNDEL_OUTPUT`` asks for its output."""
    if not os.environ.get("ROUNDEL_OUTPUT") or not session.tested:
        return
    session.output.mkdir(parents=True, exist_ok=True)
    lines = [session.run, *(f"{_quoted(name)}\t{_quoted(path)}" for path, name in sorted(session.tested.items()))]
    _write(session.output / "tested.txt", "".join(f"{line}\n" for line in lines).encode())


def approval(names: Sequence[str]) -> str:
    """The command that approves goldens."""
    return session.command.format(shlex.quote(",".join(names)))


def failures() -> list[dict[str, Any]]:
    """The failures that have files at the moment, by name."""
    records: list[dict[str, Any]] = []
    for file in sorted(session.output.rglob(f"*{RECORD}")):
        try:
            records.append(_read_record(file.read_bytes()))
        except (OSError, ValueError):
            # another process removes or writes it, or it is of another program
            continue
    return records


def forget_gone(collected: set[str], files: set[str], root: Path) -> None:
    """Removes failures of tests that no longer exist: not collected from a collected file, or in a file that is gone."""
    for record in failures():
        node = record.get("test")
        if not node:
            continue
        file = node.split("::")[0]
        if (file in files and node not in collected) or not (root / file).exists():
            _forget(record["name"])


def untested(folders: Iterable[Path], tested: Container[str]) -> list[Path]:
    """Goldens in folders that no test compared with."""
    found = {file for folder in folders for file in folder.rglob("*.png") if str(file.absolute()) not in tested}
    return sorted(found)


def write_report() -> Path | None:
    """Writes the report of all failures, or removes it if there are none; its file."""
    file = session.report_file
    cases: list[tuple[Any, ...]] = []
    for record in failures():
        name = record["name"]
        expected = record["expected"]
        cases.append(
            (
                name,
                _status(record),
                record["summary"],
                approval([name]),
                expected,
                _bytes(_output_file(name, ACTUAL)),
                _bytes(_output_file(name, DIFFERENCE)),
                [tuple(region) for region in record["regions"]],
            )
        )
    if not cases and session.report is None:
        file.unlink(missing_ok=True)
        return None
    file.parent.mkdir(parents=True, exist_ok=True)
    _roundel.write_report(file, "Golden images", cases)
    return file


def _forget(name: str, *, earlier_runs: bool = False) -> None:
    """Removes the files of a failure; those of this run stay if another test may have left them."""
    record = _output_file(name, RECORD)
    content = _bytes(record)
    if content is None:
        return
    try:
        run = _read_record(content)["run"]
    except (ValueError, KeyError):
        run = None
    if earlier_runs and run == session.run:
        return
    for ending in (ACTUAL, DIFFERENCE, RECORD):
        try:
            _output_file(name, ending).unlink(missing_ok=True)
        except OSError:
            pass


def _output_file(name: str, ending: str) -> Path:
    return session.output / f"{name}{ending}"


def _bytes(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _write(file: Path, content: bytes) -> None:
    """Replaces a file whole."""
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)
