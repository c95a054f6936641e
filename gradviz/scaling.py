"""What a micro-batch's mean loss is multiplied by, so that the pieces add up to the full batch. Or do not."""

from __future__ import annotations

from collections.abc import Sequence


def even_sizes(batch: int, micro_batches: int) -> tuple[int, ...]:
    """Samples of each of N micro-batches, as `torch.tensor_split` cuts: even up to one, larger ones first."""
    small, larger = divmod(batch, micro_batches)
    return (small + 1,) * larger + (small,) * (micro_batches - larger)


def weights(scaling: str, sizes: Sequence[int]) -> tuple[float, ...]:
    """The weight w_k of each micro-batch's mean loss.

    `mean` 1/N is right where the sizes are even, `samples` b_k/B always; with `unscaled` the gradient comes
    out N times too large.
    """
    if scaling == "mean":
        return (1 / len(sizes),) * len(sizes)
    if scaling == "samples":
        return tuple(size / sum(sizes) for size in sizes)
    if scaling == "unscaled":
        return (1.0,) * len(sizes)
    raise ValueError(f"no scaling is called {scaling!r}")


def is_forgotten(scaling: str, pieces: int) -> bool:
    """Whether the 1/N is missing. One piece needs none."""
    return scaling == "unscaled" and pieces > 1
