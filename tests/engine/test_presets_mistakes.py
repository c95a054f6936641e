"""A hundred wrong presets, made from a good one: each is refused in one line, and none with a traceback."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gradviz import presets
from gradviz.config import ConfigError, RunConfig

GOOD = {
    "title": '"Mine"',
    "about": '"For me."',
    "run.batch": "16",
    "run.micro_batches": "4",
    "run.scaling": '"mean"',
    "run.optimizer": '"sgd"',
    "run.lr": "0.5",
    "run.width": "8",
    "run.seed": "3",
    "run.twin": "false",
}
"""The lines of a good preset."""

WRONG_TYPES = (
    "[]",
    "{}",
    "[[1]]",
    "1979-05-27",
    '""',
    '"many"',
    "-1",
    "1e400",
    "-inf",
    "nan",
    "inf",
    "1.5e3",
)
_NEVER = ("true", "0x_", "'''a\nb'''", "{a = {b = {}}}", "[4, 4, 2]", "99999999999999999999", '"\\u0000"')
_UNKNOWN = (
    "batchs",
    "Batch",
    "n",
    "learning_rate",
    "__class__",
    '"ba tch"',
    '""',
    '"\\u202e"',
    '"a\\nb"',
    "ünï",
)
_CONTRADICTIONS = (
    {"run.micro_batches": "17"},
    {"run.batch": "2000"},
    {"run.sizes": "[4, 4, 2]"},
    {"run.sizes": "[16]"},
    {"run.sizes": "[]"},
    {"run.sizes": "[-1, 17, 0, 0]"},
    {"run.task": '"moons"', "run.model": '"cnn"'},
    {"run.model": '"resnet"'},
    {"run.task": '"nowhere"'},
    {"run.task": '"somewhere.py:make"'},
    {"run.task": '"/etc/passwd:x"'},
    {"run.task": '"../x.py:os.system"'},
    {"run.task": '""'},
)


def text(lines: dict[str, str]) -> str:
    """The file with these lines."""
    top = [f"{key} = {value}" for key, value in lines.items() if not key.startswith("run.")]
    run = [f"{key.removeprefix('run.')} = {value}" for key, value in lines.items() if key.startswith("run.")]
    return "\n".join([*top, "", "[run]", *run, ""])


def wrong() -> Iterator[tuple[str, bytes]]:
    """Names and contents of files that are no presets."""
    good = text(GOOD)
    for key in _UNKNOWN:
        yield f"unknown key {key}", f"{key} = 1\n{good}".encode()
        yield f"unknown setting {key}", f"{good}{key} = 1\n".encode()
    numbers = [key for key in GOOD if key.startswith("run.") and not GOOD[key].startswith('"')]
    for place, value in enumerate(WRONG_TYPES + _NEVER):
        key = numbers[place % len(numbers)]
        yield f"{key} = {value}", text({**GOOD, key: value}).encode()
        yield f"scaling = {value}", text({**GOOD, "run.scaling": value}).encode()
    for value in ("1", "[]", '""', '"  "', '"""\na\nb\n"""', "nan", "1979-05-27"):
        yield f"title = {value}", text({**GOOD, "title": value}).encode()
    for lines in _CONTRADICTIONS:
        yield f"contradiction {lines}", text({**GOOD, **lines}).encode()
    for key in ("title", "about"):
        yield f"without {key}", text({other: v for other, v in GOOD.items() if other != key}).encode()
    yield from _damaged(good)


def _damaged(good: str) -> Iterator[tuple[str, bytes]]:
    dice = random.Random(5)
    for end in (3, 10, 18, good.index("16"), good.index('"mean"') + 3):
        yield f"cut off at {end}", good[:end].encode()
    yield "twice the same key", good.encode() + b"batch = 16\n"
    yield "twice the same table", good.encode() + b"[run]\nbatch = 16\n"
    yield "a table under a number", good.encode() + b"[run.batch]\nx = 1\n"
    yield "run is an array of tables", good.replace("[run]", "[[run]]").encode()
    yield "deep lists", (good + "width = " + "[" * 3000 + "]" * 3000).encode()
    yield "deep tables", (good + "[" + ".".join(["a"] * 3000) + "]\n").encode()
    yield "deep dotted keys", (good + ".".join(["a"] * 5000) + " = 1\n").encode()
    yield "a long number", (good + "card = " + "9" * 5000 + "\n").encode()
    yield "a long name", (good + "x" * 100_000 + " = 1\n").encode()
    yield "a long text", text({**GOOD, "run.scaling": '"' + "x" * 100_000 + '"'}).encode()
    yield "too large", (good + "# " + "x" * 2**20).encode()
    yield "UTF-16", good.encode("utf-16")
    yield "UTF-32", good.encode("utf-32")
    yield "Latin-1", good.replace("For me.", "Für mich.").encode("latin-1")
    yield "a zero byte", good.encode() + b"\0"
    yield "an escape", text({**GOOD, "run.scaling": '"\\u001b[31mred"'}).encode()
    yield "a lone carriage return", good.replace("\n", "\r").encode()
    yield "empty", b""
    yield "blanks", b" \n\t\n"
    yield "a picture", b"\x89PNG\r\n\x1a\n" + dice.randbytes(500)
    yield "an archive", b"PK\x03\x04" + dice.randbytes(500)
    for place in range(4):
        yield f"noise {place}", dice.randbytes(200)


MISTAKES = dict(wrong())


def written(folder: Path, content: bytes) -> Path:
    path = folder / "mine.toml"
    path.write_bytes(content)
    return path


def test_that_what_the_mistakes_are_made_from_is_right(tmp_path: Path) -> None:
    preset = presets.load(written(tmp_path, text(GOOD).encode()))
    assert RunConfig.of(preset.settings).batch == 16


def test_that_there_are_a_hundred_mistakes() -> None:
    assert len(MISTAKES) >= 100


@pytest.mark.parametrize("name", MISTAKES)
def test_that_a_wrong_preset_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        presets.load(written(tmp_path, MISTAKES[name]))
    sentence = str(caught.value)
    assert sentence.isprintable()
    assert "mine.toml" in sentence
    assert len(sentence) < 500
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize(
    "name",
    ["unknown setting batchs", "deep lists", "UTF-16", "a picture", "an escape", "without title"],
)
def test_that_the_command_line_says_that_line_and_ends_with_2(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, MISTAKES[name])
    program = "from gradviz_app.cli import main; main()"
    command = [sys.executable, "-W", "error", "-c", program, "run", "--headless", "--preset", str(path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert line.startswith("gradviz: ")
    assert "mine.toml" in line
