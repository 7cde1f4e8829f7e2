"""A match that runs: the chain, its saves, resuming, undoing, the audit (VEIL 8, 11)."""
