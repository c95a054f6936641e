"""The only place that starts and stops a run."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gradviz.config import LIVE, RunConfig
from gradviz.control import Control, Watch
from gradviz.events import (
    Event,
    Resynced,
    RunFailed,
    RunFinished,
    RunStarted,
)
from gradviz.history import History

from .mailbox import Mailbox
from .pace import FLAT_OUT, HUMAN_SPEED
from .place import Place
from .words import NO_PIECES, setting_in_words
from .worker import EventSource, Worker, train

_CHANGES_THE_WINDOW = frozenset({"micro_batches", "scaling", "lr"})


class Session(QObject):
    """The run that goes on: its settings, its events so far, whether it plays and how fast.

    The history is that of the run before until the new one has begun, so that the screen is never empty. A
    run that fails before it begins leaves the settings of the run before as they were.
    `intervened` comes when something is changed in the run that goes on, before it is said what.
    """

    run_started = Signal()
    run_ended = Signal()
    changed = Signal()
    intervened = Signal()
    said = Signal(str)

    def __init__(self, config: RunConfig, source: EventSource = train) -> None:
        super().__init__()
        self.history = History()
        self.failure: RunFailed | None = None
        self.playing = False
        self.speed = HUMAN_SPEED
        self._watch = Watch()
        self._config = config
        self._shown_config: RunConfig | None = None
        self._source = source
        self._worker: Worker | None = None
        self._control: Control | None = None
        self._mailbox = Mailbox()
        self._recorded = self._begun = False
        self._place = Place(config)

    @property
    def config(self) -> RunConfig:
        """The settings as last asked for."""
        return self._config

    @property
    def running(self) -> bool:
        """A run goes on, be it held or not."""
        return self._control is not None

    @property
    def fell_back(self) -> bool:
        """The newest run failed before it began, and the one before is still shown, with its settings."""
        return self.failure is not None and self.history.ended is not self.failure

    @property
    def recorded(self) -> bool:
        """The history was handed in: nothing is trained here."""
        return self._recorded

    def show_recorded(self, history: History) -> None:
        """Show what was trained elsewhere."""
        self.history, self._recorded = history, True
        self.changed.emit()

    def start(self, config: RunConfig) -> None:
        """Begin a new run; the one before ends at its next micro-batch, without anybody waiting for it."""
        if self._worker is not None:
            self._worker.end()
        if self._begun:
            self._shown_config = self._config
        self._config, self.failure, self._recorded, self._begun = config, None, False, False
        self._control, self._mailbox = Control(config), Mailbox()
        self._control.watch(self._watch)
        self._place = Place(config)
        if self.playing and self.speed == FLAT_OUT:
            self._control.allow(None)
        self._worker = Worker(config, self._control, self._mailbox, self._source, after=self._worker)
        self._worker.start()
        self.changed.emit()

    def stop(self) -> None:
        """End the run and wait until its thread has ended."""
        worker, self._worker, self._control = self._worker, None, None
        self.playing = False
        if worker is not None:
            worker.end()
            worker.join()

    def restart(self) -> None:
        """The same settings from the first weights on."""
        self.start(self._config)
        self.said.emit("new run, same settings")

    def start_default(self) -> None:
        """Begin a run with nothing changed."""
        self.start(RunConfig.of({}))
        self.said.emit("new run: default settings")

    def play(self) -> None:
        """Go on by itself, at the chosen speed."""
        if self._control is None:
            self.playing = True
            self.restart()
        elif not self.playing:
            self.playing, self._place.steps_asked = True, 0
            if self.speed == FLAT_OUT:
                self._control.allow(None)
            self.changed.emit()

    def pause(self) -> None:
        """Wait before the next micro-batch."""
        self._hold()
        if self.playing:
            self.playing = False
            self.changed.emit()

    def set_speed(self, speed: float) -> None:
        """Micro-batches a second, or infinity."""
        self.speed = speed
        if self.playing and self._control is not None:
            self._hold()
            if speed == FLAT_OUT:
                self._control.allow(None)
        self.changed.emit()

    def one_micro_batch(self) -> None:
        """Take one more micro-batch and wait again."""
        self._hold_if_playing()
        self.grant(1)

    def one_step(self) -> None:
        """Go to the end of the window, or of the next one: N / N, before the optimizers step."""
        self._hold_if_playing()
        if self._place.undivided:
            self.grant(1)
        elif self._place.settled or self._control is None:
            self.grant(self._place.to_the_end(self._config.micro_batches))
        else:
            # how far the window has come is heard of soon
            self._place.steps_asked += 1

    def grant(self, micro_batches: int) -> None:
        """Let so many more micro-batches be taken."""
        if self._control is None:
            self.said.emit("the run has ended: R starts it again")
        elif micro_batches > 0:
            self._place.ahead += micro_batches
            self._control.allow(micro_batches)

    @property
    def ahead(self) -> int:
        """Micro-batches granted and not yet heard of."""
        return self._place.ahead

    def change(self, **settings: object) -> None:
        """Other settings: in the run that goes on where that can be, otherwise by a new run.

        Raises:
            ConfigError: one sentence; nothing has changed then.
        """
        config = self._config.changed(**settings)
        if config == self._config:
            return
        names = [name for name in settings if getattr(config, name) != getattr(self._config, name)]
        if self._control is None or not LIVE.issuperset(names):
            self.start(config)
            self.said.emit(f"new run: {', '.join(setting_in_words(name, config) for name in names)}")
        else:
            self._change_live(config, {name: settings[name] for name in names})

    def toggle_scaling(self) -> None:
        """Forget the 1/N, or put it back."""
        if self._config.lanes == "full":
            self.said.emit(NO_PIECES)
            return
        self.change(scaling="mean" if self._config.scaling == "unscaled" else "unscaled")

    def resync(self) -> None:
        """Copy the full-batch lane's weights and optimizer state to the accumulated lane."""
        if self._control is not None:
            self.intervened.emit()
            self._control.resync(now=self._is_watched())
            self._place.settled = False

    def watch(self, watch: Watch) -> None:
        """Look at something else closely: in this window where somebody watches, else from the next on."""
        if watch != self._watch:
            self._watch = watch
            if self._control is not None:
                self._control.watch(watch, now=watch != Watch() and self._is_watched())
                self._place.settled = False

    @property
    def watched(self) -> Watch:
        """What is looked at closely."""
        return self._watch

    def want_detail(self, *, memory: bool) -> None:
        """Ask for the next window in detail, and with `memory` for its memory too."""
        if self._control is not None:
            self._control.want_detail(memory=memory)

    def drain(self) -> bool:
        """Take over what has happened since the last call; whether anything has."""
        # asked first: of all that came before it waited, the mailbox then knows
        waits = self._control is not None and self._control.waiting
        events = self._mailbox.take()
        for event in events:
            self._take(event)
        if waits and not self._place.settled:
            for _ in range(self._place.settle()):
                self.one_step()
        return bool(events)

    def _change_live(self, config: RunConfig, changes: dict[str, object]) -> None:
        assert self._control is not None
        now = bool(_CHANGES_THE_WINDOW & set(changes)) and self._is_watched()
        self._config = self._control.set(now=now, **changes)
        self._place.settled = False
        self.intervened.emit()
        words = ", ".join(setting_in_words(name, config) for name in changes)
        if not _CHANGES_THE_WINDOW & set(changes):
            self.said.emit(words)
        elif now and not self._place.undivided:
            self.said.emit(f"step {self._place.step} taken again with {words}")
        else:
            self.said.emit(f"{words} from the next window on")
        self.changed.emit()

    def _hold(self) -> None:
        if self._control is not None:
            self._control.hold()
            self._place.hold()

    def _hold_if_playing(self) -> None:
        # what was granted by stepping stays granted: keys may come faster than micro-batches are taken
        if self.playing:
            self.pause()

    def _is_watched(self) -> bool:
        """Somebody looks at this window, so that a change must show in it."""
        return not self.playing or self.speed / self._config.micro_batches < 1

    def _take(self, event: Event) -> None:
        if isinstance(event, RunStarted):
            self.history = History()
        if not isinstance(event, RunFailed) or self._begun or self.history.run is None:
            self.history.append(event)
        self._place.take(event)
        match event:
            case RunStarted():
                self._begun = True
                self.run_started.emit()
            case Resynced():
                self.said.emit(f"the lanes have the same weights again before step {event.step}")
            case RunFinished() | RunFailed():
                self._end(event)

    def _end(self, event: RunFinished | RunFailed) -> None:
        self.failure = event if isinstance(event, RunFailed) else None
        if self.failure is not None and not self._begun and self._shown_config is not None:
            self._config, self._begun = self._shown_config, True
        self._control, self.playing = None, False
        self.run_ended.emit()
        self.changed.emit()
