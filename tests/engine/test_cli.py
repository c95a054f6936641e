"""The command line: every mistake is one line on stderr and exit code 2, data goes to stdout."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gradviz import presets, tasks
from gradviz.config import FIELDS, RunConfig
from gradviz.tasks import Problem, digits
from gradviz_app import cli, commands  # noqa: TID251  (the commands know no Qt either until they need it)

RUN = ["run", "--headless", "--threads", "1"]
PNG = ["render", "--out", "x.png"]
NO_DISPLAY = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}


def call(patch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The exit code of `gradviz` with these arguments, in this process."""
    patch.setattr(sys, "argv", ["gradviz", *arguments])
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        cli.main()
    except SystemExit as end:
        return int(end.code or 0)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return 0


def command(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """`gradviz` as a process of its own, where no display is."""
    environment = {name: value for name, value in os.environ.items() if name not in NO_DISPLAY}
    program = "from gradviz_app.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([*RUN, "--batchs", "3"], "No such option '--batchs'"),
        (["trian"], "No such command 'trian'"),
        ([*RUN, "more"], "Got unexpected extra argument (more)"),
        ([*RUN, "--lr"], "'--lr' requires an argument"),
        ([*RUN, "--lr", "fast"], "--lr: learning rate is 'fast'; it must be a number from 0.000001 to 100"),
        ([*RUN, "--lr", "0"], "--lr: learning rate is 0; it must be a number from 0.000001 to 100"),
        ([*RUN, "--lr", "nan"], "--lr: learning rate is nan; it must be a number"),
        ([*RUN, "--lr", "inf"], "--lr: learning rate is inf; it must be a number"),
        (
            [*RUN, "--batch", "2.5"],
            "--batch: batch B is '2.5'; it must be a whole number from 1 to the task's samples",
        ),
        ([*RUN, "--batch", "0"], "--batch: batch B is 0; it must be a whole number from 1"),
        ([*RUN, "--batch", "1798"], "--batch: batch B is 1798, but digits has 1797 samples"),
        ([*RUN, "-n", "257"], "-n: micro-batches N is 257, more than the 256 samples of a batch"),
        ([*RUN, "--micro-batches", "-1"], "-n: micro-batches N is -1; it must be a whole number"),
        ([*RUN, "--width", "513"], "--width: width is 513; it must be a whole number from 1 to 512"),
        ([*RUN, "--depth", "9"], "--depth: depth is 9; it must be a whole number from 0 to 8"),
        ([*RUN, "--scaling", "sum"], "--scaling: scaling is 'sum'; it must be mean, unscaled or samples"),
        (
            [*RUN, "--optimizer", "lion"],
            "--optimizer: optimizer is 'lion'; it must be sgd, momentum, adam or adamw",
        ),
        ([*RUN, "--activation", "elu"], "--activation: activation is 'elu'; it must be tanh, relu or gelu"),
        (
            [*RUN, "--precision", "float16"],
            "--precision: precision is 'float16'; it must be float32, float64 or bfloat16",
        ),
        ([*RUN, "--lanes", "none"], "--lanes: lanes is 'none'; it must be both, accumulated or full"),
        ([*RUN, "--task", "mnist"], "--task: task is 'mnist'; it must be digits, moons, penguins or a file"),
        ([*RUN, "--task", "mine.py:make"], "--task: there is no file 'mine.py'"),
        ([*RUN, "--task", "mine.py"], "--task: there is no file 'mine.py'"),
        (["--task", "moons:points"], "--task: 'moons' is not the name of a Python file; write FILE.py:NAME"),
        ([*RUN, "--model", "vit"], "--model: model is 'vit'; task digits has mlp, cnn"),
        (
            [*RUN, "--model", "cnn", "--depth", "2"],
            "--depth: depth has no effect on the cnn of digits; leave",
        ),
        ([*RUN, "--task", "penguins", "-B", "3"], "No such option '-B'"),
        (
            [*RUN, "--task", "penguins", "--batch", "334"],
            "--batch: batch B is 334, but penguins has 333 samples",
        ),
        ([*RUN, "--sizes", "4,4,"], "--sizes: sizes is '4,4,'; it must be a list of whole numbers"),
        ([*RUN, "--sizes", "4,0"], "--sizes: sizes is [4, 0]; it must be a list of whole numbers"),
        ([*RUN, "--sizes", "4,4", "-n", "3"], "--sizes: sizes has 2 entries for 3 micro-batches"),
        (["task", "digits"], "Got unexpected extra argument (digits)"),
        ([*RUN, "--device", "gpu"], "--device: device is 'gpu'; it must be auto, cpu, cuda, cuda:1 or mps"),
        ([*RUN, "--device", "cuda:99"], "device cuda:99 is not on this machine, which has cpu"),
        ([*RUN, "--threads", "0"], "--threads: threads is 0; it must be a whole number from 1 to 256"),
        ([*RUN, "--seed", "-1"], "--seed: seed is -1; it must be a whole number from 0 to 2147483647"),
        ([*RUN, "--card", "big"], "--card: 'big' is not a size; write a number and B, KiB"),
        ([*RUN, "--card", "1B"], "--card: card is 1; it must be a size from 1.0 KiB to"),
        ([*RUN, "--preset", "unscale"], "there is no preset or file 'unscale'"),
        ([*RUN, "--preset", "."], "'.' is a directory, not a preset"),
        ([*RUN, "--preset", "uneven", "-n", "11"], "-n: micro-batches N is 11, more than the 10 samples"),
        ([*RUN, "--steps", "0"], "Invalid value for '--steps'"),
        ([*RUN, "--steps", "many"], "Invalid value for '--steps'"),
        ([*RUN, "--format", "xml"], "Invalid value for '--format'"),
        (["run"], "a run without a window needs --headless"),
        (["--lr", "1", "run", "--headless"], "options come after 'run', not before it"),
        (["--paused", *RUN], "options come after 'run', not before it"),
        (["--theme", "blue"], "Invalid value for '--theme'"),
        (["--steps", "3"], "No such option '--steps'"),
        (["--lr", "0"], "--lr: learning rate is 0; it must be a number"),
        (["--preset", "nowhere"], "there is no preset or file 'nowhere'"),
        (["render"], "Missing option '--out'"),
        (["render", "--out", "x.gif"], "x.gif does not end in .png"),
        (["render", "--out", "nowhere/x.png"], "there is no folder "),
        (["render", "--out", "."], "Invalid value for '--out'"),
        ([*PNG, "--size", "big"], "--size is 'big'; it must be WxH, from 640x400 to 7680x4320"),
        ([*PNG, "--size", "639x400"], "--size is '639x400'; it must be WxH"),
        ([*PNG, "--size", "99999x99999"], "--size is '99999x99999'; it must be WxH"),
        ([*PNG, "--micro-batch", "9"], "--micro-batch is 9, but a window has 8"),
        ([*PNG, "--steps", "0"], "--steps 0 needs --micro-batch"),
        ([*PNG, "--theme", "system"], "Invalid value for '--theme'"),
        ([*PNG, "--batch", "0"], "--batch: batch B is 0; it must be a whole number"),
        ([*PNG, "--device", "cuda:99"], "device cuda:99 is not on this machine"),
    ],
)
def test_that_a_mistake_in_the_options_is_one_line_and_code_2(
    arguments: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    # render sets it for the whole process
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert call(monkeypatch, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("gradviz: ")
    assert sentence in err
    assert err.count("\n") == 1
    assert err.endswith("\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[run", "'mine.toml' is not TOML: "),
        ("about = 'x'\n", "'mine.toml': title is missing"),
        ("title = 'x'\nabout = 'x'\nlr = 1\n", "'mine.toml': unknown key 'lr'; settings belong under [run]"),
        (
            "title = 'x'\nabout = 'x'\n[run]\nbatch = 0\n",
            "'mine.toml': [run] batch: batch B is 0; it must be",
        ),
        (
            "title = 'x'\nabout = 'x'\n[run]\nsizes = [4, 2]\nbatch = 7\n",
            "'mine.toml': [run] sizes: sizes add up",
        ),
    ],
)
@pytest.mark.parametrize("before", [RUN, PNG, []])
def test_that_a_mistake_in_a_preset_is_one_line_and_code_2(
    before: list[str],
    text: str,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("mine.toml").write_text(text, "utf-8")
    assert call(monkeypatch, *before, "--preset", "mine.toml") == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"gradviz: {sentence}")


def test_that_every_setting_is_an_option_of_every_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for before in ([], ["run"], ["render"]):
        assert call(monkeypatch, *before, "--help") == 0
        told = capsys.readouterr().out
        missing = [name for name in FIELDS if f"--{name.replace('_', '-')}" not in told]
        assert missing == []
        # lines are broken within names too
        assert all(name in "".join(told.split()) for name in presets.names())


def test_that_without_a_display_the_window_says_what_to_do_instead(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in NO_DISPLAY:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert call(monkeypatch) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "gradviz run --headless" in err


def test_that_json_lines_are_objects_and_the_last_one_has_the_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        call(monkeypatch, *RUN, "--steps", "3", "--format", "jsonl", "--preset", "unscaled", "-n", "4") == 0
    )
    out, err = capsys.readouterr()
    assert err == ""
    lines = [json.loads(line, parse_constant=pytest.fail) for line in out.splitlines()]
    assert [line["step"] for line in lines if line["event"] == "step_finished"] == [1, 2, 3]
    last = lines[-1]
    assert (last["event"], last["steps"], last["micro_batches"]) == ("run_finished", 3, 4)
    assert last["comparison"]["ratio"] == pytest.approx(4, rel=1e-5)
    assert (last["threads"], last["scaling"], last["lr"]) == (1, "unscaled", 0.5)


def test_that_an_option_wins_over_the_preset_and_brings_its_own_default(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--preset", "bug-looks-better", "--optimizer", "adam", "--card", "1MiB"]
    assert call(monkeypatch, *RUN, "--steps", "1", "--format", "jsonl", *arguments) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])["config"]
    assert (first["optimizer"], first["lr"], first["scaling"], first["card"]) == (
        "adam",
        0.01,
        "unscaled",
        2**20,
    )


def test_that_the_text_is_a_table_with_about_twenty_rows_and_a_conclusion(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, *RUN, "--steps", "60", "--preset", "adam-hides-it") == 0
    out, err = capsys.readouterr()
    assert err == ""
    rows = [line.split() for line in out.splitlines() if line.lstrip()[:1].isdigit() and "×" in line]
    assert [int(row[0]) for row in rows] == [1, *range(3, 61, 3)]
    assert "60 steps; full batch training, accumulated training." in out
    assert "Step 60, gradient at the accumulated run's own weights: 8.000 × too large" in out
    assert "Adam divides the factor out, so the loss hides it." in out


def test_that_the_same_run_says_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for _ in range(2):
        assert call(monkeypatch, *RUN, "--steps", "5", "--format", "jsonl") == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]


@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_that_a_run_that_fails_says_so_and_ends_with_code_1(
    form: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    expect_log: Callable[[str], None],
) -> None:
    expect_log("the data is gone")

    def build(*_: object) -> Problem:
        raise RuntimeError("the data is gone\nand more")

    task = digits.TASK
    broken = dataclasses.replace(task, build=build)
    monkeypatch.setattr(digits, "TASK", broken)
    assert call(monkeypatch, *RUN, "--steps", "3", "--format", form) == 1
    out, err = capsys.readouterr()
    assert "gradviz: the run failed: RuntimeError while the model was built: the data is gone" in err
    assert out == "" or json.loads(out.splitlines()[-1])["event"] == "run_failed"


def test_that_the_tasks_are_listed_with_their_models(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "task") == 0
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()] == list(tasks.names())
    assert out.startswith("digits     mlp, cnn   1797 real handwritten digits")
    assert "gradviz task --template" in err


def test_that_the_template_runs_as_it_is_and_may_be_named_by_a_preset(tmp_path: Path) -> None:
    template = command("task", "--template", cwd=tmp_path)
    assert (template.returncode, template.stderr) == (0, "")
    (tmp_path / "mine.py").write_text(template.stdout, "utf-8")
    text = 'title = "t"\nabout = "a"\n[run]\ntask = "mine.py:circle"\nbatch = 60\n'
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    words = ["--task", "mine.py:circle", "--preset", "mine.toml", "--steps", "5", "--format", "jsonl"]
    done = command(*RUN, *words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    last = json.loads(done.stdout.splitlines()[-1])
    assert (last["event"], last["steps"], last["batch"], last["model"]) == (
        "run_finished",
        5,
        60,
        "Sequential",
    )
    assert last["task"] == f"{(tmp_path / 'mine.py').resolve()}:circle"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.py", "mine.toml"]


NOISY = """import torch
from torch import nn
class Noisy(nn.Linear):
    def forward(self, x):
        print("forward")
        return super().forward(x)
def make():
    print("make")
    return dict(model=Noisy(2, 1), inputs=torch.ones(9, 2), targets=torch.ones(9),
                loss=lambda o, t: (o[:, 0] - t) ** 2)
"""


def test_that_stdout_is_for_data_whatever_a_task_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tasks, "_admitted", {})
    Path("mine.py").write_text(NOISY, "utf-8")
    words = ["--task", "mine.py:make", "--steps", "2", "--format", "jsonl"]
    assert call(monkeypatch, *RUN, *words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out.splitlines()[0])["config"]["batch"] == 9
    assert all(json.loads(line) for line in out.splitlines())
    # and settings that such a task does not obey are refused
    assert call(monkeypatch, *RUN, *words, "--width", "8") == 2
    assert (
        capsys.readouterr().err == "gradviz: --width: width has no effect on mine.py:make; leave it alone\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_that_a_signal_while_a_task_is_tried_ends_both_processes_quietly(
    number: signal.Signals, tmp_path: Path
) -> None:
    hangs = "import os, time\nf = open('pid', 'w')\nprint(os.getpid(), file=f, flush=True)\ntime.sleep(60)\n"
    (tmp_path / "mine.py").write_text(hangs, "utf-8")
    program = [sys.executable, "-c", "from gradviz_app.cli import main; main()"]
    with subprocess.Popen(
        [*program, *RUN, "--task", "mine.py:make"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        while not ((tmp_path / "pid").exists() and (tmp_path / "pid").read_text()):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    # the terminal has written ^C
    assert (process.returncode, out, err.strip()) == (128 + number, b"", b"")
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_that_a_process_of_its_own_trains_and_says_nothing_on_stderr(tmp_path: Path) -> None:
    done = command(*RUN, "--steps", "2", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "equal, up to rounding" in done.stdout


def test_that_a_reader_that_goes_away_is_no_error_to_shout_about(tmp_path: Path) -> None:
    program = "from gradviz_app.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", program, *RUN, "--steps", "200", "--format", "jsonl"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1


def test_that_render_needs_no_display_and_gives_the_same_bytes_again(tmp_path: Path) -> None:
    pictures = []
    for name in ("a.png", "b.png"):
        where = ["--out", name, "--steps", "3", "--micro-batch", "2", "--size", "1024x768"]
        done = command("render", "--threads", "1", *where, cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        pictures.append((tmp_path / name).read_bytes())
    assert pictures[0] == pictures[1]
    assert pictures[0].startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "b.png"]


def test_that_options_never_get_around_the_checks() -> None:
    assert commands._config({"preset": "wall", "micro_batches": "32"}) == RunConfig.of(
        {**presets.load("wall").settings, "micro_batches": 32}
    )


def test_that_numbers_are_written_plainly_in_the_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "--help") == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "(a whole number from 0 to 2147483647)" in told
    assert "(a size from 1.0 KiB to 512 TiB" in told
    assert "task's samples" in told
    assert "e+" not in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--preset", "", *RUN], "options come after 'run'"),
        ([*RUN, "--preset", ""], "there is no preset or file ''"),
        (["--no-twin", *RUN], "options come after 'run'"),
        ([*RUN, "--batch", "9" * 5000], "--batch: batch B is "),
        ([*RUN, "--lr", "9" * 5000], "--lr: learning rate is "),
        ([*PNG, "--size", "9" * 5000], "--size is "),
        ([*PNG, "--lanes", "full", "--micro-batch", "1"], "--micro-batch: the full-batch lane alone takes"),
    ],
)
def test_that_what_is_odd_is_still_one_short_line(
    arguments: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert call(monkeypatch, *arguments) == 2
    _, err = capsys.readouterr()
    assert err.startswith(f"gradviz: {sentence}")
    assert err.count("\n") == 1
    assert len(err) < 260


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
def test_that_a_full_disk_is_one_line_and_code_1(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", "from gradviz_app.cli import main; main()", *RUN, "--steps", "2"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, "gradviz: No space left on device\n")


DIVERGES = ["--batch", "64", "-n", "64", "--scaling", "unscaled", "--lr", "20", "--activation", "relu"]


def test_that_a_run_that_stops_early_says_when_and_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, *RUN, "--steps", "60", "--lanes", "accumulated", *DIVERGES) == 0
    out, _ = capsys.readouterr()
    (line,) = [line for line in out.splitlines() if line.startswith("Stopped after step ")]
    assert line.endswith(": accumulated diverged; 60 steps were asked for.")
    assert call(monkeypatch, *RUN, "--steps", "60", *DIVERGES) == 0
    out, _ = capsys.readouterr()
    assert "60 steps; full batch training, accumulated diverged." in out


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--lanes", "accumulated"], "the run ended with step "),
        (["--micro-batch", "2"], "step 61 takes no micro-batches: the accumulated run has diverged"),
    ],
)
def test_that_a_picture_of_a_run_that_ended_early_says_so(
    more: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    done = command(
        "render", "--threads", "1", "--out", "a.png", "--steps", "60", *DIVERGES, *more, cwd=tmp_path
    )
    assert done.returncode == 0
    assert done.stderr.startswith(f"gradviz: {sentence}")
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "a.png").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "module", ["click", "gradviz.config", "PySide6.QtWidgets", "gradviz_app.main_window", "torch"]
)
def test_that_a_signal_while_the_program_is_read_ends_it_quietly(
    number: signal.Signals, module: str, tmp_path: Path
) -> None:
    """The signal comes at the moment at which the module is asked for, whatever is on its way then."""
    program = f"""
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {int(number)})
sys.meta_path.insert(0, Finder())
from gradviz_app.cli import main
main()
"""
    arguments = [*RUN, "--steps", "1"] if module == "torch" else []
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=tmp_path,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (128 + number, "", "")
