"""The wheel: every module and every data file of the tree is in it, and nothing is called `app`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = {"gradviz": "gradviz", "app": "gradviz_app", "resources": "gradviz/resources"}
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names in a wheel built from a copy of the tree: building leaves files behind."""
    copy = tmp_path_factory.mktemp("tree")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder, ignore=LEFT_OUT)
    for file in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / file, copy / file)
    out = copy / "wheels"
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run(
        [*command, "--wheel-dir", str(out), "."], cwd=copy, capture_output=True, text=True, timeout=110
    )
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("gradviz-*.whl")
    with zipfile.ZipFile(built) as archive:
        return set(archive.namelist())


def expected_files() -> set[str]:
    return {
        f"{package}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, package in FOLDERS.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_that_every_file_of_the_house_is_in_the_wheel(wheel: set[str]) -> None:
    assert expected_files() - wheel == set()


def test_that_the_wheel_puts_nothing_else_on_a_machine(wheel: set[str]) -> None:
    other = {name for name in wheel - expected_files() if ".dist-info/" not in name}
    assert other == set()


def test_that_the_licence_is_in_the_wheel(wheel: set[str]) -> None:
    assert any(name.endswith("/LICENSE") for name in wheel)
    assert {"gradviz/resources/fonts/OFL.txt", "gradviz/resources/SOURCES.md"} <= wheel


def test_that_the_digits_are_all_there() -> None:
    with resources.files("gradviz.resources").joinpath("digits.npz").open("rb") as file:
        data = np.load(file, allow_pickle=False)
        images, labels = data["images"], data["labels"]
    assert (images.dtype, images.shape, images.max()) == (np.uint8, (1797, 8, 8), 16)
    assert (labels.dtype, labels.shape) == (np.uint8, (1797,))
    # as counted in scikit-learn's copy; the mean grey value tells a mixed-up axis or scale
    assert np.bincount(labels).tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    assert images.mean() == pytest.approx(4.884164, abs=1e-5)
    assert images[0, 0].tolist() == [0, 0, 5, 13, 9, 1, 0, 0]
