"""Wins → ratings."""
