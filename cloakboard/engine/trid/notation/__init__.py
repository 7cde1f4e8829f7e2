"""Positions, moves and matches as text (TRID section 10), each writer with the reader that undoes
it: `positions` and `moves` for machines, `sheet` for people, `history` for whole matches."""
