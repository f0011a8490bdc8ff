"""The state of the art, honestly: what the best of many entries is worth without its luck."""
