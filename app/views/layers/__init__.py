"""The layers of the model: how far A is R in each of them."""
