"""One board for each value of a column, and what differs from the rest."""
