"""Memory on the CPU: operations' results are watched until they die, what passes inside them is logged."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.utils._python_dispatch import TorchDispatchMode

from gradviz.memory import MemorySample, standing
from gradviz.memory.ledger import ACTIVATIONS, GRADIENTS, OPTIMIZER, OTHER, PARAMETERS, WINDOW, Ledger
from gradviz.memory.scratch import AllocatorLog, can_be_logged

TRACED, WITHOUT_SCRATCH = "traced", "traced without scratch memory"
"""What samples say they are from."""

_VIEWS, _MAY_RESIZE, _MAKES = range(3)


class TracedMemory(TorchDispatchMode):
    """Counts the bytes of one lane's tensors while entered; enter it in the thread that trains.

    Where the allocator's log cannot be had, memory that an operation takes and gives back inside itself, as
    convolutions do, is not seen, and the samples say so.
    """

    def __init__(self, model: nn.Module, optimizer: Optimizer) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._model, self._optimizer = model, optimizer
        device = next(model.parameters()).device
        self._log = AllocatorLog() if can_be_logged(device) else None
        self._ledger = Ledger(device, TRACED if self._log is not None else WITHOUT_SCRATCH)
        # walking through the modules once a micro-batch is what would cost most here
        self._parameters = list(model.parameters())
        self._in_micro_batch = False
        self._effects: dict[Callable[..., Any], int] = {}

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Spare each operation the detour that keeps torch.compile out: nothing is compiled here."""
        return False

    def begin(self) -> None:
        """A window begins: take in what stands already, forget what was logged."""
        self._parameters = list(self._model.parameters())
        self._ledger.begin()
        self._ledger.mark(standing.weights(self._model), PARAMETERS)
        self._mark_what_came()
        self._ledger.stand()

    def tick(self) -> None:
        """A micro-batch begins here; the segment that is entered runs forward and backward, no step."""
        self._in_micro_batch = True
        self._ledger.mark(standing.gradients(self._parameters), GRADIENTS)
        self._ledger.tick()

    def hold_window(self, *tensors: Tensor) -> None:
        """Say that these are the window's data."""
        self._ledger.mark(tensors, WINDOW)

    def sample(self, *, complete: bool) -> MemorySample:
        """Memory since `begin`."""
        self._mark_what_came()
        return self._ledger.sample(complete=complete)

    def _mark_what_came(self) -> None:
        self._ledger.mark(standing.gradients(self._parameters), GRADIENTS)
        self._ledger.mark(standing.optimizer_state(self._optimizer), OPTIMIZER)

    def _take_in(self, result: object) -> None:
        if isinstance(result, Tensor):
            self._ledger.see(result, ACTIVATIONS if self._in_micro_batch and _is_forward() else OTHER)
        elif isinstance(result, (tuple, list)):
            for part in result:
                self._take_in(part)

    def _effect_of(self, func: Callable[..., Any]) -> int:
        """What an operation does to storages, by its schema."""
        returns = func._schema.returns  # type: ignore[attr-defined]
        effect = _MAKES
        # lift_fresh is how what Python made, as in torch.tensor(0.0), comes to be seen at all
        if func is not torch.ops.aten.lift_fresh.default and all(part.alias_info for part in returns):
            written = any(part.alias_info.is_write for part in returns)
            effect = _MAY_RESIZE if written else _VIEWS
        self._effects[func] = effect
        return effect

    def __enter__(self) -> TracedMemory:
        self._in_micro_batch = False
        super().__enter__()  # type: ignore[no-untyped-call]
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        super().__exit__(exc_type, exc_val, exc_tb)  # type: ignore[no-untyped-call]
        # the step's segment sets them to None: they have to be recognised while they are there
        self._ledger.mark(standing.gradients(self._parameters), GRADIENTS)

    def __torch_dispatch__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        effect = self._effects.get(func)
        if effect is None:
            effect = self._effect_of(func)
        if effect == _VIEWS or self._log is None:
            result, most, held = func(*args, **(kwargs or {})), 0, 0
        else:
            result, most, held = self._log.call(func, args, kwargs or {})
        if effect == _MAKES:
            self._take_in(result)
            self._ledger.pass_through(most - held)
        elif effect == _MAY_RESIZE:
            # the old size is still held while the new one is taken
            self._ledger.pass_through(most)
            if isinstance(result, Tensor):
                self._ledger.measure_again(result)
        return result


def _is_forward() -> bool:
    # with grad mode on, backward runs a checkpointed forward again
    return torch.is_grad_enabled() or torch._C._current_graph_task_id() == -1
