"""Ratings → how sure they are: intervals, tests, resampling, posterior."""
