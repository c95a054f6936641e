"""What the program is made of: versions, licence, and where the log is."""

from __future__ import annotations

import platform
from html import escape
from importlib import metadata
from pathlib import Path

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from .controls.parts import button, label
from .icons import program_icon
from .theme import Theme

UNKNOWN = "unknown"
_PACKAGES = (
    ("torch", "torch"),
    ("PySide6", "PySide6-Essentials"),
    ("pyqtgraph", "pyqtgraph"),
    ("numpy", "numpy"),
)


def version_of(package: str) -> str:
    """The version that is installed, read without importing the package."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return UNKNOWN


def facts(log: Path) -> tuple[tuple[str, str], ...]:
    """Pairs of a name and what is known of it."""
    versions = {title: version_of(package) for title, package in _PACKAGES}
    return (
        ("gradviz", version_of("gradviz")),
        ("Python", platform.python_version()),
        ("torch", versions.pop("torch")),
        ("PySide6", versions.pop("PySide6")),
        ("Qt", qVersion()),
        *versions.items(),
        ("system", platform.platform()),
        ("drawn by", f"Qt's {QGuiApplication.platformName()}"),
        ("licence", "MIT"),
        ("log", str(log)),
    )


def as_text(pairs: tuple[tuple[str, str], ...]) -> str:
    """One pair a line, for a report of a fault."""
    return "\n".join(f"{name}: {value}" for name, value in pairs)


class About(QDialog):
    """The facts as text that can be selected, with a button that copies them. Esc closes it."""

    def __init__(self, parent: QWidget, theme: Theme, log: Path) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("About gradviz")
        self.facts = facts(log)
        self.text = QLabel(_as_table(self.facts, theme))
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setAccessibleName(as_text(self.facts))
        self.copy = button("Copy", "button", "copy all of this as text")
        self.close_it = button("Close", "primary")
        self.close_it.setDefault(True)
        self._build_layout(theme)
        self.copy.clicked.connect(self._on_copy_clicked)
        self.close_it.clicked.connect(self.close)
        self.close_it.setFocus()

    def _build_layout(self, theme: Theme) -> None:
        margin, side = round(theme.px(18)), round(theme.px(36))
        picture = QLabel()
        picture.setPixmap(program_icon().pixmap(side, side))
        head, foot, rows = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        head.addWidget(picture)
        words = label("Shows gradient accumulation happening, proves when it equals the full batch,"
                      " and catches it when it does not.", "title", wraps=True)  # fmt: skip
        head.addWidget(words, 1)
        head.setSpacing(round(theme.px(12)))
        foot.addStretch(1)
        foot.addWidget(self.copy)
        foot.addWidget(self.close_it)
        rows.setContentsMargins(margin, margin, margin, margin)
        rows.setSpacing(round(theme.px(12)))
        rows.addLayout(head)
        rows.addWidget(self.text)
        rows.addLayout(foot)
        self.setMinimumWidth(round(theme.px(440)))

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(as_text(self.facts))
        self.copy.setText("Copied")


def _as_table(pairs: tuple[tuple[str, str], ...], theme: Theme) -> str:
    name_style = f"color: {theme.muted}; padding-right: {round(theme.px(14))}px"
    rows = "".join(
        f"<tr><td style='{name_style}'>{escape(name)}</td><td>{escape(value)}</td></tr>"
        for name, value in pairs
    )
    return f"<table>{rows}</table>"
