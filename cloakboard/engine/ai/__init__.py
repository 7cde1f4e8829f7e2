"""Computer players: they see what their seat sees, never more."""
