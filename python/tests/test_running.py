"""Threads, signals, processes and memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import roundel
from conftest import REPOSITORY

SMALL = {"width": 160, "height": 120}


def run(code: str) -> subprocess.CompletedProcess[str]:
    """Runs a program where no folder is called as the package is."""
    command = [sys.executable, "-c", textwrap.dedent(code)]
    return subprocess.run(command, text=True, capture_output=True, timeout=120, cwd=REPOSITORY / "docs")


def test_other_threads_run_while_a_picture_is_drawn(cloud):
    seen, done = [], threading.Event()

    def count():
        while not done.is_set():
            seen.append(time.perf_counter())
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    began = time.perf_counter()
    roundel.spheres(cloud, 0.1, ao=64, samples=16, width=320, height=240)
    ended = time.perf_counter()
    done.set()
    counter.join()
    assert sum(began < moment < ended for moment in seen) > 10


def test_one_renderer_serves_several_threads(cloud):
    renderer = roundel.Renderer(threads=2)
    expected = renderer.spheres(cloud, 0.1, **SMALL)
    images: list[roundel.Image] = []

    def draw():
        images.extend(renderer.spheres(cloud, 0.1, **SMALL) for _ in range(5))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(images) == 20 and all(image == expected for image in images)


def test_arrays_that_change_while_they_are_drawn_crash_nothing(cloud):
    positions, done = np.repeat(cloud, 50, axis=0), threading.Event()
    radii, colors = np.full(len(positions), 0.1, np.float32), np.zeros((len(positions), 3), np.uint8)
    assert positions.dtype == np.float32, "which is borrowed"

    def disturb():
        generator = np.random.default_rng(2)
        while not done.is_set():
            rows = generator.integers(0, len(positions), 1000)
            # refused calls leak nothing, even after drawing began
            for bad in (np.nan, np.inf):
                positions[rows], radii[rows] = bad, bad
                positions[rows], radii[rows] = generator.choice([1e30, 0.0, -5.0, 0.3]), generator.choice([0.0, 0.1, 1e10])
            colors[rows] += 1
            time.sleep(0.001)

    disturber = threading.Thread(target=disturb)
    disturber.start()
    fixed = {"eye": (0, 0, 20), "target": (0, 0, 0)}
    looks = ({"shadows": True}, {"look": "illustrative"}, {"look": "headlight", "ao": 4, "shadows": True}, {"arrays": "index"})
    renderer, drawn = roundel.Renderer(), 0
    try:
        for options in (*looks, *({**look, **fixed} for look in looks)):
            try:
                assert renderer.spheres(positions, radii, colors, **options, **SMALL).size == (160, 120)
                drawn += 1
            except (ValueError, RuntimeError):
                pass
    finally:
        done.set()
        disturber.join()
    assert drawn > 0
    # what was drawn of changing arrays does not show in later pictures
    positions[:], radii[:] = np.repeat(cloud, 50, axis=0), 0.1
    for look in looks:
        assert renderer.spheres(positions, radii, colors, **look, **SMALL) == roundel.spheres(positions, radii, colors, **look, **SMALL)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_control_c_stops_a_long_render():
    # the child reports how long the render went on after the signal
    found = run(
        """
        import os, signal, threading, time
        import numpy as np, roundel
        positions = np.random.default_rng(1).normal(size=(20_000, 3))
        sent = []
        def interrupt():
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(1.0, interrupt).start()
        try:
            roundel.spheres(positions, 0.05, ao=16, samples=16, width=8000, height=6000)
        except KeyboardInterrupt:
            print("stopped", time.perf_counter() - sent[0])
        # and the next picture is drawn
        print(roundel.spheres(positions[:10], 0.1, width=32, height=24))
        """
    )
    assert found.stdout.startswith("stopped ") and "32x24" in found.stdout, found
    # not a measurement: without the signal it takes half an hour
    assert float(found.stdout.split()[1]) < 60


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_control_c_during_preparation_spoils_no_later_picture():
    # millions of spheres are sorted into a hierarchy, clusters and lists before the first pixel
    found = run(
        """
        import signal
        import numpy as np, roundel
        positions = np.random.default_rng(1).uniform(size=(4_000_000, 3)).astype(np.float32)
        def draw(renderer):
            return renderer.spheres(positions, 0.004, ao="smooth", shadows=True, samples=1, width=64, height=48)
        renderer, stopped = roundel.Renderer(), 0
        for delay in (0.005, 0.02, 0.05, 0.1, 0.2, 0.4):
            signal.setitimer(signal.ITIMER_REAL, delay)
            signal.signal(signal.SIGALRM, signal.default_int_handler)
            try:
                draw(renderer)
            except KeyboardInterrupt:
                stopped += 1
            signal.setitimer(signal.ITIMER_REAL, 0)
        print(stopped > 0, draw(renderer) == draw(roundel.Renderer()))
        """
    )
    assert found.stdout == "True True\n", found


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_control_c_stops_reading(tmp_path):
    # a pipe that nobody writes to
    pipe = tmp_path / "endless.xyz"
    os.mkfifo(pipe)
    found = run(
        f"""
        import os, signal, threading
        import roundel
        writer = os.open({str(pipe)!r}, os.O_RDWR)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            roundel.read({str(pipe)!r})
        except KeyboardInterrupt:
            print("stopped", len(roundel.read("scenes/caffeine.xyz")))
        """
    )
    assert found.stdout == "stopped 24\n", found


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_process_draws():
    found = run(
        """
        import os, signal
        import numpy as np, roundel
        positions = np.random.default_rng(1).normal(size=(1000, 3))
        renderer = roundel.Renderer()
        expected = renderer.spheres(positions, 0.1, positions[:, 0], width=64, height=48)
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            same = renderer.spheres(positions, 0.1, positions[:, 0], width=64, height=48) == expected
            os._exit(0 if same and roundel.read("scenes/caffeine.xyz", width=8, height=8).render() else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    assert found.stdout == "0\n", found


def test_exception_of_a_signal_handler_is_raised(cloud):
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        pytest.skip("signals come to the main thread")

    class Stop(Exception):
        pass

    def handler(*_):
        raise Stop

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(Stop):
            roundel.spheres(cloud, 0.1, ao=16, samples=16, width=8000, height=6000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
