"""The networks that the tasks share, built as the settings say. Needs torch."""

from __future__ import annotations

import itertools

from torch import nn

from gradviz.config import RunConfig

_ACTIVATIONS: dict[str, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU, "gelu": nn.GELU}


def mlp(config: RunConfig, inputs: int, outputs: int) -> tuple[nn.Module, str]:
    """Linear layers with an activation between them, and the title, such as "64-64-10 tanh MLP"."""
    widths = [inputs, *[config.width] * config.depth, outputs]
    layers: list[nn.Module] = []
    for before, after in itertools.pairwise(widths):
        layers += [nn.Linear(before, after), _ACTIVATIONS[config.activation]()]
    kind = f"{config.activation} MLP" if config.depth else "linear"
    # no activation after the last layer: what it gives may be any number
    return nn.Sequential(*layers[:-1]), f"{'-'.join(map(str, widths))} {kind}"


def cnn(config: RunConfig, side: int, outputs: int) -> tuple[nn.Module, str]:
    """Two convolutions of `width` channels for grey pictures of `side` pixels, flattened; and the title."""
    width, activation = config.width, _ACTIVATIONS[config.activation]
    model = nn.Sequential(
        nn.Unflatten(1, (1, side, side)),
        nn.Conv2d(1, width, 3, padding=1),
        activation(),
        nn.MaxPool2d(2),
        nn.Conv2d(width, width, 3, padding=1),
        activation(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(width * (side // 4) ** 2, outputs),
    )
    return model, f"{width}-{width}-{outputs} {config.activation} CNN"
