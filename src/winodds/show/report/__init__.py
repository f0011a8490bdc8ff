"""The page that people share."""
