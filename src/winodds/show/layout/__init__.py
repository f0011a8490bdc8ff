"""Results as small tables of words."""
