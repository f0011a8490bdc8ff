"""Presentation: the only place where numbers are rounded."""
