"""Navigated tuning: stop paying for settings that cannot win."""
