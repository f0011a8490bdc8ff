"""One leaderboard, and everything that it can be asked."""
