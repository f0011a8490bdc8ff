"""The law of the best performance by approximate Bayesian computation."""
