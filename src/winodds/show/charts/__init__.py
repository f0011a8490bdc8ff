"""Tables of figures → Altair charts."""
