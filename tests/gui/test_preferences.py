"""What is kept between starts, and which theme follows from it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QByteArray, QObject, QSettings, Qt, Signal
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gradviz_app.appearance import Appearance
from gradviz_app.icons import icon
from gradviz_app.look import THEME_CHOICES
from gradviz_app.preferences import Preferences
from gradviz_app.style import style_sheet
from gradviz_app.theme import CONTRAST, DARK, LIGHT, THEMES, Theme


def preferences() -> Preferences:
    return Preferences(QSettings("preferences.ini", QSettings.Format.IniFormat))


def test_that_preferences_come_back() -> None:
    before = preferences()
    before.theme, before.hints_seen, before.experiment_open = "light", True, True
    before.geometry = QByteArray(b"somewhere")
    before._settings.sync()
    after = preferences()
    assert (after.theme, after.hints_seen, after.experiment_open) == ("light", True, True)
    assert after.geometry == QByteArray(b"somewhere")


def test_that_spoilt_preferences_are_as_none() -> None:
    settings = QSettings("preferences.ini", QSettings.Format.IniFormat)
    for name in ("theme", "hints_seen", "experiment_open", "geometry"):
        settings.setValue(name, "nonsense")
    spoilt = Preferences(settings)
    assert (spoilt.theme, spoilt.hints_seen, spoilt.experiment_open) == ("system", False, False)
    assert spoilt.geometry.isEmpty()


class System(QObject):
    """Stands for a desktop that is switched between dark and light, and to more contrast."""

    colorSchemeChanged = Signal()  # noqa: N815  Qt's own name
    contrastPreferenceChanged = Signal()  # noqa: N815

    def __init__(self) -> None:
        super().__init__()
        self.scheme = Qt.ColorScheme.Unknown
        self.contrast = Qt.ContrastPreference.NoPreference

    def colorScheme(self) -> Qt.ColorScheme:  # noqa: N802
        return self.scheme

    def accessibility(self) -> System:
        return self

    def contrastPreference(self) -> Qt.ContrastPreference:  # noqa: N802
        return self.contrast

    def switch(self, scheme: Qt.ColorScheme) -> None:
        self.scheme = scheme
        self.colorSchemeChanged.emit()

    def prefer(self, contrast: Qt.ContrastPreference) -> None:
        self.contrast = contrast
        self.contrastPreferenceChanged.emit()


def test_that_the_theme_follows_the_system_unless_one_is_chosen(qtbot: QtBot) -> None:
    system = System()
    appearance = Appearance(system, "system")  # type: ignore[arg-type]
    assert appearance.theme == DARK
    with qtbot.waitSignal(appearance.changed):
        system.switch(Qt.ColorScheme.Light)
    assert appearance.theme == LIGHT
    appearance.choose("dark")
    with qtbot.assertNotEmitted(appearance.changed):
        system.switch(Qt.ColorScheme.Light)
        system.prefer(Qt.ContrastPreference.HighContrast)
    assert appearance.theme == DARK


def test_that_a_system_with_high_contrast_gets_it(qtbot: QtBot) -> None:
    system = System()
    appearance = Appearance(system, "system")  # type: ignore[arg-type]
    with qtbot.waitSignal(appearance.changed):
        system.prefer(Qt.ContrastPreference.HighContrast)
    assert appearance.theme == CONTRAST
    with qtbot.waitSignal(appearance.changed):
        system.prefer(Qt.ContrastPreference.NoPreference)
    assert appearance.theme == DARK


def test_that_what_the_real_system_says_can_be_asked(qapp: QApplication) -> None:
    assert Appearance(qapp.styleHints(), "system").theme in THEMES.values()


def test_that_the_choices_go_round_and_each_has_a_theme_and_an_icon(qtbot: QtBot) -> None:
    appearance = Appearance(System(), "system")  # type: ignore[arg-type]
    seen = []
    for _ in THEME_CHOICES:
        seen.append((appearance.choice, appearance.theme.name))
        assert not icon(appearance.choice, "#ffffff").isNull()
        appearance.choose_next()
    assert seen == [
        ("system", "dark"),
        *((name, name) for name in ("light", "dark", "contrast", "projector")),
    ]
    assert appearance.choice == "system"


@pytest.mark.parametrize("theme", [*THEMES.values(), LIGHT.scaled(3.2), DARK.scaled(0.8)])
def test_that_every_colour_and_length_of_the_style_sheet_is_filled_in(theme: Theme) -> None:
    assert "{body}" not in style_sheet(theme)
    assert "-1px" not in style_sheet(theme)
    assert theme.ground in style_sheet(theme)
