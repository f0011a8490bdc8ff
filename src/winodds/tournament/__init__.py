"""The runner: a spec → every fit that it asks for, stored one by one → a table of scores."""
