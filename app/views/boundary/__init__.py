"""Where the lanes divide a plane of inputs, over the points that they learn from."""
