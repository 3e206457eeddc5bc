"""The notebook runs, and docs/notebook.md shows it with its pictures. ROUNDEL_BLESS=notebook writes that page again."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

import pytest

import roundel
from conftest import REPOSITORY

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "pictures.ipynb"
PAGE = REPOSITORY / "docs" / "notebook.md"
PICTURES = REPOSITORY / "docs" / "images" / "notebook"
NOTE = "<!-- Made from python/notebooks/pictures.ipynb by ROUNDEL_BLESS=notebook pytest tests/test_notebook.py. -->"


@pytest.fixture(scope="module")
def notebook() -> Any:
    """The notebook after it has run."""
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "kept without outputs"
    client.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    return notebook


def page_of(notebook: Any) -> tuple[str, dict[str, bytes]]:
    """A page in Markdown, and the pictures that it shows by name."""
    parts, pictures = [NOTE], {}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        for output in cell.outputs:
            data = output.get("data", {})
            if "image/png" in data:
                name = f"{len(pictures) + 1}.png"
                pictures[name] = base64.b64decode(data["image/png"])
                parts.append(f"![{data['text/plain']}](images/notebook/{name})".replace("<", "").replace(">", ""))
            else:
                text = output.get("text") or data["text/plain"]
                parts.append(f"```text\n{text.rstrip()}\n```")
    return "\n\n".join(parts) + "\n", pictures


def test_page_shows_the_notebook_and_its_pictures(notebook: Any, tmp_path: Path):
    text, pictures = page_of(notebook)
    if os.environ.get("ROUNDEL_BLESS") == "notebook":
        PICTURES.mkdir(exist_ok=True)
        PAGE.write_text(text)
        for name, content in pictures.items():
            (PICTURES / name).write_bytes(content)
    assert PAGE.read_text() == text
    assert sorted(file.name for file in PICTURES.iterdir()) == sorted(pictures) and len(pictures) > 6
    for name, content in pictures.items():
        (tmp_path / name).write_bytes(content)
        # numpy's sines may differ between processors, and move a point of a million into the next pixel
        assert roundel.compare(PICTURES / name, tmp_path / name, pixels=20), name
