"""The style sheet of the controls, made from a theme. The panes paint themselves."""

from __future__ import annotations

from PySide6.QtGui import QColor

from .theme import Role, Theme

_GROUNDS = """
* {{ font-family: Inter; font-size: {body}px; color: {ink}; outline: none; }}
QMainWindow, #root {{ background: {window}; }}
QDialog {{ background: {ground}; }}
#panel, #banner, #sheet {{ background: {ground}; border: {thin}px solid {border};
    border-radius: {radius}px; }}
#banner {{ background: {ground}; border: {ring}px solid {fault}; }}
QScrollArea, #form {{ background: transparent; border: none; }}
QToolTip {{ background: {ground}; color: {ink}; border: {thin}px solid {muted}; padding: {gap}px; }}
QLabel {{ background: transparent; }}
QLabel[role="brand"] {{ font-size: {title}px; font-weight: 600; }}
QLabel[role="title"] {{ font-size: {title}px; font-weight: 600; }}
QLabel[role="value"] {{ font-weight: 600; }}
QLabel[role="muted"] {{ color: {muted}; }}
QLabel[role="note"] {{ color: {muted}; font-size: {small}px; }}
QLabel[role="refusal"] {{ color: {ink}; background: {fault_tint}; font-size: {small}px;
    border-radius: {small_radius}px; padding: {gap}px; }}
"""

_CONTROLS = """
QPushButton, QToolButton {{ background: {raised}; border: {thin}px solid {edge};
    border-radius: {small_radius}px; padding: {loose_gap}px {loose_pad}px; }}
QPushButton:hover {{ background: {hovered}; }}
QToolButton:hover {{ background: {hovered}; }}
QPushButton:pressed, QToolButton:pressed {{ background: {pressed}; }}
QPushButton:focus {{ border-width: {ring}px; border-color: {accumulated};
    padding: {gap}px {pad}px; }}
QToolButton:focus {{ border-width: {ring}px; border-color: {accumulated};
    padding: {gap}px {pad}px; }}
QFileDialog QToolButton {{ background: {under_black}; }}
QFileDialog QToolButton:hover {{ background: {under_black}; border-color: {accumulated}; }}
QPushButton[role="primary"] {{ background: {accumulated}; border-color: {accumulated};
    color: {on_accumulated}; font-weight: 600; }}
QPushButton[role="primary"]:hover {{ background: {accumulated_hovered}; }}
QPushButton[role="primary"]:focus {{ border-color: {primary_ring}; }}
QPushButton[role="plain"] {{ background: transparent; border-color: transparent; }}
QPushButton[role="fold"] {{ background: transparent; border-color: transparent; text-align: left;
    font-size: {title}px; font-weight: 600; padding: {loose_hair}px {loose}px; }}
QPushButton[role="plain"]:hover, QPushButton[role="fold"]:hover {{ background: {raised}; }}
QPushButton[role="plain"]:focus {{ border-color: {accumulated}; }}
QPushButton[role="fold"]:focus {{ border-color: {accumulated}; padding: {hair}px 0px; }}
QPushButton:disabled, QToolButton:disabled {{ color: {muted}; }}
QLineEdit, QComboBox {{ background: {raised}; border: {thin}px solid {edge};
    border-radius: {small_radius}px; padding: {loose}px {loose_gap}px;
    selection-background-color: {accumulated}; selection-color: {on_accumulated}; }}
QLineEdit:hover, QComboBox:hover {{ background: {hovered}; }}
QLineEdit:focus, QComboBox:focus {{ border-width: {ring}px; border-color: {accumulated};
    padding: 0px {gap}px; }}
QLineEdit:disabled, QComboBox:disabled {{ color: {muted}; }}
QLineEdit[role="value"] {{ font-weight: 600; font-size: {title}px; }}
QComboBox::drop-down {{ border: none; width: {pad}px; }}
QComboBox {{ combobox-popup: 0; }}
QComboBoxPrivateContainer {{ background: {ground}; border: none; padding: 0px; }}
QComboBox QAbstractItemView {{ background: {ground}; border: {thin}px solid {muted};
    selection-background-color: {accumulated}; selection-color: {on_accumulated}; }}
QCheckBox, QRadioButton {{ background: transparent; border: {ring}px solid transparent;
    border-radius: {small_radius}px; padding: {hair}px; spacing: {gap}px; }}
QCheckBox:focus, QRadioButton:focus {{ border-color: {accumulated}; }}
QCheckBox:disabled, QRadioButton:disabled {{ color: {muted}; }}
QCheckBox::indicator, QRadioButton::indicator, QMenu::indicator {{ width: {box}px; height: {box}px;
    background: {ground}; border: {mark}px solid {muted}; border-radius: {hair}px; }}
QRadioButton::indicator {{ border-radius: {half_box}px; }}
QCheckBox::indicator:checked, QRadioButton::indicator:checked, QMenu::indicator:checked {{
    background: {accumulated}; border-color: {ink}; }}
QScrollBar {{ background: transparent; margin: 0px; }}
QScrollBar:vertical {{ width: {bar}px; }}
QScrollBar:horizontal {{ height: {bar}px; }}
QScrollBar::handle {{ background: {handle}; border-radius: {hair}px; }}
QScrollBar::handle:vertical {{ min-height: {pad}px; }}
QScrollBar::handle:horizontal {{ min-width: {pad}px; }}
QScrollBar::handle:hover {{ background: {ink}; }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{ width: 0px;
    height: 0px; background: transparent; }}
"""

_MENUS_AND_TABLES = """
QMenuBar {{ background: {window}; }}
QMenuBar::item {{ background: transparent; padding: {gap}px {pad}px; border-radius: {small_radius}px; }}
QMenuBar::item:selected, QMenuBar::item:pressed {{ background: {accumulated}; color: {on_accumulated}; }}
QMenu {{ background: {ground}; border: {thin}px solid {muted}; padding: {gap}px; }}
QMenu::item {{ background: transparent; padding: {gap}px {wide}px; border-radius: {small_radius}px; }}
QMenu::item:selected {{ background: {accumulated}; color: {on_accumulated}; }}
QMenu::item:disabled {{ background: transparent; color: {muted}; }}
QMenu::separator {{ height: {thin}px; background: {border}; margin: {gap}px {pad}px; }}
QMenu::indicator:checked {{ background: {ink}; border-color: {ink}; }}
QMenu::indicator {{ left: {gap}px; }}
QTabWidget::pane {{ border: {thin}px solid {border}; border-radius: {small_radius}px; }}
QTabBar {{ background: transparent; }}
QTabBar::tab {{ background: transparent; color: {muted}; padding: {gap}px {pad}px;
    border: {ring}px solid transparent; border-radius: {small_radius}px; }}
QTabBar::tab:hover {{ background: {raised}; color: {ink}; }}
QTabBar::tab:selected {{ background: {raised}; color: {ink}; border-bottom-color: {ink}; }}
QTabBar::tab:disabled {{ color: {muted}; }}
QTabBar::tab:focus {{ border-color: {accumulated}; }}
QTableView, QTreeView, QListView {{ background: {ground}; alternate-background-color: {raised};
    border: {thin}px solid {border}; padding: {loose}px; gridline-color: {grid}; }}
QTableView:focus, QTreeView:focus, QListView:focus {{ border-width: {ring}px; border-color: {accumulated};
    padding: 0px; }}
QTableView::item, QTreeView::item, QListView::item {{ padding: {hair}px {gap}px; }}
QTableView::item:selected, QTreeView::item:selected, QListView::item:selected {{
    background: {accumulated}; color: {on_accumulated}; }}
QHeaderView {{ background: {ground}; }}
QHeaderView::section, QTableCornerButton::section {{ background: {raised}; color: {ink}; font-weight: 600;
    border: none; border-right: {thin}px solid {grid}; border-bottom: {thin}px solid {muted};
    padding: {gap}px; }}
QPlainTextEdit, QTextEdit {{ background: {raised}; border: {thin}px solid {edge}; padding: {loose}px;
    border-radius: {small_radius}px; selection-background-color: {accumulated};
    selection-color: {on_accumulated}; }}
QPlainTextEdit:focus, QTextEdit:focus {{ border-width: {ring}px; border-color: {accumulated}; padding: 0px; }}
"""


def style_sheet(theme: Theme) -> str:
    """Qt's style sheet for a whole window in this theme, at its scale."""
    lengths = {
        "radius": 8, "small_radius": 5, "gap": 3, "pad": 9, "hair": 2, "bar": 6, "box": 10, "wide": 22,
    }  # fmt: skip
    pixels = {name: max(1, round(theme.px(length))) for name, length in lengths.items()}
    roles: tuple[Role, ...] = ("body", "title", "small")
    pixels |= {role: theme.type_size(role) for role in roles}
    pixels |= {"ring": max(1, round(theme.px(theme.ring))), "thin": max(1, round(theme.hair))}
    pixels["mark"] = max(1, round(theme.line(1.5)))
    pixels["half_box"] = pixels["box"] // 2 + pixels["mark"] - 1
    # a ring is wider than an edge: as much more room is left around what has none
    loose = pixels["ring"] - pixels["thin"]
    pixels |= {"loose": loose, **{f"loose_{name}": pixels[name] + loose for name in ("gap", "pad", "hair")}}
    sheet = _GROUNDS + _CONTROLS + _MENUS_AND_TABLES
    return sheet.format(**pixels, **colours(theme))


def colours(theme: Theme) -> dict[str, str]:
    """The colours of the controls by name: the theme's own, and what lies between two of them."""
    own = (
        "window", "ground", "raised", "border", "edge", "grid", "ink", "muted", "accumulated",
        "on_accumulated", "fault", "fault_tint",
    )  # fmt: skip
    return {name: getattr(theme, name) for name in own} | {
        "hovered": _between(theme.raised, theme.muted, 0.25),
        "pressed": _between(theme.raised, theme.window, 0.5),
        "accumulated_hovered": _between(theme.accumulated, theme.ink, 0.25),
        # the projector's dark blue is too near to its ink
        "primary_ring": theme.full if theme.name == "projector" else theme.ink,
        "handle": _between(theme.raised, theme.muted, 0.75),
        # Qt draws the arrows of its own file dialog in black
        "under_black": max(theme.raised, theme.muted, key=lambda colour: QColor(colour).lightness()),
    }


def _between(colour: str, other: str, part: float) -> str:
    """The colour that lies so far on the way from one to the other, both as #rrggbb."""
    pairs = [(int(colour[place : place + 2], 16), int(other[place : place + 2], 16)) for place in (1, 3, 5)]
    return "#" + "".join(f"{round(here + (there - here) * part):02x}" for here, there in pairs)
