"""How results look: words, small tables, formats, figures, charts and the page."""
