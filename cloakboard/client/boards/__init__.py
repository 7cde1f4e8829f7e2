"""The boards: what a state looks like, and what a point on it means."""
