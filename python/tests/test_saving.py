"""Pictures in files and file objects, with resolution and texts."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import roundel

Pillow = pytest.importorskip("PIL.Image")


@pytest.fixture
def image():
    return roundel.circles([(16, 12)], 8, "#d6272880", width=32, height=24, background="#00000000")


@pytest.fixture
def printed():
    return roundel.spheres(np.eye(3), 0.3, width=32, height=24, dpi=300)


def opened(content):
    return Pillow.open(io.BytesIO(content) if isinstance(content, bytes) else content)


def test_a_file_object_gets_the_bytes_of_a_file(image, tmp_path):
    buffer, path = io.BytesIO(), tmp_path / "a.png"
    image.save(buffer)
    image.save(path)
    assert buffer.getvalue() == path.read_bytes()
    with path.open("r+b") as file:
        image.save(file, format="png")
    assert path.read_bytes() == buffer.getvalue()
    with pytest.raises(TypeError, match="path must be the name of a file or a file object, got int"):
        image.save(7)


def test_the_resolution_is_in_the_file_and_in_pillow(image, printed, tmp_path):
    assert image.dpi is None and "dpi" not in image.to_pil().info
    assert printed.dpi == 300 and printed.to_pil().info["dpi"] == (300, 300)
    for name in ("a.png", "a.tif", "a.jpg"):
        printed.save(tmp_path / name)
        image.save(tmp_path / f"own_{name}", dpi=150)
        assert opened(tmp_path / name).info["dpi"] == pytest.approx((300, 300), abs=0.1)
        assert opened(tmp_path / f"own_{name}").info["dpi"] == pytest.approx((150, 150), abs=0.1)
    # through Pillow
    printed.to_pil().save(tmp_path / "b.png", dpi=printed.to_pil().info["dpi"])
    assert opened(tmp_path / "b.png").info["dpi"] == pytest.approx((300, 300), abs=0.1)
    for wrong in (0, -1, float("nan"), "a"):
        with pytest.raises((ValueError, TypeError), match="dpi must be"):
            image.save(tmp_path / "c.png", dpi=wrong)
    assert not (tmp_path / "c.png").exists()


def test_metadata_are_texts_of_a_png(image, tmp_path):
    texts = {"Title": "Protein", "Author": "Gödel", "Description": "α → β", "seed": 7}
    image.save(tmp_path / "a.png", metadata=texts)
    shown = opened(tmp_path / "a.png")
    shown.load()
    assert {name: str(text) for name, text in shown.text.items()} == {name: str(text) for name, text in texts.items()}
    assert np.array_equal(roundel.read_image(tmp_path / "a.png"), image)
    for wrong in ({"": "a"}, {"a" * 80: "a"}, {7: "a"}):
        with pytest.raises(ValueError, match="metadata must have names"):
            image.save(tmp_path / "b.png", metadata=wrong)
    with pytest.raises(ValueError, match="metadata is for PNG"):
        image.save(tmp_path / "b.jpg", metadata=texts)


@pytest.mark.parametrize("name,kind", [("a.png", "PNG"), ("a.JPG", "JPEG"), ("a.tiff", "TIFF"), ("a.webp", "WEBP"), ("a.bmp", "BMP"), ("a.gif", "GIF")])
def test_the_name_says_the_format(image, tmp_path, name, kind):
    image.save(tmp_path / name)
    assert opened(tmp_path / name).format == kind and opened(tmp_path / name).size == (32, 24)


def test_files_without_opacity_have_white_paper(image, tmp_path):
    image.save(tmp_path / "a.bmp")
    shown = np.asarray(opened(tmp_path / "a.bmp"))
    assert shown[0, 0].tolist() == [255, 255, 255] and shown[12, 16].tolist() == pytest.approx([235, 147, 147], abs=2)


def test_the_format_comes_before_the_name(image, tmp_path):
    image.save(tmp_path / "picture", format="png")
    assert opened(tmp_path / "picture").format == "PNG"
    with pytest.raises(ValueError, match="path must end in .png, .jpg"):
        image.save(tmp_path / "picture")
    with pytest.raises(ValueError, match="format must be one of bmp, gif, jpeg"):
        image.save(tmp_path / "picture", format="doc")


def test_16_bits_are_saved_as_png_alone(tmp_path):
    deep = roundel.circles([(4, 4)], 3, width=8, height=8, bits=16)
    deep.save(tmp_path / "a.png", dpi=72, metadata={"a": "b"})
    assert np.array_equal(roundel.read_image(tmp_path / "a.png"), deep)
    with pytest.raises(ValueError, match="no pictures with 16 bits"):
        deep.save(tmp_path / "a.jpg")


def test_a_file_is_replaced_whole_or_not_at_all(image, tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(b"before")
    link = tmp_path / "link.png"
    link.symlink_to(path)
    image.save(link)
    assert link.is_symlink() and path.read_bytes()[:4] == b"\x89PNG"
    path.write_bytes(b"before")
    path.chmod(0o400)
    with pytest.raises(OSError, match="a.png"):
        image.save(path)
    assert path.read_bytes() == b"before" and sorted(file.name for file in tmp_path.iterdir()) == ["a.png", "link.png"]
    path.chmod(0o640)
    image.save(path)
    assert path.stat().st_mode & 0o777 == 0o640, "the new file has the permissions of the old one"
    with pytest.raises(OSError, match="/dev/full"):
        image.save("/dev/full", format="png")
    with pytest.raises(FileNotFoundError):
        image.save(Path("nowhere") / "a.png")
