"""Presets: those that ship, and every mistake in one's own as one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradviz import presets
from gradviz.config import ConfigError, RunConfig

HEAD = 'title = "Mine"\nabout = "For me."\n'


def told(path: str | Path) -> str:
    """The sentence with which a preset is refused."""
    with pytest.raises(ConfigError) as caught:
        presets.load(path)
    assert str(caught.value).isprintable()
    return str(caught.value)


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "mine.toml"
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return path


def run(name: str) -> RunConfig:
    return RunConfig.of(presets.load(name).settings)


def test_that_six_presets_ship() -> None:
    shipped = ("adam-hides-it", "bug-looks-better", "digits", "uneven", "unscaled", "wall")
    assert presets.names() == shipped


@pytest.mark.parametrize("name", presets.names())
def test_that_every_preset_has_a_title_a_sentence_and_a_run(name: str) -> None:
    preset = presets.load(name)
    assert preset.name == name
    assert 0 < len(preset.title) < 30
    assert preset.about.endswith(".")
    assert isinstance(RunConfig.of(preset.settings), RunConfig)


def test_that_the_presets_are_what_their_names_say() -> None:
    assert run("digits") == RunConfig.of({})
    assert run("unscaled") == RunConfig.of({"scaling": "unscaled"})
    assert (run("bug-looks-better").scaling, run("bug-looks-better").lr) == ("unscaled", 0.1)
    assert (run("adam-hides-it").scaling, run("adam-hides-it").optimizer) == ("unscaled", "adam")
    assert (run("uneven").sizes, run("uneven").scaling) == ((4, 4, 2), "mean")
    assert run("wall").batch > run("digits").batch
    assert run("wall").card < run("digits").card


def test_that_a_file_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeff" + HEAD + '[run]\r\nlr = 0.25\ncard = "1MiB"\n')
    preset = presets.load(path)
    assert (preset.name, preset.title, preset.about) == ("mine", "Mine", "For me.")
    assert preset.settings == {"lr": 0.25, "card": "1MiB"}
    assert presets.load(str(path)) == preset


def test_that_a_file_without_a_run_is_the_default_run(tmp_path: Path) -> None:
    assert presets.load(written(tmp_path, HEAD)).settings == {}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (HEAD + "[run\n", "is not TOML: "),
        (HEAD + "[run]\nlr = \n", "(at line 4, column 6)"),
        (HEAD + "[run]\nlr = 1\nlr = 2\n", "is not TOML: "),
        (HEAD + "x = " + "[" * 5000, "is not TOML: "),
        (HEAD + "x = " + "9" * 5000, "is not TOML: "),
        ((HEAD + "# caf").encode() + b"\xe9\n", "is not text in UTF-8: line 3 has a byte that is not"),
        (HEAD + "colour = 1\n", "mine.toml': unknown key 'colour'"),
        (HEAD + "titel = 1\n", "unknown key 'titel'; did you mean 'title'?"),
        (HEAD + "lr = 1\n", "unknown key 'lr'; settings belong under [run]"),
        (HEAD + "run = 3\n", "run is 3; it must be a table of settings, [run]"),
        (HEAD + "[run]\nbatchs = 3\n", "[run]: unknown setting 'batchs'; did you mean 'batch'?"),
        (HEAD + '[run]\nbatch = "3"\n', "[run] batch: batch B is '3'; it must be a whole number from 1"),
        (HEAD + "[run]\nlr = nan\n", "[run] lr: learning rate is nan; it must be a number from"),
        (HEAD + "[run]\nseed = 2024-01-01\n", "[run] seed: seed is datetime.date(2024, 1, 1); it must be"),
        (
            HEAD + "[run]\nbatch = 4\n",
            "[run] micro_batches: micro-batches N is 8, more than the 4 samples of a batch",
        ),
        ('about = "x"\n', 'title is missing; write title = "..." at the top'),
        ('title = "x"\n', 'about is missing; write about = "..." at the top'),
        ('title = 3\nabout = "x"\n', "title is 3; it must be one line of text"),
        ('title = " "\nabout = "x"\n', "title is ' '; it must be one line of text"),
        ('title = "a\\nb"\nabout = "x"\n', "title is 'a\\nb'; it must be one line of text"),
        ("", "title is missing"),
        ("# " + "x" * 2**20, "is larger than 1 MiB"),
    ],
)
def test_that_a_mistake_in_a_file_is_told_with_the_file_and_the_place(
    tmp_path: Path, text: str | bytes, sentence: str
) -> None:
    told_about = told(written(tmp_path, text))
    assert sentence in told_about
    assert "mine.toml" in told_about


def test_that_a_missing_preset_is_told_with_the_names_there_are() -> None:
    sentence = told("unscale")
    assert sentence.startswith("there is no preset or file 'unscale'; there is adam-hides-it, ")
    assert sentence.endswith("did you mean 'unscaled'?")
    assert told("nowhere/mine.toml").startswith("there is no preset or file 'nowhere/mine.toml'")
    assert told("").startswith("there is no preset or file ''")


def test_that_what_is_no_file_is_told(tmp_path: Path) -> None:
    assert told(tmp_path).endswith("is a directory, not a preset")
    assert told("a\0b").startswith("there is no preset or file 'a\\x00b'")
    assert "x" * 20 in told("x" * 5000)


def test_that_a_name_is_never_a_way_to_another_folder() -> None:
    assert told("../presets/digits").startswith("there is no preset or file '../presets/digits'")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.binary(max_size=60) | st.text(max_size=60).map(lambda text: (HEAD + text).encode("utf-8", "replace"))
)
def test_that_any_file_is_a_preset_or_a_config_error_of_one_line(tmp_path: Path, content: bytes) -> None:
    path, sentence = written(tmp_path, content), ""
    try:
        presets.load(path)
    except ConfigError as error:
        sentence = str(error)
    assert not sentence or sentence.isprintable()
