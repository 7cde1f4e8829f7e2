"""The rules of every game: pure, deterministic, without I/O, clock or network."""
