"""The style sheet of the controls, made from a theme. The panes paint themselves."""

from __future__ import annotations

from .theme import Theme

_SHEET = """
* {{ font-family: Inter; font-size: {body}px; color: {ink}; outline: none; }}
QMainWindow, #root {{ background: {window}; }}
#panel, #banner, #sheet {{ background: {ground}; border: 1px solid {border}; border-radius: {radius}px; }}
QScrollArea, #form {{ background: transparent; border: none; }}
QLabel {{ background: transparent; }}
QLabel[role="brand"] {{ font-size: {title}px; font-weight: 600; }}
QLabel[role="title"] {{ font-size: {title}px; font-weight: 600; }}
QLabel[role="value"] {{ font-weight: 600; }}
QLabel[role="muted"] {{ color: {muted}; }}
QLabel[role="note"] {{ color: {muted}; font-size: {small}px; }}
QLabel[role="refusal"] {{ color: {ink}; background: {fault_tint}; font-size: {small}px;
    border-radius: {small_radius}px; padding: {gap}px; }}
QPushButton {{ background: {raised}; border: {edge}px solid transparent; border-radius: {small_radius}px;
    padding: {gap}px {pad}px; }}
QPushButton:hover {{ background: {hovered}; }}
QPushButton:pressed {{ background: {border}; }}
QPushButton:focus {{ border-color: {accumulated}; }}
QPushButton[role="primary"] {{ background: {accumulated}; color: {on_accumulated}; font-weight: 600; }}
QPushButton[role="primary"]:hover {{ background: {accumulated_hovered}; }}
QPushButton[role="primary"]:focus {{ border-color: {ink}; }}
QPushButton[role="plain"] {{ background: transparent; }}
QPushButton[role="fold"] {{ background: transparent; text-align: left;
    font-size: {title}px; font-weight: 600; padding: {hair}px 0px; }}
QPushButton[role="plain"]:hover, QPushButton[role="fold"]:hover {{ background: {raised}; }}
QPushButton:disabled {{ color: {muted}; }}
QLineEdit, QComboBox {{ background: {raised}; border: {edge}px solid transparent;
    border-radius: {small_radius}px; padding: 0px {gap}px;
    selection-background-color: {accumulated}; selection-color: {on_accumulated}; }}
QLineEdit:hover, QComboBox:hover {{ background: {hovered}; }}
QLineEdit:focus, QComboBox:focus {{ border-color: {accumulated}; }}
QLineEdit:disabled {{ color: {muted}; }}
QLineEdit[role="value"] {{ font-weight: 600; font-size: {title}px; }}
QComboBox::drop-down {{ border: none; width: {pad}px; }}
QComboBox QAbstractItemView {{ background: {ground}; border: 1px solid {muted};
    selection-background-color: {raised}; selection-color: {ink}; }}
QScrollBar:vertical {{ background: transparent; width: {bar}px; margin: 0px; }}
QScrollBar::handle:vertical {{ background: {raised}; border-radius: {hair}px; min-height: {pad}px; }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{ height: 0px;
    background: transparent; }}
QToolTip {{ background: {ground}; color: {ink}; border: 1px solid {muted}; }}
"""


def style_sheet(theme: Theme) -> str:
    """Qt's style sheet for a whole window in this theme, at its scale."""
    lengths = {
        name: max(1, round(theme.px(length)))
        for name, length in {
            "body": 12, "title": 14, "small": 11, "radius": 8, "small_radius": 5, "gap": 3, "pad": 9,
            "hair": 2, "edge": 2, "bar": 6,
        }.items()
    }  # fmt: skip
    on_accumulated = "#0b1420" if theme.name == "dark" else "#ffffff"
    colours = {
        name: getattr(theme, name)
        for name in (
            "window", "ground", "raised", "border", "ink", "muted", "accumulated", "fault_tint"
        )
    }  # fmt: skip
    return _SHEET.format(
        **lengths,
        **colours,
        on_accumulated=on_accumulated,
        hovered=_between(theme.raised, theme.muted, 0.3),
        accumulated_hovered=_between(theme.accumulated, theme.ink, 0.25),
    )


def _between(colour: str, other: str, part: float) -> str:
    """The colour that lies so far on the way from one to the other, both as #rrggbb."""
    pairs = [(int(colour[place : place + 2], 16), int(other[place : place + 2], 16)) for place in (1, 3, 5)]
    return "#" + "".join(f"{round(here + (there - here) * part):02x}" for here, there in pairs)
