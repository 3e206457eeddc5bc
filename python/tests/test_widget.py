"""The widget of notebooks: what the kernel does, and the whole of it in a browser with a real Jupyter server."""

from __future__ import annotations

import base64
import io
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import roundel
from conftest import REPOSITORY
from roundel._widget import Session

CAFFEINE = REPOSITORY / "docs/scenes/caffeine.xyz"
PAIR = np.array([[0.0, 0, 0], [3, 0, 0]])
OPTIONS = {"radii": 1.0, "colors": ["#d62728", "#1f77b4"], "eye": (1.5, 0, 12), "target": (1.5, 0, 0), "look": "flat"}


def session(**options: Any) -> Session:
    scene, _ = roundel._drawing.sphere_scene(PAIR, **OPTIONS, width=64, height=48, **options)
    return Session(scene, (64, 48), {})


def rest(view: Session, events: str) -> dict[str, Any]:
    """The state when nothing is left to draw."""
    state, _ = view.answer(events)
    deadline = time.monotonic() + 30
    while not state["idle"] and time.monotonic() < deadline:
        time.sleep(0.01)
        state, _ = view.answer("")
    assert state["idle"] and state["quality"] == "finished"
    return state


def test_picture_at_rest_is_that_of_spheres():
    expected = roundel.spheres(PAIR, **OPTIONS, width=64, height=48)
    assert session().image() == expected


def test_drag_turns_wheel_zooms_and_enter_returns():
    view = session()
    first = view.image()
    rest(view, "0 move 32 24\n1 press left\n2 move 50 24\n3 release left")
    turned = view.image()
    rest(view, "4 wheel 3")
    zoomed = view.image()
    assert len({first, turned, zoomed}) == 3
    rest(view, "5 key-down Enter\n6 key-up Enter")
    assert view.image() == first


def test_click_picks_the_row():
    view = session()
    left = roundel.spheres(PAIR, **OPTIONS, width=64, height=48, arrays="index").index
    y, x = (int(places.mean()) for places in np.nonzero(left == 1))
    state = rest(view, f"0 move {x} {y}\n1 press left\n2 release left")
    assert state["picked"]["index"] == 1 and state["picked"]["center"] == [3, 0, 0] and state["picked"]["radii"] == [1]


def test_files_have_records_and_frames():
    view = Session(roundel.read(CAFFEINE, style="spacefill"), (64, 48), {})
    state = rest(view, "0 move 32 24\n1 press left\n2 release left")
    assert state["picked"]["kind"] == "sphere" and state["picked"]["record"]


def test_show_takes_what_spheres_takes():
    pytest.importorskip("anywidget")
    view = roundel.show(PAIR, width=64, height=48, **OPTIONS)
    assert view.image.size == (64, 48) and roundel.read_image
    data, _ = view._repr_mimebundle_()
    assert set(data) == {"text/plain", "image/png", "application/vnd.jupyter.widget-view+json"}
    assert roundel.show(roundel.read(CAFFEINE)).image.size == (640, 480)
    with pytest.raises(TypeError, match="does not take 'look' with a scene: give it to roundel.read"):
        roundel.show(roundel.read(CAFFEINE), look="flat")
    with pytest.raises(TypeError, match="use radii"):
        roundel.show(PAIR, size=2)
    with pytest.raises(TypeError, match="does not take 'parts' with a scene"):
        roundel.show(roundel.read(CAFFEINE), parts=[0])


@pytest.mark.parametrize("origin", [(0, 0, 0), (600_000, 5_000_000, 200)])
@pytest.mark.parametrize("ortho", [False, True])
def test_the_camera_of_a_view_draws_what_it_shows(origin, ortho):
    pytest.importorskip("anywidget")
    positions, options = PAIR + origin, {"radii": 1.0, "look": "flat", "ortho": ortho}
    view = roundel.show(positions, width=64, height=48, **options)
    first = view.image
    rest(view._session, "0 move 32 24\n1 press left\n2 move 50 30\n3 release left")
    image = roundel.spheres(positions, width=64, height=48, **{**options, **view.camera})
    assert view.image != first and roundel.compare(view.image, image, tolerance=2), view.camera
    assert set(view.camera) == {"eye", "target", "up", "ortho_height" if ortho else "fov"}


def test_a_picked_row_is_one_of_those_given():
    pytest.importorskip("anywidget")
    far = np.array([600_000.0, 5_000_000, 200])
    positions = np.array([[np.nan, 0, 0], *PAIR]) + far
    view = roundel.show(positions, 1.0, parts=[0, 1, 2], eye=far + (0, 0, 12), target=far, invalid="skip")
    picked = rest(view._session, "0 move 320 240\n1 press left\n2 release left")["picked"]
    assert picked["index"] == 1 and picked["center"] == far.tolist()


def test_messages_are_answered_with_pictures():
    pytest.importorskip("anywidget")
    view = roundel.show(PAIR, width=64, height=48, **OPTIONS)
    sent: list[Any] = []
    view.send = lambda content, buffers=None: sent.append((content, buffers))
    view._on_message(view, {"view": "a", "events": "0 move 32 24\n1 press left\n2 move 50 30"}, [])
    (content, buffers), = sent
    assert content["view"] == "a" and not content["idle"]
    assert all(picture.startswith(b"\x89PNG") for picture in buffers)


needs_browser = pytest.mark.skipif(
    "ROUNDEL_REQUIRE_CHROMIUM" not in os.environ and shutil.which("chromium") is None, reason="chromium is not installed"
)

NOTEBOOK = """
import numpy as np, roundel
positions = np.random.default_rng(1).normal(size=(300, 3))
view = roundel.show(positions, 0.2, positions[:, 2], width=320, height=240)
view
"""


@pytest.fixture
def server(tmp_path: Path):
    """A Jupyter server with a notebook: its address, and the file."""
    pytest.importorskip("jupyterlab")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(NOTEBOOK.strip())])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    file = tmp_path / "turn.ipynb"
    nbformat.write(notebook, file)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}", "--ServerApp.token=t",
               f"--ServerApp.root_dir={tmp_path}", "--ServerApp.ip=127.0.0.1", "--LabApp.news_url="]
    environment = {**os.environ, "HOME": str(tmp_path), "JUPYTER_CONFIG_DIR": str(tmp_path / "config")}
    log = open(tmp_path / "server.log", "w")
    process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=tmp_path)
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api?token=t", timeout=1)
                break
            except OSError:
                assert process.poll() is None, (tmp_path / "server.log").read_text()[-2000:]
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}", file
    finally:
        process.terminate()
        process.wait(20)
        log.close()


def edit_first_cell(page: Any) -> list[str]:
    """Puts the cursor into the first cell. Accepts what dialogs propose, such as the kernel to start; returns their texts."""
    dialogs: list[str] = []
    while len(dialogs) < 5:
        page.wait_for_timeout(1000)
        if page.locator(".jp-Dialog").count() == 0:
            break
        dialogs.append(page.inner_text(".jp-Dialog"))
        page.click(".jp-Dialog .jp-Dialog-button.jp-mod-accept")
    page.click(".jp-Notebook .jp-Cell .cm-content")
    return dialogs


@needs_browser
def test_widget_in_jupyterlab(server, tmp_path: Path):
    sync_api = pytest.importorskip("playwright.sync_api")
    image = pytest.importorskip("PIL.Image")
    address, file = server
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        page.goto(f"{address}/lab/tree/{file.name}?token=t", timeout=120_000)
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=120_000)
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=120_000)
        dialogs: list[str] = []
        for attempt in range(1, 5):
            # a laboratory that still opens other windows takes the first key for itself
            dialogs += edit_first_cell(page)
            page.keyboard.press("Shift+Enter")
            try:
                canvas = page.wait_for_selector("canvas.roundel-view", timeout=40_000)
                break
            except sync_api.TimeoutError:
                page.screenshot(path=tmp_path / f"attempt-{attempt}.png")
        else:
            pytest.fail(f"no widget after dialogs {dialogs}; see {tmp_path}")
        page.wait_for_function("() => Number(document.querySelector('canvas.roundel-view').dataset.pictures) > 0", timeout=60_000)

        def difference(saved_png: str, shown: Any) -> float:
            picture = image.open(io.BytesIO(base64.b64decode(saved_png))).convert("RGB").resize(shown.shape[1::-1])
            return float(np.abs(np.asarray(picture).astype(int) - shown).mean())

        def shot() -> Any:
            return np.asarray(image.open(io.BytesIO(canvas.screenshot())).convert("RGB")).astype(int)

        first = shot()
        assert len(np.unique(first.reshape(-1, 3), axis=0)) > 50, "spheres are drawn"
        box = canvas.bounding_box()
        x, y = box["x"] + 160, box["y"] + 120
        page.mouse.move(x, y)
        page.mouse.down()
        for step in range(10):
            page.mouse.move(x + 8 * step, y + 3 * step)
            page.wait_for_timeout(30)
        page.mouse.up()
        page.wait_for_function("() => document.querySelector('canvas.roundel-view').dataset.quality === 'finished'", timeout=60_000)
        page.wait_for_timeout(300)
        turned = shot()
        assert np.abs(turned - first).mean() > 1, "a drag turns"
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.up()
        page.wait_for_function("() => document.querySelector('.roundel-line').textContent.startsWith('sphere ')", timeout=60_000)
        # the picture stays in the file when the mouse has left
        page.mouse.move(box["x"] + 160, box["y"] + 400)
        saved: list[Any] = []
        for _ in range(40):
            page.wait_for_timeout(500)
            page.keyboard.press("Control+s")
            outputs = json.loads(file.read_text())["cells"][0]["outputs"]
            saved = [output["data"]["image/png"] for output in outputs if "image/png" in output.get("data", {})]
            if len(saved) == 1 and difference(saved[0], turned) < difference(saved[0], first) / 4:
                break
        browser.close()
    assert len(saved) == 1 and difference(saved[0], turned) < difference(saved[0], first) / 4, "the last picture is saved"
