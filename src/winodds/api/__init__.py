"""The front door: from a table, or what other tools have, to a leaderboard."""
