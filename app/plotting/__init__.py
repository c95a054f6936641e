"""Fast plot items and axes."""
