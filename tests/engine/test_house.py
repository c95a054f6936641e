"""The rules of the house: who may know whom, how long a file may be, what is listed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from gradviz import tasks

ROOT = Path(__file__).parents[2]
HOUSE = {"gradviz": "gradviz", "app": "gradviz_app", "resources": "gradviz.resources"}
SOURCES = sorted(path for folder in ("gradviz", "app") for path in (ROOT / folder).rglob("*.py"))


def listed_packages() -> list[str]:
    # tomllib is not in Python 3.10, and the list is plain enough
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    found = re.search(r"^packages = \[\n(.*?)^\]", text, re.M | re.S)
    assert found
    return re.findall(r'"([\w.]+)"', found[1])


def packages_in_the_tree() -> list[str]:
    found = []
    for folder, package in HOUSE.items():
        for path in (ROOT / folder).rglob("*.py"):
            below = path.parent.relative_to(ROOT / folder).parts
            found.append(".".join([package, *below]))
    return sorted(set(found))


def test_that_the_engine_is_imported_without_qt() -> None:
    code = """if True:
        import importlib, pkgutil, sys

        class NoQt:
            def find_spec(self, name, path=None, target=None):
                if name.split(".")[0] in ("PySide6", "shiboken6", "pyqtgraph", "gradviz_app"):
                    raise ImportError(f"the engine asked for {name}")

        sys.meta_path.insert(0, NoQt())
        import gradviz
        names = [module.name for module in pkgutil.walk_packages(gradviz.__path__, "gradviz.")]
        for name in names:
            importlib.import_module(name)
        print(*names)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    assert {"gradviz.config", "gradviz.trainer", "gradviz.tasks.digits"} <= set(done.stdout.split())


def test_that_every_package_in_the_tree_is_listed() -> None:
    assert sorted(listed_packages()) == packages_in_the_tree()


def test_that_every_package_has_an_init_file() -> None:
    folders = {path.parent for folder in HOUSE for path in (ROOT / folder).rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_that_no_file_is_too_long_to_be_read_at_once(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 300


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_that_every_file_begins_by_saying_what_it_is_for(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not text.strip() or re.match(r'"""[^"\n]+\.?', text)


@pytest.mark.parametrize("name", tasks.names())
def test_that_a_task_is_described_without_torch(name: str) -> None:
    code = f"import sys; from gradviz import tasks; tasks.find({name!r}); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
    task = tasks.find(name)
    assert task.name == name
    assert task.title
    assert task.models
    assert task.samples > 0


@pytest.mark.parametrize("name", ["", "os", "digit", "digits.py", "__init__", "_private"])
def test_that_what_is_no_task_is_not_found(name: str) -> None:
    with pytest.raises(KeyError):
        tasks.find(name)
