"""The panes of the window, one widget a file."""
