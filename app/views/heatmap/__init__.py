"""One layer as pictures: this micro-batch, .grad, the full batch, and their difference."""
