"""Pictures, fonts, sounds and texts; CREDITS.md names who made them."""
