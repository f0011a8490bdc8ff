"""Many leaderboards, one for each tournament."""
