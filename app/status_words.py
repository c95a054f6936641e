"""What the status line says of a moment."""

from __future__ import annotations

from gradviz import tasks
from gradviz.history import Moment

from .session import Session


def state_in_words(session: Session, moment: Moment | None, live: bool) -> str:
    """Such as "training live", "paused" or "looking back at step 3"."""
    if session.failure is not None:
        return "the new run failed" if session.fell_back else "failed"
    if not live and moment is not None and moment.window is not None:
        return f"looking back at step {moment.window.step}"
    if session.recorded:
        return "recorded"
    if moment is None and session.running:
        return "starting"
    if not session.running:
        return "finished" if session.history.ended is not None else "stopped"
    return "training live" if session.playing else "paused"


def parts_in_words(moment: Moment | None, steps_per_second: float | None, live: bool = True) -> list[str]:
    """Where it is and what is trained, the most important first."""
    if moment is None:
        return []
    parts = []
    window = moment.window
    if steps_per_second is not None:
        # most steps are not seen then, so the steps are counted, not the window on the screen
        parts += [f"step {moment.steps}", f"{steps_per_second:.0f} steps/s"]
    elif not live and window is not None:
        # the step stands in the state already
        parts.append(f"micro-batch {len(moment.added)} / {len(window.sizes)}")
    elif window is not None and window.step >= moment.steps:
        parts += [f"step {window.step}", f"micro-batch {len(moment.added)} / {len(window.sizes)}"]
    else:
        # the steps go on without micro-batches
        parts.append(f"step {moment.steps}")
    config, title = moment.run.config, moment.run.task_title
    if not tasks.is_own(config.task):
        title += f" {config.model.upper() if len(config.model) <= 3 else config.model}"
    return [*parts, title, config.device, config.precision]
