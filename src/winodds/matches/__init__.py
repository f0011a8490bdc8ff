"""Scores and battles → wins: who beat whom, and what each cluster contributed."""
