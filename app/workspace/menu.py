"""The menu of a panel: enlarge it, hide it, give it a window, and bring others back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from .names import TITLES, PanelName

if TYPE_CHECKING:
    from .workspace import Workspace


def panel_menu(workspace: Workspace, name: PanelName) -> QMenu:
    """A menu that does to the panel `name` what is chosen, and deletes itself."""
    menu = QMenu(workspace.window_of(name))
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if workspace.is_detached(name):
        menu.addAction("Back into the window", lambda: workspace.dock(name))
    elif workspace.enlarged == name:
        menu.addAction("Back to all panels", lambda: workspace.enlarge(None))
    else:
        menu.addAction("Enlarge", lambda: workspace.enlarge(name))
        menu.addAction("Detach into a window", lambda: workspace.detach(name))
    menu.addAction("Hide", lambda: workspace.set_hidden(name, True))
    hidden = [other for other in TITLES if workspace.is_hidden(other)]
    if hidden:
        menu.addSeparator()
    for other in hidden:
        menu.addAction(f"Show {TITLES[other].lower()}", partial(workspace.set_hidden, other, False))
    menu.addSeparator()
    menu.addAction("Reset all panels", workspace.reset)
    return menu
