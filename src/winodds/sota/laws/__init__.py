"""Laws of the largest of many scores, and who takes part."""
