"""Single weights: what .grad holds of each, piece on piece, against its full-batch value."""
