"""Whether the ratings explain who beat whom."""
