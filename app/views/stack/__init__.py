"""The main picture: micro-batch gradients stacking up to the full batch."""
