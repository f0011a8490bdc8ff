"""Evaluations of OpenML: fetched through its client, or saved by it as a table."""
