"""Icons, fonts, presets and data files."""
