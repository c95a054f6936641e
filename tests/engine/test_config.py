"""RunConfig: the only way in, its ranges, and its sentences."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from typing import Any, get_args

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradviz.config import (
    FIELDS,
    LEARNING_RATES,
    LIVE,
    ConfigError,
    RunConfig,
    allowed,
    choices,
    meta,
    title,
    unit,
)

NUMBERS = [name for name in FIELDS if get_args(FIELDS[name])[0] in (int, float)]
PLAIN = ("lr", "seed")


def told(**settings: object) -> str:
    """The sentence with which `settings` are refused."""
    with pytest.raises(ConfigError) as caught:
        RunConfig.of(settings)
    sentence = str(caught.value)
    assert sentence.isprintable()
    assert len(sentence) < 300
    return sentence


def refusal(settings: Mapping[str, object]) -> str | None:
    """The sentence with which `settings` are refused, or None if they are a run."""
    try:
        RunConfig.of(settings)
    except ConfigError as error:
        return str(error)
    return None


def test_that_nothing_given_is_the_default_run() -> None:
    config = RunConfig.of({})
    assert config == RunConfig()
    assert (config.task, config.batch, config.micro_batches) == ("digits", 256, 8)
    assert (config.scaling, config.optimizer, config.lr, config.card) == ("mean", "sgd", 0.5, 192 * 1024)


@pytest.mark.parametrize("name", FIELDS)
def test_that_every_setting_has_a_title_and_one_line_of_help(name: str) -> None:
    about = meta(name)
    assert about.title
    assert about.description
    assert "\n" not in about.description
    assert len(about.description) < 90
    assert allowed(name)


@pytest.mark.parametrize("name", NUMBERS)
def test_that_every_number_has_both_ends_and_a_unit(name: str) -> None:
    about = meta(name)
    assert about.ge is not None
    assert about.le is not None
    assert bool(unit(name)) != (name in PLAIN)


@pytest.mark.parametrize("name", NUMBERS)
def test_that_the_ends_of_a_range_pass_and_what_lies_beyond_does_not(name: str) -> None:
    about = meta(name)
    assert about.ge is not None
    assert about.le is not None
    for end, beyond in ((about.ge, -1), (about.le, 1)):
        # an end is allowed alone, though perhaps not beside the other defaults
        assert "it must be" not in (refusal({name: end}) or "")
        step = beyond * (1 if get_args(FIELDS[name])[0] is int else abs(end) / 1000)
        assert told(**{name: end + step}).endswith(f"it must be {allowed(name)}")


def test_that_the_default_of_each_setting_is_in_its_range() -> None:
    for field in msgspec.structs.fields(RunConfig):
        assert msgspec.convert(field.default, FIELDS[field.name]) == field.default


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        -float("inf"),
        True,
        "8",
        None,
        10**400,
        -(10**5000),
        [8],
        {},
        b"8",
        object(),
    ],
    ids=lambda value: str(type(value).__name__),
)
def test_that_what_is_no_number_is_told_in_one_sentence(name: str, value: object) -> None:
    if name == "card" and value == "8":
        assert told(card="8") == "card is 8; it must be a size from 1.0 KiB to 512 TiB, such as 192KiB"
        return
    sentence = told(**{name: value})
    assert sentence.startswith(f"{title(name)} is ")
    assert sentence.endswith(f"it must be {allowed(name)}")


@pytest.mark.parametrize("name", [name for name in NUMBERS if name != "lr"])
def test_that_a_whole_number_is_not_written_as_a_fraction(name: str) -> None:
    assert told(**{name: 8.0}).startswith(f"{title(name)} is 8.0; it must be ")


def test_that_a_whole_learning_rate_is_a_number() -> None:
    assert RunConfig.of({"lr": 1}).lr == 1.0
    assert type(RunConfig.of({"lr": 1}).lr) is float


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"batch": 0}, "batch B is 0; it must be a whole number from 1 to the task's samples, 65536 at most"),
        ({"lr": 0.0}, "learning rate is 0; it must be a number from 0.000001 to 100"),
        ({"scaling": "sum"}, "scaling is 'sum'; it must be mean, unscaled or samples"),
        ({"twin": 1}, "twin is 1; it must be true or false"),
        ({"device": "tpu"}, "device is 'tpu'; it must be auto, cpu, cuda, cuda:1 or mps"),
        ({"device": "cpu\n"}, "device is 'cpu\\n'; it must be auto, cpu, cuda, cuda:1 or mps"),
        ({"micro_batch": 4}, "unknown setting 'micro_batch'; did you mean 'micro_batches'?"),
        ({"micro-batches": 4}, "unknown setting 'micro-batches'; did you mean 'micro_batches'?"),
        ({"colour": "red"}, "unknown setting 'colour'"),
        (
            {"task": "digit"},
            "task is 'digit'; it must be digits, moons, penguins or a file of your own, FILE.py",
        ),
        ({"precision": "float16"}, "precision is 'float16'; it must be float32, float64 or bfloat16"),
        ({"model": "resnet"}, "model is 'resnet'; task digits has mlp, cnn"),
        ({"batch": 1798}, "batch B is 1798, but digits has 1797 samples"),
        ({"batch": 4, "micro_batches": 8}, "micro-batches N is 8, more than the 4 samples of a batch"),
        ({"model": "cnn", "depth": 3}, "depth has no effect on the cnn of digits; leave it alone"),
        ({"sizes": [4, 4, 2], "batch": 11}, "sizes add up to 10, but a batch has 11 samples"),
        ({"sizes": [4, 4, 2], "micro_batches": 4}, "sizes has 3 entries for 4 micro-batches"),
        ({"card": "lots"}, "'lots' is not a size"),
        ({"card": "1B"}, "card is 1; it must be a size from 1.0 KiB to 512 TiB, such as 192KiB"),
    ],
)
def test_that_a_mistake_is_told_with_its_name_value_and_what_is_allowed(
    settings: dict[str, Any], sentence: str
) -> None:
    assert told(**settings).startswith(sentence)


@pytest.mark.parametrize(
    "sizes", [[0, 4], [4.0, 4], [True, 4], "44", {4, 2}, {"a": 1}, [], [[4]], 8, [4, None], [10**400]]
)
def test_that_sizes_are_a_list_of_whole_numbers(sizes: object) -> None:
    assert told(sizes=sizes).endswith("a list of whole numbers from 1 to 65536, one for each micro-batch")


def test_that_sizes_bring_their_own_batch_and_number_of_pieces() -> None:
    config = RunConfig.of({"sizes": [4, 4, 2]})
    assert (config.sizes, config.batch, config.micro_batches) == ((4, 4, 2), 10, 3)


def test_that_names_that_are_no_text_and_numpy_values_are_refused_too() -> None:
    with pytest.raises(ConfigError, match=r"^unknown setting 3$"):
        RunConfig.of({3: 4})  # type: ignore[dict-item]
    assert "\n" not in told(lr=np.eye(9))
    assert told(scaling="\udc80").startswith("scaling is '\\udc80'")


def test_that_a_card_is_given_in_words_or_bytes() -> None:
    assert RunConfig.of({"card": "192KiB"}) == RunConfig.of({"card": 192 * 1024})


@pytest.mark.parametrize("optimizer", LEARNING_RATES)
def test_that_each_optimizer_has_its_own_learning_rate(optimizer: str) -> None:
    assert RunConfig.of({"optimizer": optimizer}).lr == LEARNING_RATES[optimizer]
    assert RunConfig.of({"optimizer": optimizer, "lr": 0.25}).lr == 0.25
    assert choices("optimizer") == tuple(LEARNING_RATES)


def test_that_a_new_optimizer_brings_its_learning_rate_and_the_same_one_keeps_it() -> None:
    config = RunConfig.of({"lr": 0.25})
    assert config.changed(optimizer="adam").lr == 0.01
    assert config.changed(optimizer="adam", lr=0.02).lr == 0.02
    assert config.changed(optimizer="sgd").lr == 0.25
    assert config.changed(scaling="unscaled").lr == 0.25


def test_that_a_new_n_or_b_gives_up_sizes_and_new_sizes_bring_theirs() -> None:
    uneven = RunConfig.of({"sizes": [4, 4, 2]})
    assert uneven.changed(micro_batches=5).sizes is None
    assert uneven.changed(batch=12).sizes is None
    assert uneven.changed(seed=1).sizes == (4, 4, 2)
    even = uneven.changed(sizes=None)
    assert (even.sizes, even.batch, even.micro_batches) == (None, 10, 3)
    again = RunConfig.of({}).changed(sizes=(3, 2))
    assert (again.sizes, again.batch, again.micro_batches) == ((3, 2), 5, 2)


def test_that_a_change_is_checked_as_a_whole_and_leaves_the_old_run_alone() -> None:
    config = RunConfig.of({})
    with pytest.raises(ConfigError, match="more than the 256 samples"):
        config.changed(micro_batches=257)
    with pytest.raises(ConfigError, match="unknown setting 'n'"):
        config.changed(n=4)
    assert config == RunConfig.of({})


def test_that_what_is_live_is_a_setting() -> None:
    assert set(FIELDS) >= LIVE


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.binary(max_size=8)
    | st.dates()
    | st.sampled_from(["mean", "unscaled", "adam", "cpu", "relu", "float64", "8KiB", 1, 8, 64]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(list(FIELDS)) | st.text(max_size=12), anything, max_size=6))
def test_that_any_mapping_is_a_run_or_a_config_error_of_one_line(settings: dict[str, object]) -> None:
    sentence = refusal(settings)
    if sentence is not None:
        assert sentence.isprintable()
    else:
        config = RunConfig.of(settings)
        assert RunConfig.of(msgspec.structs.asdict(config)) == config
        assert 1 <= config.micro_batches <= config.batch


def test_that_reading_the_configuration_needs_neither_torch_nor_qt() -> None:
    code = """if True:
        import sys, gradviz.config
        gradviz.config.RunConfig.of({"scaling": "unscaled"})
        assert not {"torch", "PySide6", "pyqtgraph"} & set(sys.modules), "it is slow to import"
    """
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize("change", [{"model": "cnn"}, {"task": "moons"}, {"task": "penguins"}])
def test_that_another_task_or_model_brings_its_card_unless_one_was_chosen(change: dict[str, object]) -> None:
    default = RunConfig.of({})
    assert default.changed(**change).card == RunConfig.of(change).card != default.card
    assert default.changed(**change).changed(task="digits", model="mlp").card == default.card
    assert RunConfig.of({"card": "1MiB"}).changed(**change).card == 2**20
