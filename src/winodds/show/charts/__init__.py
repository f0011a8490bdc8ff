"""Tables of figures → Altair charts: the only room that draws."""
