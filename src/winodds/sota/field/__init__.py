"""The field of a contest: where true performances lie, who is the best, and how good."""
