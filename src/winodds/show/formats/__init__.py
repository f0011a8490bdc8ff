"""One renderer for each format."""
