"""A small GPT as a task of one's own: gradviz --task tests/benchmarks/gpt.py:gpt."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

LETTERS, CONTEXT, WIDTH, HEADS, DEPTH, SAMPLES = 64, 64, 256, 4, 4, 256


class Block(nn.Module):
    """Attention to what came before, then a layer for each letter by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.before_attention, self.before_layer = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention, self.joined = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.layer = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, letters: Tensor) -> Tensor:
        """Shape (samples, context, width) in and out."""
        count, length, _ = letters.shape
        parts = self.attention(self.before_attention(letters)).split(WIDTH, dim=2)
        query, key, value = (part.view(count, length, HEADS, -1).transpose(1, 2) for part in parts)
        attended = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        letters = letters + self.joined(attended.transpose(1, 2).reshape(count, length, WIDTH))
        mixed: Tensor = letters + self.layer(self.before_layer(letters))
        return mixed


class GPT(nn.Module):
    """Says for each letter how likely each letter is to come next."""

    def __init__(self) -> None:
        super().__init__()
        self.letters, self.places = nn.Embedding(LETTERS, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.Sequential(*[Block() for _ in range(DEPTH)])
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, LETTERS)

    def forward(self, text: Tensor) -> Tensor:
        """Letters as numbers, shape (samples, context); logits, shape (samples, context, letters)."""
        places = self.places(torch.arange(text.shape[1], device=text.device))
        logits: Tensor = self.head(self.norm(self.blocks(self.letters(text) + places)))
        return logits


def gpt() -> dict[str, Any]:
    """3.2 million parameters; to say the row of letters that goes up by a step of its own each time."""
    generator = torch.Generator().manual_seed(0)
    first = torch.randint(LETTERS, (SAMPLES, 1), generator=generator)
    every = torch.randint(1, 8, (SAMPLES, 1), generator=generator)
    text = (first + every * torch.arange(CONTEXT + 1)) % LETTERS
    return {
        "model": GPT(),
        "inputs": text[:, :-1].contiguous(),
        "targets": text[:, 1:].contiguous(),
        "loss": _loss,
        "title": "small GPT",
        "guessing_loss": math.log(LETTERS),
    }


def _loss(logits: Tensor, letters: Tensor) -> Tensor:
    """The mean over each sample's letters."""
    return functional.cross_entropy(logits.transpose(1, 2), letters, reduction="none").mean(dim=1)
