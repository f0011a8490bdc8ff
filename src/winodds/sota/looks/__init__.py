"""Entries that were scored many times on one test set, and are listed with their best score."""
