"""Where the panels are: side by side, one alone, hidden, or in windows of their own."""
