"""The installed program, as a user meets it: a run in the terminal, a window on a screen, an orderly end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtGui import QImage

WIDTH, HEIGHT = 1280, 800
PICTURES = 12
PATIENCE_S, END_S = 60.0, 10.0


def main(program: str, picture: str) -> None:
    """Try `program`; its window is saved as `picture`."""
    with tempfile.TemporaryDirectory() as home:
        check_headless(program, environment(home))
        check_bad_input(program, environment(home))
        check_own_task(program, environment(home), Path(home) / "mine.py")
        check_window(program, environment(home), Path(picture))


def environment(home: str) -> dict[str, str]:
    """This process's environment, without the user's settings and without what would choose a platform."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("QT_", "XDG_", "WAYLAND"))
    }
    return {**kept, "HOME": home, "XDG_RUNTIME_DIR": home}


def check_headless(program: str, env: dict[str, str]) -> None:
    """Twenty steps as JSON lines: each step once, and a last line that says that the gradients are equal."""
    command = [program, "run", "--headless", "--steps", "20", "--format", "jsonl"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
    expect(done.returncode == 0, f"{' '.join(command[1:])} ended with {done.returncode}: {done.stderr}")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    steps = [event["step"] for event in events if event["event"] == "step_finished"]
    expect(steps == list(range(1, 21)), f"the steps told were {steps}")
    last = events[-1]
    expect((last["event"], last["steps"]) == ("run_finished", 20), f"the last line is {last}")
    compared = last["comparison"]
    expect(compared["verdict"].startswith("equal"), f"the comparison is {compared}")
    expect(compared["relative_error"] < 1e-5, f"the comparison is {compared}")
    expect(last["loss_accumulated"] < events[0]["guessing_loss"], f"nothing was learned: {last}")
    print(f"20 steps in the terminal: {compared['verdict']}, loss {last['loss_accumulated']:.3f}")


def check_own_task(program: str, env: dict[str, str], file: Path) -> None:
    """The file that is printed to begin with trains as it is."""
    printed = subprocess.run(
        [program, "task", "--template"], env=env, capture_output=True, text=True, timeout=60
    )
    expect(printed.returncode == 0, f"task --template ended with {printed.returncode}: {printed.stderr}")
    file.write_text(printed.stdout, "utf-8")
    command = [program, "run", "--headless", "--task", f"{file}:circle", "--steps", "5", "--format", "jsonl"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
    expect(done.returncode == 0, f"the printed task ended with {done.returncode}: {done.stderr}")
    compared = json.loads(done.stdout.splitlines()[-1])["comparison"]
    expect(compared["verdict"].startswith("equal"), f"the comparison is {compared}")
    print(f"5 steps of a task of one's own: {compared['verdict']}")


def check_bad_input(program: str, env: dict[str, str]) -> None:
    """A mistake is exit code 2 and one line on stderr."""
    command = [program, "run", "--headless", "--steps", "1", "--preset", "nowhere"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    expect(done.returncode == 2, f"a preset that is not there ended with {done.returncode}")
    expect("nowhere" in done.stderr, f"the message is {done.stderr!r}")
    expect("Traceback" not in done.stderr and not done.stdout, done.stderr + done.stdout)
    print(f"a preset that is not there: {done.stderr.strip().splitlines()[-1]}")


def check_window(program: str, env: dict[str, str], picture: Path) -> None:
    """The window comes, is painted, goes on being painted, and ends when it is asked to."""
    with virtual_screen() as (display, framebuffer):
        begun = time.monotonic()
        shown = subprocess.Popen(
            [program], env={**env, "DISPLAY": display}, stderr=subprocess.PIPE, text=True
        )
        try:
            wait_for_pictures(1, shown, framebuffer)
            print(f"the window is painted after {time.monotonic() - begun:.1f} s")
            later = wait_for_pictures(PICTURES, shown, framebuffer)
            later.save(str(picture))
            print(f"the run goes on; screenshot with {colours(later)} colours in {picture}")
            shown.send_signal(signal.SIGTERM)
            _, errors = shown.communicate(timeout=END_S)
        finally:
            shown.kill()
        expect(shown.returncode == 143, f"SIGTERM ended it with {shown.returncode}: {errors}")
        expect("Traceback" not in errors and "QThread" not in errors, errors)
        print("SIGTERM ends it with 143")


@contextmanager
def virtual_screen() -> Iterator[tuple[str, Path]]:
    """A screen without a monitor: its name and the file in which its picture lies."""
    with tempfile.TemporaryDirectory() as folder:
        reader, writer = os.pipe()
        command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{WIDTH}x{HEIGHT}x24"]
        command += ["-fbdir", folder, "-nolisten", "tcp"]
        server = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL)
        os.close(writer)
        try:
            with os.fdopen(reader) as answer:
                number = answer.readline().strip()
            expect(bool(number), "Xvfb did not start")
            yield f":{number}", Path(folder) / "Xvfb_screen0"
        finally:
            server.terminate()
            server.wait(10)


def wait_for_pictures(count: int, shown: subprocess.Popen[str], framebuffer: Path) -> QImage:
    """The last of `count` pictures, none of them blank and each unlike the one before."""
    until, seen = time.monotonic() + PATIENCE_S, QImage()
    while time.monotonic() < until:
        if shown.poll() is not None:
            expect(False, f"it ended by itself with {shown.returncode}: {shown.communicate()[1]}")
        image = screenshot(framebuffer)
        if colours(image) > 20 and image != seen:
            seen, count = image, count - 1
            if count == 0:
                return seen
        time.sleep(0.4)
    raise SystemExit(f"smoke test: {count} more pictures were not painted in {PATIENCE_S:.0f} s")


def screenshot(framebuffer: Path) -> QImage:
    """What is on the screen now. The file is in the format of xwd: a header, colours, then rows of BGRX."""
    raw = framebuffer.read_bytes()
    words = [int.from_bytes(raw[at : at + 4], "big") for at in range(0, 100, 4)]
    header_bytes, width, height, stride, colour_entries = words[0], words[4], words[5], words[12], words[19]
    start = header_bytes + 12 * colour_entries
    pixels = raw[start : start + stride * height]
    return QImage(pixels, width, height, stride, QImage.Format.Format_RGB32).copy()


def colours(image: QImage) -> int:
    """How many colours there are on a grid of points."""
    points = ((x, y) for x in range(0, image.width(), 5) for y in range(0, image.height(), 5))
    return len({image.pixel(x, y) for x, y in points})


def expect(holds: bool, sentence: str) -> None:
    """End with the sentence unless what was expected holds."""
    if not holds:
        raise SystemExit(f"smoke test: {sentence}")


if __name__ == "__main__":
    main(*sys.argv[1:])
