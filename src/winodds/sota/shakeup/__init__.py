"""Two boards of one contest: what the public one promised, and how far the shake-up is luck."""
