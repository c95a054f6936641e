"""The engine: real training runs, their gradients and their memory. Knows no Qt."""
