"""Where results already live: what foreign tools write → tables that know their roles."""
