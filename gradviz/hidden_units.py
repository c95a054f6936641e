"""Hidden units that have gone dead: whatever the sample, they say the same."""

from __future__ import annotations

import torch
from torch import Tensor, nn

_ACTIVATIONS = (nn.ReLU, nn.Tanh, nn.GELU)


def count_off(model: nn.Module, inputs: Tensor) -> tuple[int, int]:
    """(off, all) hidden units: off is one whose activation is the same for every sample of `inputs`."""
    off, count = 0, 0

    def look(_module: nn.Module, _arguments: tuple[Tensor, ...], output: Tensor) -> None:
        nonlocal off, count
        units = output.reshape(len(output), -1)
        off += int((units == units[:1]).all(dim=0).sum())
        count += units.shape[1]

    hidden = [module for module in model.modules() if isinstance(module, _ACTIVATIONS)]
    hooks = [module.register_forward_hook(look) for module in hidden]
    try:
        with torch.no_grad():
            model(inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return off, count
