"""Who and what is out there: friends, the local network, halls."""
