"""Pictures as tables, before anything is drawn."""
