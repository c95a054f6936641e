"""More than a hundred files with a task that is wrong: each is one sentence that says what and where."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

import pytest
import torch

from gradviz.config import ConfigError
from gradviz.tasks.own.check import examined
from gradviz.tasks.own.loading import MODULE, Printed
from gradviz.tasks.own.source import Source

HEAD = """import numpy as np, torch
from torch import nn
from torch.nn.functional import cross_entropy, mse_loss
"""
PARTS = {
    "model": "nn.Linear(3, 2)",
    "inputs": "torch.arange(30.0).reshape(10, 3)",
    "targets": "torch.arange(10) % 2",
    "loss": "lambda o, t: cross_entropy(o, t, reduction='none')",
}
BODY = len(HEAD.splitlines()) + 1
"""The line in which the function begins."""


def file_with(**parts: str) -> str:
    """A file whose function returns these parts, the others as they should be; "" leaves one out."""
    found = {**PARTS, **parts}
    inner = ", ".join(f"{key!r}: {value}" for key, value in found.items() if value)
    return f"{HEAD}def make():\n    return {{{inner}}}\n"


def sentence_about(text: str, function: str = "make") -> str:
    """The sentence with which the file is refused; everything is afterwards as it was before."""
    source = Source(Path("mine.py").resolve(), function, text)
    before = (list(sys.path), Path.cwd(), torch.get_default_dtype(), sys.stdout, sys.dont_write_bytecode)
    with warnings.catch_warnings():
        # as in the process in which files are examined
        warnings.simplefilter("ignore")
        with pytest.raises(ConfigError) as caught:
            examined(source, Printed())
    after = (list(sys.path), Path.cwd(), torch.get_default_dtype(), sys.stdout, sys.dont_write_bytecode)
    assert before == after
    assert MODULE not in sys.modules
    sentence = str(caught.value)
    assert caught.value.setting == "task"
    assert caught.value.__cause__ is None
    assert sentence.startswith(("mine.py, line ", "mine.py: ", "mine.py has "))
    assert sentence.isprintable()
    assert len(sentence) < 300
    assert "Traceback" not in sentence
    return sentence


def test_that_the_file_that_the_mistakes_are_made_in_is_right() -> None:
    found = examined(Source(Path("mine.py").resolve(), "make", file_with()), Printed())
    assert (found.samples, found.parameters, found.model_title) == (10, 8, "Linear")
    assert found.title == "mine.py:make"


NO_FILE = [
    ("def make(:\n", "mine.py, line 1: invalid syntax"),
    ("x = 1\n  y = 2\n", "mine.py, line 2: unexpected indent"),
    ("def make():\nreturn 1\n", "mine.py, line 2: expected an indented block"),
    ("x = (1,\n", "mine.py, line 1: '(' was never closed"),
    ("x = 'open\n", "mine.py, line 1: unterminated string literal"),
    ("if True:\n\tx = 1\n        y = 2\n", "mine.py, line 3: inconsistent use of tabs"),
    ("return 3\n", "mine.py, line 1: 'return' outside function"),
    ("await x\n", "mine.py, line 1: 'await' outside function"),
    ("from __future__ import braces\n", "mine.py, line 1: not a chance"),
    ("x = 0777\n", "mine.py, line 1: leading zeros"),
    ("import nowhere_to_be_found\n", "mine.py, line 1: ModuleNotFoundError: No module named 'nowhere_to"),
    ("from torch import nothing_such\n", "mine.py, line 1: ImportError: cannot import name 'nothing_such'"),
    ("\n\nx = undefined\n", "mine.py, line 3: NameError: name 'undefined' is not defined"),
    ("x = 1 / 0\n", "mine.py, line 1: ZeroDivisionError: division by zero"),
    ("open('nowhere.csv')\n", "mine.py, line 1: FileNotFoundError: "),
    ("import sys\nsys.exit()\n", "mine.py, line 2: it ends the program"),
    ("raise SystemExit(3)\n", "mine.py, line 1: it ends the program"),
    ("exit('bye')\n", "mine.py, line 1: it ends the program"),
    ("raise GeneratorExit\n", "mine.py, line 1: GeneratorExit"),
    ("assert False, 'no\\nlines\\x1b[31m here'\n", "mine.py, line 1: AssertionError: no lines·[31m here"),
    ("raise ValueError('long ' * 9999)\n", "mine.py, line 1: ValueError: long long"),
    (
        "class E(Exception):\n    def __str__(self): raise RuntimeError\nraise E\n",
        "mine.py, line 3: E: a E",
    ),
    ("def f(): return f()\nf()\n", "mine.py, line 1: RecursionError: maximum recursion depth"),
    ("input()\n", "mine.py, line 1: "),
    ("", "mine.py has no function 'make'"),
    ("def mkae(): pass\n", "mine.py has no function 'make'; did you mean 'mkae'?"),
    ("def other():\n    def make(): pass\n", "mine.py has no function 'make'"),
    ("make = 3\n", "mine.py: make is an int, not a function"),
    ("make = None\n", "mine.py: make is nothing, not a function"),
    ("import math as make\n", "mine.py: make is a module, not a function"),
    ("def make(n): pass\n", "mine.py, line 1: make is called without arguments; missing a required argument"),
    ("\ndef make(*, n): pass\n", "mine.py, line 2: make is called without arguments; missing a required"),
    (
        "class make:\n    def __init__(self, n): pass\n",
        "make is called without arguments; missing a required",
    ),
    ("make = lambda n: n\n", "mine.py, line 1: make is called without arguments"),
]


@pytest.mark.parametrize(("text", "beginning"), NO_FILE)
def test_that_a_file_that_cannot_be_run_is_told_with_its_line(
    text: str, beginning: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert beginning in sentence_about(text)


RETURNED = [
    ("pass", "make returns nothing; it must return a dict with model, inputs, targets and loss"),
    ("return []", "make returns a list"),
    ("return nn.Linear(1, 1), 2", "make returns a tuple"),
    ("return 'model'", "make returns a str"),
    ("yield {}", "make returns a generator"),
    ("return {}", "make returns no model"),
    ("return dict(model=1)", "make returns no inputs"),
    ("return {3: 4}", "make returns an unknown key 3"),
    ("return {'modle': 4}", "make returns an unknown key 'modle'; did you mean 'model'?"),
    ("return {'x' * 999: 4}", "make returns an unknown key 'xxxx"),
]


@pytest.mark.parametrize(("body", "words"), RETURNED)
def test_that_what_is_returned_is_told_with_the_functions_line(body: str, words: str) -> None:
    assert f"mine.py, line {BODY}: {words}" in sentence_about(f"{HEAD}def make():\n    {body}\n")


NO_ARRAY = ["None", "[1.0, 2.0]", "3", "'x'", "nn.Linear(3, 2)", "np.array(['a', 'b'])", "np.array([None])"]
NO_ARRAY += ["np.zeros(4, complex)", "torch.zeros(4, dtype=torch.complex64)", "torch.zeros(4).to_sparse()"]
NO_ARRAY += ["range(10)", "np.zeros(3, dtype='datetime64[s]')", "lambda: 3"]
WRONG = [
    *[({key: ""}, f"make returns no {key}") for key in PARTS],
    *[({key: value}, f"{key} is ") for key in ("inputs", "targets") for value in NO_ARRAY],
    *[({"inputs": v}, "inputs holds no samples") for v in ("torch.zeros(0, 3)", "torch.tensor(3.0)")],
    ({"targets": "np.array(3)"}, "targets holds no samples, its shape is ()"),
    ({"targets": "torch.zeros(9)"}, "there are 10 inputs, but 9 targets"),
    ({"inputs": "np.full((10, 3), np.inf)"}, "inputs holds a number that is not finite, in sample 0"),
    (
        {"targets": "torch.tensor([0.0] * 9 + [float('nan')])"},
        "targets holds a number that is not finite, in s",
    ),
    ({"model": "nn.Linear"}, "model is the class Linear; write Linear()"),
    *[
        ({"model": value}, "model is ")
        for value in ("None", "3", "'mlp'", "lambda x: x", "[nn.Linear(3, 2)]")
    ],
    ({"model": "nn.LazyLinear(2)"}, "model has lazy layers; give them their sizes"),
    ({"model": "nn.Sequential()"}, "model has no weights to train"),
    ({"model": "nn.Tanh()"}, "model has no weights to train"),
    ({"model": "nn.Linear(3, 2).requires_grad_(False)"}, "model has no weights to train"),
    ({"model": "nn.Linear(4, 2)"}, "model in float32: RuntimeError: mat1 and mat2"),
    ({"model": "nn.Embedding(9, 2)"}, "model in float32: RuntimeError: "),
    ({"model": "nn.LSTM(3, 2)"}, "model gives a tuple; it must give one tensor"),
    *[({"loss": value}, "loss is ") for value in ("None", "3", "'mse'", "torch.zeros(3)")],
    ({"loss": "cross_entropy"}, "loss gives the shape (); it must give one number a sample, shape (5,) for"),
    ({"loss": "lambda o, t: cross_entropy(o, t)"}, 'for 5 samples (reduction="none"?)'),
    ({"loss": "lambda o, t: o"}, "loss gives the shape (5, 2); it must give one number a sample"),
    ({"loss": "lambda o, t: o[:1, 0]"}, "loss gives the shape (1,)"),
    ({"loss": "lambda o, t: None"}, "loss gives nothing; it must give one number a sample"),
    ({"loss": "lambda o, t: 3.0"}, "loss gives a float; it must give one number a sample"),
    ({"loss": "lambda o, t: o.detach().numpy()[:, 0]"}, "loss gives a ndarray"),
    ({"loss": "lambda o, t: o.detach()[:, 0]"}, "loss does not depend on the model's weights"),
    ({"loss": "lambda o, t: torch.zeros(len(t), requires_grad=True)"}, "loss does not depend on the model's"),
    ({"loss": "lambda o, t: o.argmax(1)"}, "loss gives torch.int64, of which there is no gradient"),
    ({"loss": "lambda o, t: (o.argmax(1) == t).float()"}, "loss does not depend on the model's weights"),
    ({"loss": "lambda o, t: o[:, 0] / 0"}, "loss gives "),
    ({"loss": "lambda o, t: (o[:, 0] * 0).sqrt()"}, "the gradient is not finite in float32"),
    ({"loss": "lambda o: o"}, "loss in float32: TypeError: "),
    ({"loss": "lambda o, t: o.nothing"}, "loss in float32: AttributeError: "),
    ({"loss": "lambda o, t: mse_loss(o, t, reduction='none')"}, "loss in float32: RuntimeError"),
    ({"loss": "lambda o, t: 1 / 0"}, "loss in float32: ZeroDivisionError: division by zero"),
    ({"loss": "lambda o, t: exit()"}, "loss in float32: it ends the program"),
    ({"targets": "torch.arange(10) % 2 + 1"}, "loss in float32: IndexError: Target 2 is out of bounds"),
    ({"targets": "torch.zeros(10, 4)"}, "loss in float32: "),
    ({"inputs": "torch.arange(10)"}, "model in float32: RuntimeError: "),
    *[
        ({"guessing_loss": value}, "guessing_loss is ")
        for value in ("0", "-1", "'ln 2'", "float('nan')", "np.inf", "True", "torch.zeros(2)", "[1]")
    ],
    *[({"title": value}, "title is ") for value in ("3", "''", "' '", "'two\\nlines'", "'x' * 41", "b'x'")],
    *[
        ({"score": value}, "score")
        for value in (
            "3",
            "lambda o, t: 3",
            "('a', '%')",
            "('a', 3, print)",
            "('a', '%', 3)",
            "['a', '%', print]",
            "('', '%', print)",
            "('accuracy', '%', lambda o, t: 3)",
            "('accuracy', '%', lambda o, t: o)",
            "('accuracy', '%', lambda o, t: (o.argmax(1) == t).mean())",
            "('accuracy', '%', lambda o, t: torch.zeros(5))",
            "('error', '', lambda o, t: o[:, 0] * np.nan)",
        )
    ],
    ({"score": "('accuracy', '%', lambda o, t: 1 / 0)"}, "score: ZeroDivisionError: division by zero"),
    *[({"picture": value}, "picture is ") for value in ("3", "'grey'", "np.zeros((3, 3))")],
    *[
        ({"picture": f"lambda s: {value}"}, "picture gives shape ")
        for value in ("s", "3", "None", "np.zeros((0, 3))", "np.zeros((65, 3))", "np.array([['a']])")
    ],
    *[
        ({"picture": f"lambda s: np.full((2, 2), {value})"}, "the picture of sample 0 is not all grey values")
        for value in ("256", "-1", "np.nan")
    ],
    (
        {"picture": "lambda s: np.zeros((1 + int(s[0] > 20), 2))"},
        "picture gives the shape (2, 2) for sample 7, and",
    ),
    ({"picture": "lambda s: s.nothing"}, "picture: AttributeError: "),
    ({"inputs": "np.random.rand(10, 3)"}, "make gives other inputs at a second call; draw them with a seed"),
    ({"targets": "np.random.randint(0, 2, 10)"}, "make gives other targets at a second call"),
]


@pytest.mark.parametrize(("parts", "words"), WRONG)
def test_that_a_part_that_cannot_be_used_is_told_with_its_name(parts: dict[str, str], words: str) -> None:
    sentence = sentence_about(file_with(**parts))
    assert words in sentence
    assert sentence.startswith((f"mine.py, line {BODY}: ", f"mine.py, line {BODY + 1}: "))


IN_THE_MODEL = [
    ("raise ValueError('three')", "ValueError: three"),
    ("x.nothing", "AttributeError: "),
    ("print(undefined)", "NameError: name 'undefined' is not defined"),
    ("raise SystemExit", "it ends the program"),
    ("return self.inner(x).to(torch.float32) @ torch.zeros(4, 2)", "RuntimeError: "),
]


@pytest.mark.parametrize(("line", "words"), IN_THE_MODEL)
def test_that_a_mistake_within_the_model_is_told_with_its_own_line(line: str, words: str) -> None:
    net = f"""class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 2)
    def forward(self, x):
        {line}
"""
    text = HEAD + net + file_with(model="Net()").removeprefix(HEAD)
    assert f"mine.py, line {BODY + 5}: model in float32: {words}" in sentence_about(text)


def test_that_a_model_that_works_in_float32_alone_is_told_so() -> None:
    model = "nn.Sequential(nn.Linear(3, 2), Fixed())"
    fixed = "class Fixed(nn.Module):\n    def forward(self, x): return x @ torch.eye(2)\n"
    text = HEAD + fixed + file_with(model=model).removeprefix(HEAD)
    assert f"mine.py, line {BODY + 1}: model in float64: RuntimeError: " in sentence_about(text)


def test_that_a_model_that_cannot_be_copied_is_told() -> None:
    net = """class Net(nn.Linear):
    def __deepcopy__(self, memo): raise TypeError("one of a kind")
"""
    text = HEAD + net + file_with(model="Net(3, 2)").removeprefix(HEAD)
    assert sentence_about(text) == f"mine.py, line {BODY + 1}: model: TypeError: one of a kind"


def test_that_what_a_file_changes_is_put_back() -> None:
    text = "import os, sys, torch\nos.chdir('/')\nsys.path.clear()\nsys.path.append('x')\n"
    text += "torch.set_default_dtype(torch.float64)\ntorch.set_default_device('meta')\n"
    text += "torch.set_grad_enabled(False)\nmake = 3\n"
    assert sentence_about(text) == "mine.py: make is an int, not a function"
    assert torch.is_grad_enabled()
    assert torch.zeros(1).device.type == "cpu"
    assert Path.cwd() != Path(os.sep)


def test_that_a_mistake_in_a_module_beside_the_file_is_told_with_that_files_name() -> None:
    Path("beside.py").write_text("\n\nx = 1 / 0\n", "utf-8")
    sentence = sentence_about_beside("import beside\n")
    assert sentence == "beside.py, line 3: ZeroDivisionError: division by zero"
    Path("beside.py").write_text("def f(:\n", "utf-8")
    assert sentence_about_beside("import beside\n") == "beside.py, line 1: invalid syntax"
    assert "beside" not in sys.modules


def sentence_about_beside(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        examined(Source(Path("mine.py").resolve(), "make", text), Printed())
    return str(caught.value)
