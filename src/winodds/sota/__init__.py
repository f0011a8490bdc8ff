"""The best of many scores on one test set."""
