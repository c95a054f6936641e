"""Stacks with real moments, and moments changed for the tests of the stack."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import moments
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gradviz.history import History, Moment
from gradviz_app.theme import DARK, Theme
from gradviz_app.views.stack.facts import Facts, facts_of
from gradviz_app.views.stack.layout import Layout, layout_of
from gradviz_app.views.stack.pane import Stack

make_moment = cache(moments.make_moment)


make_history = moments.make_history


UNEVEN = (200, 8, 8, 8, 8, 8, 8, 8)


def make_stack(qtbot: QtBot, theme: Theme = DARK, width: int = 740, height: int = 400) -> Stack:
    stack = Stack(theme)
    qtbot.addWidget(stack)
    stack.resize(width, height)
    return stack


def show(stack: Stack, moment: Moment | None) -> None:
    stack.refresh(History(), moment)


def picture(stack: Stack) -> QImage:
    image = QImage(stack.size(), QImage.Format.Format_RGB32)
    stack.render(image, QPoint())
    return image


def facts(moment: Moment) -> Facts:
    found = facts_of(moment)
    assert found is not None
    return found


def retaken(moment: Moment, scaling: str) -> Moment:
    """The window of `moment` taken again in the same run with another scaling."""
    return replace(make_moment(scaling=scaling), run=moment.run)


def with_window(moment: Moment, **changes: object) -> Moment:
    assert moment.window is not None
    return replace(moment, window=replace(moment.window, **changes))


def noisy(moment: Moment) -> Moment:
    """The moment with shares that cancel: 9, −9, 9, …"""
    added, total = [], 0.0
    for index, micro_batch in enumerate(moment.added):
        share = 9.0 if index % 2 == 0 else -9.0
        total += share
        added.append(replace(micro_batch, share=share, total=total))
    return replace(moment, added=tuple(added))


def without_reference(moment: Moment) -> Moment:
    added = tuple(replace(micro_batch, share=None, total=None) for micro_batch in moment.added)
    return with_window(replace(moment, added=added, compared=None), reference_norm=0.0)


def a_layout(pictures: bool = True, width: float = 712, height: float = 380, angle: bool = False) -> Layout:
    return layout_of(QRectF(14, 10, width, height), DARK, pictures, True, True, angle)
