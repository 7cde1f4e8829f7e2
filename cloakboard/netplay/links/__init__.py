"""Connections between machines: who is at the other end, one link for each pair of seats."""
