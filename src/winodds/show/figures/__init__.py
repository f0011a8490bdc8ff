"""Pictures as small tables, before anything is drawn."""
