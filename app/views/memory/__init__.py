"""What each lane holds at its peak, against the card, and over one window."""
