"""The checks; their folders mirror those of `cloakboard`."""
