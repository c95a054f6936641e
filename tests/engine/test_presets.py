"""Presets: those that ship, and every mistake in one's own as one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from configs import configs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradviz import presets
from gradviz.config import ConfigError, RunConfig
from gradviz.presets import Preset

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


def test_that_these_presets_ship() -> None:
    stories = ("adam-hides-it", "bug-looks-better", "digits", "uneven", "unscaled", "wall")
    tasks = ("cnn", "moons", "penguins")
    assert presets.names() == tuple(sorted(stories + tasks))


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
            HEAD + "[run]\nbatch = 4\nmicro_batches = 8\n",
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


def refused(path: Path, preset: Preset) -> str:
    """The sentence with which a preset is not written, after which nothing half-written lies about."""
    before = sorted(Path.cwd().rglob("*"))
    with pytest.raises(ConfigError) as caught:
        presets.save(path, preset)
    assert sorted(Path.cwd().rglob("*")) == before
    assert str(caught.value).isprintable()
    return str(caught.value)


MINE = Preset("mine", "Mine", "For me.", {"micro_batches": 16, "batch": 256})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(configs())
def test_that_what_is_saved_is_the_same_run_when_it_is_loaded(tmp_path: Path, config: RunConfig) -> None:
    told = presets.differing(config)
    presets.save(tmp_path / "mine.toml", Preset("mine", 'A "title"', "About \\ it: ÷ N.", told))
    loaded = presets.load(tmp_path / "mine.toml")
    assert (loaded.name, loaded.title, loaded.about) == ("mine", 'A "title"', "About \\ it: ÷ N.")
    assert RunConfig.of(loaded.settings) == config


def test_that_only_what_differs_is_written(tmp_path: Path) -> None:
    presets.save(tmp_path / "mine.toml", MINE)
    written = (tmp_path / "mine.toml").read_text("utf-8")
    assert written == 'title = "Mine"\nabout = "For me."\n\n[run]\nmicro_batches = 16\n'
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]


def test_that_sizes_stand_for_their_batch_and_their_number() -> None:
    config = RunConfig.of({"sizes": [4, 4, 2], "optimizer": "adam"})
    assert presets.differing(config) == {"sizes": (4, 4, 2), "optimizer": "adam"}


def test_that_a_preset_is_written_over_an_older_one(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + "[run]\nlr = 0.25\n")
    presets.save(path, MINE)
    assert presets.load(path).settings == {"micro_batches": 16}


def test_that_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    assert "cannot be written: " in refused(tmp_path, MINE)
    assert "cannot be written: No such file or directory" in refused(tmp_path / "nowhere" / "x.toml", MINE)
    assert "cannot be written: " in refused(tmp_path / f"{'x' * 300}.toml", MINE)
    assert "cannot be written: its name" in refused(Path("a\0b.toml"), MINE)


@pytest.mark.parametrize("title", ["", " ", "two\nlines"])
def test_that_a_title_that_could_not_be_read_back_is_not_written(tmp_path: Path, title: str) -> None:
    sentence = refused(tmp_path / "mine.toml", Preset("mine", title, "For me.", {}))
    assert "it must be one line of text" in sentence


def test_that_words_that_are_no_text_leave_the_older_file_alone(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD)
    sentence = refused(path, Preset("mine", "\ud800", "For me.", {}))
    assert "cannot be written" in sentence
    assert path.read_text("utf-8") == HEAD


def test_that_a_write_that_fails_in_the_end_leaves_the_older_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    path = written(tmp_path, HEAD)
    monkeypatch.setattr(Path, "replace", refuse)
    assert refused(path, MINE).endswith("cannot be written: Permission denied")
    assert path.read_text("utf-8") == HEAD
