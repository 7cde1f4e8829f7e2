"""What hides: commitments, blind lookups, chance, the questions of the rules (VEIL 2 to 7)."""
