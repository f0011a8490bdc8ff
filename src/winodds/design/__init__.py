"""Who met whom, and the information that such meetings carry about ratings."""
