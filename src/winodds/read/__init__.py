"""Files in: strict readers of tables of results."""
