"""The program's entry. It knows almost nothing, so that Ctrl+C is obeyed before the rest is read."""

from __future__ import annotations

import os

from . import signals


def main() -> None:
    """Do what the command line says: one line for every mistake, code 2 for bad input, 130 for Ctrl+C."""
    signals.end_quietly()
    # numpy's own threads would be waited for by torch's, which are counted; read when numpy is
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # click and the settings take a tenth of a second to read
    from .commands import obey

    obey()
